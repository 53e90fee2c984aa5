import type { Ctx } from "../context.ts";
import { notFound } from "../errors.ts";
import type { LetterModel } from "../generated/prisma/models.ts";
import { readConnection, toPrisma, type Window } from "./connections.ts";
import { requireAdmin } from "./permissions.ts";

export type Letter = LetterModel;

/**
 * The letters of a blog that has no mail server, newest first: for development and demo. Where letters
 * really travel nobody else may read them, since they hold links.
 * @throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND where a mail server delivers
 */
export function readLetters(ctx: Ctx, window: Window) {
  requireAdmin(ctx);
  if (!ctx.mail.staysHere) throw notFound("outbox");
  return readConnection<Letter>(
    {
      order: "desc",
      find: (slice) => ctx.db.letter.findMany(toPrisma(slice)),
      count: () => ctx.db.letter.count(),
    },
    window,
  );
}
