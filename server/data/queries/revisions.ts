import type { Queries } from "../../domain/ports.ts";
import type { RevisionModel } from "../../generated/prisma/models.ts";
import { createParams, keysetClause, orderOf } from "./keyset.ts";
import { addTexts, limitedText } from "./post-texts.ts";
import { countBy, type RunPrepared } from "./run-prepared.ts";

export const revisionQueries = (runPrepared: RunPrepared): Pick<Queries, "revisions" | "countRevisions"> => ({
  async revisions(postIds, slice, withTexts) {
    const query = createParams();
    const description = limitedText("description", orderOf(slice, "revision."));
    const columns = `revision.id, "postId", "userId", title, category, "createdAt" ${withTexts ? `, ${description} AS description` : ""}`;
    const text = `
      SELECT ${columns} FROM unnest(${query.add([...postIds])}::uuid[]) AS post(id)
      CROSS JOIN LATERAL (SELECT * FROM "Revision" WHERE "postId" = post.id ${keysetClause(slice, query.add)}) revision`;
    return addTexts(runPrepared, "Revision", await runPrepared<RevisionModel>(text, query.values));
  },
  countRevisions: (postIds) =>
    countBy(runPrepared, `SELECT count(*)::int FROM "Revision" WHERE "postId" = key`, "uuid", postIds),
});
