import pg from "pg";
import type { Changes, Tag } from "../changes.ts";

const CHANNEL = "blog_changes";
const PING_EVERY = 1_000;
const PING_PATIENCE = 2_000;
const RETRY_AFTER = 500;

/**
 * Listens to what triggers in the database tell of every change, whoever made it, on a connection of its own.
 * When that is lost, everything may have changed.
 */
export function listenToChanges(databaseUrl: string): Changes {
  const listeners = new Set<(tags: readonly Tag[]) => void>();
  const tell = (tags: readonly Tag[]) => listeners.forEach((listener) => listener(tags));
  let client: pg.Client | null = null;
  let isListening = false;
  let isClosed = false;
  let timer: NodeJS.Timeout;

  async function connect(): Promise<void> {
    const connecting = new pg.Client({
      connectionString: databaseUrl,
      application_name: "blog changes",
      connectionTimeoutMillis: PING_PATIENCE,
      query_timeout: PING_PATIENCE,
      keepAlive: true,
    });
    client = connecting;
    connecting.on("error", () => void lose(connecting));
    connecting.on("end", () => void lose(connecting));
    connecting.on("notification", ({ payload }) => tell((payload ?? "*").split(",") as Tag[]));
    try {
      await connecting.connect();
      await connecting.query(`LISTEN ${CHANNEL}`);
      if (connecting !== client) return;
      // What was being read until now may have changed unheard.
      tell(["*"]);
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
    tell(["*"]);
    if (!isClosed) timer = setTimeout(() => void connect(), RETRY_AFTER).unref();
    await lost.end().catch(() => undefined);
  }

  void connect();
  return {
    tell,
    onChange: (listener) => void listeners.add(listener),
    isListening: () => isListening,
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      if (client) await lose(client);
    },
  };
}
