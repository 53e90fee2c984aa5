import { createHmac } from "node:crypto";
import { isIP, type Socket } from "node:net";
import { compile } from "@fastify/proxy-addr";
import { createTransport, type SendMailOptions } from "nodemailer";
import type { CustomAuthenticationContext } from "nodemailer/lib/smtp-connection";
import { LimitedSocket } from "../outgoing/limited-socket.ts";

/** Milliseconds. */
const LIMITS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
const CHECK_LIMITS = { connectionTimeout: 5_000, greetingTimeout: 5_000 };
const CLOSING = 1_000;
/** Bytes that a mail server may send for one email: nodemailer takes a turn of the event loop for each line. */
const MAX_BYTES = 20 * 1024;

/** @param url `smtp://user:password@host:port` or `smtps://…`; with `?requireTLS=false` also without encryption. @throws nodemailer's errors */
export const sendBySmtp = (url: string, message: SendMailOptions): Promise<void> =>
  withSocket((socket) => createTransport({ ...optionsOf(url), ...LIMITS, socket }).sendMail(message));

/** Connects and logs in without sending anything. @throws nodemailer's errors */
export const checkSmtp = (url: string): Promise<void> =>
  withSocket((socket) => {
    const transport = createTransport({ ...optionsOf(url), ...CHECK_LIMITS, socket });
    return transport.verify().finally(() => transport.close());
  });

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
