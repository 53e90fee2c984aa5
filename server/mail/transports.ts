import { createHash } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { createTransport } from "nodemailer";
import { findBuilt } from "../build-folder.ts";
import { mkdir, rename, writeFile } from "../disk.ts";
import { VERSION } from "../version.ts";
import { withDeadline } from "../with-deadline.ts";
import { findMailServer } from "./smtp.ts";
import type { SmtpResult, SmtpWorkerData } from "./smtp-worker.ts";

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
  // The same for every attempt, so that mail programs recognise duplicates. Ids would show when they were written, and their queue.
  messageId: `<${createHash("sha256").update(email.id).digest("hex").slice(0, 32)}@${
    from
      .split("@")
      .at(-1)
      ?.replace(/[^\w.-]/g, "") || "localhost"
  }>`,
});

/** Milliseconds for one email, also if the mail server goes on answering, and for a thread to close its connection. */
const DEADLINE = 60_000;
const CLOSING = 2_000;
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };

/** Sends each email from a thread, so that nothing a mail server sends delays the event loop. @param workerFile the built `smtp-worker.ts` */
export function openSmtp(url: string, from: string, workerFile: string, deadline = DEADLINE): Deliver {
  const file = findBuilt(workerFile);
  return (email, outer) =>
    withDeadline(
      deadline,
      async (signal) => {
        const server = await findMailServer(url);
        return runThread(file, { server, message: messageOf(email, from) }, signal);
      },
      outer,
    );
}

async function runThread(file: string, workerData: SmtpWorkerData, signal: AbortSignal): Promise<void> {
  const thread = new Worker(file, { workerData, resourceLimits: MEMORY });
  const end = () => void thread.terminate();
  thread.on("error", () => undefined);
  try {
    const [result] = (await once(thread, "message", { signal })) as [SmtpResult];
    if (result) throw Object.assign(new Error(result.message), result);
  } catch (error) {
    end();
    throw error;
  }
  // The thread sends QUIT, and ends.
  const timer = setTimeout(end, CLOSING);
  thread.once("exit", () => clearTimeout(timer));
}

/** Writes one `.eml` file per email, atomically by a rename: for setups without a mail server. */
export function openOutbox(folder: string, from: string): Deliver {
  const transport = createTransport({ streamTransport: true, buffer: true });
  return async (email) => {
    const { message } = await transport.sendMail(messageOf(email, from));
    await mkdir(folder);
    const stamp = email.createdAt.toISOString().replace(/[:.]/g, "-");
    const file = join(folder, `${stamp}-${email.kind}-${email.id}.eml`);
    await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
    await rename(`${file}.part`, file);
  };
}
