import { join } from "node:path";
import type { Parts } from "./context.ts";
import type { Answers } from "./answers.ts";
import { findBuildFolder } from "./build-folder.ts";
import { openAnswers } from "./data/answers/answers.ts";
import { listenToChanges } from "./data/changes.ts";
import { openDatabase, type Database } from "./data/client.ts";
import { openEmbeddedPostgres } from "./data/embedded/embedded-postgres.ts";
import { migrate } from "./data/migrations.ts";
import { openLikes } from "./data/likes.ts";
import { openReads } from "./data/reads/reads.ts";
import type { Env } from "./env.ts";
import type { Log } from "./jobs/deliver-letter.ts";
import { migrateJobs, startWorker } from "./jobs/worker.ts";
import { openMailbox } from "./mail/mailbox.ts";
import { openOutbox, openSmtp } from "./mail/transports.ts";
import { openMarkdown } from "./markdown/renderer.ts";
import { whenAllDone } from "./domain/later.ts";
import { openEncoder } from "./media/encoder.ts";
import { openMediaFolder } from "./media/store.ts";
import { StartError } from "./start-error.ts";
import type { Gauge } from "./web/metrics.ts";

export type Say = (line: string) => void;

export type OpenParts = {
  parts: Parts;
  /** Null where finished answers are not kept. */
  answers: Answers | null;
  mediaFolder: string;
  buildFolder: string;
  /** Begins to deliver letters and to tidy up. */
  startWorker: (log: Log) => Promise<void>;
  databaseAnswers: () => Promise<boolean>;
  gauges: Gauge[];
  close: () => Promise<void>;
};

/** What finished answers may take of the memory. */
const ANSWER_BYTES = 48 * 1024 * 1024;

/** Commands report by what they return. */
const quiet: PartsLog = { warn: () => undefined, info: () => undefined };
type PartsLog = Log & { info: (line: object, message: string) => void };

/**
 * Opens what the domain works with: the database, migrated, and the pictures.
 * @throws StartError
 */
export async function openParts(env: Env, say: Say, log: PartsLog = quiet): Promise<OpenParts> {
  const server = await openServer(env, say);
  const database = await openMigrated(server.url, say).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  const mediaFolder = join(env.DATA_DIR, "media");
  const buildFolder = findBuildFolder();
  const encoder = openEncoder({ file: join(buildFolder, "server/encoder-process.js") });
  const media = await openMediaFolder(mediaFolder, `${env.publicUrl}/media`, encoder);
  const mail = openMailbox({ title: env.SITE_TITLE, url: env.publicUrl }, env.MAIL_URL === undefined);
  const changes = listenToChanges(server.url);
  const { markdown, close: closeMarkdown } = openMarkdown({
    workerFile: join(buildFolder, "server/markdown-worker.js"),
    log,
  });
  const parts: Parts = {
    db: database.db,
    reads: openReads(database.hot),
    likes: openLikes(database.pool),
    changed: (...tags) => changes.tell(tags),
    media,
    markdown,
    mail,
    now: () => new Date(),
    securityLog: (line) => log.info(line, "security"),
    throttled: env.RATE_LIMITS,
    writeLimits: env.writeLimits,
  };
  let stopWorker = async () => {};
  return {
    parts,
    answers: env.READ_CACHE ? openAnswers(changes, ANSWER_BYTES) : null,
    mediaFolder,
    buildFolder,
    startWorker: async (log) => {
      stopWorker = await startWorker(server.url, parts, openTransport(env), log);
    },
    databaseAnswers: async () => (await database.pool.query("SELECT 1")).rowCount === 1,
    gauges: gaugesOf(database),
    close: async () => {
      await whenAllDone();
      await stopWorker();
      await closeMarkdown();
      await encoder.close();
      await changes.close();
      await database.close();
      await server.stop();
    },
  };
}

const gaugesOf = ({ pool, hot, db }: Database): Gauge[] => [
  {
    name: "blog_database_connections_in_use",
    help: "Connections that work for somebody.",
    read: () => pool.totalCount - pool.idleCount + hot.totalCount - hot.idleCount,
  },
  {
    name: "blog_database_connections_awaited",
    help: "Who waits for a connection.",
    read: () => pool.waitingCount + hot.waitingCount,
  },
  {
    name: "blog_letters_waiting",
    help: "Letters that are still to be delivered.",
    read: () => db.letter.count({ where: { sentAt: null } }),
  },
];

const openTransport = (env: Env) =>
  env.MAIL_URL
    ? openSmtp(env.MAIL_URL, env.mailFrom)
    : openOutbox(join(env.DATA_DIR, "outbox"), env.mailFrom);

async function openServer(env: Env, say: Say): Promise<{ url: string; stop: () => Promise<void> }> {
  if (env.DATABASE_URL) return { url: env.DATABASE_URL, stop: async () => {} };
  try {
    const embedded = await openEmbeddedPostgres(env.DATA_DIR, say);
    say(embedded.adopted ? "PostgreSQL of an earlier run taken over" : "PostgreSQL started");
    return embedded;
  } catch (error) {
    throw new StartError((error as Error).message, { cause: error });
  }
}

async function openMigrated(url: string, say: Say): Promise<Database> {
  const applied = await migrate(url).catch((error: unknown) => {
    throw new StartError(explain(url, error as NodeJS.ErrnoException), { cause: error });
  });
  await migrateJobs(url);
  if (applied.length > 0) say(`database migrated (${applied.length} applied)`);
  return openDatabase(url);
}

/** The address without its password: this goes to a terminal. */
export function explain(url: string, error: NodeJS.ErrnoException): string {
  const { hostname, port, pathname, username } = new URL(url);
  const place = `${hostname}:${port || 5432}${pathname}`;
  if (error.code === "28P01")
    return `The database at ${place} refuses the password of "${username}": see DATABASE_URL.`;
  if (error.code === "3D000")
    return `There is no database ${pathname.slice(1)} at ${hostname}:${port || 5432}: create it, or see DATABASE_URL.`;
  const reason = error.code ?? error.message.split("\n")[0];
  return `The database at ${place} cannot be used (${reason}): is it running, and is DATABASE_URL right?`;
}
