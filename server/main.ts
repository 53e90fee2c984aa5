import "./harden.ts";
import "./outgoing/tls-defaults.ts";
import { access, constants, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { pino } from "pino";
import { EnvError, exportTracingVariables, readEnv, type Env } from "./env.ts";
import { fillEmptyBlog } from "./first-run.ts";
import { returnMemory } from "./garbage-collection.ts";
import { StoreUnavailable } from "./errors.ts";
import { openLogDestination } from "./http/log-destination.ts";
import { openTracing } from "./tracing/open-tracing.ts";
import { openServices, type OpenServices } from "./services.ts";
import { StartError } from "./start-error.ts";
import { adviceOnNode } from "./version.ts";

/** Milliseconds after SHUTDOWN_DELAY until open connections are closed, and until the process exits. */
const FINISH_LIMIT = 12_000;
const DRAIN_LIMIT = 14_000;

/** V8's default heap growth holds 150 MB of garbage under load; collecting earlier costs 5 % of throughput. */
const HEAP_GROWTH = "--heap-growing-percent=75";

/** Optimizing Prisma's query compiler leaves 20 MB in the allocator of V8's threads. */
const WITHOUT_WASM_OPTIMIZER = "--no-wasm-tier-up --no-wasm-dynamic-tiering";

const progress = (line: string) => console.log(`  ${line}`);

export async function main(): Promise<void> {
  setFlagsFromString(WITHOUT_WASM_OPTIMIZER);
  const env = readEnv();
  await requireFreePort(env);
  await requireWritable(env.DATA_DIR);
  const log = createLog(env);
  const advice = adviceOnNode();
  if (advice) log.warn(advice);
  if (env.exportsTraces) exportTracingVariables();
  const closeTracing = env.exportsTraces
    ? await openTracing(env.OTEL_TRACES_SAMPLER_ARG, log)
    : async () => {};
  // Read while PostgreSQL starts: the largest part of the program.
  const app = import("./app.ts");
  const services = await openServices(env, progress, log);
  const open = { ...services, close: () => services.close().finally(closeTracing) };
  try {
    const logins = await open.exclusively(() => fillEmptyBlog(env, open.services, progress));
    await serve(env, open, { log, createApp: (await app).createApp, hasDemoLogins: logins.length > 0 });
    console.log(["", `  ${env.SITE_TITLE} is listening on ${env.publicUrl}`, ...logins, ""].join("\n"));
    setFlagsFromString(HEAP_GROWTH);
    returnMemory();
  } catch (error) {
    await open.close();
    throw error;
  }
}

type Serve = {
  log: FastifyBaseLogger;
  createApp: typeof import("./app.ts").createApp;
  hasDemoLogins: boolean;
};

async function serve(env: Env, open: OpenServices, { log, createApp, hasDemoLogins }: Serve): Promise<void> {
  let draining = false;
  const app = await createApp({
    ...env,
    services: open.services,
    openReads: open.openReads,
    responseCache: open.responseCache,
    isDraining: () => draining,
    isReady: async () => !draining && (await open.databaseResponds()),
    metrics: open.metrics,
    metricsToken: env.METRICS_TOKEN ?? null,
    securityContact: env.SECURITY_CONTACT,
    log,
    siteTitle: env.SITE_TITLE,
    hasDemoLogins,
    persistedOnly: env.PERSISTED_ONLY,
    llmsTxt: env.LLMS_TXT,
    sharing: env.cdn.sharing,
    offlineReading: env.OFFLINE_READING,
    compiledQueries: env.COMPILED_QUERIES,
    dist: open.buildFolder,
    openPicture: open.stores.files.open,
    mediaPublicUrl: env.stores.publicUrl,
  });
  const stop = () => {
    // npm and the terminal both send the signal.
    if (draining) return;
    draining = true;
    void drain(env, app, open);
  };
  process.on("SIGTERM", stop).on("SIGINT", stop);
  // A bug, but no reason to abort the requests in flight.
  process.on("unhandledRejection", (err) => log.error({ err }, "unhandled promise rejection"));
  await open.startWorker(log);
  // Scripts wait for our own "is listening on" below, which Fastify's message must not match.
  await app.listen({
    port: env.PORT,
    host: env.HOST,
    backlog: 4_096,
    listenTextResolver: (address) => `bound to ${address}`,
  });
  await writeFile(join(env.DATA_DIR, "server.pid"), `${process.pid}\n`);
}

async function drain(env: Env, app: FastifyInstance, open: OpenServices): Promise<void> {
  // The kernel resets connections that wait to be accepted when the process stops listening.
  await sleep(env.SHUTDOWN_DELAY * 1_000);
  setTimeout(() => process.exit(1), DRAIN_LIMIT).unref();
  setTimeout(() => app.server.closeAllConnections(), FINISH_LIMIT).unref();
  let code = 0;
  // Attempt both, or an embedded database would keep running.
  for (const close of [() => app.close(), () => open.close()])
    await close().catch((error: unknown) => {
      code = 1;
      app.log.error({ err: error }, "stopping failed");
    });
  await removePidFile(env);
  process.exit(code);
}

/** Another process that shares the folder may have overwritten the file. */
async function removePidFile({ DATA_DIR }: Env): Promise<void> {
  const file = join(DATA_DIR, "server.pid");
  const pid = await readFile(file, "utf8").catch(() => "");
  if (Number(pid) === process.pid) await rm(file, { force: true });
}

async function requireWritable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `DATA_DIR ${folder} cannot be written (${code}): give it to the user the blog runs as, or choose another.`,
    );
  }
}

function createLog({ LOG_LEVEL, LOG_FILE }: Env) {
  try {
    return pino({ level: LOG_LEVEL }, openLogDestination(LOG_FILE));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `LOG_FILE ${LOG_FILE} cannot be written (${code}): choose another, or make its folder.`,
    );
  }
}

/** Runs first, so that a taken port is reported before the database is set up. */
async function requireFreePort({ PORT, HOST }: Env): Promise<void> {
  const probe = createServer();
  await new Promise<void>((done, fail) => probe.once("error", fail).listen(PORT, HOST, done)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE")
        throw new StartError(
          `Port ${PORT} is taken by another program: stop it, or choose another with PORT=4001.`,
        );
      throw new StartError(`Cannot listen on ${HOST}:${PORT} (${error.code}): see HOST and PORT.`);
    },
  );
  await new Promise((done) => probe.close(done));
}

main().catch((error: unknown) => {
  const expected = [EnvError, StartError, StoreUnavailable].some((type) => error instanceof type);
  console.error(expected ? (error as Error).message : error);
  process.exit(1);
});
