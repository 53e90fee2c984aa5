import { z } from "zod";
import type { Ctx, ReadCtx, Viewer } from "./context.ts";
import { BlogError, forbidden, notFound } from "../errors.ts";
import { LENGTHS } from "../limits.ts";
import type { Profile } from "./post-selection.ts";
import { isStorable, parseId, parseInput, withoutControls } from "./input.ts";
import { claimName, username, usernameTaken } from "./accounts/names.ts";
import { withHashingPermit, hashPassword, newPassword, refuseNameAsPassword } from "./accounts/passwords.ts";
import { asViewer, canEditProfile, requireSession } from "./permissions.ts";
import { currentPassword, requireRecentSignIn } from "./accounts/reauthentication.ts";
import { endDraftSharing, endManySchedules } from "./accounts/draft-sharing.ts";
import { recordEvent } from "./accounts/security-events.ts";
import { mapConstraintError } from "./constraint-errors.ts";
import { consumeOrThrow, rateLimits } from "./accounts/rate-limits.ts";
import { countAdditionalWrites, limitTextWrites, limitWrites } from "./write-limits.ts";
import type { Tx } from "./ports.ts";

export type { Profile };

const PASSWORD_CHANGED = "the password was changed";

export const publicProfile = {
  omit: { passwordHash: true, confusableKey: true },
  include: { photo: true },
} as const;

/** @throws BAD_USER_INPUT `invalid id`, NOT_FOUND */
export async function readProfile(ctx: ReadCtx, id: string): Promise<Profile> {
  const key = parseId(id);
  const profile = (await ctx.queries.profiles([key])).get(key);
  if (!profile) throw notFound("user");
  return profile;
}

export const findProfiles = (ctx: ReadCtx, ids: readonly string[]) => ctx.queries.profiles(ids);

/** Only the owner and admins see an email address. */
export const visibleEmail = (ctx: ReadCtx, profile: Profile): string | null =>
  ctx.viewer?.id === profile.id || ctx.viewer?.isAdmin ? profile.email : null;

const bio = z
  .string()
  .refine(isStorable, { error: "contains invalid characters", abort: true })
  .overwrite(withoutControls)
  .trim()
  .max(LENGTHS.bio[1])
  .nullable()
  .meta({ examples: ["I write about slate."] });

export const profileChanges = z
  .strictObject({ username, bio, password: newPassword, currentPassword })
  .partial();

/**
 * A new password ends the account's other sessions. It does not revoke a reset link: the owner may be using the link to
 * recover the account from an attacker who sets passwords.
 * @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, FORBIDDEN, CONFLICT `username already exist`
 */
export function updateProfile(ctx: Ctx, id: string, fields: unknown): Promise<Profile> {
  return asViewer(ctx, async (viewer) => {
    const profile = await readProfile(ctx, id);
    if (!canEditProfile(ctx, profile)) throw forbidden("not allowed, only user himself");
    const input = parseInput(profileChanges, withoutSameName(fields, profile));
    const { password, currentPassword: current, ...changes } = input;
    if (password !== undefined) {
      await requireRecentSignIn(ctx, viewer, current);
      refuseNameAsPassword(password, { ...profile, ...changes });
    }
    const hashed = password !== undefined && { passwordHash: await hashNewPassword(ctx, viewer, password) };
    const { username: newName } = changes;
    // All posts of the account are indexed again.
    const limit = newName === undefined ? limitWrites : limitTextWrites;
    const begin = async (tx: Tx) => {
      const keys = newName !== undefined && (await claimName(ctx, tx, newName, profile.id));
      if (password !== undefined) await requireSessionLocked(ctx, tx, viewer);
      return keys;
    };
    await limit(ctx, "profiles", async () => {
      if (password !== undefined) {
        // A change that would be refused ends no schedule.
        await ctx.db.$transaction(begin);
        await endManySchedules(ctx, profile.id, PASSWORD_CHANGED);
      }
      await ctx.db
        .$transaction(async (tx) => {
          const keys = await begin(tx);
          await tx.user.update({ where: { id: profile.id }, data: { ...changes, ...keys, ...hashed } });
          if (password === undefined) return;
          await tx.session.deleteMany({ where: { userId: profile.id, id: { not: viewer.sessionId } } });
          await endDraftSharing(tx, profile.id, PASSWORD_CHANGED);
          await ctx.mail.write(tx, "passwordChanged", profile.email, {
            username: changes.username ?? profile.username,
          });
        })
        .catch(mapConstraintError("unique", usernameTaken))
        .catch(mapConstraintError("missing", () => notFound("user")));
    });
    if (newName === undefined) ctx.invalidate(`user:${profile.id}`);
    else {
      ctx.invalidate(...tagsOfByline(profile.id));
      await countPagesOf(ctx, profile.id, 1);
    }
    if (password !== undefined)
      recordEvent(ctx, { event: "change-password", target: profile.id, outcome: "success" });
    return readProfile(ctx, profile.id);
  });
}

export const tagsOfByline = (id: string) => [`user:${id}`, `byline:${id}`] as const;

const MAX_PAGES = 1_500;
const PAGES_PER_CHANGE = 20;

/** The posts with a comment of the account, and those that show a post of it as related, at most `take` of each. */
function findPostsWithByline({ db }: Ctx, userId: string, take: number) {
  const posts = { by: "postId", orderBy: { postId: "asc" }, take } as const;
  return Promise.all([
    db.comment.groupBy({ ...posts, where: { userId } }),
    db.relatedPost.groupBy({ ...posts, where: { related: { userId } } }),
  ]);
}

/** @param times how often the pages that show a name or photo are built again after its change */
export async function countPagesOf(ctx: Ctx, userId: string, times: number): Promise<void> {
  if (!ctx.rateLimitsEnabled) return;
  const found = await findPostsWithByline(ctx, userId, MAX_PAGES);
  const { size } = new Set(found.flat().map(({ postId }) => postId));
  await countAdditionalWrites(ctx, "profiles", 1 + Math.floor((size * times) / PAGES_PER_CHANGE));
}

async function hashNewPassword(ctx: Ctx, { id }: Viewer, password: string): Promise<string> {
  await consumeOrThrow(ctx, rateLimits.passwordChanges(id));
  return withHashingPermit(ctx, () => hashPassword(password));
}

/** A concurrent password reset ends sessions; an ended session must not set a password. */
async function requireSessionLocked({ locks }: Ctx, tx: Tx, viewer: Viewer): Promise<void> {
  await locks.lockAccount(tx, viewer.id);
  await requireSession(tx, viewer);
}

/** Forms resend the unchanged name, which may predate the current name rules and must stay valid. */
function withoutSameName(fields: unknown, profile: Profile): unknown {
  if (typeof fields !== "object" || fields === null || fields instanceof BlogError) return fields;
  const { username: given, ...others } = fields as { username?: unknown };
  return typeof given === "string" && given.trim() === profile.username ? others : fields;
}
