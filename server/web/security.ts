import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import cors from "@fastify/cors";
import type { FastifyInstance } from "fastify";
import helmet, { type HelmetOptions } from "helmet";

type Options = {
  publicUrl: string;
  corsOrigins: string[] | null;
  /** The one script and the one sheet that stand in the pages: allowed by their hashes. */
  script: string;
  sheet: string;
};

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Headers that every answer carries. The token travels in a header, never in a cookie: any origin may call. */
export async function secureHeaders(app: FastifyInstance, options: Options) {
  const { publicUrl, corsOrigins, script, sheet } = options;
  const headers = headersOf({
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
      },
    },
    strictTransportSecurity: publicUrl.startsWith("https:") ? { maxAge: 31_536_000 } : false,
    // Pictures and answers of the API may be embedded from anywhere.
    crossOriginResourcePolicy: { policy: "cross-origin" },
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
    xFrameOptions: { action: "deny" },
  });
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  await app.register(cors, {
    origin: corsOrigins ?? "*",
    methods: ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"],
    allowedHeaders: [
      "Authorization",
      "Content-Type",
      "X-XSRF-TOKEN",
      "XSRF-TOKEN",
      "Apollo-Require-Preflight",
      "X-GraphQL-Cost",
    ],
    exposedHeaders: ["ETag", "Link", "X-Total-Count", "Retry-After", "X-Request-Id"],
    maxAge: 86_400,
    strictPreflight: false,
  });
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
