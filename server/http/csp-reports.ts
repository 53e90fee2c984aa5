import type { FastifyInstance, FastifyRequest } from "fastify";
import { networkOf } from "../networks.ts";
import { createCounter } from "../queue.ts";
import { redactToken } from "./addresses.ts";
import { CSP_REPORTS } from "./security-headers.ts";

const MAX_BYTES = 10 * 1024;
/** Log lines per minute, since anybody can send reports, in all and of one network. */
const PER_MINUTE = 20;
const PER_NETWORK = 5;

/** Logs a few truncated fields of each CSP report, so that no report can fill the log or forge a line. */
export function logPolicyReports(app: FastifyInstance, originOf: (request: FastifyRequest) => string): void {
  let [left, since, ofNetworks] = [PER_MINUTE, 0, createCounter()];
  const isLogged = (request: FastifyRequest) => {
    if (performance.now() - since > 60_000)
      [left, since, ofNetworks] = [PER_MINUTE, performance.now(), createCounter()];
    const network = networkOf(originOf(request));
    if (left === 0 || ofNetworks.countOf(network) === PER_NETWORK) return false;
    ofNetworks.add(network);
    left--;
    return true;
  };
  app.register(async (scope) => {
    scope.addContentTypeParser(
      ["application/csp-report", "application/reports+json", "application/json"],
      { parseAs: "string", bodyLimit: MAX_BYTES },
      (_request, body, done) => done(null, body),
    );
    scope.post(CSP_REPORTS, async (request, reply) => {
      if (isLogged(request))
        request.log.warn(
          { report: read(request.body), reqId: request.id },
          "a content security policy was violated",
        );
      return reply.code(204).send();
    });
  });
}

const fields = ["document-uri", "violated-directive", "effective-directive", "blocked-uri", "source-file"];

function read(body: unknown): Record<string, string> {
  try {
    const parsed = JSON.parse(String(body)) as { "csp-report"?: Record<string, unknown> };
    const report = parsed["csp-report"] ?? {};
    return Object.fromEntries(
      fields.flatMap((name) => (typeof report[name] === "string" ? [[name, redact(report[name])]] : [])),
    );
  } catch {
    return {};
  }
}

/** Removes the query, and the tokens that pages have in their path. */
const redact = (address: string) => redactToken(address).split(/[?#]/)[0]?.slice(0, 200) ?? "";
