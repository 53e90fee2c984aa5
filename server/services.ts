import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type pg from "pg";
import type { RequestServices } from "./domain/context.ts";
import type { ResponseCache } from "./cache/cached-response.ts";
import { findBuilt } from "./build-folder.ts";
import { openResponseCache } from "./cache/response-cache.ts";
import { openPurges } from "./cdn/purges.ts";
import { openInvalidationListener, type InvalidationListener } from "./data/invalidation-listener.ts";
import { withAdvisoryLock } from "./data/advisory-locks.ts";
import { databaseName, openDatabase, type Connections, type Database } from "./data/client.ts";
import type { OpenReadQueries } from "./data/replicas/replicas.ts";
import { openEmbeddedPostgres } from "./data/embedded/embedded-postgres.ts";
import { splitConnections } from "./data/connections/split-connections.ts";
import { migrate, prepareSearch } from "./data/migrations.ts";
import { deliveries } from "./data/writes/jobs.ts";
import { findPoolMode } from "./data/connections/pooler.ts";
import { traceStatement } from "./data/traced-statements.ts";
import { tracing } from "./tracing/tracing.ts";
import { logSlowStatements } from "./data/slow-statements.ts";
import { commandName, type Env } from "./env.ts";
import type { Log } from "./jobs/deliver-email.ts";
import { migrateJobs, startWorker } from "./jobs/worker.ts";
import { openMailbox } from "./mail/mailbox.ts";
import { openOutbox, openSmtp } from "./mail/transports.ts";
import { openMarkdown } from "./markdown/renderer.ts";
import { finishDeferredWork } from "./domain/deferred-work.ts";
import { openEncoder } from "./media/encoder.ts";
import type { PictureFiles } from "./media/picture-files.ts";
import { adoptStore, findOwner, recordIdentity } from "./data/picture-store-owner.ts";
import { openMediaStore } from "./media/store.ts";
import { openStores, type Stores } from "./media/stores.ts";
import { openReplicated } from "./replicated-data.ts";
import { StartError } from "./start-error.ts";
import type { Metric } from "./http/metrics.ts";
import { databaseMetrics, failureMetric } from "./metrics/service-metrics.ts";

export type Progress = (line: string) => void;

export type OpenServices = {
  services: RequestServices;
  /** Null without replicas. */
  openReads: OpenReadQueries | null;
  /** Null if responses are not cached. */
  responseCache: ResponseCache | null;
  stores: Stores;
  buildFolder: string;
  /** Runs `work` under an advisory lock, so that only one process performs the first run. */
  exclusively: <T>(work: () => Promise<T>) => Promise<T>;
  /** Starts email delivery, the scheduled jobs and the purges of a CDN. */
  startWorker: (log: Log) => Promise<void>;
  databaseResponds: () => Promise<boolean>;
  metrics: Metric[];
  close: () => Promise<void>;
};

const RESPONSE_CACHE_BYTES = 48 * 1024 * 1024;

const getTime = () => new Date();

const STORE_DOWN = "the store of pictures cannot be used; further failures are logged once a minute";

const quiet: ServicesLog = { warn: () => undefined, info: () => undefined };
type ServicesLog = Log & { info: (line: object, message: string) => void };

/** Opens everything the domain depends on, and migrates the database. @throws StartError */
export async function openServices(
  env: Env,
  progress: Progress,
  log: ServicesLog = quiet,
): Promise<OpenServices> {
  const stores = await openStores(env.stores, (err) => log.warn({ err }, STORE_DOWN)).catch(toStartError);
  const reachable = await checkStores(stores, progress);
  const server = await openServer(env, progress, log);
  const connections = splitConnections(env.DATABASE_POOL);
  const { observers, countSlow } = openObservers(env, log);
  const options = { ...connections, stores: reachable, observers };
  const database = await openMigrated(server, options, progress).catch(rethrowAfter(server.stop));
  const buildFolder = findBuilt(env.BUILD_DIR);
  const { encoder, markdown, renderer } = openConverters(buildFolder, log);
  const changes = openInvalidationListener(server.directUrl);
  const data = openReplicated(database, changes, { ...replicasOf(env, connections), observers, log });
  const purges = openPurges(env.cdn.purges, env.publicUrl);
  const services: RequestServices = {
    ...data.persistence,
    ...settingsOf(env, server),
    invalidate: (...tags) => changes.publish(tags),
    media: openMediaStore(stores.files, urlsOf(env), encoder, server.requireDiskSpace),
    markdown,
    mail: openMail(env),
    securityLog: (line) => log.info(line, "security"),
  };
  let stopWorker = async () => {};
  return {
    services,
    openReads: data.openReads,
    responseCache: openCache(env, changes),
    stores,
    buildFolder,
    exclusively: (work) => withAdvisoryLock(server.directUrl, "first content", work),
    startWorker: async (log) => {
      const address = { url: server.directUrl, connections: connections.worker };
      stopWorker = await startWorker(address, services, openTransport(env, buildFolder), log);
      purges.start(changes, log);
    },
    databaseResponds: async () => (await database.pool.query("SELECT 1")).rowCount === 1,
    metrics: [
      ...databaseMetrics(database, connections, countSlow),
      ...data.metrics,
      failureMetric(renderer, encoder),
      ...purges.metrics,
    ],
    close: async () => {
      await finishDeferredWork();
      await stopWorker();
      await purges.close();
      await renderer.close();
      await encoder.close();
      data.close();
      await changes.close();
      await database.close();
      await server.stop();
      stores.close();
    },
  };
}

const rethrowAfter = (stop: () => Promise<void>) => async (error: unknown) => {
  await stop();
  throw error;
};

const openCache = ({ READ_CACHE, replicaUrls }: Env, changes: InvalidationListener) =>
  READ_CACHE ? openResponseCache(changes, RESPONSE_CACHE_BYTES, replicaUrls.length > 0) : null;

const replicasOf = (env: Env, { readPipeline }: { readPipeline: number }) => ({
  ...{ urls: env.replicaUrls, readPipeline, now: getTime },
});

const settingsOf = ({ publicUrl, RATE_LIMITS, writeLimits }: Env, { requireDiskSpace }: Server) => ({
  ...{ now: getTime, siteUrl: publicUrl, rateLimitsEnabled: RATE_LIMITS, writeLimits, requireDiskSpace },
});

/** A process for pictures, and a thread for texts. */
function openConverters(buildFolder: string, log: ServicesLog) {
  const encoder = openEncoder({ file: join(buildFolder, "server/encoder-process.js") });
  const workerFile = join(buildFolder, "server/markdown-worker.js");
  const { markdown, ...renderer } = openMarkdown({ workerFile, log });
  return { encoder, markdown, renderer };
}

function openObservers({ SLOW_STATEMENT_MS }: Env, log: ServicesLog) {
  const slow = SLOW_STATEMENT_MS > 0 ? logSlowStatements(log, SLOW_STATEMENT_MS) : null;
  const observers = [...(slow ? [slow.observe] : []), ...(tracing.start ? [traceStatement] : [])];
  return { observers, countSlow: slow?.count };
}

const urlsOf = ({ publicUrl, stores }: Env) => ({ site: `${publicUrl}/media`, public: stores.publicUrl });

export function toStartError(error: Error): never {
  throw new StartError(error.message, { cause: error });
}

/**
 * Makes the folder, and calls the buckets. A bucket that does not answer is no reason not to start: texts need none.
 * @returns the stores that can be used; all or none
 * @throws StartError for a mistake in the settings
 */
async function checkStores({ folder, buckets, each }: Stores, progress: Progress): Promise<PictureFiles[]> {
  if (folder) {
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
    await mkdir(folder, { recursive: true });
  }
  const problems = (await Promise.all(buckets.map((bucket) => bucket.findProblem()))).filter(
    (trouble) => trouble !== null,
  );
  for (const { message, isSetting } of problems) {
    if (isSetting) throw new StartError(message);
    progress(`Warning: ${message} Until it answers, pictures are missing.`);
  }
  return problems.length > 0 ? [] : each;
}

const openMail = ({ SITE_TITLE, publicUrl, MAIL_URL }: Env) =>
  openMailbox({ title: SITE_TITLE, url: publicUrl }, MAIL_URL === undefined, deliveries);

const openTransport = (env: Env, buildFolder: string) =>
  env.MAIL_URL
    ? openSmtp(env.MAIL_URL, env.mailFrom, join(buildFolder, "server/smtp-worker.js"))
    : openOutbox(join(env.DATA_DIR, "outbox"), env.mailFrom);

type Server = {
  url: string;
  /** Bypasses a pooler: migrations, locks, LISTEN and the worker need a session. */
  directUrl: string;
  embedded: boolean;
  requireDiskSpace: () => Promise<void>;
  stop: () => Promise<void>;
};

async function openServer(env: Env, progress: Progress, log: ServicesLog): Promise<Server> {
  if (env.DATABASE_URL) {
    const directUrl = env.DATABASE_DIRECT_URL ?? env.DATABASE_URL;
    const nothing = async () => {};
    return { url: env.DATABASE_URL, directUrl, embedded: false, requireDiskSpace: nothing, stop: nothing };
  }
  try {
    const { url, adopted, requireDiskSpace, watch, stop } = await openEmbeddedPostgres(
      env.DATA_DIR,
      progress,
    );
    progress(adopted ? "using the running PostgreSQL of an earlier start" : "PostgreSQL started");
    watch({
      onRestart: () => log.warn({}, "the embedded PostgreSQL had ended and was started again"),
      onFailure: (err) => {
        log.warn({ err }, "the embedded PostgreSQL has ended and does not start again");
        // A service manager starts both again.
        process.exit(1);
      },
    });
    return { url, directUrl: url, embedded: true, requireDiskSpace, stop };
  } catch (error) {
    throw new StartError((error as Error).message, { cause: error });
  }
}

type DatabaseOptions = Required<Pick<Connections, "pool" | "readPipeline">> &
  Pick<Connections, "observers"> & { stores: readonly PictureFiles[] };

async function openMigrated(server: Server, options: DatabaseOptions, progress: Progress): Promise<Database> {
  const { url, directUrl } = server;
  const { stores, ...connections } = options;
  const reached = async <T>(address: string, work: () => Promise<T>) =>
    work().catch((error: unknown) => {
      if (error instanceof StartError) throw error;
      throw new StartError(explainConnectionError(address, error as NodeJS.ErrnoException), { cause: error });
    });
  const directMode = server.embedded ? null : await reached(directUrl, () => findPoolMode(directUrl));
  if (directMode === "transaction")
    throw new StartError(directUrl === url ? POOLER_WITHOUT_DIRECT_URL : POOLER_AS_DIRECT_URL);
  const prepareMore = async (client: pg.Client) => {
    await migrateJobs(directUrl);
    if (!(await prepareSearch(client))) progress(WITHOUT_TRIGRAMS);
    const [store, previous] = stores;
    if (!store) return;
    const owner = await findOwner(client, stores);
    // Pictures that move are adopted when all have.
    if (owner === "unknown") await adoptStore(client, previous ?? store);
    if (owner === "this") await recordIdentity(client);
    if (owner === "other") progress(`Warning: ${describeForeignStore(store)}`);
    if (owner === "copy") progress(`Warning: ${describeCopy(store)}`);
  };
  const applied = await reached(directUrl, () => migrate(directUrl, prepareMore, progress));
  if (applied.length > 0) progress(`database migrated (${applied.length} applied)`);
  const poolMode = url === directUrl ? directMode : await reached(url, () => findPoolMode(url));
  if (poolMode === "transaction") progress("DATABASE_URL leads to a pooler: statements are not prepared");
  return openDatabase(url, { ...connections, poolMode });
}

const WITHOUT_TRIGRAMS =
  'The search finds no misspelt words, because this role may not create the extension pg_trgm: as a superuser run "CREATE EXTENSION pg_trgm" in the database, then restart.';

export const describeForeignStore = (store: PictureFiles) =>
  store.kind === "folder"
    ? [
        `${store.name} is not the folder with the pictures of this database, and they will be missing here.`,
        "Give every process that uses the database the same DATA_DIR, a shared folder for instance.",
        `If the pictures have moved here for good: ${commandName()} media adopt`,
      ].join(" ")
    : [
        `${store.name} does not have the pictures of this database, and they will be missing.`,
        `To move them there, see MEDIA_PREVIOUS_URL. If they are there: ${commandName()} media adopt`,
      ].join(" ");

export const describeCopy = (store: PictureFiles) =>
  [
    `${store.name} belongs to the database that this one is a copy of.`,
    "A copy for tests needs pictures of its own: removing a post here would remove those of the other blog.",
    `If the blog has moved to this database for good: ${commandName()} media adopt`,
  ].join(" ");

export const POOLER_WITHOUT_DIRECT_URL =
  "DATABASE_URL leads to a pooler that lends a connection for one transaction: set DATABASE_DIRECT_URL to the address of PostgreSQL itself as well.";
const POOLER_AS_DIRECT_URL =
  "DATABASE_DIRECT_URL leads to a pooler that lends a connection for one transaction: it has to be the address of PostgreSQL itself.";

/** Leaves out the password: the message goes to a terminal. */
export function explainConnectionError(url: string, error: NodeJS.ErrnoException): string {
  const { pathname, username } = new URL(url);
  const name = databaseName(url);
  if (error.code === "28P01")
    return `The database at ${name} refuses the password of "${username}": see DATABASE_URL.`;
  if (error.code === "3D000")
    return `There is no database ${pathname.slice(1)} at ${name.slice(0, -pathname.length)}: create it, or see DATABASE_URL.`;
  const [first = ""] = error.message.split("\n");
  // A system code such as ECONNREFUSED suffices; the codes of PostgreSQL and poolers need their message.
  const isWord = error.code !== undefined && /^E[A-Z]+$/.test(error.code);
  const reason = isWord || !first ? error.code : error.code ? `${error.code}: ${first}` : first;
  return `The database at ${name} cannot be used (${reason}): is it running, and is DATABASE_URL right?`;
}
