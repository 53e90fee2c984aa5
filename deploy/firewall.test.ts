import { execSync } from "node:child_process";
import { expect, test } from "vitest";

const OPEN = `
  const { createServer, connect } = require("node:net");
  const server = createServer((socket) => socket.on("error", () => {}));
  const open = (localAddress, ends) => new Promise((done) => {
    const socket = connect({ port: 80, host: "127.0.0.1", localAddress }, () => {
      if (ends) socket.resetAndDestroy();
      done(1);
    });
    socket.on("error", () => done(0));
  });
  server.listen(80, "0.0.0.0", async () => {
    const opened = await Promise.all(Array.from({ length: 400 }, () => open("127.0.0.2")));
    let later = 0;
    for (let n = 0; n < 400; n++) later += await open("127.0.0.4", true);
    console.log(opened.reduce((sum, each) => sum + each, 0), await open("127.0.0.3"), later < 350);
    const began = performance.now();
    server.on("connection", (socket) => {
      let received = 0;
      socket.on("data", (chunk) => {
        received += chunk.length;
        if (received < 12_000_000) return;
        const seconds = (performance.now() - began) / 1_000;
        console.log(seconds > 1.5 && seconds < 30);
        process.exit();
      });
    });
    connect({ port: 80, host: "127.0.0.1", localAddress: "127.0.0.5" }).end(Buffer.alloc(12_000_000));
  });`;

test("the rules of the firewall limit the connections and bytes of one address, and can be loaded again", () => {
  const load = "nft -f deploy/firewall/connections.nft";
  // In a network of its own.
  const commands = `ip link set lo up; ${load} && ${load} && node -e '${OPEN}'`;
  const output = execSync(`unshare --net --map-root-user sh -c "$COMMANDS"`, {
    ...{ encoding: "utf8", env: { ...process.env, COMMANDS: commands } },
  });
  expect(output.trim()).toBe("250 1 true\ntrue");
});
