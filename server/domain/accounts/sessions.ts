import { z } from "zod";
import type { Ctx, Services } from "../context.ts";
import { badInput, notFound } from "../../errors.ts";
import { SIGN_INS_PER_ADDRESS } from "../../limits.ts";
import { createKeyedQueues } from "../../queue.ts";
import type { SessionModel, UserModel } from "../../generated/prisma/models.ts";
import { sendVerifyLink, VERIFY_MESSAGE } from "./accounts.ts";
import { DEMO_PASSWORD } from "./common-passwords.ts";
import { parseId, parseInput, text } from "../input.ts";
import { runDeferred, withMinimumDuration } from "./deferred-work.ts";
import { checkPassword, hashFor, verifyDummyPassword } from "./passwords.ts";
import { asViewer, requireViewer } from "../permissions.ts";
import { readProfile, type Profile } from "../profiles.ts";
import { isPendingPassword } from "./registrations.ts";
import { recordEvent } from "./security-events.ts";
import { countHit, countLetter, forgetHits, refuseExhausted, throttles } from "./rate-limits.ts";
import { hashToken, newToken } from "./tokens.ts";

const DAY = 24 * 60 * 60 * 1000;
const IDLE_LIMIT = 7 * DAY;
const ABSOLUTE_LIMIT = 30 * DAY;
/** How stale `lastSeenAt` may get before it is written again: not every request should write. */
const SEEN_STEP = 5 * 60 * 1000;

export const loginInput = z.strictObject({
  // Not checked to be an address: whatever is none is unknown, and answered like one that is.
  email: text(1, 100)
    .toLowerCase()
    .meta({ examples: ["maya@example.com"] }),
  password: z
    .string()
    .min(1)
    .max(128)
    .meta({ examples: ["a long enough secret"] }),
});

/**
 * @returns the account and a fresh bearer token: 256 random bits, shown this once
 * @throws BAD_USER_INPUT the same for an unknown address and a wrong password, RATE_LIMITED
 */
export async function login(ctx: Ctx, fields: unknown): Promise<{ token: string; profile: Profile }> {
  const input = parseInput(loginInput, fields);
  // Those who may not try again take no place in the line.
  await refuseExhausted(ctx, ...signInLimits(ctx, input.email));
  const leave = await ofAddress(input.email, ctx.origin);
  let target: string | undefined;
  const user = await requirePassword(ctx, input, (id) => (target = id))
    .catch((error: unknown) => {
      recordEvent(ctx, { event: "sign-in", target, outcome: "failure" });
      throw error;
    })
    .finally(leave);
  if (!user?.verifiedAt) {
    const fail = () => recordEvent(ctx, { event: "sign-in", target: user?.id, outcome: "failure" });
    // Counted alike for a pending registration, which gets no letter: the quota tells nothing either.
    const mayWrite = await withMinimumDuration(() => countLetter(ctx, "verify", input.email));
    if (user && mayWrite) runDeferred(() => sendVerifyLink(ctx, user), fail);
    fail();
    throw badInput(VERIFY_MESSAGE);
  }
  const token = await openSession(ctx, user);
  recordEvent(ctx, { event: "sign-in", target: user.id, outcome: "success" });
  return { token, profile: await readProfile(ctx, user.id) };
}

const signInLimits = ({ origin }: Ctx, email: string) => [
  throttles.failedSignIns(origin),
  throttles.wrongPasswords(email, origin),
  throttles.wrongPasswordsFrom(email, origin),
];

/** From however many origins: one account cannot fill the line for hashing. */
const ofAddress = createKeyedQueues(SIGN_INS_PER_ADDRESS);

/**
 * Two hashes are computed for any address: of an account, and of registrations with the address of one.
 * @returns null for such a registration, which is answered like an account that is not verified
 */
async function requirePassword(
  ctx: Ctx,
  input: z.output<typeof loginInput>,
  noteTarget: (id: string) => void,
): Promise<UserModel | null> {
  const limits = signInLimits(ctx, input.email);
  await refuseExhausted(ctx, ...limits);
  const user = await ctx.db.user.findUnique({ where: { email: input.email } });
  if (user) noteTarget(user.id);
  const mayMatch = ctx.isLocal() || input.password !== DEMO_PASSWORD;
  const [matches, isPending] = await hashFor(ctx, () =>
    Promise.all([
      user && mayMatch ? checkPassword(user.passwordHash, input.password) : verifyDummyPassword(),
      isPendingPassword(ctx, input.email, input.password),
    ]),
  );
  if (matches && user?.verifiedAt) {
    await refuseExhausted(ctx, ...limits);
    for (const limit of limits.slice(1)) await forgetHits(ctx, limit);
    return user;
  }
  // What lets nobody in counts, the password of a pending registration too: anybody may have made it, as a guess.
  // Of many tries at once only the first ones learn whether they were wrong.
  const areWithin: boolean[] = [];
  for (const limit of limits) areWithin.push(await countHit(ctx, limit));
  if (areWithin.includes(false)) await refuseExhausted(ctx, ...limits);
  if (!matches && !isPending) throw wrongLogin();
  return matches ? user : null;
}

const wrongLogin = () => badInput("invalid email or password");

/** Opens a session unless the password that was checked has been changed meanwhile: that ends all of them. */
async function openSession(ctx: Ctx, user: UserModel): Promise<string> {
  const token = newToken();
  const others = await ctx.db.session.findMany({
    where: { userId: user.id },
    orderBy: { lastSeenAt: "desc" },
  });
  const userAgent = ctx.userAgent?.slice(0, 300) ?? null;
  const isNewBrowser = others.length > 0 && others.every((other) => other.userAgent !== userAgent);
  const mayWrite = isNewBrowser && (await countHit(ctx, throttles.newSignInLetters(user.id)));
  await ctx.db.$transaction(async (tx) => {
    if ((await ctx.locks.keepPasswordHash(tx, user.id)) !== user.passwordHash) throw wrongLogin();
    const at = ctx.now();
    // The least recently used give way.
    const superfluous = others.slice(MAX_SESSIONS - 1).map(({ id }) => id);
    if (superfluous.length > 0) await tx.session.deleteMany({ where: { id: { in: superfluous } } });
    if (mayWrite)
      await ctx.mail.write(tx, "newSignIn", user.email, { username: user.username, at, userAgent });
    const times = { createdAt: at, lastSeenAt: at };
    await tx.session.create({ data: { tokenHash: hashToken(token), userId: user.id, userAgent, ...times } });
  });
  return token;
}

const MAX_SESSIONS = 50;

/** Ends the session that asks. @throws UNAUTHENTICATED */
export async function logout(ctx: Ctx) {
  const viewer = requireViewer(ctx);
  await ctx.db.session.deleteMany({ where: { id: viewer.sessionId } });
  recordEvent(ctx, { event: "sign-out", target: viewer.id, outcome: "success" });
  return { message: "logged out successfully" };
}

/** Ends every session of the account, this one too. @throws UNAUTHENTICATED */
export async function logoutEverywhere(ctx: Ctx) {
  const viewer = requireViewer(ctx);
  await ctx.db.session.deleteMany({ where: { userId: viewer.id } });
  recordEvent(ctx, { event: "sign-out-everywhere", target: viewer.id, outcome: "success" });
  return { message: "logged out everywhere" };
}

/** Ends one session of the account, whichever browser has it. @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND */
export function endSession(ctx: Ctx, id: string) {
  return asViewer(ctx, async (viewer) => {
    const where = { id: parseId(id), userId: viewer.id };
    const { count } = await ctx.db.session.deleteMany({ where });
    if (count === 0) throw notFound("session");
    recordEvent(ctx, { event: "end-session", target: viewer.id, outcome: "success" });
    return { id: where.id, message: "session has been ended" };
  });
}

export type Session = Omit<SessionModel, "tokenHash">;

/** The browsers in which the account is signed in, the latest first. @throws UNAUTHENTICATED */
export function readSessions(ctx: Ctx): Promise<Session[]> {
  const { id: userId } = requireViewer(ctx);
  const now = ctx.now().getTime();
  return ctx.db.session.findMany({
    where: {
      userId,
      createdAt: { gt: new Date(now - ABSOLUTE_LIMIT) },
      lastSeenAt: { gt: new Date(now - IDLE_LIMIT) },
    },
    omit: { tokenHash: true },
    orderBy: { lastSeenAt: "desc" },
    take: MAX_SESSIONS,
  });
}

/** Removes what has expired: sessions, links, letters and counts that nobody asks for any more. */
export async function removeExpired(services: Services): Promise<void> {
  const now = services.now();
  const idle = new Date(now.getTime() - IDLE_LIMIT);
  const old = new Date(now.getTime() - ABSOLUTE_LIMIT);
  await services.db.session.deleteMany({
    where: { OR: [{ lastSeenAt: { lt: idle } }, { createdAt: { lt: old } }] },
  });
  await services.db.mailToken.deleteMany({ where: { expiresAt: { lt: now } } });
  await services.db.letter.deleteMany({ where: { sentAt: { lt: old } } });
  await services.db.throttle.deleteMany({ where: { resetsAt: { lt: now } } });
}

/** Who is behind a token: the part of a context that says who asks. */
export async function authenticate(
  services: Services,
  token: string | null,
): Promise<Pick<Ctx, "viewer" | "session">> {
  if (token === null) return { viewer: null, session: "none" };
  const found = await services.queries.session(hashToken(token));
  const now = services.now().getTime();
  if (
    !found ||
    now - found.createdAt.getTime() > ABSOLUTE_LIMIT ||
    now - found.lastSeenAt.getTime() > IDLE_LIMIT
  )
    return { viewer: null, session: "ended" };
  if (now - found.lastSeenAt.getTime() > SEEN_STEP)
    await services.db.session.updateMany({ where: { id: found.id }, data: { lastSeenAt: services.now() } });
  const { userId, isAdmin, id: sessionId, createdAt: signedInAt } = found;
  return { viewer: { id: userId, isAdmin, sessionId, signedInAt }, session: "active" };
}
