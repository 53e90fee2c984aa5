/** The pool options of limits, peers and blog: the same size and planner settings for all. */
export const poolOptions = {
  connectionString: process.env["DATABASE_URL"],
  max: 16,
  options: "-c plan_cache_mode=force_generic_plan -c random_page_cost=1.1",
};

const likes = `(SELECT coalesce(json_agg(l."userId" ORDER BY l."createdAt", l."userId"), '[]') FROM "Like" l WHERE l."postId" = p.id)`;
const author = `json_build_object('id', u.id, 'username', u.username)`;
const instant = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** $1: the rows to skip. The keys are selected first, so that a skipped row costs only its index entry. */
export const pageJson = `
  SELECT coalesce(json_agg(json_build_object('id', p.id, 'title', p.title, 'category', p.category,
    'createdAt', ${instant('p."createdAt"')}, 'user', ${author}, 'likes', ${likes})
    ORDER BY p."createdAt" DESC, p.id DESC), '[]')::text AS json
  FROM (SELECT id FROM "Post" ORDER BY "createdAt" DESC, id DESC LIMIT 3 OFFSET $1) k
  JOIN "Post" p ON p.id = k.id JOIN "User" u ON u.id = p."userId"`;

/** The usual form, which joins each skipped row too. */
export const pageJsonPlain = `
  SELECT coalesce(json_agg(row), '[]')::text AS json FROM (
    SELECT p.id, p.title, p.category, ${instant('p."createdAt"')} AS "createdAt", ${author} AS "user", ${likes} AS likes
    FROM "Post" p JOIN "User" u ON u.id = p."userId" ORDER BY p."createdAt" DESC, p.id DESC LIMIT 3 OFFSET $1) row`;

/** $1: the post's id. */
export const postJson = `
  SELECT json_build_object('id', p.id, 'title', p.title, 'description', p.description, 'category', p.category,
    'createdAt', ${instant('p."createdAt"')}, 'user', ${author}, 'likes', ${likes},
    'comments', (SELECT coalesce(json_agg(json_build_object('id', c.id, 'text', c.text, 'username', v.username,
        'createdAt', ${instant('c."createdAt"')}) ORDER BY c."createdAt", c.id), '[]')
      FROM "Comment" c JOIN "User" v ON v.id = c."userId" WHERE c."postId" = p.id))::text AS json
  FROM "Post" p JOIN "User" u ON u.id = p."userId" WHERE p.id = $1`;

/** $1: SHA-256 of the token, $2: the post's id. Deletes the like, or inserts one if there is none. */
export const toggleJson = `
  WITH viewer AS (SELECT "userId" AS id FROM "Session" WHERE "tokenHash" = $1),
  gone AS (DELETE FROM "Like" USING viewer WHERE "postId" = $2 AND "userId" = viewer.id RETURNING 1),
  came AS (INSERT INTO "Like" ("postId", "userId") SELECT $2, id FROM viewer WHERE NOT EXISTS (SELECT FROM gone)
    ON CONFLICT DO NOTHING RETURNING "userId")
  SELECT json_build_object('id', $2::uuid, 'viewerHasLiked', EXISTS (SELECT FROM came))::text AS json`;
