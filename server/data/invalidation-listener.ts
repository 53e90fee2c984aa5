import { randomUUID } from "node:crypto";
import pg from "pg";
import type { Invalidations, Tag } from "../domain/ports.ts";

const CHANNEL = "blog_changes";
const PING_EVERY = 1_000;
const PING_PATIENCE = 2_000;
const RETRY_AFTER = 500;

const newClient = (connectionString: string) =>
  new pg.Client({
    connectionString,
    application_name: "blog changes",
    connectionTimeoutMillis: PING_PATIENCE,
    query_timeout: PING_PATIENCE,
    keepAlive: true,
  });

/**
 * Listens to what triggers in the database tell of every change, whoever made it, on a connection of its own.
 * When that is lost, everything may have changed. It counts as listening once it has heard a notification of its
 * own: a pooler may take a LISTEN and never pass on what is heard.
 */
export function openInvalidationListener(databaseUrl: string): Invalidations {
  const listeners = new Set<(tags: readonly Tag[]) => void>();
  const publish = (tags: readonly Tag[]) => listeners.forEach((listener) => listener(tags));
  let client: pg.Client | null = null;
  let isListening = false;
  let isClosed = false;
  let timer: NodeJS.Timeout;

  async function connect(): Promise<void> {
    const connecting = newClient(databaseUrl);
    client = connecting;
    connecting.on("error", () => void lose(connecting));
    connecting.on("end", () => void lose(connecting));
    connecting.on("notification", (message) => publish(tagsOf(message)));
    try {
      await connecting.connect();
      await connecting.query(`LISTEN ${CHANNEL}`);
      await hearOneself(connecting, databaseUrl);
      if (connecting !== client) return;
      // What was being read until now may have changed unheard.
      publish(["*"]);
      isListening = true;
      watch(connecting);
    } catch {
      void lose(connecting);
    }
  }

  /** A connection may also die in silence. */
  function watch(watched: pg.Client): void {
    timer = setTimeout(() => {
      watched.query("SELECT 1").then(
        () => void (watched === client && watch(watched)),
        () => void lose(watched),
      );
    }, PING_EVERY).unref();
  }

  async function lose(lost: pg.Client): Promise<void> {
    if (lost !== client) return;
    client = null;
    isListening = false;
    clearTimeout(timer);
    publish(["*"]);
    if (!isClosed) timer = setTimeout(() => void connect(), RETRY_AFTER).unref();
    await lost.end().catch(() => undefined);
  }

  void connect();
  return {
    publish,
    onChange: (listener) => void listeners.add(listener),
    isListening: () => isListening,
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      if (client) await lose(client);
    },
  };
}

/** What a notification says has changed; the one that a connection sends itself says nothing. */
const tagsOf = ({ channel, payload }: pg.Notification) =>
  channel === CHANNEL ? ((payload ?? "*").split(",") as Tag[]) : [];

/** @throws when a notification that another connection sends has not been heard in time */
async function hearOneself(listening: pg.Client, databaseUrl: string): Promise<void> {
  const channel = `blog_probe_${randomUUID().replaceAll("-", "")}`;
  await listening.query(`LISTEN ${channel}`);
  const sender = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: PING_PATIENCE });
  sender.on("error", () => undefined);
  try {
    const heard = new Promise<void>((resolve, reject) => {
      listening.on("notification", (message) => message.channel === channel && resolve());
      listening.once("end", () => reject(new Error("the connection was lost")));
      setTimeout(() => reject(new Error("no notification was heard")), PING_PATIENCE).unref();
    });
    heard.catch(() => undefined);
    await sender.connect();
    await sender.query(`NOTIFY ${channel}`);
    await heard;
    await listening.query(`UNLISTEN ${channel}`);
  } finally {
    await sender.end().catch(() => undefined);
  }
}
