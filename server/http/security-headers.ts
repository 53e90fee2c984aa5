import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import cors from "@fastify/cors";
import type { FastifyInstance, FastifyRequest } from "fastify";
import helmet, { type HelmetOptions } from "helmet";

type Options = {
  publicUrl: string;
  corsOrigins: string[] | null;
  /** The one script and the one sheet that stand in the pages: allowed by their hashes. */
  script: string;
  sheet: string;
};

/** Where browsers report what a policy has stopped (csp-reports.ts). */
export const CSP_REPORTS = "/csp-reports";

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** What browsers may know of an answer to a call from elsewhere. */
const exposed = ["ETag", "Link", "X-Total-Count", "Retry-After", "X-Request-Id"];

/** Of this host alone: what runs on names below it is not ours to decide. */
const transportOf = (publicUrl: string) =>
  publicUrl.startsWith("https:") ? ({ maxAge: 31_536_000, includeSubDomains: false } as const) : false;

const pageHeaders = ({ publicUrl, script, sheet }: Options) => ({
  "permissions-policy": permissions,
  ...headersOf({
    strictTransportSecurity: transportOf(publicUrl),
    // Pictures and answers of the API may be embedded from anywhere.
    crossOriginResourcePolicy: { policy: "cross-origin" },
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
    xFrameOptions: { action: "deny" },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", hashOf(script)],
        styleSrc: ["'self'", hashOf(sheet)],
        imgSrc: ["'self'", "data:", "blob:", new URL(publicUrl).origin],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        // HTML that scripts write has to pass the one policy of client/lib/trusted-html.ts.
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ["blog"],
        reportUri: [CSP_REPORTS],
      },
    },
  }),
});

/** Nothing here asks for any of them; a page that could be made to would be refused. */
const permissions = ["camera", "display-capture", "geolocation", "microphone", "midi", "payment", "usb"]
  .concat(["accelerometer", "gyroscope", "magnetometer", "screen-wake-lock", "serial", "hid"])
  .map((feature) => `${feature}=()`)
  .join(", ");

/** An answer that is no page can do nothing, should it be taken for one; what else rules pages need not be said. */
const dataHeaders = ({ publicUrl }: Options) =>
  headersOf({
    strictTransportSecurity: transportOf(publicUrl),
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: false,
    originAgentCluster: false,
    referrerPolicy: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });

/** Pictures and what pages are made of: on a slow line, each line of their heads is waited for. */
const fileHeaders = (options: Options) => ({
  ...dataHeaders(options),
  // They may be embedded from anywhere.
  "cross-origin-resource-policy": "cross-origin",
});

/**
 * By the address, but for whoever takes a page, as all do that would frame one: they may get the documentation, or
 * the page on which one tries the API.
 */
function kindOf({ url, headers }: FastifyRequest): "page" | "data" | "file" {
  if (headers.accept?.includes("text/html")) return "page";
  if (/^\/(assets|media)\//.test(url)) return "file";
  return /^\/(api|graphql)\b/.test(url) ? "data" : "page";
}

/**
 * Headers that every answer carries. The token travels in a header, never in a cookie: any origin may call.
 * @returns those of data, where any origin may call
 */
export async function secureHeaders(app: FastifyInstance, options: Options): Promise<Record<string, string>> {
  const sets = { page: pageHeaders(options), data: dataHeaders(options), file: fileHeaders(options) };
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(sets[kindOf(request)]);
    done();
  });
  await app.register(cors, {
    origin: options.corsOrigins ?? "*",
    methods: ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"],
    allowedHeaders: [
      "Authorization",
      "Content-Type",
      "X-XSRF-TOKEN",
      "XSRF-TOKEN",
      "Apollo-Require-Preflight",
      "X-GraphQL-Cost",
    ],
    exposedHeaders: exposed,
    maxAge: 86_400,
    strictPreflight: false,
  });
  return {
    ...sets.data,
    "access-control-allow-origin": "*",
    "access-control-expose-headers": exposed.join(", "),
  };
}

/** Helmet's headers, which depend on no request. */
function headersOf(options: HelmetOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  const answer = {
    setHeader: (name: string, value: string) => void (headers[name.toLowerCase()] = value),
    removeHeader: () => undefined,
  };
  helmet(options)({} as IncomingMessage, answer as unknown as ServerResponse, () => undefined);
  return headers;
}
