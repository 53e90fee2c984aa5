import { closeSync, mkdirSync, openSync, write, writeSync } from "node:fs";
import { dirname } from "node:path";

/** Bytes buffered; further lines are dropped, and their number is logged. */
const MAX_BUFFERED = 8 * 1024 * 1024;

const STDOUT = 1;

/** Writes never block. A full disk or stalled reader only loses lines; pino's destination retries for ever at exit. */
export function openLogDestination(file: string | undefined) {
  const fd = file === undefined ? STDOUT : openFile(file);
  let waiting: string[] = [];
  let [bytes, dropped, isWriting] = [0, 0, false];

  function take(): Buffer {
    const lost =
      dropped > 0 ? [`${JSON.stringify({ level: 40, msg: "log lines were lost", dropped })}\n`] : [];
    const text = Buffer.from([...lost, ...waiting].join(""));
    [waiting, bytes, dropped] = [[], 0, 0];
    return text;
  }

  function flush(rest = take()): void {
    isWriting = true;
    write(fd, rest, (error, written) => {
      if (error) dropped++;
      else if (written < rest.length) return flush(rest.subarray(written));
      isWriting = false;
      if (waiting.length > 0) flush();
    });
  }

  process.once("exit", () => {
    try {
      if (waiting.length > 0) writeSync(fd, take());
    } catch {
      // Nowhere left to report it.
    }
  });

  return {
    write(line: string): void {
      if (bytes > MAX_BUFFERED) return void dropped++;
      waiting.push(line);
      bytes += line.length;
      if (!isWriting) flush();
    },
    close: () => closeSync(fd),
  };
}

function openFile(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  return openSync(file, "a", 0o600);
}
