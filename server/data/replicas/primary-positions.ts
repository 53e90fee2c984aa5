import type { CacheTag } from "../../domain/ports.ts";
import {
  COMMITTED_POSITION_SQL,
  maxPosition,
  parsePosition,
  START_POSITION,
  type Position,
} from "./position.ts";

export type NotificationConnection = {
  onChange: (listener: (tags: readonly CacheTag[]) => void) => void;
  /** Runs a statement on the connection that gets the notifications. @throws while there is none */
  query: <Row>(text: string) => Promise<Row[]>;
};

type PendingPosition = { version: number; position: Promise<Position>; resolved: Position | null };

export type PrimaryPositions = ReturnType<typeof openPrimaryPositions>;

/** The positions of the primary that reads on replicas have to reach. */
export function openPrimaryPositions({ onChange, query }: NotificationConnection) {
  let version = 0;
  let recorded = START_POSITION;
  let highest = START_POSITION;
  let pending: PendingPosition | null = null;
  onChange(() => void version++);

  async function fetch(): Promise<Position> {
    const [row] = await query<{ position: string }>(`SELECT ${COMMITTED_POSITION_SQL} AS position`);
    const position = parsePosition(row?.position ?? "");
    highest = maxPosition(highest, position);
    return position;
  }

  function startFetch(): PendingPosition {
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
    notified(): Position | Promise<Position> {
      if (pending?.version !== version) pending = startFetch();
      return pending.resolved ?? pending.position;
    },
    /** Sessions are read on the primary; each such statement records its position. */
    record: (text: string) =>
      void ([recorded, highest] = [
        maxPosition(recorded, parsePosition(text)),
        maxPosition(highest, recorded),
      ]),
    /** Not before anything that an account had done when its session was read. */
    recorded: () => recorded,
    highest: () => highest,
    identify: async (): Promise<string> =>
      (await query<{ identity: string }>(IDENTITY_SQL))[0]?.identity ?? "",
  };
}

/** Equal on a primary and its replicas. */
export const IDENTITY_SQL = `SELECT system_identifier || '/' || current_database() AS identity FROM pg_control_system()`;
