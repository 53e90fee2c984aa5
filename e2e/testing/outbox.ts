import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime, { type Email } from "postal-mime";
import { vi } from "vitest";

/** Returns the latest matching email to an address; waits until it arrives. */
export async function findEmail(outbox: string, address: string, subject: RegExp): Promise<Email> {
  return vi.waitFor(
    async () => {
      const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith(".eml")).sort();
      const emails = await Promise.all(
        names.map(async (name) => PostalMime.parse(await readFile(join(outbox, name)))),
      );
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
