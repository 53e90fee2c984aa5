import type { Db, Writes } from "../../domain/ports.ts";
import { pictureWrites } from "./pictures.ts";
import { countInWindow } from "./rate-limits.ts";
import { tagWrites } from "./tags.ts";

export const openWrites = (db: Db): Writes => ({
  countInWindow: countInWindow(db),
  ...pictureWrites(db),
  ...tagWrites,

  // The lock waits for a concurrent update of the post and then sees its text.
  storeHtml: async ({ postId, description, html, version }) => {
    await db.$executeRaw`
      WITH current AS (SELECT id FROM "Post" WHERE id = ${postId}::uuid AND description = ${description} FOR SHARE)
      UPDATE "PostHtml" SET html = ${html}, version = ${version} FROM current WHERE "postId" = current.id`;
  },

  setConfusableKeys: async (keys) => {
    const [ids, values] = [[...keys.keys()], [...keys.values()]];
    await db.$executeRaw`
      UPDATE "User" SET "confusableKey" = filled.key
      FROM unnest(${ids}::uuid[], ${values}::text[]) AS filled(id, key) WHERE "User".id = filled.id`;
  },
});
