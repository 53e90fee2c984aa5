import { finishDeferredWork } from "../domain/deferred-work.ts";
import { hashPassword } from "../domain/accounts/passwords.ts";
import { hashToken } from "../domain/accounts/tokens.ts";
import { DAY, HOUR } from "./accounts.ts";
import { PASSWORD, startTestApp, type TestResponse, type TestApp } from "./app.ts";
import { blankPicture, createComment, createLike, createPost, createUser } from "./factories.ts";
import { replacePictures, storedFiles } from "./stored-files.ts";
import { sendToBoth, ids, tokens, type ParityCall } from "./parity.ts";

/** Valid tokens: Una's to verify her email address, Maya's to reset her password. */
export const links = { verify: "link-v", reset: "link-r" };

const timeOf = (n: number) => new Date(Date.UTC(2020, 0, n));
let passwordHash: string | undefined;

/** Like `startTwins`, with tokens, emails and real passwords. */
export async function startAccountPair() {
  const [left, right] = [await startTestApp(), await startTestApp()];
  passwordHash ??= await hashPassword(PASSWORD);
  return {
    async call(call: ParityCall) {
      await Promise.all([seed(left), seed(right)]);
      const before = await contentsOf(left);
      const { inGraphql, inRest } = await sendToBoth(left, right, call);
      const after = { graphql: await contentsOf(left), rest: await contentsOf(right) };
      return { graphql: plain(inGraphql), rest: plain(inRest), before, after };
    },
  };
}

async function seed({ db, files }: TestApp): Promise<void> {
  await replacePictures(files, [ids.post, ids.noors, ids.craft]);
  // One transaction, because every commit waits for the disk.
  await db.$transaction(async (tx) => {
    for (const table of TABLES) await tx.$executeRawUnsafe(`DELETE FROM "${table}"`);
    await tx.throttle.deleteMany();
    const person = (id: string, n: number, username: string, traits = {}) =>
      createUser(tx, {
        ...{ id, username, passwordHash, bio: `I am ${username}.` },
        ...{ createdAt: timeOf(n), updatedAt: timeOf(n), verifiedAt: timeOf(n), ...traits },
      });
    await person(ids.maya, 1, "Maya", { photo: { ...blankPicture(), id: ids.craft } });
    await person(ids.noor, 2, "Noor");
    await person(ids.ada, 3, "Ada", { isAdmin: true });
    await person(ids.unverified, 4, "Una", { verifiedAt: null });
    const write = (id: string, n: number, userId: string) =>
      createPost(tx, {
        ...{ id, userId, title: `Post ${n}`, createdAt: timeOf(n), updatedAt: timeOf(n) },
        image: { ...blankPicture(), id },
      });
    await write(ids.post, 11, ids.maya);
    await write(ids.noors, 12, ids.noor);
    await createComment(tx, { postId: ids.noors, userId: ids.maya });
    for (const userId of [ids.maya, ids.noor]) await createLike(tx, { postId: ids.noors, userId });
    const enter = (token: string, userId: string, seen = new Date(), id?: string) =>
      tx.session.create({
        data: { id, tokenHash: hashToken(token), userId, createdAt: seen, lastSeenAt: seen },
      });
    for (const name of ["maya", "noor", "ada"] as const) await enter(tokens[name], ids[name]);
    await enter("another browser of Maya's", ids.maya, new Date(), ids.session);
    await enter(tokens.expired, ids.maya, new Date(Date.now() - 365 * DAY));
    const expiresAt = new Date(Date.now() + HOUR);
    for (const [purpose, token, userId] of [
      ["VERIFY", links.verify, ids.unverified],
      ["RESET", links.reset, ids.maya],
    ] as const)
      await tx.mailToken.create({ data: { purpose, userId, tokenHash: hashToken(token), expiresAt } });
  });
}

// In an order that foreign keys allow for deletion.
const TABLES = ["Letter", "MailToken", "Session", "Like", "Comment", "Post", "User", "Picture"];

/** Every row and file, except for values that differ on every run. */
async function contentsOf({ pool, files }: TestApp) {
  await finishDeferredWork();
  const contents: Record<string, unknown> = {};
  for (const table of TABLES) {
    const { rows } = await pool.query(`SELECT * FROM "${table}"`);
    const comparable = rows.map(({ tokenHash: _, ...row }: Record<string, unknown>) =>
      JSON.stringify(normalize(row)),
    );
    contents[table] = comparable.sort();
  }
  contents["files"] = (await storedFiles(files)).map((path) => normalize(path)).sort();
  return contents;
}

const plain = ({ status, body }: TestResponse) => ({ status, body: normalize(body) });

/** Replaces generated ids, timestamps, hashes and tokens, which differ on every run. */
function normalize(value: unknown): any {
  const text = JSON.stringify(value ?? null)
    .replace(/\$argon2id\$[^"]*/g, (hash) => (hash === passwordHash ? "old hash" : "new hash"))
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => (id.startsWith("00000000") ? id : "new"))
    .replace(/(\/verify\/|\/reset-password\/[^/"\s]+\/)[\w-]{43}/g, "$1secret")
    .replace(/[0-9a-f]{2}\/new/g, "new")
    .replace(/"20(?!20)\d\d-\d\d-\d\dT[^"]*"/g, '"now"');
  return JSON.parse(text) as unknown;
}
