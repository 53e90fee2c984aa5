import type { Measure } from "./metrics.ts";

/** `route` is a pattern, since a URL may contain a token. */
export type LogEntry = {
  reqId: string;
  method: string;
  route: string;
  status: number;
  milliseconds: number;
  /** Served from the response cache. */
  kept?: true;
};

export type LogRequest = (line: LogEntry) => void;

export const openAccessLog =
  (log: { info: (line: object) => void }, measure: Measure): LogRequest =>
  (line) => {
    measure(line.method, line.route, line.status, line.milliseconds);
    log.info(line);
  };

/** Two decimals, since a cached response takes a fraction of a millisecond. */
export const hundredths = (milliseconds: number) => Math.round(milliseconds * 100) / 100;
