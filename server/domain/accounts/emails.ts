import type { ReadCtx } from "../context.ts";
import { notFound } from "../../errors.ts";
import type { EmailModel } from "../../generated/prisma/models.ts";
import { byTime, type ConnectionArgs } from "../lists/connections.ts";
import { readList } from "../lists/lists.ts";
import { requireAdmin } from "../permissions.ts";

export type Email = EmailModel;

/**
 * Reads the outbox of a blog without a mail server, for development and demo. With a mail server even admins may not
 * read the emails, since they contain secret links.
 * @throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND with a mail server
 */
export function readEmails(ctx: ReadCtx, pageArgs: ConnectionArgs) {
  requireAdmin(ctx);
  if (!ctx.mail.isLocalOutbox) throw notFound("outbox");
  const list = { selection: { list: "emails" }, order: byTime("desc") } as const;
  return readList<Email>(ctx, list, pageArgs, ctx.queries.emailsById);
}
