import { randomBytes } from "node:crypto";
import sharp from "sharp";
import type { Parts } from "../server/context.ts";
import { checkPassword, hashPassword } from "../server/domain/passwords.ts";
import type { NewPicture } from "../server/domain/pictures.ts";
import type { Prisma } from "../server/generated/prisma/client.ts";
import {
  createCategory,
  createComment,
  createLike,
  createPost,
  createUser,
} from "../server/testing/factories.ts";
import { portrait, postPicture } from "./demo/pictures.ts";
import { readDemo, type Demo } from "./demo/read-demo.ts";

/** `usable`: whether the demo password opens the demo accounts. */
export type Logins = { withAdmin: boolean; usable: boolean; password: string };

type Pictures = { photos: NewPicture[]; posts: NewPicture[] };

/**
 * Fills an empty blog with a small believable one. Pictures come first; then one transaction writes
 * everything, so that a cut-off attempt leaves an empty blog to be filled again.
 */
export async function seedDemo(parts: Parts, logins: Logins, say: (line: string) => void): Promise<void> {
  const demo = await readDemo(parts.now());
  const pictures = await makePictures(parts, demo, say);
  const passwordHash = await hashPassword(logins.usable ? logins.password : randomBytes(32).toString("hex"));
  await parts.db.$transaction((db) => writeDemo(db, demo, pictures, { ...logins, passwordHash }), {
    timeout: 60_000,
  });
  say(`demo content written: ${demo.posts.length} posts by ${demo.people.length} people`);
}

async function makePictures({ media }: Parts, demo: Demo, say: (line: string) => void): Promise<Pictures> {
  // Drawings are ours; uploads never get near this loader, which is closed again before anybody can call.
  const svgLoader = { operation: ["VipsForeignLoadSvgBuffer"] };
  sharp.unblock(svgLoader);
  try {
    const drawings = [
      ...demo.people.map((_, index) => () => portrait(index)),
      ...demo.posts.map(
        ({ number }) =>
          () =>
            postPicture(number),
      ),
    ];
    const saved = await saveDrawings(media, drawings, say);
    return { photos: saved.slice(0, demo.people.length), posts: saved.slice(demo.people.length) };
  } finally {
    sharp.block(svgLoader);
  }
}

/** While one is encoded the next is drawn: two cores have something to do. */
async function saveDrawings(media: Parts["media"], drawings: (() => string)[], say: (line: string) => void) {
  const draw = async (index: number) => {
    const svg = drawings[index]?.();
    return svg ? sharp(Buffer.from(svg)).png({ compressionLevel: 0 }).toBuffer() : Buffer.alloc(0);
  };
  const saved: NewPicture[] = [];
  let next = draw(0);
  for (const index of drawings.keys()) {
    const drawn = await next;
    next = draw(index + 1);
    saved.push(await media.save(drawn));
    if ((index + 1) % 12 === 0) say(`drawing demo pictures: ${index + 1} of ${drawings.length}`);
  }
  return saved;
}

type Db = Prisma.TransactionClient;

async function writeDemo(db: Db, demo: Demo, pictures: Pictures, logins: Logins & { passwordHash: string }) {
  const beginning = new Date((demo.posts[0]?.createdAt.getTime() ?? 0) - 24 * 60 * 60 * 1000);
  const { passwordHash } = logins;
  if (logins.withAdmin)
    await createUser(db, {
      username: "Admin",
      email: "admin@example.com",
      passwordHash,
      isAdmin: true,
      createdAt: beginning,
    });
  const userIds = new Map<string, string>();
  for (const [index, { key, username, bio }] of demo.people.entries()) {
    const traits = { username, bio, email: `${key}@example.com`, passwordHash, createdAt: beginning };
    userIds.set(key, (await createUser(db, { ...traits, photo: pictures.photos[index] })).id);
  }
  for (const [index, title] of demo.categories.entries())
    await createCategory(db, title, new Date(beginning.getTime() + index));
  await writePosts(db, demo, pictures, userIds);
}

async function writePosts(db: Db, demo: Demo, pictures: Pictures, userIds: Map<string, string>) {
  const userId = (key: string) => userIds.get(key) ?? "";
  for (const [index, { number, author, ...post }] of demo.posts.entries()) {
    const written = { ...post, userId: userId(author), image: pictures.posts[index] };
    const { id: postId } = await createPost(db, { ...written, updatedAt: post.createdAt });
    for (const [place, comment] of demo.comments.filter((each) => each.post === number).entries())
      await createComment(db, {
        postId,
        userId: userId(comment.author),
        text: comment.text,
        createdAt: momentAfter(post.createdAt, comment.hoursAfter, place),
      });
    for (const key of demo.likes[String(number)] ?? [])
      await createLike(db, { postId, userId: userId(key), createdAt: post.createdAt });
  }
}

/** Never in the future: the newest posts are minutes old. */
function momentAfter(start: Date, hours: number, place: number): Date {
  const moment = start.getTime() + hours * 60 * 60 * 1000 + place * 1_000;
  return new Date(Math.min(moment, Date.now() - 1_000));
}

/** What to print for a newcomer: the demo accounts whose password is still the demo's. */
export async function demoLogins(parts: Parts, logins: Logins): Promise<string[]> {
  const open = await findOpenAccounts(parts, logins);
  return open
    .filter(({ email }) => /^(demo|admin)@/.test(email))
    .map(
      ({ email, isAdmin }) => `  Sign in as ${isAdmin ? "admin" : "writer"}: ${email} / ${logins.password}`,
    );
}

/** Their password is public: where others can reach the blog, it must not open anything. */
export async function closeDemoLogins(parts: Parts, logins: Logins): Promise<void> {
  for (const { id } of await findOpenAccounts(parts, logins)) {
    const passwordHash = await hashPassword(randomBytes(32).toString("hex"));
    await parts.db.user.update({ where: { id }, data: { passwordHash } });
    await parts.db.session.deleteMany({ where: { userId: id } });
  }
}

async function findOpenAccounts({ db }: Parts, { password }: Logins) {
  const { people } = await readDemo(new Date());
  const emails = ["admin", ...people.map((person) => person.key)].map((key) => `${key}@example.com`);
  const accounts = await db.user.findMany({ where: { email: { in: emails } }, orderBy: { isAdmin: "asc" } });
  // One hash serves them all; whoever has chosen a password of their own has another.
  const shared = new Map<string, boolean>();
  for (const { passwordHash } of accounts)
    if (!shared.has(passwordHash)) shared.set(passwordHash, await checkPassword(passwordHash, password));
  return accounts.filter(({ passwordHash }) => shared.get(passwordHash));
}
