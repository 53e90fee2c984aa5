import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import type { Ctx, ReadCtx, Services } from "../context.ts";
import { badInput, notFound } from "../../errors.ts";
import { LENGTHS, SIGN_INS_PER_ADDRESS } from "../../limits.ts";
import { createKeyedQueues } from "../../queue.ts";
import type { UserModel } from "../../generated/prisma/models.ts";
import { browserName } from "./browser-name.ts";
import { sendVerifyLink, VERIFY_MESSAGE } from "./accounts.ts";
import { DEMO_PASSWORD } from "./common-passwords.ts";
import { parseId, parseInput, text } from "../input.ts";
import { runDeferred } from "../deferred-work.ts";
import { endDraftSharing, endManySchedules } from "./draft-sharing.ts";
import { recogniseBrowser } from "./known-browsers.ts";
import { withMinimumDuration } from "./minimum-duration.ts";
import { checkPassword, withHashingPermit, verifyDummyPassword } from "./passwords.ts";
import { asViewer, requireViewer } from "../permissions.ts";
import { readProfile, type Profile } from "../profiles.ts";
import { hashForRegistration, isPendingPassword } from "./registrations.ts";
import { recordEvent } from "./security-events.ts";
import {
  countHit,
  consumeOrThrow,
  countEmail,
  resetHits,
  refuseExhausted,
  rateLimits,
  rulesOfCaller,
} from "./rate-limits.ts";
import { hashToken, newToken } from "./tokens.ts";
import type { Session } from "../ports.ts";

const DAY = 24 * 60 * 60 * 1000;
export const IDLE_LIMIT = 7 * DAY;
export const ABSOLUTE_LIMIT = 30 * DAY;
/** Milliseconds between two updates of `lastSeenAt`, so that most requests need no write. */
const SEEN_STEP = 5 * 60 * 1000;

export const loginInput = z.strictObject({
  // Not validated as an address: an invalid one gets the same response as an unknown one.
  email: text(1, LENGTHS.email[1])
    .toLowerCase()
    .meta({ examples: ["maya@example.com"] }),
  password: z
    .string()
    .min(1)
    .max(LENGTHS.password[1])
    .meta({ examples: ["a long enough secret"] }),
});

/**
 * @returns the profile and a new bearer token of 256 random bits, which cannot be read again
 * @throws BAD_USER_INPUT, with the same message for an unknown address and a wrong password; RATE_LIMITED
 */
export async function login(ctx: Ctx, fields: unknown): Promise<{ token: string; profile: Profile }> {
  const input = parseInput(loginInput, fields);
  // Reject before the queue, so that rate-limited clients do not fill it.
  await refuseExhausted(ctx, ...signInLimits(ctx, input.email).all);
  const release = await addressQueues(input.email, ctx.origin);
  let target: string | undefined;
  const user = await requirePassword(ctx, input, (id) => (target = id))
    .catch((error: unknown) => {
      recordEvent(ctx, { event: "sign-in", target, outcome: "failure" });
      throw error;
    })
    .finally(release);
  if (!user?.verifiedAt) {
    const fail = () => recordEvent(ctx, { event: "sign-in", target: user?.id, outcome: "failure" });
    // A pending registration gets no email but is counted too, so that the quota reveals nothing.
    const maySend = await withMinimumDuration(() => countEmail(ctx, "verify", input.email));
    const send = (after: Ctx) =>
      user
        ? sendVerifyLink(after, user)
        : after.db.$transaction((tx) => after.mail.simulate(tx, input.email));
    if (maySend) runDeferred(ctx, { kind: "emails", key: input.email }, send, fail);
    fail();
    throw badInput(VERIFY_MESSAGE);
  }
  const token = await openSession(ctx, user);
  recordEvent(ctx, { event: "sign-in", target: user.id, outcome: "success" });
  return { token, profile: await readProfile(ctx, user.id) };
}

/** `failures` count unsuccessful sign-ins; the right password resets those in `ofPassword`. */
function signInLimits(ctx: Ctx, email: string) {
  const { origin } = ctx;
  const ofPassword = [rateLimits.wrongPasswords(email, origin), rateLimits.wrongPasswordsFrom(email, origin)];
  const failures = [...rulesOfCaller(ctx, rateLimits.failedSignIns), ...ofPassword];
  const successes = rateLimits.signIns(email, origin);
  return { ofPassword, failures, successes, all: [...failures, successes] };
}

/** Limits concurrent sign-ins per address from any origin, so that one account cannot fill the hashing queue. */
const addressQueues = createKeyedQueues(SIGN_INS_PER_ADDRESS, "address_sign_ins");

/**
 * Always computes two hashes, of the account and of its pending registrations, so that the duration reveals nothing.
 * @returns null for a pending registration, whose response equals that of an unverified account
 */
async function requirePassword(
  ctx: Ctx,
  input: z.output<typeof loginInput>,
  setTarget: (id: string) => void,
): Promise<UserModel | null> {
  const { ofPassword, failures, successes, all } = signInLimits(ctx, input.email);
  await refuseExhausted(ctx, ...all);
  const user = await ctx.db.user.findUnique({ where: { email: input.email } });
  if (user) setTarget(user.id);
  const mayMatch = ctx.isLocal() || input.password !== DEMO_PASSWORD;
  const [matches, pendingHash] = await withHashingPermit(ctx, () =>
    Promise.all([
      user && mayMatch ? checkPassword(user.passwordHash, input.password) : verifyDummyPassword(),
      hashForRegistration(input.email, input.password),
    ]),
  );
  const isPending = await isPendingPassword(ctx, input.email, pendingHash);
  if (matches && user?.verifiedAt) {
    await refuseExhausted(ctx, ...failures);
    await consumeOrThrow(ctx, successes);
    for (const limit of ofPassword) await resetHits(ctx, limit);
    return user;
  }
  // Every unsuccessful sign-in counts, also with the password of a pending registration: an attacker may have made it
  // as a guess. Counting comes before the result, so that concurrent attempts cannot exceed the limit.
  const areWithin: boolean[] = [];
  for (const limit of failures) areWithin.push(await countHit(ctx, limit));
  if (areWithin.includes(false)) await refuseExhausted(ctx, ...failures);
  // A found account takes 0.3 ms longer, which ten attempts do not show beside this.
  await setTimeout(10 * Math.random());
  if (!matches && !isPending) throw wrongLogin();
  return matches ? user : null;
}

const wrongLogin = () => badInput("invalid email or password");

/** Fails if the password has changed since its check, because a change ends all sessions. */
async function openSession(ctx: Ctx, user: UserModel): Promise<string> {
  const token = newToken();
  const others = await ctx.db.session.findMany({
    where: { userId: user.id },
    orderBy: { lastSeenAt: "desc" },
  });
  const userAgent = ctx.userAgent?.slice(0, 300) ?? null;
  const browser = await recogniseBrowser(ctx, user.id, userAgent);
  const maySend = browser.isNew && (await countHit(ctx, rateLimits.newSignInEmails(user.id)));
  await ctx.db.$transaction(async (tx) => {
    if ((await ctx.locks.shareLockPasswordHash(tx, user.id)) !== user.passwordHash) throw wrongLogin();
    const at = ctx.now();
    const evicted = others.slice(MAX_SESSIONS - 1).map(({ id }) => id);
    if (evicted.length > 0) await tx.session.deleteMany({ where: { id: { in: evicted } } });
    await browser.remember(tx);
    if (maySend)
      await ctx.mail.write(tx, "newSignIn", user.email, {
        username: user.username,
        at,
        browser: browserName(userAgent),
      });
    const times = { createdAt: at, lastSeenAt: at };
    await tx.session.create({ data: { tokenHash: hashToken(token), userId: user.id, userAgent, ...times } });
  });
  return token;
}

const MAX_SESSIONS = 50;

export async function logout(ctx: Ctx) {
  const viewer = requireViewer(ctx);
  await ctx.db.session.deleteMany({ where: { id: viewer.sessionId } });
  recordEvent(ctx, { event: "sign-out", target: viewer.id, outcome: "success" });
  return { message: "logged out successfully" };
}

/** Ends every session of the account, including the current one, every preview link and every schedule. @throws UNAUTHENTICATED */
export function logoutEverywhere(ctx: Ctx) {
  return asViewer(ctx, async (viewer) => {
    const reason = "all sessions were ended";
    await endManySchedules(ctx, viewer.id, reason);
    await ctx.db.$transaction(async (tx) => {
      await tx.session.deleteMany({ where: { userId: viewer.id } });
      await endDraftSharing(tx, viewer.id, reason);
    });
    recordEvent(ctx, { event: "sign-out-everywhere", target: viewer.id, outcome: "success" });
    return { message: "logged out everywhere" };
  });
}

/** Ends one session of the viewer's account. @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND */
export function endSession(ctx: Ctx, id: string) {
  return asViewer(ctx, async (viewer) => {
    const where = { id: parseId(id), userId: viewer.id };
    const { count } = await ctx.db.session.deleteMany({ where });
    if (count === 0) throw notFound("session");
    recordEvent(ctx, { event: "end-session", target: viewer.id, outcome: "success" });
    return { id: where.id, message: "session has been ended" };
  });
}

/** The account's active sessions, most recently used first. @throws UNAUTHENTICATED */
export function readSessions(ctx: ReadCtx): Promise<Session[]> {
  const { id: userId } = requireViewer(ctx);
  return ctx.queries.activeSessions(userId, { idle: IDLE_LIMIT, age: ABSOLUTE_LIMIT, take: MAX_SESSIONS });
}

/** Resolves a bearer token to the viewer and session of the request context. */
export async function authenticate(
  services: Services,
  token: string | null,
): Promise<Pick<Ctx, "viewer" | "session">> {
  if (token === null) return { viewer: null, session: "none" };
  const authenticatedAt = performance.now();
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
  return { viewer: { id: userId, isAdmin, sessionId, signedInAt, authenticatedAt }, session: "active" };
}
