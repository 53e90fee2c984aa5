import type { CacheTag } from "../../domain/ports.ts";
import { FLUSHED, max, parseFlushed, START, type Position } from "./position.ts";

export type Notified = {
  onChange: (listener: (tags: readonly CacheTag[]) => void) => void;
  /** Runs a statement on the connection that gets the notifications. @throws while there is none */
  query: <Row>(text: string) => Promise<Row[]>;
};

type PendingPosition = { version: number; position: Promise<Position>; resolved: Position | null };

export type PrimaryPositions = ReturnType<typeof openPrimaryPositions>;

/** The positions of the primary that reads on replicas have to reach. */
export function openPrimaryPositions({ onChange, query }: Notified) {
  let version = 0;
  let recorded = START;
  let highest = START;
  let pending: PendingPosition | null = null;
  onChange(() => void version++);

  async function fetch(): Promise<Position> {
    const [row] = await query<{ position: string }>(`SELECT ${FLUSHED} AS position`);
    const position = parseFlushed(row?.position ?? "");
    highest = max(highest, position);
    return position;
  }

  function ask(): PendingPosition {
    const started: PendingPosition = { version, position: fetch(), resolved: null };
    started.position.then(
      (position) => (started.resolved = position),
      () => void (pending === started && (pending = null)),
    );
    return started;
  }

  return {
    tryFetch: (): Promise<Position | null> => fetch().catch(() => null),
    /**
     * Not before any change that this process was notified of, or has made, so far. Asks the primary once after each.
     * @returns at once, if it is known. @throws while no notifications can arrive
     */
    heard(): Position | Promise<Position> {
      if (pending?.version !== version) pending = ask();
      return pending.resolved ?? pending.position;
    },
    /** Sessions are read on the primary; each such statement records its position. */
    record: (text: string) =>
      void ([recorded, highest] = [max(recorded, parseFlushed(text)), max(highest, recorded)]),
    /** Not before anything that an account had done when its session was read. */
    recorded: () => recorded,
    highest: () => highest,
    identify: async (): Promise<string> => (await query<{ identity: string }>(IDENTITY))[0]?.identity ?? "",
  };
}

/** Equal on a primary and its replicas. */
export const IDENTITY = `SELECT system_identifier || '/' || current_database() AS identity FROM pg_control_system()`;
