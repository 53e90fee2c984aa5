import type { Measure } from "./metrics.ts";

/** What is said of an answer. `route` is a pattern: an address itself may hold a token. */
export type LogEntry = {
  reqId: string;
  method: string;
  route: string;
  status: number;
  milliseconds: number;
  /** It was made for somebody else. */
  kept?: true;
};

export type LogRequest = (line: LogEntry) => void;

/** Notes each answer once in the log and once in the metrics, whoever gave it. */
export const openAccessLog =
  (log: { info: (line: object) => void }, measure: Measure): LogRequest =>
  (line) => {
    measure(line.method, line.route, line.status, line.milliseconds);
    log.info(line);
  };

/** As exact as what is kept needs it. */
export const hundredths = (milliseconds: number) => Math.round(milliseconds * 100) / 100;
