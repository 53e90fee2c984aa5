// A load generator in its own process, so that it does not delay measurements. Each of COUNT connections sends requests
// one after the other, without a pause after refusals either. Prints its results as JSON on SIGTERM:
// `node load-generator.mjs PORT COUNT keep-alive|close PATH…`
import { connect } from "node:net";

const [port, count, connection, ...paths] = process.argv.slice(2);
/** Counts by outcome: "200", "503 without Retry-After", or the error code of the connection. */
const tally = {};
/** Response times in milliseconds, by status. */
const times = { 200: [], 503: [] };

const recordOutcome = (outcome) => (tally[outcome] = (tally[outcome] ?? 0) + 1);

function recordResponse(head, began) {
  const status = head.slice(9, 12);
  times[status]?.push(Math.round(performance.now() - began));
  recordOutcome(status === "503" && !/\r\nretry-after: \d/i.test(head) ? "503 without Retry-After" : status);
}

/** Uses raw sockets: with node:http the client would use more CPU than the server's refusals. */
function openConnection(n) {
  const requestText = `GET ${paths[n % paths.length]} HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`;
  let [began, rest, isWaiting] = [0, "", false];
  const socket = connect(Number(port), "127.0.0.1", sendRequest).setEncoding("latin1").setNoDelay();
  function sendRequest() {
    [began, isWaiting] = [performance.now(), true];
    socket.write(requestText);
  }
  socket.on("data", (chunk) => {
    rest += chunk;
    const end = rest.indexOf("\r\n\r\n") + 4;
    if (end < 4) return;
    const head = rest.slice(0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
    if (rest.length < end + length) return;
    rest = rest.slice(end + length);
    isWaiting = false;
    recordResponse(head, began);
    if (/\r\nconnection: close/i.test(head)) socket.end();
    else sendRequest();
  });
  socket.on("error", ({ code }) => recordOutcome(code));
  socket.on("close", () => {
    if (isWaiting) recordOutcome("cut");
    setTimeout(openConnection, 0, n);
  });
}

for (let n = 0; n < Number(count); n++) openConnection(n);
process.once("SIGTERM", () => {
  process.stdout.write(JSON.stringify({ tally, times }), () => process.exit());
});
