import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { z } from "zod";
import { purgeForms } from "./cdn/purge-requests.ts";
import { isLoopbackHost } from "./http/local-request.ts";
import { WRITE_LIMITS } from "./limits.ts";
import { parseStoreUrl, type StoreUrl } from "./media/bucket/url.ts";

const onOff = z.enum(["on", "off"], "must be on or off").transform((value) => value === "on");

const wholeNumber = (min: number, max: number, error: string) =>
  z.coerce.number(error).int(error).min(min, error).max(max, error);

const port = wholeNumber(0, 65_535, "must be a port number between 0 and 65535");

const webUrl = z
  .url({ protocol: /^https?$/, error: "must be an http:// or https:// address" })
  .transform((url) => url.replace(/\/+$/, ""));

const databaseUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: "must look like postgresql://user:password@host:5432/name",
});

const storeUrl = z.string().transform((text, { addIssue }): StoreUrl => {
  const url = parseStoreUrl(text);
  if (!url) addIssue("must be folder, or look like s3://bucket?endpoint=https://s3.example.org&region=eu-1");
  return url ?? "folder";
});

const variables = z.object({
  NODE_ENV: z.string().default("production"),
  PORT: port.default(4000),
  HOST: z.string().min(1).default("127.0.0.1"),
  PUBLIC_URL: webUrl.optional(),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_REPLICA_URLS: z
    .string()
    .transform((text) => text.split(",").map((url) => url.trim()))
    .pipe(z.array(databaseUrl))
    .default([]),
  DATABASE_POOL: wholeNumber(6, 200, "must be a number between 6 and 200").default(16),
  DATA_DIR: z.string().min(1).default(".data"),
  BUILD_DIR: z.string().min(1).default("dist"),
  MEDIA_URL: storeUrl.default("folder"),
  MEDIA_PREVIOUS_URL: storeUrl.optional(),
  MEDIA_PUBLIC_URL: webUrl.optional(),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  AWS_REGION: z.string().optional(),
  MAIL_URL: z.url({ protocol: /^smtps?$/, error: "must look like smtp://user:password@host:587" }).optional(),
  MAIL_FROM: z
    .string()
    .max(200, "must have at most 200 characters")
    .regex(
      /^[^@\r\n]*[^\s@<]+@[^\s@>]+>?$/,
      'must be an address, or a name with one: "Blog" <no-reply@example.org>',
    )
    .optional(),
  ADMIN_EMAIL: z.email("must be an e-mail address").optional(),
  ADMIN_PASSWORD: z
    .string()
    .min(8, "must have 8 to 128 characters")
    .max(128, "must have 8 to 128 characters")
    .optional(),
  DEMO: onOff.optional(),
  RATE_LIMITS: onOff.default(true),
  WRITE_LIMITS: z
    .string()
    .regex(
      /^\d{1,6}(,\d{1,6}){2,3}$/,
      "must be three numbers, or four: posts, comments, likes and changes of a profile in ten minutes, as in 30,300,600",
    )
    .default(`${WRITE_LIMITS.posts},${WRITE_LIMITS.comments},${WRITE_LIMITS.likes}`),
  PERSISTED_ONLY: onOff.default(false),
  LLMS_TXT: onOff.default(false),
  OFFLINE_READING: onOff.default(true),
  READ_CACHE: onOff.default(true),
  COMPILED_QUERIES: onOff.default(true),
  CDN_MAX_AGE: wholeNumber(1, 86_400, "must be seconds between 1 and 86400").optional(),
  CDN_PURGE_URL: webUrl
    .refine((url) => !new URL(url).username, "must have no user in it: see CDN_PURGE_TOKEN")
    .optional(),
  CDN_PURGE_FORM: z.enum(purgeForms, `must be one of ${purgeForms.join(", ")}`).default("webhook"),
  CDN_PURGE_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{1,500}$/, "must have letters, digits or signs, without spaces")
    .optional(),
  SECURITY_CONTACT: z
    .string()
    .regex(
      /^(mailto:\S+@\S+|https:\/\/\S+)$/,
      "must look like mailto:security@example.org or https://example.org/security",
    )
    .optional(),
  SITE_TITLE: z.string().trim().max(100, "must have at most 100 characters").default("Blog"),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, "must have 16 to 200 letters, digits or signs, without spaces")
    .optional(),
  TRUST_PROXY: z
    .string()
    .refine(isTrustRule, "must be on, off, a number of hops, or addresses such as 10.0.0.0/8,::1")
    .default("off"),
  SHUTDOWN_DELAY: wholeNumber(0, 60, "must be seconds between 0 and 60").default(0),
  CORS_ORIGINS: z
    .string()
    .refine(areOrigins, "must be any, or origins such as https://example.org,https://example.com")
    .default("any"),
  LOG_LEVEL: z
    .enum(
      ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
      "must be one of fatal, error, warn, info, debug, trace, silent",
    )
    .default("info"),
  LOG_FILE: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional(),
  OTEL_TRACES_EXPORTER: z.enum(["otlp", "none"], "must be otlp or none").optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number("must be a number between 0 and 1")
    .min(0, "must be a number between 0 and 1")
    .max(1, "must be a number between 0 and 1")
    .default(1),
  OTEL_SERVICE_NAME: z.string().optional(),
  SLOW_STATEMENT_MS: wholeNumber(0, 60_000, "must be a number of milliseconds between 0 and 60000").default(
    500,
  ),
});

export type Env = ReturnType<typeof readEnv>;

/** Invalid variables, one line for each. */
export class EnvError extends Error {}

/** Merges `.env`, or the file that ENV_FILE names, into the environment, which takes precedence. @throws EnvError */
export function withEnvFile(environment: Record<string, string | undefined>) {
  const file = environment["ENV_FILE"] || ".env";
  try {
    return { ...parseEnv(readFileSync(file, "utf8")), ...environment };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && !environment["ENV_FILE"]) return environment;
    throw new EnvError(`ENV_FILE ${file} cannot be read (${code}).`);
  }
}

/** An empty string counts as unset, as in `PORT= npm start`. @throws EnvError naming every invalid variable */
export function readEnv(source: Record<string, string | undefined> = withEnvFile(process.env)) {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim() !== ""));
  const result = variables.safeParse(given);
  if (!result.success)
    throw new EnvError(result.error.issues.map((issue) => sentence(issue, given)).join("\n"));
  const env = result.data;
  if (Boolean(env.ADMIN_EMAIL) !== Boolean(env.ADMIN_PASSWORD))
    throw new EnvError("ADMIN_EMAIL and ADMIN_PASSWORD belong together: give both or neither.");
  if (env.DATABASE_DIRECT_URL && !env.DATABASE_URL)
    throw new EnvError("DATABASE_DIRECT_URL is given, and DATABASE_URL is not: give both, or neither.");
  const replicaUrls = env.DATABASE_REPLICA_URLS;
  if (replicaUrls.length > 0 && !env.DATABASE_URL)
    throw new EnvError("DATABASE_REPLICA_URLS is given, and DATABASE_URL, the primary, is not.");
  if (Boolean(env.AWS_ACCESS_KEY_ID) !== Boolean(env.AWS_SECRET_ACCESS_KEY))
    throw new EnvError("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY belong together: give both or neither.");
  const stores = readStores(env);
  const cdn = readCdn(env);
  const embedded = env.DATABASE_URL === undefined;
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`;
  const isLocal = isLoopbackHost(new URL(publicUrl).hostname);
  const trustProxy = parseTrust(env.TRUST_PROXY);
  return {
    ...env,
    DATA_DIR: resolve(env.DATA_DIR),
    stores,
    cdn,
    replicaUrls,
    embedded,
    demo: env.DEMO ?? (embedded && isLocal),
    // Their password is public, so they work only where nobody else can reach the blog.
    demoLogins: isLocal && isLoopbackHost(env.HOST) && trustProxy === false,
    publicUrl,
    mailFrom:
      env.MAIL_FROM ??
      `"${env.SITE_TITLE.replace(/["<>@\\\r\n]/g, "")}" <no-reply@${new URL(publicUrl).hostname}>`,
    corsOrigins:
      env.CORS_ORIGINS === "any" ? null : env.CORS_ORIGINS.split(",").map((origin) => origin.trim()),
    trustProxy,
    exportsTraces:
      (env.OTEL_TRACES_EXPORTER ?? (env.OTEL_EXPORTER_OTLP_ENDPOINT ? "otlp" : "none")) === "otlp",
    writeLimits: parseWriteLimits(env.WRITE_LIMITS),
  };
}

/** The SDK of OpenTelemetry reads its variables itself, also those that only the file has. */
export function exportTracingVariables(source = withEnvFile(process.env)): void {
  for (const [name, value] of Object.entries(source))
    if (name.startsWith("OTEL_") && value !== undefined) process.env[name] = value;
}

function readStores(env: z.infer<typeof variables>) {
  const { MEDIA_URL: store, MEDIA_PREVIOUS_URL: previous = null } = env;
  if (JSON.stringify(store) === JSON.stringify(previous))
    throw new EnvError("MEDIA_PREVIOUS_URL is MEDIA_URL: it is for the store that the pictures move from.");
  const { AWS_ACCESS_KEY_ID: accessKeyId = "", AWS_SECRET_ACCESS_KEY: secretAccessKey = "" } = env;
  const keys = { accessKeyId, secretAccessKey, sessionToken: env.AWS_SESSION_TOKEN };
  const withRegion = (url: StoreUrl): StoreUrl =>
    url === "folder" || !env.AWS_REGION ? url : { region: env.AWS_REGION, ...url };
  return {
    folder: join(resolve(env.DATA_DIR), "media"),
    store: withRegion(store),
    previous: previous && withRegion(previous),
    keys: accessKeyId ? keys : undefined,
    httpWorkerFile: httpWorkerOf(env),
    // Until all pictures have moved, the site serves them.
    publicUrl: previous ? undefined : env.MEDIA_PUBLIC_URL,
  };
}

function readCdn(env: z.infer<typeof variables>) {
  const { CDN_MAX_AGE: maxAge, CDN_PURGE_URL: url, CDN_PURGE_FORM: form, CDN_PURGE_TOKEN: token } = env;
  if (maxAge && !url)
    throw new EnvError("CDN_MAX_AGE is given, and CDN_PURGE_URL is not: the CDN would serve old content.");
  if (maxAge && !env.READ_CACHE)
    throw new EnvError("CDN_MAX_AGE needs READ_CACHE=on, which knows what responses depend on.");
  if (url && form !== "webhook" && !token)
    throw new EnvError(`CDN_PURGE_FORM=${form} needs CDN_PURGE_TOKEN, the API token.`);
  return {
    sharing: maxAge ? { maxAge, form } : null,
    // Also without CDN_MAX_AGE, until the CDN has nothing left.
    purges: url ? { url, form, token, httpWorkerFile: httpWorkerOf(env) } : null,
  };
}

const httpWorkerOf = ({ BUILD_DIR }: z.infer<typeof variables>) =>
  resolve(BUILD_DIR, "server/http-worker.js");

/** The command line to show to operators; bin/blog of a release sets it. */
export const commandName = (): string => process.env["BLOG_COMMAND"] || "npm run blog --";

/** The operator's working directory: npm and bin/blog change it and set INIT_CWD. */
export const invocationFolder = (): string => process.env["INIT_CWD"] || process.cwd();

function parseWriteLimits(text: string) {
  const [posts = 0, comments = 0, likes = 0, profiles = WRITE_LIMITS.profiles] = text.split(",").map(Number);
  return { ...WRITE_LIMITS, posts, comments, likes, profiles };
}

function sentence(issue: z.core.$ZodIssue, given: Record<string, string | undefined>): string {
  const name = String(issue.path[0]);
  // Secrets must not end up in a log or a terminal's scrollback.
  const shown = /PASSWORD|URL|TOKEN|KEY/.test(name) ? "" : ` "${given[name]}"`;
  return `${name}${shown} ${issue.message}.`;
}

function areOrigins(text: string): boolean {
  return (
    text === "any" ||
    text.split(",").every((each) => URL.canParse(each.trim()) && new URL(each.trim()).origin === each.trim())
  );
}

function isTrustRule(rule: string): boolean {
  const names = ["loopback", "linklocal", "uniquelocal"];
  const isNetwork = (text: string) => isIP(text.split("/")[0] ?? "") > 0 && /^[^/]+(\/\d{1,3})?$/.test(text);
  if (rule === "on" || rule === "off" || /^\d{1,2}$/.test(rule)) return true;
  return rule.split(",").every((each) => names.includes(each.trim()) || isNetwork(each.trim()));
}

export type TrustRule = false | string | ((address: string, hop: number) => boolean);

/** A number is the number of proxies, and `on` means one: clients may forge addresses before those. */
function parseTrust(rule: string): TrustRule {
  if (rule === "off") return false;
  if (rule === "on") return parseTrust("1");
  return /^\d+$/.test(rule) ? (_address, hop) => hop < Number(rule) : rule;
}
