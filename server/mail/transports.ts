import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { VERSION } from "../version.ts";

export type Letter = {
  id: string;
  kind: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  createdAt: Date;
};

/** @throws if the email was not accepted */
export type Deliver = (letter: Letter) => Promise<void>;

const messageOf = (letter: Letter, from: string) => ({
  from,
  to: letter.recipient,
  subject: letter.subject,
  text: letter.text,
  html: letter.html,
  headers: { "X-Mailer": `Blog ${VERSION}` },
  date: letter.createdAt,
  // The same for every attempt, so that mail programs recognise duplicates.
  messageId: `<${letter.id}@${
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
  return async (letter) => void (await transport.sendMail(messageOf(letter, from)));
}

/** Connects and logs in without sending anything. @throws nodemailer's errors */
export const checkSmtp = async (url: string): Promise<void> => {
  const transport = createTransport({ url, connectionTimeout: 5_000, greetingTimeout: 5_000 });
  await transport.verify().finally(() => transport.close());
};

/** Writes one `.eml` file per email, atomically by a rename: for setups without a mail server. */
export function openOutbox(folder: string, from: string): Deliver {
  const transport = createTransport({ streamTransport: true, buffer: true });
  return async (letter) => {
    const { message } = await transport.sendMail(messageOf(letter, from));
    await mkdir(folder, { recursive: true });
    const stamp = letter.createdAt.toISOString().replace(/[:.]/g, "-");
    const file = join(folder, `${stamp}-${letter.kind}-${letter.id}.eml`);
    await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
    await rename(`${file}.part`, file);
  };
}
