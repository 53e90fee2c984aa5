import { z } from "zod";
import type { Ctx, Tx } from "../context.ts";
import { badInput, forbidden, notFound } from "../errors.ts";
import { Prisma } from "../generated/prisma/client.ts";
import type { PostModel } from "../generated/prisma/models.ts";
import { requireCategory } from "./categories.ts";
import { byTime, readConnections, toSql, type Window } from "./connections.ts";
import { parseId, parseInput, parseSearchText, text } from "./input.ts";
import { parseWish, readInChunks, readList, type Wish } from "./lists.ts";
import { canDelete, canEdit, requireViewer } from "./permissions.ts";
import { removePicture, savePicture, type Picture } from "./pictures.ts";
import { refusedAs } from "./refusals.ts";
import { whereWords } from "./words.ts";

export type Post = PostModel & { image: Picture };

/** What a transport received; reading it is left to the domain, which first asks whether it may. */
export type Received = { fields: unknown; image: Buffer | null };

export const postInput = z.strictObject({
  title: text(2, 200).meta({ examples: ["On slate"] }),
  description: text(10, 50_000).meta({
    description: "The text, in a small Markdown.",
    examples: ["It splits where it was laid down."],
  }),
  category: text(1, 100).meta({ description: "The title of an existing category.", examples: ["Craft"] }),
});

/** A form of nothing but a picture. */
export const noFields = z.strictObject({});

export const postChanges = postInput.partial();

const withImage = { image: true } as const;
const TRIES = 3;

/**
 * A post and its picture are read by two statements. Where the picture was replaced between them it is
 * looked for again; a post that was deleted then is left out.
 */
async function findWhole(ctx: Ctx, args: Omit<Prisma.PostFindManyArgs, "include">): Promise<Post[]> {
  let posts: Post[] = [];
  for (let tried = 0; tried < TRIES; tried++) {
    posts = await ctx.db.post.findMany({ ...args, include: withImage });
    if (posts.every(isWhole)) break;
  }
  return posts.filter(isWhole);
}

const isWhole = (post: { image: Picture | null }) => post.image !== null;

const columns = {
  createdAt: Prisma.sql`node."createdAt"`,
  title: Prisma.sql`lower(node.title)`,
  author: Prisma.sql`author."usernameKey"`,
};

const alone = Prisma.sql`"Post" AS node`;
const withAuthor = Prisma.sql`${alone} JOIN "User" AS author ON author.id = node."userId"`;

type PostFilter = { category?: string | null; author?: string | null };

function whereFiltered({ category, author }: PostFilter): Prisma.Sql[] {
  const where: Prisma.Sql[] = [];
  if (category != null) where.push(Prisma.sql`node.category = ${parseSearchText("category", category)}`);
  if (author != null) where.push(Prisma.sql`node."userId" = ${parseId(author)}::uuid`);
  return where;
}

/** Posts, newest first unless sorted; `search` is words of the title or the text. @throws BAD_USER_INPUT */
export function readPosts(ctx: Ctx, filter: PostFilter & Wish, window: Window) {
  const { search, order } = parseWish(filter, columns, "-createdAt");
  const where = [...whereFiltered(filter), ...(search ? whereWords(search) : [])];
  const from = order.by === columns.author ? withAuthor : alone;
  return readList<Post>(ctx, { from, where, order }, window, (ids) => findPosts(ctx, ids));
}

/** The same window of several authors' posts, newest first. */
export function readPostsOfMany(ctx: Ctx, authorIds: readonly string[], window: Window) {
  return readConnections<Post>(
    {
      order: byTime("desc"),
      parentIds: authorIds,
      parentOf: (post) => post.userId,
      find: async (slice) => {
        const keys = await ctx.db.$queryRaw<{ id: string }[]>`
          SELECT post.id FROM unnest(${[...authorIds]}::uuid[]) AS author(id)
          CROSS JOIN LATERAL (SELECT node.id FROM "Post" AS node WHERE node."userId" = author.id ${toSql(slice)}) AS post`;
        return findPosts(
          ctx,
          keys.map((key) => key.id),
          slice.order.direction,
        );
      },
      countAll: (ids) => countPostsBy(ctx, ids),
    },
    window,
  );
}

async function countPostsBy(ctx: Ctx, userIds: readonly string[]): Promise<Map<string, number>> {
  const where = { userId: { in: [...userIds] } };
  const groups = await ctx.db.post.groupBy({ by: "userId", where, _count: { _all: true } });
  return new Map(groups.map((group) => [group.userId, group._count._all]));
}

export const findPosts = (
  ctx: Ctx,
  ids: readonly string[],
  direction: "asc" | "desc" = "desc",
): Promise<Post[]> =>
  findWhole(ctx, {
    where: { id: { in: [...ids] } },
    orderBy: [{ createdAt: direction }, { id: direction }],
  });

/** Every post, newest first, chunk by chunk: memory does not grow with their number. */
export const readAllPosts = (ctx: Ctx, filter: { category?: string } = {}): AsyncGenerator<Post[]> =>
  readInChunks(ctx, { from: alone, where: whereFiltered(filter) }, (ids) => findPosts(ctx, ids));

/** Everything one account wrote, newest first. */
export const readAllPostsOf = (ctx: Ctx, userId: string): Promise<Post[]> =>
  findWhole(ctx, { where: { userId }, orderBy: [{ createdAt: "desc" }, { id: "desc" }] });

/** How many there are, in all or of a category. @throws BAD_USER_INPUT */
export const countPosts = async (ctx: Ctx, filter: { category?: string } = {}): Promise<number> =>
  ctx.db.post.count({ where: whereCategory(filter) });

const whereCategory = ({ category }: { category?: string }) =>
  category === undefined ? {} : { category: parseSearchText("category", category) };

/** @throws BAD_USER_INPUT `invalid id`, NOT_FOUND */
export async function readPost(ctx: Ctx, id: string): Promise<Post> {
  const [post] = await findWhole(ctx, { where: { id: parseId(id) } });
  if (!post) throw notFound("post");
  return post;
}

/** @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, and what savePicture throws */
export async function createPost(ctx: Ctx, receive: () => Promise<Received>): Promise<Post> {
  const viewer = requireViewer(ctx);
  const { fields, image } = await receive();
  if (!image) throw badInput("no image provided", { image: "no image provided" });
  const input = parseInput(postInput, fields);
  const category = await requireCategory(ctx, input.category);
  return savePicture(ctx, image, (picture) =>
    ctx.db.post
      .create({
        data: {
          title: input.title,
          description: input.description,
          category: category.title,
          user: { connect: { id: viewer.id } },
          image: { create: picture },
          createdAt: ctx.now(),
        },
        include: withImage,
      })
      .catch(refusedAs("missing", notFound("user"))),
  );
}

/** @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, FORBIDDEN */
export async function updatePost(ctx: Ctx, id: string, fields: unknown): Promise<Post> {
  const post = await requireOwnPost(ctx, id);
  const changes = parseInput(postChanges, fields);
  // An edit may keep a title whose category was deleted since.
  if (changes.category !== undefined && changes.category !== post.category)
    changes.category = (await requireCategory(ctx, changes.category)).title;
  await ctx.db.post
    .update({ where: { id: post.id }, data: changes })
    .catch(refusedAs("missing", notFound("post")));
  return readPost(ctx, post.id);
}

/** @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, FORBIDDEN, and what savePicture throws */
export async function updatePostImage(ctx: Ctx, id: string, receive: () => Promise<Received>): Promise<Post> {
  const post = await requireOwnPost(ctx, id);
  const { fields, image } = await receive();
  if (!image) throw badInput("no image provided", { image: "no image provided" });
  parseInput(noFields, fields);
  const { changed, oldImageId } = await savePicture(ctx, image, (picture) =>
    ctx.db.$transaction(async (tx) => {
      const oldImageId = await lockImage(tx, post.id);
      const data = { image: { create: picture } };
      const changed = await tx.post.update({ where: { id: post.id }, data, include: withImage });
      await tx.picture.deleteMany({ where: { id: oldImageId } });
      return { changed, oldImageId };
    }),
  );
  await removePicture(ctx, oldImageId);
  return changed;
}

/** Its comments, likes and picture go with it. @throws UNAUTHENTICATED, BAD_USER_INPUT, NOT_FOUND, FORBIDDEN */
export async function deletePost(ctx: Ctx, id: string) {
  requireViewer(ctx);
  const post = await readPost(ctx, id);
  if (!canDelete(ctx, post)) throw forbidden("access denied, forbidden");
  const imageId = await ctx.db.$transaction(async (tx) => {
    const imageId = await lockImage(tx, post.id);
    await tx.post.deleteMany({ where: { id: post.id } });
    await tx.picture.deleteMany({ where: { id: imageId } });
    return imageId;
  });
  await removePicture(ctx, imageId);
  return { id: post.id, message: "post has been deleted successfully" };
}

/**
 * The picture a post has right now, which stays so until the transaction ends: of two who change it at
 * once, each removes the one before theirs.
 * @throws NOT_FOUND when the post has gone meanwhile
 */
async function lockImage(tx: Tx, postId: string): Promise<string> {
  const [row] = await tx.$queryRaw<{ imageId: string }[]>`
    SELECT "imageId" FROM "Post" WHERE id = ${postId}::uuid FOR UPDATE`;
  if (!row) throw notFound("post");
  return row.imageId;
}

async function requireOwnPost(ctx: Ctx, id: string): Promise<Post> {
  requireViewer(ctx);
  const post = await readPost(ctx, id);
  if (!canEdit(ctx, post)) throw forbidden("access denied, you are not allowed");
  return post;
}
