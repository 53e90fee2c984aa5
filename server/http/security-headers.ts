import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import cors from "@fastify/cors";
import type { FastifyInstance, FastifyRequest } from "fastify";
import helmet, { type HelmetOptions } from "helmet";
import { kindOf, type AddressKind } from "./addresses.ts";
import { rateLimitHeaderNames } from "./rate-limit-headers.ts";

type Options = {
  publicUrl: string;
  mediaPublicUrl?: string | undefined;
  corsOrigins: string[] | null;
  /** The inline script of the pages, allowed by its hash. */
  script: string;
};

type Policy = Pick<Options, "publicUrl" | "mediaPublicUrl" | "script">;

const CSP = "content-security-policy";
export const CSP_REPORTS = "/csp-reports";

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const originOf = (url: string) => new URL(url).origin;

/** Response headers that scripts of other origins may read. */
const exposed = [
  ...["ETag", "Link", "X-Total-Count", "X-End-Cursor", "Retry-After", "X-Request-Id", "Allow"],
  ...["X-Ignored-Parameters", ...rateLimitHeaderNames],
];

/** HSTS for this host alone, since its subdomains may be other services. */
const transportOf = (publicUrl: string) =>
  publicUrl.startsWith("https:") ? ({ maxAge: 31_536_000, includeSubDomains: false } as const) : false;

/** @returns the CSP of a page by its inline style sheet, computed once for each sheet */
export function createPagePolicies(policy: Policy): (sheet: string) => string {
  const found = new Map<string, string>();
  const policyOf = (sheet: string) =>
    headersOf({ contentSecurityPolicy: pagePolicy(policy, [hashOf(sheet)]) })[CSP] ?? "";
  return (sheet) => {
    const text = found.get(sheet) ?? policyOf(sheet);
    found.set(sheet, text);
    return text;
  };
}

const pagePolicy = ({ publicUrl, mediaPublicUrl = publicUrl, script }: Policy, styles: string[]) => ({
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'", hashOf(script)],
    styleSrc: ["'self'", ...styles],
    imgSrc: ["'self'", "data:", "blob:", ...new Set([publicUrl, mediaPublicUrl].map(originOf))],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    workerSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    // Scripts may write HTML only through the policy of client/lib/trusted-html.ts, and register the service worker
    // through that of client/app/offline/store-page.ts.
    requireTrustedTypesFor: ["'script'"],
    trustedTypes: ["blog", "worker"],
    reportUri: [CSP_REPORTS],
  },
});

const pageHeaders = (options: Options) => ({
  "permissions-policy": permissions,
  ...headersOf({
    strictTransportSecurity: transportOf(options.publicUrl),
    // Other sites may embed pictures and API responses.
    crossOriginResourcePolicy: { policy: "cross-origin" },
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
    xFrameOptions: { action: "deny" },
    contentSecurityPolicy: pagePolicy(options, []),
    // These concern browsers that have not existed for years.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  }),
});

/** Unused browser features, denied to injected code too. */
const permissions = ["camera", "display-capture", "geolocation", "microphone", "midi", "payment", "usb"]
  .concat(["accelerometer", "gyroscope", "magnetometer", "screen-wake-lock", "serial", "hid"])
  .map((feature) => `${feature}=()`)
  .join(", ");

/** Denies everything to a data response, in case a browser opens it as a page. Headers for pages are left out. */
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

/** Pictures and assets get few headers, since each one delays them on a slow connection. */
const fileHeaders = (options: Options) => ({
  ...dataHeaders(options),
  "cross-origin-resource-policy": "cross-origin",
});

const setOf: Record<AddressKind, "page" | "data" | "file"> = {
  page: "page",
  monitoring: "page",
  api: "data",
  graphql: "data",
  asset: "file",
  media: "file",
};

/** A client that accepts HTML, as frames do, may get the documentation or the API explorer instead of data. */
const chooseSet = ({ url, headers }: FastifyRequest) =>
  headers.accept?.includes("text/html") ? "page" : setOf[kindOf(url)];

/**
 * Sets the security and CORS headers of every response. Any origin may send requests, because the token travels in a
 * header, never in a cookie.
 * @returns the headers of data responses if every origin is allowed
 */
export async function secureHeaders(app: FastifyInstance, options: Options): Promise<Record<string, string>> {
  const sets = { page: pageHeaders(options), data: dataHeaders(options), file: fileHeaders(options) };
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(sets[chooseSet(request)]);
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
      "X-Apollo-Operation-Name",
      "If-None-Match",
      "X-GraphQL-Cost",
      "Idempotency-Key",
    ],
    exposedHeaders: exposed,
    maxAge: 86_400,
    strictPreflight: false,
  });
  // Files have none of these headers, and pages load dozens of them.
  app.addHook("onRequest", (request, reply, done) => {
    if (chooseSet(request) === "file") reply.removeHeader("access-control-expose-headers");
    done();
  });
  return {
    ...sets.data,
    "access-control-allow-origin": "*",
    "access-control-expose-headers": exposed.join(", "),
  };
}

/** Computed once, since helmet's headers do not depend on the request. */
function headersOf(options: HelmetOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => void (headers[name.toLowerCase()] = value),
    removeHeader: () => undefined,
  };
  helmet(options)({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}
