import type { Ctx, ReadCtx, Services, Viewer } from "./context.ts";
import { BlogError, forbidden } from "../errors.ts";
import { isRefusedAs } from "./constraint-errors.ts";
import type { Tx } from "./ports.ts";

/** @throws UNAUTHENTICATED */
export function requireViewer(ctx: Pick<ReadCtx, "viewer" | "session">): Viewer {
  if (ctx.viewer) return ctx.viewer;
  throw unauthenticated(ctx.session === "ended" ? "invalid token" : "no token provided");
}

export const unauthenticated = (reason: string) =>
  new BlogError("UNAUTHENTICATED", `${reason}, access denied`);

/** Milliseconds after its authentication for which a request may write without another look at its session. */
const SESSION_RECHECK_AFTER = 250;

/**
 * Runs a write of the viewer. A document of many mutations, or one that waits in a queue, may outlive its session. If the session, or the viewer's account, has ended meanwhile, the "not found" error becomes
 * UNAUTHENTICATED, the error of every later request with that token.
 * @throws UNAUTHENTICATED, and the errors of `write`
 */
export async function asViewer<T>(ctx: Ctx, write: (viewer: Viewer) => Promise<T>): Promise<T> {
  const viewer = requireViewer(ctx);
  await requireRecentSession(ctx, viewer);
  try {
    return await write(viewer);
  } catch (error) {
    const isMissing =
      error instanceof BlogError ? error.code === "NOT_FOUND" : isRefusedAs("reference", error);
    if (isMissing && !(await existsSession(ctx.db, viewer.sessionId))) throw unauthenticated("invalid token");
    throw error;
  }
}

/** @throws UNAUTHENTICATED */
export async function requireRecentSession(ctx: Ctx, viewer: Viewer): Promise<void> {
  if (await hasSessionEnded(ctx, viewer)) throw unauthenticated("invalid token");
}

/** Whether the session was looked up in the last 250 ms. */
export const isRecent = ({ authenticatedAt }: Viewer): boolean =>
  performance.now() - authenticatedAt <= SESSION_RECHECK_AFTER;

/** Looks the session up if its authentication is not recent. */
export const hasSessionEnded = async ({ db }: Ctx, viewer: Viewer): Promise<boolean> =>
  !isRecent(viewer) && !(await existsSession(db, viewer.sessionId));

const existsSession = async (db: Tx, id: string): Promise<boolean> =>
  (await db.session.count({ where: { id } })) > 0;

/**
 * Keeps the account and its session until the commit, so that their end finds the rows of this transaction. Locks them in the
 * order of account deletion; posts and drafts come after them.
 * @throws UNAUTHENTICATED if the session has ended
 */
export async function requireSessionUntilCommit(
  { locks }: Pick<Services, "locks">,
  tx: Tx,
  { id, sessionId }: Viewer,
): Promise<void> {
  await locks.shareLockAccount(tx, id);
  if (!(await locks.shareLockSession(tx, sessionId))) throw unauthenticated("invalid token");
}

/**
 * Checks the session again after a long wait, for instance a slow upload.
 * @param db a transaction that has locked the account, if the result must hold until the commit
 * @throws UNAUTHENTICATED if the session has ended meanwhile
 */
export async function requireSession(db: Tx, { sessionId }: Viewer): Promise<void> {
  if (!(await existsSession(db, sessionId))) throw unauthenticated("invalid token");
}

/** Checks the session until a transaction is committed: one that ends later must not leave half of a deletion. */
export function requireSessionAtFirst(viewer: Viewer) {
  let hasBegun = false;
  return {
    check: async (tx: Tx): Promise<void> => (hasBegun ? undefined : requireSession(tx, viewer)),
    begun: () => {
      hasBegun = true;
    },
  };
}

/** @throws UNAUTHENTICATED, FORBIDDEN */
export function requireAdmin(ctx: ReadCtx): Viewer {
  const viewer = requireViewer(ctx);
  if (!viewer.isAdmin) throw forbidden("not allowed, only admin");
  return viewer;
}

type Owned = { userId: string };

/** Only the author may edit; an admin may not. */
export const canEdit = (ctx: ReadCtx, resource: Owned) => ctx.viewer?.id === resource.userId;

export const canEditProfile = (ctx: ReadCtx, profile: { id: string }) => ctx.viewer?.id === profile.id;

/** The author and admins may see earlier states of a post. @throws UNAUTHENTICATED, FORBIDDEN */
export function requireReviewer(ctx: ReadCtx, resource: Owned): void {
  requireViewer(ctx);
  if (!canDelete(ctx, resource)) throw forbidden("access denied, you are not allowed");
}

export const canDelete = (ctx: ReadCtx, resource: Owned) =>
  canEdit(ctx, resource) || ctx.viewer?.isAdmin === true;
