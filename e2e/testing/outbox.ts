import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime, { type Email } from "postal-mime";
import { vi } from "vitest";

const parsed = new Map<string, Email>();

/** A file appears by renaming, so that it never changes. */
async function parse(file: string): Promise<Email> {
  const email = parsed.get(file) ?? (await PostalMime.parse(await readFile(file)));
  parsed.set(file, email);
  return email;
}

/** Returns the latest matching email to an address; waits until it arrives. */
export async function findEmail(outbox: string, address: string, subject: RegExp): Promise<Email> {
  return vi.waitFor(
    async () => {
      const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith(".eml")).sort();
      const emails = await Promise.all(names.map((name) => parse(join(outbox, name))));
      const found = emails.findLast(
        (each) => each.to?.[0]?.address === address && subject.test(each.subject ?? ""),
      );
      if (!found) throw new Error(`no email to ${address} whose subject is like ${subject}`);
      return found;
    },
    { timeout: 10_000 },
  );
}

export function linkIn(email: Email, pattern: RegExp): string {
  const [path] = pattern.exec(email.text ?? "") ?? [];
  if (!path) throw new Error(`no such link in: ${email.text}`);
  return path;
}
