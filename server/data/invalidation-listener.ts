import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Invalidations, CacheTag } from "../domain/ports.ts";
import { isPooled } from "./connections/pooler.ts";
import { openLeadership, type Listener } from "./leadership.ts";
import { Client } from "./postgres-client.ts";

const CHANNEL = "blog_changes";
const PING_INTERVAL = 1_000;
const PING_TIMEOUT = 2_000;
const RETRY_DELAY = 500;

const newClient = (connectionString: string) =>
  new Client({
    connectionString,
    application_name: "blog changes",
    connectionTimeoutMillis: PING_TIMEOUT,
    query_timeout: PING_TIMEOUT,
    keepAlive: true,
    // Replicas need positions of the primary also during a ping.
    pipeline: true,
  });

export type InvalidationListener = Invalidations & {
  /** Calls the listener for each notification in one of all processes, with `*` first, since others may have been missed. */
  lead: (listener: Listener) => void;
  /** Runs a statement on the listening connection. @throws while there is none */
  query: <Row>(text: string) => Promise<Row[]>;
};

/**
 * Receives the notifications that database triggers send for every write, on a dedicated connection. Losing it
 * invalidates everything. It counts as listening only after a probe notification has arrived, since a pooler may
 * accept LISTEN without forwarding notifications.
 */
export function openInvalidationListener(databaseUrl: string): InvalidationListener {
  const listeners = new Set<Listener>();
  const publish: Listener = (tags) => listeners.forEach((listener) => listener(tags));
  const { lead, ping } = openLeadership(tagsOf);
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
      await listenOn(connecting, databaseUrl);
      if (connecting !== client) return;
      // Reads in progress may have missed notifications.
      publish(["*"]);
      isListening = true;
      watch(connecting);
    } catch {
      void lose(connecting);
    }
  }

  /** Pings the connection, since it can fail without an error event. */
  function watch(watched: pg.Client): void {
    timer = setTimeout(() => {
      ping(watched).then(
        () => void (watched === client && watch(watched)),
        () => void lose(watched),
      );
    }, PING_INTERVAL).unref();
  }

  async function lose(lost: pg.Client): Promise<void> {
    if (lost !== client) return;
    [client, isListening] = [null, false];
    clearTimeout(timer);
    publish(["*"]);
    if (!isClosed) timer = setTimeout(() => void connect(), RETRY_DELAY).unref();
    await lost.end().catch(() => undefined);
  }

  void connect();
  return {
    ...{ publish, lead },
    onChange: (listener) => void listeners.add(listener),
    isListening: () => isListening,
    query: (text) => rowsOf(isListening ? client : null, text),
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      if (client) await lose(client);
    },
  };
}

async function rowsOf<Row>(client: pg.Client | null, text: string): Promise<Row[]> {
  if (!client) throw new Error("no connection for notifications");
  return (await client.query(text)).rows as Row[];
}

const tagsOf = ({ channel, payload }: pg.Notification) =>
  channel === CHANNEL ? ((payload ?? "*").split(",") as CacheTag[]) : [];

async function listenOn(client: pg.Client, databaseUrl: string): Promise<void> {
  await client.connect();
  if (await isPooled(client)) Object.assign(client, { pipeline: false });
  await client.query(`LISTEN ${CHANNEL}`);
  await probeNotifications(client, databaseUrl);
}

/** @throws if a notification from another connection does not arrive in time */
async function probeNotifications(listening: pg.Client, databaseUrl: string): Promise<void> {
  const channel = `blog_probe_${randomUUID().replaceAll("-", "")}`;
  await listening.query(`LISTEN ${channel}`);
  const limits = { connectionTimeoutMillis: PING_TIMEOUT, query_timeout: PING_TIMEOUT };
  const sender = new Client({ connectionString: databaseUrl, ...limits });
  sender.on("error", () => undefined);
  try {
    const received = new Promise<void>((resolve, reject) => {
      listening.on("notification", (message) => message.channel === channel && resolve());
      listening.once("end", () => reject(new Error("the connection was lost")));
      setTimeout(() => reject(new Error("no notification arrived")), PING_TIMEOUT).unref();
    });
    received.catch(() => undefined);
    await sender.connect();
    await sender.query(`NOTIFY ${channel}`);
    await received;
    await listening.query(`UNLISTEN ${channel}`);
  } finally {
    await sender.end().catch(() => undefined);
  }
}
