import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { VERSION } from "../version.ts";

export type StoredEmail = {
  id: string;
  kind: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  createdAt: Date;
};

/** @throws if the email was not accepted */
export type Deliver = (email: StoredEmail) => Promise<void>;

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

/** @param url `smtp://user:password@host:port` or `smtps://…` */
export function openSmtp(url: string, from: string): Deliver {
  const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
  const transport = createTransport({ url, ...limits }, { from });
  return async (email) => void (await transport.sendMail(messageOf(email, from)));
}

/** Connects and logs in without sending anything. @throws nodemailer's errors */
export const checkSmtp = async (url: string): Promise<void> => {
  const transport = createTransport({ url, connectionTimeout: 5_000, greetingTimeout: 5_000 });
  await transport.verify().finally(() => transport.close());
};

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
