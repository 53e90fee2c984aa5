import type { Db, OwnStore, Writes } from "../../domain/ports.ts";
import { IDENTITY_SQL } from "../replicas/primary-positions.ts";
import { addPictureCompletion } from "./jobs.ts";
import { Prisma } from "../../generated/prisma/client.ts";

const { sql } = Prisma;

// Without MATERIALIZED the planner calls "picturesIn", which takes milliseconds, for all texts of the uploader.
const isInTable = (table: "Post" | "Draft" | "Revision") => sql`upload."userId" IN (
  WITH shown AS MATERIALIZED (
    SELECT "userId" FROM ${Prisma.raw(`"${table}"`)} WHERE "picturesIn"(description) @> ARRAY[upload."pictureId"])
  SELECT "userId" FROM shown)`;

/** A text of the uploader shows the picture. Texts of others do not count: they must not keep it from being deleted. */
const isInText = sql`(${isInTable("Post")} OR ${isInTable("Draft")} OR ${isInTable("Revision")})`;

const isCover = (id: Prisma.Sql) => sql`(
  EXISTS (SELECT FROM "Post" WHERE "imageId" = ${id}) OR EXISTS (SELECT FROM "User" WHERE "photoId" = ${id})
  OR EXISTS (SELECT FROM "Draft" WHERE "pictureId" = ${id}))`;

const isUsed = sql`(${isCover(sql`upload."pictureId"`)} OR ${isInText})`;

const REVISIONS = 20;
/** A statement that changes more posts would clear all caches. */
const POSTS = 1_000;

type Deleted = { id: string };
const idsOf = (rows: Deleted[]) => rows.map(({ id }) => id);

type PictureWrites = Pick<
  Writes,
  | "findOwnStore"
  | "findUploadsOfPost"
  | "deleteUnusedPictures"
  | "deleteAbandonedUploads"
  | "outdateHtmlWith"
  | "enqueuePictureCompletion"
>;

async function findOwnStore(db: Db): Promise<OwnStore | null> {
  const store = await db.mediaFolder.findFirst();
  if (store?.database == null) return store;
  const [row] = await db.$queryRawUnsafe<{ identity: string }[]>(IDENTITY_SQL);
  return row?.identity === store.database ? store : null;
}

export const pictureWrites = (db: Db): PictureWrites => ({
  findOwnStore: () => findOwnStore(db),

  // Leaves pictures of earlier revisions to the job: finding those of 200 long texts takes seconds.
  findUploadsOfPost: async (tx, postId) =>
    idsOf(
      await tx.$queryRaw<Deleted[]>`
        SELECT upload."pictureId" AS id FROM "Post" author JOIN "Upload" upload ON upload."userId" = author."userId"
        WHERE author.id = ${postId}::uuid AND upload."pictureId" IN (
          SELECT unnest("picturesIn"(description)) FROM "Post" WHERE id = ${postId}::uuid
          UNION SELECT unnest("picturesIn"(description)) FROM (
            SELECT description FROM "Revision" WHERE "postId" = ${postId}::uuid
            ORDER BY "createdAt" DESC, id DESC LIMIT ${REVISIONS}::int) newest
          UNION SELECT unnest("picturesIn"(description) || "pictureId") FROM "Draft" WHERE "postId" = ${postId}::uuid)`,
    ),

  deleteUnusedPictures: async (tx, ids) =>
    idsOf(
      await tx.$queryRaw<Deleted[]>`
        DELETE FROM "Picture" picture WHERE id = ANY (${[...ids]}::uuid[]) AND NOT ${isCover(sql`picture.id`)}
        AND NOT EXISTS (SELECT FROM "Upload" upload WHERE upload."pictureId" = picture.id AND ${isInText}) RETURNING id`,
    ),

  deleteAbandonedUploads: async ({ after, take }, now, before) => {
    const ids = idsOf(
      await db.$queryRaw<Deleted[]>`
        SELECT "pictureId" AS id FROM "Upload" WHERE "pictureId" > ${after}::uuid ORDER BY "pictureId" LIMIT ${take}::int`,
    );
    const isInBatch = sql`"pictureId" = ANY (${ids}::uuid[])`;
    await db.$executeRaw`
      UPDATE "Upload" upload SET "unusedSince" = NULL WHERE ${isInBatch} AND "unusedSince" IS NOT NULL AND ${isUsed}`;
    await db.$executeRaw`
      UPDATE "Upload" upload SET "unusedSince" = ${now} WHERE ${isInBatch} AND "unusedSince" IS NULL AND NOT ${isUsed}`;
    const removed = await db.$queryRaw<Deleted[]>`
      DELETE FROM "Picture" WHERE id IN (
        SELECT "pictureId" FROM "Upload" upload WHERE ${isInBatch} AND "unusedSince" <= ${before} AND NOT ${isUsed})
      RETURNING id`;
    return { removed: idsOf(removed), last: ids.length === take ? (ids.at(-1) ?? null) : null };
  },

  enqueuePictureCompletion: () => addPictureCompletion(db),

  // Statements of their own: as part of the picture's change they could deadlock with the deletion of a post.
  outdateHtmlWith: async (pictureId) => {
    let [count, last] = [0, POSTS];
    while (last === POSTS) {
      last = await db.$executeRaw`
        UPDATE "PostHtml" SET version = 0 WHERE "postId" IN (
          SELECT "postId" FROM "Upload" upload JOIN "Post" post ON post."userId" = upload."userId"
          JOIN "PostHtml" html ON html."postId" = post.id
          WHERE upload."pictureId" = ${pictureId}::uuid AND "picturesIn"(post.description) @> ARRAY[upload."pictureId"]
            AND html.version <> 0 LIMIT ${POSTS}::int)`;
      count += last;
    }
    return count;
  },
});
