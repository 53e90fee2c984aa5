import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findFreePort } from "../data/embedded/free-port.ts";
import { makeOutbox, readOutbox, startMailServer } from "../testing/mail.ts";
import { openOutbox, openSmtp, type Letter } from "./transports.ts";

const from = "Blog <no-reply@blog.test>";
const letterOf = (traits: Partial<Letter> = {}): Letter => ({
  ...{ id: "0190-1", kind: "verify", recipient: "maya@example.com", subject: "Zoë’s letter" },
  ...{ text: "A text.\n.\nA line after a dot.\n", html: "<p>A text.</p>" },
  createdAt: new Date("2026-03-04T05:06:07.008Z"),
  ...traits,
});

describe("an outbox", () => {
  test("contains one complete file per email, readable by its owner alone", async () => {
    const outbox = join(await makeOutbox(), "made", "when needed");
    const deliver = openOutbox(outbox, from);
    await Promise.all(["a", "b", "c"].map((id) => deliver(letterOf({ id }))));
    const files = await readOutbox(outbox);
    expect(files.map(({ name }) => name)).toEqual(
      ["a", "b", "c"].map((id) => `2026-03-04T05-06-07-008Z-verify-${id}.eml`),
    );
    for (const { name, letter } of files) {
      expect(letter).toMatchObject({ subject: "Zoë’s letter", html: "<p>A text.</p>\n" });
      expect((await stat(join(outbox, name))).mode & 0o777).toBe(0o600);
    }
  });

  test("contains an email once however often it is delivered", async () => {
    const outbox = await makeOutbox();
    for (let time = 0; time < 2; time++) await openOutbox(outbox, from)(letterOf());
    expect(await readdir(outbox)).toHaveLength(1);
  });
});

describe("a mail server", () => {
  test("receives an email unchanged, for one recipient", async () => {
    const server = await startMailServer();
    await openSmtp(server.url, from)(letterOf());
    expect(server.delivered).toHaveLength(1);
    const [{ letter, recipients } = expect.fail("nothing arrived")] = server.delivered;
    expect(recipients).toEqual(["maya@example.com"]);
    expect(letter).toMatchObject({
      subject: "Zoë’s letter",
      from: { name: "Blog", address: "no-reply@blog.test" },
      to: [{ address: "maya@example.com" }],
      messageId: "<0190-1@blog.test>",
    });
    expect(letter.text?.trimEnd()).toBe("A text.\n.\nA line after a dot.");
  });

  test("that refuses an email causes an error, and the retry sends the same message", async () => {
    const server = await startMailServer({ refusals: 1 });
    const deliver = openSmtp(server.url, from);
    await expect(deliver(letterOf())).rejects.toThrow("please come back later");
    await deliver(letterOf());
    expect(server.delivered.map(({ letter }) => letter.messageId)).toEqual(["<0190-1@blog.test>"]);
  });

  test("that is unreachable causes an error", async () => {
    const deliver = openSmtp(`smtp://127.0.0.1:${await findFreePort()}`, from);
    await expect(deliver(letterOf())).rejects.toThrow("ECONNREFUSED");
  });
});
