import type { Ctx, Viewer } from "./context.ts";
import { BlogError, forbidden } from "../errors.ts";
import { isRefusedAs } from "./constraint-errors.ts";
import type { Tx } from "./ports.ts";

/** @throws UNAUTHENTICATED */
export function requireViewer(ctx: Ctx): Viewer {
  if (ctx.viewer) return ctx.viewer;
  throw unauthenticated(ctx.session === "ended" ? "invalid token" : "no token provided");
}

const unauthenticated = (reason: string) => new BlogError("UNAUTHENTICATED", `${reason}, access denied`);

/**
 * Runs a write of the viewer. Where a row is missing because the viewer's account was deleted meanwhile, the answer
 * is the one that every later call with that token gets.
 * @throws UNAUTHENTICATED, and what `write` throws
 */
export async function asViewer<T>(ctx: Ctx, write: (viewer: Viewer) => Promise<T>): Promise<T> {
  const viewer = requireViewer(ctx);
  try {
    return await write(viewer);
  } catch (error) {
    const isMissing =
      error instanceof BlogError ? error.code === "NOT_FOUND" : isRefusedAs("reference", error);
    if (isMissing && (await ctx.db.user.count({ where: { id: viewer.id } })) === 0)
      throw unauthenticated("invalid token");
    throw error;
  }
}

/**
 * For what comes long after the request began, as a slow upload does.
 * @param db the transaction, where the answer has to hold until it ends: the account is locked there already
 * @throws UNAUTHENTICATED when the session has ended meanwhile
 */
export async function requireSession(db: Tx, { sessionId }: Viewer): Promise<void> {
  if ((await db.session.count({ where: { id: sessionId } })) === 0) throw unauthenticated("invalid token");
}

/** @throws UNAUTHENTICATED, FORBIDDEN */
export function requireAdmin(ctx: Ctx): Viewer {
  const viewer = requireViewer(ctx);
  if (!viewer.isAdmin) throw forbidden("not allowed, only admin");
  return viewer;
}

type Owned = { userId: string };

/** Only the author edits; an admin does not. */
export const canEdit = (ctx: Ctx, thing: Owned) => ctx.viewer?.id === thing.userId;

/** The author and admins delete. */
export const canDelete = (ctx: Ctx, thing: Owned) => canEdit(ctx, thing) || ctx.viewer?.isAdmin === true;
