import { randomBytes } from "node:crypto";
import type { Services } from "../domain/context.ts";
import { nameKey } from "../domain/input.ts";
import { checkPassword, hashPassword } from "../domain/accounts/passwords.ts";
import type { NewPicture } from "../domain/pictures.ts";
import { tagKey } from "../domain/posts/tag-names.ts";
import type { Prisma } from "../generated/prisma/client.ts";
import { readDemo, readPicture, type Demo } from "./read-demo.ts";

/** `usable`: whether the demo password opens the demo accounts. */
export type Logins = { withAdmin: boolean; usable: boolean; password: string };

type Pictures = { photos: NewPicture[]; posts: NewPicture[] };

/** Saves pictures first, then writes everything in one transaction, so that an interrupted run can be repeated. */
export async function seedDemo(
  services: Services,
  logins: Logins,
  say: (line: string) => void,
): Promise<void> {
  const demo = await readDemo(services.now());
  const pictures = await savePictures(services, demo, say);
  const passwordHash = await hashPassword(logins.usable ? logins.password : randomBytes(32).toString("hex"));
  await services.db.$transaction((db) => writeDemo(db, demo, pictures, { ...logins, passwordHash }), {
    timeout: 60_000,
  });
  say(`demo content written: ${demo.posts.length} posts by ${demo.people.length} people`);
}

async function savePictures({ media }: Services, demo: Demo, say: (line: string) => void): Promise<Pictures> {
  const saved: NewPicture[] = [];
  const owners = [...demo.people, ...demo.posts];
  for (const owner of owners) {
    saved.push(await media.save(await readPicture(owner)));
    if (saved.length % 12 === 0) say(`preparing demo pictures: ${saved.length} of ${owners.length}`);
  }
  return { photos: saved.slice(0, demo.people.length), posts: saved.slice(demo.people.length) };
}

type Db = Prisma.TransactionClient;

async function writeDemo(db: Db, demo: Demo, pictures: Pictures, logins: Logins & { passwordHash: string }) {
  const createdAt = new Date((demo.posts[0]?.createdAt.getTime() ?? 0) - 24 * 60 * 60 * 1000);
  const { passwordHash } = logins;
  const createUser = (username: string, key: string, traits: Partial<Prisma.UserCreateInput>) => {
    const names = { username, usernameKey: nameKey(username), email: `${key}@example.com` };
    return db.user.create({ data: { ...names, passwordHash, createdAt, verifiedAt: createdAt, ...traits } });
  };
  const hasAdmin = (await db.user.count({ where: { isAdmin: true } })) > 0;
  if (logins.withAdmin && !hasAdmin) await createUser("Admin", "admin", { isAdmin: true });
  const userIds = new Map<string, string>();
  for (const [index, { key, username, bio }] of demo.people.entries()) {
    const photo = pictures.photos[index];
    const { id } = await createUser(username, key, { bio, ...(photo && { photo: { create: photo } }) });
    userIds.set(key, id);
  }
  const admin = await db.user.findFirst({ where: { isAdmin: true }, orderBy: { createdAt: "asc" } });
  await db.category.createMany({
    data: demo.categories.map((title, index) => ({
      ...{ title, titleKey: nameKey(title), userId: admin?.id ?? null },
      createdAt: new Date(createdAt.getTime() + index),
    })),
  });
  await writePosts(db, demo, pictures, (key) => userIds.get(key) ?? "");
}

async function writePosts(db: Db, demo: Demo, pictures: Pictures, userIdOf: (key: string) => string) {
  for (const [index, { number, author, tags, ...post }] of demo.posts.entries()) {
    const image = pictures.posts[index];
    if (!image) throw new Error(`post ${number} has no picture`);
    const { createdAt } = post;
    const user = { connect: { id: userIdOf(author) } };
    const { id: postId } = await db.post.create({
      data: {
        ...{ ...post, updatedAt: createdAt, user, image: { create: image } },
        tags: { create: tags.map(toPostTag) },
      },
    });
    const comments = demo.comments.filter((each) => each.post === number);
    await db.comment.createMany({
      data: comments.map((comment, index) => ({
        ...{ postId, userId: userIdOf(comment.author), text: comment.text },
        createdAt: momentAfter(createdAt, comment.hoursAfter, index),
      })),
    });
    const likers = demo.likes[String(number)] ?? [];
    await db.like.createMany({ data: likers.map((key) => ({ postId, userId: userIdOf(key), createdAt })) });
  }
}

const toPostTag = (name: string, position: number) => ({
  position,
  tag: { connectOrCreate: { where: { nameKey: tagKey(name) }, create: { name, nameKey: tagKey(name) } } },
});

/** Clamps to the past, since the newest posts are minutes old. */
function momentAfter(start: Date, hours: number, index: number): Date {
  const moment = start.getTime() + hours * 60 * 60 * 1000 + index * 1_000;
  return new Date(Math.min(moment, Date.now() - 1_000));
}

/** @returns lines that list the demo accounts whose password is unchanged */
export async function demoLogins(services: Services, logins: Logins): Promise<string[]> {
  const open = await findOpenAccounts(services, logins);
  return open
    .filter(({ email }) => /^(demo|admin)@/.test(email))
    .map(
      ({ email, isAdmin }) => `  Sign in as ${isAdmin ? "admin" : "writer"}: ${email} / ${logins.password}`,
    );
}

/** The demo password is public, so it must not work where others can reach the blog. */
export async function closeDemoLogins(services: Services, logins: Logins): Promise<void> {
  for (const { id } of await findOpenAccounts(services, logins)) {
    const passwordHash = await hashPassword(randomBytes(32).toString("hex"));
    await services.db.user.update({ where: { id }, data: { passwordHash } });
    await services.db.session.deleteMany({ where: { userId: id } });
  }
}

async function findOpenAccounts({ db }: Services, { password }: Logins) {
  const { people } = await readDemo(new Date());
  const emails = ["admin", ...people.map((person) => person.key)].map((key) => `${key}@example.com`);
  const accounts = await db.user.findMany({ where: { email: { in: emails } }, orderBy: { isAdmin: "asc" } });
  const shared = new Map<string, boolean>();
  for (const { passwordHash } of accounts)
    if (!shared.has(passwordHash)) shared.set(passwordHash, await checkPassword(passwordHash, password));
  return accounts.filter(({ passwordHash }) => shared.get(passwordHash));
}
