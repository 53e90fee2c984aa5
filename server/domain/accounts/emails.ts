import type { Ctx } from "../context.ts";
import { notFound } from "../../errors.ts";
import type { LetterModel } from "../../generated/prisma/models.ts";
import { byTime, type ConnectionArgs } from "../connections.ts";
import { readList } from "../lists.ts";
import { requireAdmin } from "../permissions.ts";

export type Letter = LetterModel;

/**
 * The letters of a blog that has no mail server, newest first: for development and demo. Where letters
 * really travel nobody else may read them, since they hold links.
 * @throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND where a mail server delivers
 */
export function readLetters(ctx: Ctx, window: ConnectionArgs) {
  requireAdmin(ctx);
  if (!ctx.mail.isLocalOutbox) throw notFound("outbox");
  const list = { selection: { list: "emails" }, order: byTime("desc") } as const;
  return readList<Letter>(ctx, list, window, (ids) => ctx.db.letter.findMany({ where: { id: { in: ids } } }));
}
