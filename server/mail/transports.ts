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
import type { SmtpJob, SmtpResult } from "./smtp-worker.ts";

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
export type Deliver = ((email: StoredEmail, signal?: AbortSignal) => Promise<void>) & {
  /** Takes the CPU time of an email without sending one. */
  simulate?: (signal?: AbortSignal) => Promise<void>;
};

const example: StoredEmail = {
  id: "",
  kind: "reset",
  recipient: "nobody@example.org",
  subject: "Choose a new password",
  text: "A line of a text that has a link.\n".repeat(20),
  html: `<p>${"A part of a text. ".repeat(10)}</p>`.repeat(15),
  createdAt: new Date(),
};

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

/** Milliseconds that a thread waits for another email, and emails that it sends: to load nodemailer takes 0.2 s of CPU. */
const [IDLE, MAX_JOBS] = [10_000, 100];

/** Sends emails from threads, so that nothing a mail server sends delays the event loop. @param workerFile the built `smtp-worker.ts` */
export function openSmtp(url: string, from: string, workerFile: string, deadline = DEADLINE): Deliver {
  const send = openThreads(findBuilt(workerFile));
  const run = (email: StoredEmail, isSimulated: boolean, outer?: AbortSignal) =>
    withDeadline(
      deadline,
      async (signal) => {
        const server = await findMailServer(url);
        const result = await send({ server, message: messageOf(email, from), isSimulated }, signal);
        if (result) throw Object.assign(new Error(result.message), result);
      },
      outer,
    );
  return Object.assign((email: StoredEmail, outer?: AbortSignal) => run(email, false, outer), {
    simulate: (outer?: AbortSignal) => run(example, true, outer),
  });
}

type Thread = { worker: Worker; jobs: number; timer?: NodeJS.Timeout };

function openThreads(file: string) {
  const idle = new Set<Thread>();

  function start(): Thread {
    const worker = new Worker(file, { resourceLimits: MEMORY });
    const thread = { worker, jobs: 0 };
    worker.on("error", () => undefined).once("exit", () => idle.delete(thread));
    return thread;
  }

  function end(thread: Thread): void {
    idle.delete(thread);
    void thread.worker.terminate();
  }

  function take(): Thread {
    const thread = [...idle].at(-1) ?? start();
    idle.delete(thread);
    clearTimeout(thread.timer);
    thread.worker.ref();
    thread.jobs++;
    return thread;
  }

  /** A thread whose server has not behaved may be busy with what it has sent: it gets time to send QUIT, and ends. */
  function leave(thread: Thread, result: SmtpResult): void {
    const isFree = (!result || /^connect E/.test(result.message)) && thread.jobs < MAX_JOBS;
    if (isFree) idle.add(thread);
    thread.worker.unref();
    thread.timer = setTimeout(() => end(thread), isFree ? IDLE : CLOSING).unref();
  }

  return async (job: SmtpJob, signal: AbortSignal): Promise<SmtpResult> => {
    const thread = take();
    try {
      thread.worker.postMessage(job);
      const [result] = (await once(thread.worker, "message", { signal })) as [SmtpResult];
      leave(thread, result);
      return result;
    } catch (error) {
      end(thread);
      throw error;
    }
  };
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
