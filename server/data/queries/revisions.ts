import type { Queries } from "../../domain/ports.ts";
import { createParams, keysetClause } from "./keyset.ts";
import { countBy, type RunPrepared } from "./run-prepared.ts";

export const revisionQueries = (runPrepared: RunPrepared): Pick<Queries, "revisions" | "countRevisions"> => ({
  revisions(postIds, slice, withTexts) {
    const query = createParams();
    const columns = `revision.id, "postId", "userId", title, category, "createdAt"${withTexts ? ", description" : ""}`;
    const text = `
      SELECT ${columns} FROM unnest(${query.add([...postIds])}::uuid[]) AS post(id)
      CROSS JOIN LATERAL (SELECT * FROM "Revision" WHERE "postId" = post.id ${keysetClause(slice, query.add)}) revision`;
    return runPrepared(text, query.values);
  },
  countRevisions: (postIds) =>
    countBy(runPrepared, `SELECT count(*)::int FROM "Revision" WHERE "postId" = key`, "uuid", postIds),
});
