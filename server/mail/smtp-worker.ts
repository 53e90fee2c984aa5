import "../outgoing/tls-defaults.ts";
import { parentPort } from "node:worker_threads";
import { createTransport, type SendMailOptions } from "nodemailer";
import { sendBySmtp, type MailServer } from "./smtp.ts";

/** `server` is null for an email that is only composed. */
export type SmtpJob = { server: MailServer | null; message: SendMailOptions };
/** Null if the mail server has accepted the email. An error would lose its codes when it is posted. */
export type SmtpResult = {
  message: string;
  code: string | undefined;
  responseCode: number | undefined;
  command: string | undefined;
} | null;

const toResult = ({ message, code, responseCode, command }: NonNullable<SmtpResult>): SmtpResult => ({
  message,
  code,
  responseCode,
  command,
});
const compose = (message: SendMailOptions) =>
  createTransport({ streamTransport: true, buffer: true }).sendMail(message);

parentPort?.on("message", ({ server, message }: SmtpJob) => {
  void (server ? sendBySmtp(server, message) : compose(message))
    .then(() => null, toResult)
    .then((result) => parentPort?.postMessage(result));
});
