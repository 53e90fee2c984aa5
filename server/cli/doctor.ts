import { access, constants, readFile, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import type pg from "pg";
import { hasEmbedded } from "../data/embedded/binaries.ts";
import { isAlive, isServerOf, readPidFile } from "../data/embedded/cluster.ts";
import { readHistory, readMigrations } from "../data/migrations.ts";
import { findPoolMode } from "../data/connections/pooler.ts";
import { Client } from "../data/postgres-client.ts";
import { readEnv, type Env } from "../env.ts";
import { isLoopbackHost } from "../http/local-request.ts";
import { checkSmtp } from "../mail/smtp.ts";
import { findOwner } from "../data/picture-store-owner.ts";
import type { PictureFiles } from "../media/picture-files.ts";
import { openStores, type Stores } from "../media/stores.ts";
import {
  describeCopy,
  describeForeignStore,
  explainConnectionError,
  POOLER_WITHOUT_DIRECT_URL,
} from "../services.ts";
import { adviceOnNode } from "../version.ts";
import { checkBuckets } from "./doctor-buckets.ts";
import { checkCdn } from "./doctor-cdn.ts";
import { checkReplicas } from "./doctor-replicas.ts";
import { ok, problem, warning, type Finding } from "./findings.ts";
import { withDatabaseUrl } from "./with-database-url.ts";

/** Seconds between our clock and the database's. */
const CLOCK_TOLERANCE = 5;
const OLDEST_POSTGRESQL = 14;
/** Bytes of a few hundred pictures. */
const LOW_DISK_SPACE = 1e9;

/** `npm run blog -- doctor`: checks everything a blog needs and suggests fixes. */
export async function runDoctor(source?: Record<string, string | undefined>): Promise<Finding[]> {
  let env: Env;
  try {
    env = readEnv(source);
  } catch (error) {
    return [checkNode(), ...(error as Error).message.split("\n").map(problem)];
  }
  const stores = await openStores(env.stores).catch((error: Error) => error);
  if (stores instanceof Error) return [checkNode(), problem(stores.message)];
  return examineAll(env, stores).finally(() => stores.close());
}

async function examineAll(env: Env, stores: Stores): Promise<Finding[]> {
  const folders = [await checkFolder(env.DATA_DIR)];
  if (stores.folder) folders.push(await checkFolder(stores.folder));
  const buckets = await checkBuckets(env, stores);
  const readable = buckets.some(({ verdict }) => verdict === "problem") ? [] : stores.each;
  return [
    checkNode(),
    ok(`configuration: ${env.publicUrl}, ${env.embedded ? "embedded database" : "DATABASE_URL"}`),
    ...checkPublic(env),
    ...folders,
    ...buckets,
    ...(await checkCdn(env)),
    await checkDiskSpace(env.DATA_DIR),
    await checkProcess(env.DATA_DIR),
    ...(await checkDatabase(env, readable)),
    ...(await checkReplicas(env)),
    await checkMail(env),
  ];
}

function checkNode(): Finding {
  const advice = adviceOnNode();
  return advice === null ? ok(`Node.js ${process.version}`) : warning(advice);
}

/** A public blog nearly always sends email and is behind a proxy that terminates TLS. */
function checkPublic(env: Env): Finding[] {
  const { protocol, hostname } = new URL(env.publicUrl);
  if (isLoopbackHost(hostname)) return [];
  return [
    ...(protocol === "https:" && env.trustProxy === false
      ? [
          warning(
            "TRUST_PROXY is off: behind a proxy all visitors count as one address; on believes one proxy",
          ),
        ]
      : []),
    ...(protocol === "https:"
      ? []
      : [warning("PUBLIC_URL is http: passwords and sessions can be read on their way")]),
    ...(env.RATE_LIMITS ? [] : [warning("RATE_LIMITS is off: passwords can be guessed without a limit")]),
    ...(env.MAIL_URL
      ? []
      : [warning("MAIL_URL is not set: no email is sent, and only admins can read them")]),
  ];
}

async function checkFolder(folder: string): Promise<Finding> {
  try {
    await access(await nearest(folder), constants.R_OK | constants.W_OK | constants.X_OK);
    return ok(`${folder} can be written`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return problem(
      `${folder} cannot be written (${code}): give it to the user the blog runs as, or see DATA_DIR`,
    );
  }
}

async function nearest(folder: string): Promise<string> {
  return (await exists(folder)) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function checkDiskSpace(folder: string): Promise<Finding> {
  const disk = await statfs(await nearest(folder)).catch(() => null);
  if (!disk) return warning(`the free space of ${folder} is unknown`);
  const free = disk.bavail * disk.bsize;
  const message = `${(free / 1e9).toFixed(1)} GB free for pictures and data`;
  return free < LOW_DISK_SPACE ? warning(`${message}: free some space soon`) : ok(message);
}

async function checkProcess(dataDir: string): Promise<Finding> {
  const text = await readFile(join(dataDir, "server.pid"), "utf8").catch(() => null);
  if (text === null) return ok("the blog is not running here");
  const pid = Number(text);
  if (isAlive(pid)) return ok(`the blog is running (process ${pid})`);
  return warning(
    "the blog did not shut down cleanly (server.pid is stale): the next start cleans up by itself",
  );
}

async function checkDatabase(env: Env, stores: PictureFiles[]): Promise<Finding[]> {
  if (!env.embedded) return checkServer(env, stores);
  const folder = join(env.DATA_DIR, "postgres");
  if (!(await exists(folder)))
    return hasEmbedded()
      ? [ok("the embedded PostgreSQL is not set up yet: the first start does it")]
      : [
          problem(
            "there is no embedded PostgreSQL here: set DATABASE_URL, or ENV_FILE to the file that has it",
          ),
        ];
  const running = await readPidFile(folder);
  const isRunning = running !== null && (await isServerOf(folder, running.pid));
  const message = `the embedded PostgreSQL ${isRunning ? "is running" : "is stopped: started for this look"}`;
  return withDatabaseUrl(env, async (url) => [ok(message), ...(await checkConnection(url, stores))]).catch(
    (error: Error) => [problem(error.message)],
  );
}

/** Checks PostgreSQL itself, and a pooler before it. */
async function checkServer(env: Env, stores: PictureFiles[]): Promise<Finding[]> {
  const { DATABASE_URL = "", DATABASE_DIRECT_URL = DATABASE_URL } = env;
  const direct = await checkConnection(DATABASE_DIRECT_URL, stores);
  if (direct.some(({ verdict }) => verdict === "problem")) return direct;
  const mode = await findPoolMode(DATABASE_URL).catch((error: NodeJS.ErrnoException) => error);
  if (mode instanceof Error) return [...direct, problem(explainConnectionError(DATABASE_URL, mode))];
  if (mode !== "transaction") return direct;
  return DATABASE_DIRECT_URL === DATABASE_URL
    ? [...direct, problem(POOLER_WITHOUT_DIRECT_URL)]
    : [...direct, ok("DATABASE_URL leads to a pooler; DATABASE_DIRECT_URL leads past it")];
}

async function checkConnection(url: string, stores: PictureFiles[]): Promise<Finding[]> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    application_name: "blog doctor",
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const folder = await checkPictures(client, stores);
    return [
      await checkVersion(client),
      await checkMigrations(client),
      await checkClock(client),
      await checkSearch(client),
      ...folder,
    ];
  } catch (error) {
    return [problem(explainConnectionError(url, error as NodeJS.ErrnoException))];
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function checkVersion(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ server_version: string }>("SHOW server_version");
  const version = rows[0]?.server_version ?? "";
  const message = `PostgreSQL ${version.split(" ")[0]} answers`;
  if (parseInt(version) >= OLDEST_POSTGRESQL) return ok(message);
  return problem(`${message}: version ${OLDEST_POSTGRESQL} or newer is needed`);
}

async function checkMigrations(client: pg.Client): Promise<Finding> {
  const applied = await readHistory(client);
  const paths = (await readMigrations()).map(({ path }) => path);
  const missing = paths.filter((name) => !applied.includes(name)).length;
  const newer = applied.filter((name) => !paths.includes(name)).length;
  if (newer > 0) return problem(`the database is of a newer release (${newer} migrations): update the blog`);
  return missing > 0
    ? warning(`${missing} migrations are missing: the next start applies them`)
    : ok("all migrations are applied");
}

/** Which misspelt words the search finds. */
async function checkSearch(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ installed: boolean; ctype: string }>(`
    SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') AS installed, datctype AS ctype
    FROM pg_database WHERE datname = current_database()`);
  const { installed = false, ctype = "" } = rows[0] ?? {};
  if (!installed)
    return warning("the search finds no misspelt words: create the extension pg_trgm, then restart");
  return /^(C|POSIX)$/.test(ctype)
    ? warning(
        `the search finds misspelt words in Latin letters only: the database's LC_CTYPE is ${ctype}, not one of UTF-8`,
      )
    : ok("the search finds misspelt words");
}

async function checkPictures(client: pg.Client, stores: PictureFiles[]): Promise<Finding[]> {
  const [store] = stores;
  if (!store) return [];
  const owner = await findOwner(client, stores);
  if (owner === "unknown") return [];
  if (owner === "this") return [ok("the pictures are those of the database")];
  return [problem(owner === "copy" ? describeCopy(store) : describeForeignStore(store))];
}

async function checkClock(client: pg.Client): Promise<Finding> {
  const before = Date.now();
  const { rows } = await client.query<{ now: Date }>("SELECT now()");
  const middle = (before + Date.now()) / 2;
  const seconds = Math.abs((rows[0]?.now.getTime() ?? 0) - middle) / 1_000;
  if (seconds <= CLOCK_TOLERANCE) return ok("the database's clock is ours");
  return warning(`the database's clock differs by ${Math.round(seconds)} s: let both keep time by NTP`);
}

async function checkMail(env: Env): Promise<Finding> {
  if (!env.MAIL_URL) return checkFolder(join(env.DATA_DIR, "outbox"));
  const { host } = new URL(env.MAIL_URL);
  return checkSmtp(env.MAIL_URL).then(
    () => ok(`the mail server at ${host} lets us in`),
    (error: NodeJS.ErrnoException) =>
      problem(`the mail server at ${host} cannot be used (${error.code ?? "no answer"}): see MAIL_URL`),
  );
}
