// A crowd in a process of its own, so that what measures beside it does not wait for it: so many connections
// ask one after the other until told to stop, and in the same breath again after whatever they were told.
// `node crowd.mjs PORT COUNT keep-alive|close PATH…`; prints what it saw, as JSON, on SIGTERM.
import { connect } from "node:net";

const [port, count, connection, ...paths] = process.argv.slice(2);
/** How often each answer came: "200", "503 without Retry-After", or the name of what cut the line. */
const tally = {};
/** How long each 200 took, and each 503. */
const times = { 200: [], 503: [] };

const note = (answer) => (tally[answer] = (tally[answer] ?? 0) + 1);

function noteAnswer(head, began) {
  const status = head.slice(9, 12);
  times[status]?.push(Math.round(performance.now() - began));
  note(status === "503" && !/\r\nretry-after: \d/i.test(head) ? "503 without Retry-After" : status);
}

/** Raw sockets: a client of node:http costs more than the refusals of the server that it is to press. */
function join(n) {
  const words = `GET ${paths[n % paths.length]} HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`;
  let [began, rest, isAsking] = [0, "", false];
  const socket = connect(Number(port), "127.0.0.1", ask).setEncoding("latin1").setNoDelay();
  function ask() {
    [began, isAsking] = [performance.now(), true];
    socket.write(words);
  }
  socket.on("data", (chunk) => {
    rest += chunk;
    const end = rest.indexOf("\r\n\r\n") + 4;
    if (end < 4) return;
    const head = rest.slice(0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
    if (rest.length < end + length) return;
    rest = rest.slice(end + length);
    isAsking = false;
    noteAnswer(head, began);
    if (/\r\nconnection: close/i.test(head)) socket.end();
    else ask();
  });
  socket.on("error", ({ code }) => note(code));
  socket.on("close", () => {
    if (isAsking) note("cut");
    setTimeout(join, 0, n);
  });
}

for (let n = 0; n < Number(count); n++) join(n);
process.once("SIGTERM", () => {
  process.stdout.write(JSON.stringify({ tally, times }), () => process.exit());
});
