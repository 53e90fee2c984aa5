import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type { Ctx, Parts } from "../context.ts";
import { badInput } from "../errors.ts";
import { parseInput, text } from "./input.ts";
import { checkPassword, spendPasswordTime } from "./passwords.ts";
import { requireViewer } from "./permissions.ts";
import { readProfile, type Profile } from "./profiles.ts";

const DAY = 24 * 60 * 60 * 1000;
const IDLE_LIMIT = 7 * DAY;
const ABSOLUTE_LIMIT = 30 * DAY;
/** How stale `lastSeenAt` may get before it is written again: not every request should write. */
const SEEN_STEP = 5 * 60 * 1000;

export const loginInput = z.strictObject({
  // Not checked to be an address: whatever is none is unknown, and answered like one that is.
  email: text(1, 100).pipe(z.string().toLowerCase()),
  password: z.string().min(1).max(128),
});

const hashToken = (token: string) => createHash("sha256").update(token).digest();

/**
 * @returns the account and a fresh bearer token: 256 random bits, shown this once
 * @throws BAD_USER_INPUT the same for an unknown address and a wrong password
 */
export async function login(
  ctx: Ctx,
  fields: unknown,
  userAgent?: string,
): Promise<{ token: string; profile: Profile }> {
  const input = parseInput(loginInput, fields);
  const user = await ctx.db.user.findUnique({ where: { email: input.email } });
  const matches = user ? await checkPassword(user.passwordHash, input.password) : await spendPasswordTime();
  if (!user || !matches) throw badInput("invalid email or password");
  if (!user.verifiedAt) throw badInput("We sent to you an email, please verify your email address");
  const token = await openSession(ctx, user.id, userAgent);
  return { token, profile: await readProfile(ctx, user.id) };
}

async function openSession(ctx: Ctx, userId: string, userAgent?: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await ctx.db.session.create({
    data: {
      tokenHash: hashToken(token),
      userId,
      userAgent: userAgent?.slice(0, 300) ?? null,
      createdAt: ctx.now(),
      lastSeenAt: ctx.now(),
    },
  });
  return token;
}

/** Ends the session that asks. @throws UNAUTHENTICATED */
export async function logout(ctx: Ctx) {
  const viewer = requireViewer(ctx);
  await ctx.db.session.deleteMany({ where: { id: viewer.sessionId } });
  return { message: "logged out successfully" };
}

/** Who is behind a token: the part of a context that says who asks. */
export async function recognise(
  parts: Parts,
  token: string | null,
): Promise<Pick<Ctx, "viewer" | "session">> {
  if (token === null) return { viewer: null, session: "none" };
  const found = await parts.db.session.findUnique({
    where: { tokenHash: hashToken(token) },
    select: { id: true, createdAt: true, lastSeenAt: true, user: { select: { id: true, isAdmin: true } } },
  });
  const now = parts.now().getTime();
  if (
    !found ||
    now - found.createdAt.getTime() > ABSOLUTE_LIMIT ||
    now - found.lastSeenAt.getTime() > IDLE_LIMIT
  )
    return { viewer: null, session: "ended" };
  if (now - found.lastSeenAt.getTime() > SEEN_STEP)
    await parts.db.session.updateMany({ where: { id: found.id }, data: { lastSeenAt: parts.now() } });
  return { viewer: { ...found.user, sessionId: found.id }, session: "active" };
}
