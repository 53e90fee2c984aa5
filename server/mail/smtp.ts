import { createHmac } from "node:crypto";
import type { LookupAddress } from "node:dns";
import { isIP, type Socket } from "node:net";
import { compile } from "@fastify/proxy-addr";
import { createTransport, type SendMailOptions } from "nodemailer";
import type { CustomAuthenticationContext } from "nodemailer/lib/smtp-connection";
import { findAddresses, hostOf } from "../outgoing/host-addresses.ts";
import { LimitedSocket } from "../outgoing/limited-socket.ts";

/** Milliseconds. */
const LIMITS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
const CHECK_LIMITS = { connectionTimeout: 5_000, greetingTimeout: 5_000 };
const CLOSING = 1_000;
/** Bytes that a mail server may send for one email: nodemailer takes a turn of the event loop for each line. */
const MAX_BYTES = 20 * 1024;

export type MailServer = { url: string; addresses: LookupAddress[] };

/** @param url `smtp://user:password@host:port` or `smtps://…`; with `?requireTLS=false` also without encryption. @throws nodemailer's errors */
export const findMailServer = async (url: string): Promise<MailServer> => ({
  url,
  addresses: await findAddresses(hostOf(url)),
});

/** @throws nodemailer's errors */
export const sendBySmtp = (server: MailServer, message: SendMailOptions): Promise<void> =>
  withSocket(server, (options) => createTransport({ ...options, ...LIMITS }).sendMail(message));

/** Connects and logs in without sending anything. @throws nodemailer's errors */
export const checkSmtp = async (url: string): Promise<void> => logIn(await findMailServer(url), CHECK_LIMITS);

const logIn = (server: MailServer, limits: typeof CHECK_LIMITS) =>
  withSocket(server, (options) => {
    const transport = createTransport({ ...options, ...limits });
    return transport.verify().finally(() => transport.close());
  });

/** Takes the work of `sendBySmtp`, but sends nothing. @throws nodemailer's errors */
export async function simulateSmtp(server: MailServer, message: SendMailOptions): Promise<void> {
  await createTransport({ streamTransport: true, buffer: true }).sendMail(message);
  await logIn(server, LIMITS);
}

type Options = ReturnType<typeof optionsOf> & { socket: Socket };

async function withSocket(server: MailServer, send: (options: Options) => Promise<unknown>): Promise<void> {
  const socket = new LimitedSocket(MAX_BYTES, server.addresses);
  try {
    await send({ ...optionsOf(server), socket: socket as unknown as Socket });
  } finally {
    setTimeout(() => socket.destroy(), CLOSING);
  }
}

function optionsOf({ url, addresses }: MailServer) {
  const host = hostOf(url);
  return {
    url: withHost(url, addresses),
    ...(isIP(host) === 0 && { servername: host }),
    requireTLS: requiresTls(url),
    customAuth: { "CRAM-MD5": authenticateByCramMd5 },
  };
}

function withHost(url: string, [first]: LookupAddress[]): string {
  const changed = new URL(url);
  if (first) changed.hostname = first.family === 6 ? `[${first.address}]` : first.address;
  return changed.href;
}

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
  const host = hostOf(url);
  return isIP(host) ? !isPrivateAddress(host, 0) : /\.(?!(?:local|internal|lan)$)/.test(host);
}
