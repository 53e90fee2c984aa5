import { currentOperation, type Operation } from "../tracing/operation.ts";
import { shortStatement, type ObserveStatement } from "./observed-client.ts";

type Log = { warn: (line: object, message: string) => void };

/** Lines per window, of which the last counts the statements beyond them. A slow database must not flood the log. */
const MAX_LINES = 10;
const WINDOW = 60_000;

/**
 * Logs statements by their text with placeholders, never with values.
 * @param threshold milliseconds, including the wait for earlier statements on the same connection
 */
export function logSlowStatements(log: Log, threshold: number) {
  let [total, inWindow] = [0, 0];

  function endWindow(): void {
    const statements = inWindow - MAX_LINES;
    inWindow = 0;
    if (statements > 0) log.warn({ statements }, "further slow SQL statements were not logged");
  }

  function report(text: string, milliseconds: number, operation: Operation | undefined): void {
    total++;
    if (inWindow++ === 0) setTimeout(endWindow, WINDOW).unref();
    if (inWindow > MAX_LINES) return;
    const { name, graphql, requestId: reqId } = operation ?? {};
    const line = { reqId, operation: name, graphql: graphql?.name, milliseconds: Math.round(milliseconds) };
    log.warn({ ...line, statement: shortStatement(text) }, "a slow SQL statement");
  }

  const observe: ObserveStatement = (text) => {
    const began = performance.now();
    const operation = currentOperation();
    return () => {
      const milliseconds = performance.now() - began;
      if (milliseconds >= threshold) report(text, milliseconds, operation);
    };
  };
  return { observe, count: () => total };
}
