/**
 * A position in the write-ahead log: the timeline in the upper bits, the LSN in the lower 64. A larger position of the same
 * timeline is a later one. A failover begins a new timeline.
 */
export type Position = bigint;

export const START_POSITION: Position = 0n;

export const toPosition = (timeline: number, lsn: string): Position => {
  const [high = "0", low = "0"] = lsn.split("/");
  return (BigInt(timeline) << 64n) | (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
};

export const timelineOf = (position: Position): number => Number(position >> 64n);

/** Bytes of the log between two positions; not a number across timelines. */
export const bytesBetween = (from: Position, to: Position): number =>
  timelineOf(from) === timelineOf(to) ? Math.max(0, Number(to - from)) : NaN;

/** SQL for the primary, as `TIMELINE LSN`: every transaction that was reported as committed is before it, flushed or not. */
export const COMMITTED_POSITION_SQL = `(SELECT left(pg_walfile_name(lsn), 8) || ' ' || lsn FROM (SELECT
  CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END) AS at(lsn))`;

export const parsePosition = (text: string): Position => {
  const [timeline = "", lsn = ""] = text.split(" ");
  return toPosition(parseInt(timeline, 16), lsn);
};

export const maxPosition = (...positions: Position[]): Position =>
  positions.reduce((latest, each) => (each > latest ? each : latest), START_POSITION);
