import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { onTestFinished } from "vitest";
import type { Services } from "../domain/context.ts";
import { openSmtp } from "../mail/transports.ts";

export const FROM = "Blog <no-reply@blog.test>";

export const smtpTo = (url: string, deadline?: number) =>
  openSmtp(url, FROM, resolve("dist/server/smtp-worker.js"), deadline);

/** A folder for `.eml` files, deleted after the test. */
export async function makeOutbox(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "blog-outbox-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function readOutbox(folder: string) {
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => {
      const raw = await readFile(join(folder, name), "utf8");
      return { name, raw, email: await PostalMime.parse(raw) };
    }),
  );
}

/** `recipients` are those of the SMTP envelope. */
export type Delivered = { email: Email; recipients: string[] };

/**
 * Runs a mail server until the end of the test.
 * @param options.refusals number of emails refused temporarily at first
 * @param options.unknown recipients refused permanently
 * @param options.flood is sent without an end instead of the answer to a recipient
 */
export async function startMailServer({
  port = 0,
  refusals = 0,
  unknown = /(?!)/,
  tls = "none" as "none" | "implicit" | "starttls",
  flood = "",
} = {}) {
  const secure = tls === "implicit";
  const delivered: Delivered[] = [];
  let connections = 0;
  let left = refusals;
  const server = new SMTPServer({
    authOptional: true,
    authMethods: ["CRAM-MD5"],
    allowInsecureAuth: true,
    onAuth: (login, _session, done) =>
      login.validatePassword("secret")
        ? done(null, { user: login.username })
        : done(new Error("5.7.8 wrong")),
    secure,
    disabledCommands: tls === "starttls" ? [] : ["STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    onConnect: (_session, done) => {
      connections++;
      done();
    },
    onRcptTo: ({ address }, _session, done) => {
      if (flood) return sendForEver(server, flood);
      done(
        unknown.test(address) ? Object.assign(new Error("5.1.1 no such user"), { responseCode: 550 }) : null,
      );
    },
    onData: (stream, session, done) =>
      void text(stream).then(async (raw) => {
        if (left-- > 0) return done(new Error("4.3.2 please come back later"));
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        delivered.push({ email: await PostalMime.parse(raw), recipients });
        done();
      }),
  });
  server.on("error", () => undefined);
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  const taken = (server.server.address() as AddressInfo).port;
  onTestFinished(() => new Promise<void>((stopped) => server.close(() => stopped())));
  const address = `127.0.0.1:${taken}`;
  const url = `${secure ? "smtps" : "smtp"}://${address}`;
  return {
    url: tls === "none" ? url : `${url}?tls.rejectUnauthorized=false`,
    delivered,
    connections: () => connections,
  };
}

function sendForEver(server: SMTPServer, text: string): void {
  for (const { _socket: socket } of server.connections as Set<{ _socket: Socket }>) {
    const write = () => {
      while (socket.writable) if (!socket.write(text)) return void socket.once("drain", write);
    };
    write();
  }
}

export const writeEmail = ({ db, mail }: Services, recipient: string) =>
  db.$transaction((tx) => mail.write(tx, "accountExists", recipient, { username: "Maya" }));
