import type { Ctx, Viewer } from "../context.ts";
import { BlogError, forbidden } from "../errors.ts";

/** @throws UNAUTHENTICATED */
export function requireViewer(ctx: Ctx): Viewer {
  if (ctx.viewer) return ctx.viewer;
  const reason = ctx.session === "ended" ? "invalid token" : "no token provided";
  throw new BlogError("UNAUTHENTICATED", `${reason}, access denied`);
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
