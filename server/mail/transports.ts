import { createHmac } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { isIP, type Socket } from "node:net";
import { join } from "node:path";
import { compile } from "@fastify/proxy-addr";
import { createTransport } from "nodemailer";
import type { CustomAuthenticationContext } from "nodemailer/lib/smtp-connection";
import { VERSION } from "../version.ts";
import { withDeadline } from "../with-deadline.ts";
import { LimitedSocket } from "../outgoing/limited-socket.ts";

export type StoredEmail = {
  id: string;
  kind: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  createdAt: Date;
};

/** @throws if the email was not accepted, or the signal came before */
export type Deliver = (email: StoredEmail, signal?: AbortSignal) => Promise<void>;

const messageOf = (email: StoredEmail, from: string) => ({
  from,
  to: email.recipient,
  subject: email.subject,
  text: email.text,
  html: email.html,
  headers: { "X-Mailer": `Blog ${VERSION}` },
  date: email.createdAt,
  // The same for every attempt, so that mail programs recognise duplicates.
  messageId: `<${email.id}@${
    from
      .split("@")
      .at(-1)
      ?.replace(/[^\w.-]/g, "") || "localhost"
  }>`,
});

/** Milliseconds for one email, also if the mail server goes on answering. */
const DEADLINE = 60_000;

/** @param url `smtp://user:password@host:port` or `smtps://…`; with `?requireTLS=false` also without encryption */
export function openSmtp(url: string, from: string, deadline = DEADLINE): Deliver {
  const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
  return (email, outer) =>
    withSocket((socket) => {
      const transport = createTransport({ ...optionsOf(url), ...limits, socket }, { from });
      const send = (signal: AbortSignal) => transport.sendMail({ ...messageOf(email, from), signal });
      return withDeadline(deadline, send, outer);
    });
}

/** Bytes that a mail server may send for one email: nodemailer takes a turn of the event loop for each line. */
const MAX_BYTES = 20 * 1024;
const CLOSING = 1_000;

async function withSocket(send: (socket: Socket) => Promise<unknown>): Promise<void> {
  const socket = new LimitedSocket(MAX_BYTES);
  try {
    await send(socket as unknown as Socket);
  } finally {
    setTimeout(() => socket.destroy(), CLOSING);
  }
}

const optionsOf = (url: string) => ({
  url,
  requireTLS: requiresTls(url),
  customAuth: { "CRAM-MD5": authenticateByCramMd5 },
});

/** RFC 2195. nodemailer's own takes time quadratic in the length of the challenge: 1.5 s for MAX_BYTES. */
async function authenticateByCramMd5(login: CustomAuthenticationContext): Promise<void> {
  const { user, pass } = login.auth.credentials;
  const { status, text } = await login.sendCommand("AUTH CRAM-MD5");
  const digest = createHmac("md5", pass).update(Buffer.from(text, "base64")).digest("hex");
  const answer = Buffer.from(`${user} ${digest}`).toString("base64");
  const isAccepted = status === 334 && (await login.sendCommand(answer)).status === 235;
  if (!isAccepted) throw new Error("the mail server refuses the login by CRAM-MD5");
}

const isPrivateAddress = compile(["loopback", "linklocal", "uniquelocal"]);

/** Whether to send a password and links that sign in by TLS alone. Names without a dot are those of a local network, of containers for instance. */
export function requiresTls(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  return isIP(host) ? !isPrivateAddress(host, 0) : /\.(?!(?:local|internal|lan)$)/.test(host);
}

/** Connects and logs in without sending anything. @throws nodemailer's errors */
export const checkSmtp = (url: string): Promise<void> =>
  withSocket((socket) => {
    const limits = { connectionTimeout: 5_000, greetingTimeout: 5_000 };
    const transport = createTransport({ ...optionsOf(url), ...limits, socket });
    return transport.verify().finally(() => transport.close());
  });

/** Writes one `.eml` file per email, atomically by a rename: for setups without a mail server. */
export function openOutbox(folder: string, from: string): Deliver {
  const transport = createTransport({ streamTransport: true, buffer: true });
  return async (email) => {
    const { message } = await transport.sendMail(messageOf(email, from));
    await mkdir(folder, { recursive: true });
    const stamp = email.createdAt.toISOString().replace(/[:.]/g, "-");
    const file = join(folder, `${stamp}-${email.kind}-${email.id}.eml`);
    await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
    await rename(`${file}.part`, file);
  };
}
