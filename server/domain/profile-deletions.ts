import { z } from "zod";
import { withUnqueuedDb, type Ctx, type Viewer } from "./context.ts";
import { conflict, forbidden, notFound } from "../errors.ts";
import { parseInput } from "./input.ts";
import { asViewer, requireSession } from "./permissions.ts";
import { readProfile, type Profile } from "./profiles.ts";
import { removeClosedAccount } from "./accounts/closed-accounts.ts";
import { currentPassword, requireRecentSignIn } from "./accounts/reauthentication.ts";
import { recordEvent } from "./accounts/security-events.ts";
import type { Tx } from "./ports.ts";

export const profileDeletion = z.strictObject({ currentPassword });

/**
 * Deletes an account with its posts, drafts, pictures, comments, likes and sessions. It is closed at once; a job removes what
 * takes longer than ten seconds.
 * @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, FORBIDDEN, REAUTHENTICATION_REQUIRED for the viewer's own
 * account, CONFLICT for the last admin
 */
export function deleteProfile(ctx: Ctx, id: string, fields?: unknown) {
  return asViewer(ctx, async (viewer) => {
    const profile = await readProfile(ctx, id);
    if (profile.id !== viewer.id && !viewer.isAdmin)
      throw forbidden("not allowed, only user himself or admin");
    if (profile.id === viewer.id) {
      const input = parseInput(profileDeletion, fields);
      await requireRecentSignIn(ctx, viewer, input.currentPassword);
    }
    await ctx.db.$transaction((tx) => closeAccount(ctx, tx, profile, viewer));
    recordEvent(ctx, { event: "delete-account", target: profile.id, outcome: "success" });
    await removeClosedAccount({ services: withUnqueuedDb(ctx), userId: profile.id }, ctx.origin).catch(
      () => undefined,
    );
    return { id: profile.id, message: "your profile has been deleted" };
  });
}

/** Nobody can sign in to a closed account, or register with its email address; its own one is free. No draft is published or shown. */
async function closeAccount(
  { locks, mail, now }: Ctx,
  tx: Tx,
  { id, isAdmin }: Profile,
  viewer: Viewer,
): Promise<void> {
  if (isAdmin) await refuseLastAdmin(locks, tx, id);
  // Running writes of the account end first: they have its row, and need its session.
  if (!(await locks.lockAccountWithPhoto(tx, id))) throw notFound("user");
  await requireSession(tx, viewer);
  const data = { userId: id, closedAt: now() };
  if ((await tx.closedAccount.createMany({ data, skipDuplicates: true })).count === 0) throw notFound("user");
  const { email, username } = await tx.user.findUniqueOrThrow({ where: { id } });
  await mail.write(tx, "accountDeleted", email, { username });
  const where = { userId: id };
  await tx.session.deleteMany({ where });
  await tx.mailToken.deleteMany({ where });
  await tx.previewLink.deleteMany({ where: { draft: where } });
  await tx.draft.updateMany({ where: { ...where, publishAt: { not: null } }, data: { publishAt: null } });
  const none = { email: `deleted ${id}`, passwordHash: "none" };
  await tx.user.update({ where: { id }, data: { ...none, isAdmin: false } });
}

/** Locks all admin rows, so that the last two admins cannot both delete themselves at once. @throws NOT_FOUND, CONFLICT */
async function refuseLastAdmin(locks: Ctx["locks"], tx: Tx, id: string): Promise<void> {
  const admins = await locks.lockAdmins(tx);
  // It has been closed meanwhile. Its lock, after those of the others, would be a deadlock.
  if (!admins.includes(id)) throw notFound("user");
  if (admins.length === 1) throw conflict("the last admin cannot be deleted");
}
