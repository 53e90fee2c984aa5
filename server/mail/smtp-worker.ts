import "../outgoing/tls-defaults.ts";
import { parentPort } from "node:worker_threads";
import type { SendMailOptions } from "nodemailer";
import { sendBySmtp, simulateSmtp, type MailServer } from "./smtp.ts";

export type SmtpJob = { server: MailServer; message: SendMailOptions; isSimulated: boolean };
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
parentPort?.on("message", ({ server, message, isSimulated }: SmtpJob) => {
  void (isSimulated ? simulateSmtp : sendBySmtp)(server, message)
    .then(() => null, toResult)
    .then((result) => parentPort?.postMessage(result));
});
