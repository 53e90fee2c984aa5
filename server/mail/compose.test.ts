import { describe, expect, test } from "vitest";
import { makeOutbox, readOutbox } from "../testing/mail.ts";
import { composeEmail } from "./compose.ts";
import { openOutbox } from "./transports.ts";
import type { EmailData } from "../domain/ports.ts";

const site = { title: "Salt", url: "https://salt.example" };
const username = "Maya";
const link = "/users/0190/verify/abc_DEF-123";

/** Composes an email, writes it to an outbox, and parses the file. */
async function send<Kind extends keyof EmailData>(kind: Kind, data: EmailData[Kind], of = site) {
  const outbox = await makeOutbox();
  const createdAt = new Date("2026-03-04T05:06:07.000Z");
  const row = {
    id: "0190-1",
    kind,
    recipient: "maya@example.com",
    createdAt,
    ...composeEmail(kind, data, of),
  };
  await openOutbox(outbox, `${of.title} <no-reply@salt.example>`)(row);
  const [file] = await readOutbox(outbox);
  if (!file) throw new Error("the outbox is empty");
  return file;
}

const all: [keyof EmailData, object, string, string | null][] = [
  [
    "verify",
    { username, link, at: new Date(0), browser: "Firefox" },
    "Verify your email address for Salt",
    link,
  ],
  [
    "reset",
    { username, link: "/reset-password/0190/xyz" },
    "Reset your password for Salt",
    "/reset-password/0190/xyz",
  ],
  [
    "newSignIn",
    { username, at: new Date(0), browser: "Firefox on Linux" },
    "A new sign-in to Salt",
    "/login",
  ],
  ["accountExists", { username }, "You already have an account at Salt", "/login"],
  ["passwordChanged", { username }, "Your password at Salt was changed", "/login"],
  ["accountDeleted", { username }, "Your account at Salt was deleted", null],
];

describe.each(all)("the email '%s'", (kind, data, subject, path) => {
  const receive = () => send(kind, data as never);

  test("has a subject, a sender and one recipient", async () => {
    const { email, name } = await receive();
    expect(email.subject).toBe(subject);
    expect(email.from).toMatchObject({ name: "Salt", address: "no-reply@salt.example" });
    expect(email.to).toMatchObject([{ address: "maya@example.com" }]);
    expect([email.cc, email.bcc, email.replyTo]).toEqual([undefined, undefined, undefined]);
    expect(email.date).toBe("2026-03-04T05:06:07.000Z");
    expect(email.messageId).toMatch(/^<[0-9a-f]{32}@salt\.example>$/);
    expect(name).toBe(`2026-03-04T05-06-07-000Z-${kind}-0190-1.eml`);
  });

  test("has the same content as text and HTML, with a greeting", async () => {
    const { email } = await receive();
    const words = composeEmail(kind, data as never, site);
    for (const line of words.text.split("\n").filter((each) => each && !each.startsWith("http")))
      expect(email.html).toContain(line.replace(/:$/, ""));
    expect(email.text).toContain("Hello Maya,");
    expect(email.text?.trimEnd()).toMatch(/https:\/\/salt\.example$/);
    expect(email.html).toMatch(/^<!doctype html>\s<html lang="en">/);
  });

  test("links only to the site", async () => {
    const { email } = await receive();
    const links = [site.url, ...(path ? [`${site.url}${path}`] : [])].sort();
    const inText = email.text?.match(/https?:\/\/\S+/g) ?? [];
    const inHtml = [...(email.html ?? "").matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, url]) => url);
    expect([...new Set(inText)].sort()).toEqual(links);
    expect([...new Set(inHtml)].sort()).toEqual(links);
  });
});

describe("for any username", () => {
  const script = `<img src=x onerror="alert('1')"> & <b>`;

  test.each(all)("the name is escaped in the HTML of '%s'", async (kind, data) => {
    const { email } = await send(kind, { ...data, username: script } as never);
    expect(email.html).toContain(
      "Hello &lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; &lt;b&gt;,",
    );
    expect(email.html).not.toContain("<img");
    expect(email.text).toContain(`Hello ${script},`);
  });

  test.each(all)("the name cannot inject a header into '%s'", async (kind, data) => {
    const plain = await send(kind, data as never);
    for (const evil of [
      "Eve\r\nBcc: all@example.com",
      "Eve\nSubject: Win",
      "Eve\r\n\r\n<p>Body",
      "Eve\u2028Cc: x",
    ]) {
      const { email } = await send(kind, { ...data, username: evil } as never);
      expect(email.headers.map(({ key }) => key)).toEqual(plain.email.headers.map(({ key }) => key));
      expect(email.subject).toBe(plain.email.subject);
      expect(email.to).toEqual(plain.email.to);
      expect(email.html).not.toContain("<p>Body");
    }
  });

  test("the name arrives in any script", async () => {
    const name = "Zoë 李小龍 😀";
    const { email, raw } = await send("verify", { username: name, link, at: new Date(), browser: null });
    expect(email.text).toContain(`Hello ${name},`);
    expect(email.html).toContain(`Hello ${name},`);
    expect(raw).toMatch(/^[\x20-\x7e\r\n\t]*$/);
  });
});

describe("for any site title", () => {
  test("the title is escaped in the HTML and one line in the subject", async () => {
    const title = "Salt & <i>Stone</i>\r\nBcc: all@example.com";
    const { subject, html } = composeEmail("passwordChanged", { username }, { ...site, title });
    expect(subject).toBe("Your password at Salt & <i>Stone</i> Bcc: all@example.com was changed");
    expect(html).toContain("Salt &amp; &lt;i&gt;Stone&lt;/i&gt;");
    expect(html).not.toContain("<i>");
  });
});
