import { createHash } from "node:crypto";
import dns from "node:dns/promises";
import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { findFreePort } from "../data/embedded/free-port.ts";
import { longestDelay } from "../testing/event-loop.ts";
import { usedMemory } from "../testing/memory.ts";
import { FROM, makeOutbox, readOutbox, smtpTo, startMailServer } from "../testing/mail.ts";
import { checkSmtp, requiresTls } from "./smtp.ts";
import { openOutbox, type Deliver, type StoredEmail } from "./transports.ts";

const emailOf = (traits: Partial<StoredEmail> = {}): StoredEmail => ({
  ...{ id: "0190-1", kind: "verify", recipient: "maya@example.com", subject: "Zoë’s letter" },
  ...{ text: "A text.\n.\nA line after a dot.\n", html: "<p>A text.</p>" },
  createdAt: new Date("2026-03-04T05:06:07.008Z"),
  ...traits,
});

async function isIdle(): Promise<boolean> {
  const before = performance.eventLoopUtilization();
  await setTimeout(100);
  return performance.eventLoopUtilization(before).utilization < 0.5;
}

/** @returns its number: threads are numbered in the order in which they start */
async function startThread(): Promise<number> {
  const thread = new Worker("", { eval: true });
  const { threadId } = thread;
  await once(thread, "exit");
  return threadId;
}

/** Of the SHA-256 of the id. */
const MESSAGE_ID = `<${createHash("sha256").update("0190-1").digest("hex").slice(0, 32)}@blog.test>`;

describe("an outbox", () => {
  test("contains one complete file per email, readable by its owner alone", async () => {
    const outbox = join(await makeOutbox(), "made", "when needed");
    const deliver = openOutbox(outbox, FROM);
    await Promise.all(["a", "b", "c"].map((id) => deliver(emailOf({ id }))));
    const files = await readOutbox(outbox);
    expect(files.map(({ name }) => name)).toEqual(
      ["a", "b", "c"].map((id) => `2026-03-04T05-06-07-008Z-verify-${id}.eml`),
    );
    for (const { name, email } of files) {
      expect(email).toMatchObject({ subject: "Zoë’s letter", html: "<p>A text.</p>\n" });
      expect((await stat(join(outbox, name))).mode & 0o777).toBe(0o600);
    }
  });

  test("contains an email once however often it is delivered", async () => {
    const outbox = await makeOutbox();
    for (let time = 0; time < 2; time++) await openOutbox(outbox, FROM)(emailOf());
    expect(await readdir(outbox)).toHaveLength(1);
  });
});

describe("a mail server", () => {
  test("receives an email unchanged, for one recipient", async () => {
    const server = await startMailServer();
    await smtpTo(server.url)(emailOf());
    expect(server.delivered).toHaveLength(1);
    const [{ email, recipients } = expect.fail("nothing arrived")] = server.delivered;
    expect(recipients).toEqual(["maya@example.com"]);
    expect(email).toMatchObject({
      subject: "Zoë’s letter",
      from: { name: "Blog", address: "no-reply@blog.test" },
      to: [{ address: "maya@example.com" }],
      messageId: MESSAGE_ID,
    });
    expect(email.text?.trimEnd()).toBe("A text.\n.\nA line after a dot.");
  });

  test("that refuses an email causes an error, and the retry sends the same message", async () => {
    const server = await startMailServer({ refusals: 1 });
    const deliver = smtpTo(server.url);
    await expect(deliver(emailOf())).rejects.toThrow("please come back later");
    await deliver(emailOf());
    expect(server.delivered.map(({ email }) => email.messageId)).toEqual([MESSAGE_ID]);
  });

  test("without TLS gets nothing, unless it is in a private network or its URL allows it", async () => {
    const server = await startMailServer();
    await expect(smtpTo(`${server.url}?requireTLS=true`)(emailOf())).rejects.toThrow();
    expect(server.delivered).toEqual([]);
    const hosts = ["smtp.example.org", "192.0.2.1", "[2001:db8::1]", "local.example.org"];
    const privateHosts = [
      "localhost",
      "mailpit",
      "mail.lan",
      "10.0.0.5",
      "192.168.1.1",
      "127.0.0.1",
      "[::1]",
    ];
    const asked = (names: string[]) => names.map((host) => requiresTls(`smtp://user:secret@${host}:587`));
    expect(asked(hosts)).toEqual(hosts.map(() => true));
    expect(asked(privateHosts)).toEqual(privateHosts.map(() => false));
  });

  test.each(["implicit", "starttls"] as const)("receives emails by TLS (%s)", async (tls) => {
    const server = await startMailServer({ tls });
    await checkSmtp(server.url);
    await smtpTo(server.url)(emailOf({ text: "Long. ".repeat(50_000) }));
    expect(server.delivered[0]?.email.text).toContain("Long. ".repeat(10));
  });

  test("that offers CRAM-MD5 alone is logged in to, with the right password", async () => {
    const server = await startMailServer();
    const urlWith = (password: string) => server.url.replace("//", `//maya:${password}@`);
    await checkSmtp(urlWith("secret"));
    await smtpTo(urlWith("secret"))(emailOf());
    expect(server.delivered).toHaveLength(1);
    await expect(checkSmtp(urlWith("wrong"))).rejects.toThrow(/CRAM-MD5/);
  });

  test("R34B: whose challenge is long does not hold the event loop", async () => {
    const hostile = createServer((socket) => {
      socket.on("error", () => undefined).write("220 ready\r\n");
      socket.on("data", (command) =>
        socket.write(
          String(command).startsWith("EHLO")
            ? "250-ready\r\n250 AUTH CRAM-MD5\r\n"
            : `334${" ".repeat(30_000)}x\rx\r\n`,
        ),
      );
    });
    await once(hostile.listen(0, "127.0.0.1"), "listening");
    const { port } = hostile.address() as AddressInfo;
    const login = checkSmtp(`smtp://maya:secret@127.0.0.1:${port}`);
    const refused = expect(login).rejects.toThrow(/CRAM-MD5|too much/);
    expect(await longestDelay(refused)).toBeLessThan(300);
    await new Promise((closed) => hostile.close(closed));
  });

  test.each([
    ["empty lines", "\r\n", "none"],
    ["ends of lines", "\n", "none"],
    ["ends of lines by TLS", "\n", "implicit"],
    ["answers", "250 ok\r\n", "none"],
  ] as const)("R32B, R33B: that floods with %s is given up", async (_name, line, tls) => {
    const server = await startMailServer({ tls, flood: line.repeat(20_000) });
    const began = performance.now();
    await expect(smtpTo(server.url)(emailOf())).rejects.toThrow();
    expect(performance.now() - began).toBeLessThan(15_000);
    // nodemailer goes on with the lines that have arrived.
    await expect.poll(isIdle).toBe(true);
  });

  test("that answers without an end is given up, and its connection closed", async () => {
    const server = createServer((socket) => {
      socket.write("220 ready\r\n");
      const timer = setInterval(() => socket.write("250-more\r\n"), 20);
      socket.on("error", () => undefined).once("close", () => clearInterval(timer));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const url = `smtp://127.0.0.1:${port}`;
    const stopping = new AbortController();
    const deliveries = Promise.allSettled([
      smtpTo(url, 300)(emailOf()),
      smtpTo(url)(emailOf(), stopping.signal),
    ]);
    // R32B: Node 20 collects the signals of AbortSignal.any before they abort.
    usedMemory();
    void setTimeout(300).then(() => stopping.abort());
    for (const { reason } of (await deliveries) as PromiseRejectedResult[])
      expect(String(reason)).toMatch(/abort/i);
    // Waits until no connection is left.
    await new Promise((closed) => server.close(closed));
  });

  test.each(["none", "starttls"] as const)(
    "R36B: is looked up by the process, not by a thread (TLS: %s)",
    async (tls) => {
      const server = await startMailServer({ tls });
      const lookup = vi
        .spyOn(dns, "lookup")
        .mockResolvedValue([{ address: "127.0.0.1", family: 4 }] as never);
      onTestFinished(() => lookup.mockRestore());
      await smtpTo(server.url.replace("127.0.0.1", "mail.internal"))(emailOf());
      expect(server.delivered).toHaveLength(1);
    },
  );

  test("that is unreachable causes an error", async () => {
    const deliver = smtpTo(`smtp://127.0.0.1:${await findFreePort()}`);
    await expect(deliver(emailOf())).rejects.toThrow("ECONNREFUSED");
  });

  test("B49-2: emails of ten seconds need one thread, those of a server that misbehaves one each", async () => {
    const server = await startMailServer({ refusals: 2 });
    const countThreads = async (deliver: Deliver) => {
      const before = await startThread();
      for (let n = 0; n < 3; n++) await deliver(emailOf({ id: `0190-${n}` })).catch(() => undefined);
      return (await startThread()) - before - 1;
    };
    // A thread of something else may start meanwhile.
    expect(await countThreads(smtpTo(server.url))).toBeGreaterThan(2);
    expect(await countThreads(smtpTo(server.url))).toBeLessThan(3);
    expect(await countThreads(smtpTo(`smtp://127.0.0.1:${await findFreePort()}`))).toBeLessThan(3);
  });

  test("A50-3: gets no simulated email, which takes a thread and a login all the same", async () => {
    const server = await startMailServer();
    const deliver = smtpTo(server.url);
    const before = await startThread();
    await deliver.simulate?.();
    expect(server.connections()).toBe(1);
    expect((await startThread()) - before).toBeGreaterThan(1);
    await deliver(emailOf());
    expect(server.delivered).toHaveLength(1);
  });
});
