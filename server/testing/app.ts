import { resolve } from "node:path";
import type { FastifyInstance } from "fastify";
import { inject as injectRequest, type InjectOptions } from "light-my-request";
import { pino } from "pino";
import { inject } from "vitest";
import { createApp, type AppOptions } from "../app.ts";
import type { RequestServices } from "../domain/context.ts";
import { openPersistence } from "../data/persistence.ts";
import { deliveries } from "../data/writes/jobs.ts";
import { hashPassword } from "../domain/accounts/passwords.ts";
import { recordLength } from "../graphql/endpoint/cost.ts";
import { openMailbox } from "../mail/mailbox.ts";
import { WRITE_LIMITS } from "../limits.ts";
import { openMarkdown } from "../markdown/renderer.ts";
import { createResponseValidator, type ApiDocument } from "./api-document.ts";
import type { ObserveStatement } from "../data/observed-client.ts";
import { afterFile } from "./cleanup.ts";
import { openTestDatabase } from "./database.ts";
import { createUser } from "./factories.ts";
import { openTestMedia } from "./media.ts";
import { openReplicaReads } from "./replica-reads.ts";
import { startSecondProcess } from "./second-process.ts";
import type { TestServer } from "./test-server.ts";
import { encodeForm, type FormPart } from "./forms.ts";

export type TestResponse = { status: number; body: any; headers: Record<string, unknown>; text: string };
type Body = object | string | null | undefined;
type Upload = { query: string; variables: Record<string, unknown>; file: Buffer; path: string };

export const usualOptions = {
  responseCache: null,
  isReady: async () => true,
  isDraining: () => false,
  log: pino({ level: "silent" }),
  publicUrl: "http://blog.test",
  siteTitle: "Blog",
  persistedOnly: false,
  metricsToken: null,
  corsOrigins: null,
  trustProxy: false as const,
  dist: resolve("dist"),
};

const WORKER = resolve("dist/server/markdown-worker.js");

/** The password of accounts from `signUp`. */
export const PASSWORD = "a long enough secret";

const firstResult = ({ errors, data }: any): any => (errors ? errors[0] : Object.values(data)[0]);

const validators = new Map<string, ReturnType<typeof createResponseValidator>>();

/** The document depends on the public URL alone, and its schemas take a while to compile. */
async function validatorOf(app: FastifyInstance, publicUrl: string) {
  const validate =
    validators.get(publicUrl) ??
    createResponseValidator((await app.inject("/api/openapi.json")).json<ApiDocument>());
  validators.set(publicUrl, validate);
  return validate;
}

/**
 * The whole application on a database of its own, without a port. Responses of /api that violate its OpenAPI document
 * throw.
 * @param mapUrl changes the database URL, to a proxy for instance; `media` replaces the folder of pictures, `server` the
 * PostgreSQL server of all tests
 */
export async function startTestApp(
  options: Partial<AppOptions> = {},
  {
    mapUrl,
    media: otherMedia,
    observers,
    server,
  }: {
    mapUrl?: Parameters<typeof openTestDatabase>[0];
    media?: RequestServices["media"];
    observers?: readonly ObserveStatement[];
    server?: TestServer;
  } = {},
) {
  recordLength("Query.categories", 0);
  const database = await openTestDatabase(mapUrl, observers, server);
  const { media, files, mediaFolder } = await openTestMedia(() => services.requireDiskSpace());
  const mail = openMailbox({ title: "Blog", url: "http://blog.test" }, true, deliveries);
  const { markdown, close: closeMarkdown } = openMarkdown({ workerFile: WORKER, log: usualOptions.log });
  const isFull = inject("topology") !== null && !mapUrl && !otherMedia && !server;
  const reads = isFull ? await openReplicaReads(database, () => services.now()) : null;
  const services: RequestServices = {
    ...openPersistence(database, () => services.now()),
    ...(reads && { queries: reads.queries }),
    invalidate: () => undefined,
    media: otherMedia ?? media,
    markdown,
    mail,
    siteUrl: "http://blog.test",
    now: () => new Date(),
    securityLog: () => undefined,
    requireDiskSpace: async () => undefined,
    rateLimitsEnabled: true,
    writeLimits: WRITE_LIMITS,
  };
  afterFile(closeMarkdown);
  const appOptions = { ...usualOptions, openPicture: files.open, ...options };
  const app = await createApp({ openReads: reads?.openReads ?? null, ...appOptions, services });
  afterFile(() => app.close());
  const first = { app, notify: reads?.notify };
  const second = isFull
    ? await startSecondProcess({ url: database.url, services, options: appOptions })
    : null;
  injectThroughMiddleware(app, second ? [first, second] : [first]);

  const validateResponse = await validatorOf(app, appOptions.publicUrl);

  async function send(
    method: string,
    url: string,
    token: string | null,
    payload?: Body,
    headers = {},
    remoteAddress = "127.0.0.1",
  ): Promise<TestResponse> {
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
    const injected = await app.inject({
      method: method as "GET",
      url,
      remoteAddress,
      headers: { ...authorization, ...headers },
      ...(payload !== undefined && { payload: payload === null ? "null" : payload }),
    });
    const isJson = String(injected.headers["content-type"]).includes("json");
    const body = isJson ? JSON.parse(injected.body) : null;
    const response = { status: injected.statusCode, body, headers: injected.headers, text: injected.body };
    if (url.startsWith("/api/")) validateResponse(method, url, response);
    return response;
  }

  const json = { "content-type": "application/json" };
  const gql = (query: string, variables: object = {}, token: string | null = null) =>
    send("POST", "/graphql", token, { query, variables }, json);

  return {
    app,
    db: database.db,
    pool: database.pool,
    url: database.url,
    services,
    files,
    mediaFolder,
    openPicture: files.open,
    send,
    gql,
    /** @returns the first field, or the first error */
    call: async (...request: Parameters<typeof gql>) => firstResult((await gql(...request)).body),
    /** Sends a plain object or null as JSON. */
    rest: (method: string, path: string, token: string | null = null, body?: Body) =>
      send(method, `/api${path}`, token, body, body === undefined ? {} : json),
    restForm: (method: string, path: string, token: string | null, form: FormPart[]) => {
      const { payload, headers } = encodeForm(form);
      return send(method, `/api${path}`, token, payload, headers);
    },
    /** An upload according to the GraphQL multipart request specification. */
    gqlUpload: ({ query, variables, file, path }: Upload, token: string | null = null) => {
      const { payload, headers } = encodeForm([
        { name: "operations", value: JSON.stringify({ query, variables }) },
        { name: "map", value: JSON.stringify({ 0: [path] }) },
        { name: "0", value: file, filename: "picture.jpg" },
      ]);
      return send("POST", "/graphql", token, payload, { ...headers, "apollo-require-preflight": "true" });
    },
    signUp: async (traits: Parameters<typeof createUser>[1] = {}) => {
      const user = await createUser(database.db, { passwordHash: await testPasswordHash(), ...traits });
      const { body } = await send(
        "POST",
        "/api/auth/login",
        null,
        { email: user.email, password: PASSWORD },
        json,
      );
      return { ...user, token: body.token as string };
    },
  };
}

type Served = { app: FastifyInstance; notify?: (() => void) | undefined };

/** Fastify's own `inject` would bypass the middleware. The processes take turns. */
function injectThroughMiddleware(app: FastifyInstance, processes: readonly Served[]): void {
  let next = 0;
  const injectWhole = async (options: InjectOptions) => {
    const { app: serving } = processes[next++ % processes.length] ?? { app };
    await serving.ready();
    for (const { notify } of processes) notify?.();
    return injectRequest(
      (request, response) => void serving.server.emit("request", request, response),
      options,
    );
  };
  app.inject = injectWhole as typeof app.inject;
}

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;

let hash: Promise<string> | undefined;
const testPasswordHash = () => (hash ??= hashPassword(PASSWORD));
