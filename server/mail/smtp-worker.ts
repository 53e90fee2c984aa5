import "../outgoing/tls-defaults.ts";
import { parentPort } from "node:worker_threads";
import type { SendMailOptions } from "nodemailer";
import { sendBySmtp, type MailServer } from "./smtp.ts";

export type SmtpJob = { server: MailServer; message: SendMailOptions };
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
parentPort?.on("message", ({ server, message }: SmtpJob) => {
  void sendBySmtp(server, message)
    .then(() => null, toResult)
    .then((result) => parentPort?.postMessage(result));
});
