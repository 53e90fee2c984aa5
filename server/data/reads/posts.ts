import type { Post, PostFilter, PostWith, Reads, Slice, Wanted } from "../../reads.ts";
import { countBy, type Ask } from "./ask.ts";
import { joinAuthor, pictureJson, profileJson, toProfile, type ProfileJson } from "./columns.ts";
import type { Ranks } from "./ranks.ts";
import { numbered, orderOf, tailOf } from "./slices.ts";

type Put = (value: unknown) => string;
type CommentJson = Omit<NonNullable<Post["comments"]>[number], "author"> & { author: ProfileJson };
type Raw = Omit<Post, "author" | "comments"> & { author?: ProfileJson; comments?: CommentJson[] };

/** Reads posts whose keys `keys` selects: the keys first, so that a skipped row costs no join. */
async function readPosts<W extends Wanted>(
  ask: Ask,
  keys: string,
  slice: Pick<Slice, "direction">,
  wanted: W,
  query: Query,
): Promise<PostWith<W>[]> {
  const parts = Object.entries(partsOf(wanted, query.put));
  const text = `
    SELECT post.id, post.title, post.description, post.category, post."userId", post."imageId",
      post."createdAt", post."updatedAt", ${pictureJson("image")} AS image
      ${parts.map(([name, sql]) => `, ${sql} AS "${name}"`).join("")}
    FROM (${keys}) key JOIN "Post" post USING (id) JOIN "Picture" image ON image.id = post."imageId"
    ${wanted.author ? joinAuthor("post") : ""} ${orderOf(slice, "post.")}`;
  const rows = await ask<Raw>(text, query.values);
  return rows.map(toPost) as PostWith<W>[];
}

type Query = ReturnType<typeof numbered>;

function partsOf(
  { author, likers, likeCount, commentCount, comments }: Wanted,
  put: Put,
): Record<string, string> {
  return {
    ...(author && { author: profileJson("author", "photo") }),
    ...(likers && {
      likers: `ARRAY(SELECT "userId"::text FROM "Like" WHERE "postId" = post.id ORDER BY "createdAt", "userId")`,
    }),
    ...(likeCount && { likeCount: `(SELECT count(*)::int FROM "Like" WHERE "postId" = post.id)` }),
    ...(commentCount && { commentCount: `(SELECT count(*)::int FROM "Comment" WHERE "postId" = post.id)` }),
    ...(comments && { comments: commentsOf(comments, put) }),
  };
}

const commentsOf = (slice: Slice, put: Put) => `(
  SELECT coalesce(json_agg(json_build_object('id', comment.id, 'text', text, 'postId', "postId", 'userId', "userId",
    'createdAt', comment."createdAt", 'updatedAt', comment."updatedAt", 'author', ${profileJson("author", "photo")})
    ${orderOf(slice, "comment.")}), '[]')
  FROM (SELECT * FROM "Comment" WHERE "postId" = post.id ${tailOf(slice, put)}) comment ${joinAuthor("comment")})`;

const toPost = ({ author, comments, ...post }: Raw): Post => ({
  ...post,
  ...(author && { author: toProfile(author) }),
  ...(comments && { comments: comments.map(toComment) }),
});

const toComment = ({ author, ...comment }: CommentJson) => ({
  ...comment,
  createdAt: new Date(comment.createdAt),
  updatedAt: new Date(comment.updatedAt),
  author: toProfile(author),
});

const isEverything = ({ category, author }: PostFilter) => category === undefined && author === undefined;

function whereOf({ category, author }: PostFilter, put: Put): string {
  const conditions = [
    ...(category === undefined ? [] : [`category = ${put(category)}`]),
    ...(author === undefined ? [] : [`"userId" = ${put(author)}`]),
  ];
  return conditions.join(" AND ") || "true";
}

type PostReads = Pick<
  Reads,
  "posts" | "postsById" | "postsOf" | "countPosts" | "countPostsIn" | "countPostsOf"
>;

export const postReads = (ask: Ask, ranks: Ranks): PostReads => ({
  async posts(filter, wantedSlice, wanted) {
    const query = numbered();
    const slice = isEverything(filter) ? await ranks.shorten(wantedSlice) : wantedSlice;
    const keys = `SELECT id FROM "Post" WHERE ${whereOf(filter, query.put)} ${tailOf(slice, query.put)}`;
    return readPosts(ask, keys, slice, wanted, query);
  },

  postsById(ids, wanted) {
    const query = numbered();
    const keys = `SELECT unnest(${query.put([...new Set(ids)])}::uuid[]) AS id`;
    return readPosts(ask, keys, { direction: "desc" }, wanted, query);
  },

  postsOf(authorIds, slice) {
    const query = numbered();
    const keys = `
      SELECT written.id FROM unnest(${query.put([...authorIds])}::uuid[]) AS author(id)
      CROSS JOIN LATERAL (SELECT id FROM "Post" WHERE "userId" = author.id ${tailOf(slice, query.put)}) written`;
    return readPosts(ask, keys, slice, {}, query);
  },

  async countPosts(filter) {
    const known = isEverything(filter) ? await ranks.countAll() : null;
    if (known !== null) return known;
    const query = numbered();
    const where = whereOf(filter, query.put);
    const [row] = await ask<{ count: number }>(
      `SELECT count(*)::int FROM "Post" WHERE ${where}`,
      query.values,
    );
    return row?.count ?? 0;
  },

  countPostsIn: (categories) => countBy(ask, "Post", "category", "text", categories),
  countPostsOf: (authorIds) => countBy(ask, "Post", "userId", "uuid", authorIds),
});
