import pg from "pg";
import type { Changes, Tag } from "../changes.ts";

const CHANNEL = "blog_changes";
const PING_EVERY = 5_000;
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
    connecting.on("error", () => lose(connecting));
    connecting.on("end", () => lose(connecting));
    connecting.on("notification", ({ payload }) => tell((payload ?? "*").split(",") as Tag[]));
    try {
      await connecting.connect();
      await connecting.query(`LISTEN ${CHANNEL}`);
      isListening = !isClosed;
      watch(connecting);
    } catch {
      lose(connecting);
    }
  }

  /** A connection may also die in silence. */
  function watch(watched: pg.Client): void {
    timer = setTimeout(() => {
      watched.query("SELECT 1").then(
        () => watch(watched),
        () => lose(watched),
      );
    }, PING_EVERY).unref();
  }

  function lose(lost: pg.Client): void {
    if (lost !== client) return;
    client = null;
    isListening = false;
    clearTimeout(timer);
    lost.end().catch(() => undefined);
    tell(["*"]);
    if (!isClosed) timer = setTimeout(() => void connect(), RETRY_AFTER).unref();
  }

  void connect();
  return {
    tell,
    onChange: (listener) => void listeners.add(listener),
    isListening: () => isListening,
    close: async () => {
      isClosed = true;
      if (client) lose(client);
      clearTimeout(timer);
    },
  };
}
