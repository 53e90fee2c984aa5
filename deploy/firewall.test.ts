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
    process.exit();
  });`;

test("the rules of the firewall limit the connections of one address and its new ones in a second, and can be loaded again", () => {
  const load = "nft -f deploy/firewall/connections.nft";
  // In a network of its own.
  const commands = `ip link set lo up; ${load} && ${load} && node -e '${OPEN}'`;
  const output = execSync(`unshare --net --map-root-user sh -c "$COMMANDS"`, {
    ...{ encoding: "utf8", env: { ...process.env, COMMANDS: commands } },
  });
  expect(output.trim()).toBe("250 1 true");
});
