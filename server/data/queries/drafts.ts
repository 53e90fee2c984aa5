import type { DraftModel } from "../../generated/prisma/models.ts";
import type { Queries, Upload } from "../../domain/ports.ts";
import { createParams, keysetClause, orderOf } from "./keyset.ts";
import { addTexts, limitedText } from "./post-texts.ts";
import { columnsOf, pictureJson } from "./row-json.ts";
import type { RunPrepared } from "./run-prepared.ts";

type DraftQueries = Pick<
  Queries,
  "draft" | "drafts" | "countDrafts" | "uploads" | "preview" | "previewTokens"
>;

const names = [
  ...["id", "userId", "postId", "postUpdatedAt", "title", "category", "tags", "pictureId", "alt"],
  ...["version", "publishAt", "publishError", "createdAt", "updatedAt"],
];
const columns = Object.values(columnsOf("draft", names)).join(", ");
const withText = `${columns}, draft.description`;

export const draftQueries = (runPrepared: RunPrepared): DraftQueries => ({
  async draft(userId, id) {
    const text = `SELECT ${withText} FROM "Draft" draft WHERE id = $1::uuid AND "userId" = $2::uuid`;
    const [draft] = await runPrepared<DraftModel>(text, [id, userId]);
    return draft ?? null;
  },
  async drafts(userId, slice, withTexts) {
    const query = createParams();
    const order = orderOf(slice, "draft.");
    const text = `SELECT ${columns} ${withTexts ? `, ${limitedText("draft.description", order)} AS description` : ""} FROM (
      SELECT * FROM "Draft" WHERE "userId" = ${query.add(userId)}::uuid ${keysetClause(slice, query.add)}) draft ${order}`;
    return addTexts(runPrepared, "Draft", await runPrepared<DraftModel>(text, query.values));
  },
  async countDrafts(userId) {
    const text = `SELECT count(*)::int AS count FROM "Draft" WHERE "userId" = $1::uuid`;
    const [row] = await runPrepared<{ count: number }>(text, [userId]);
    return row?.count ?? 0;
  },
  async preview(token) {
    const text = `SELECT ${withText} FROM "PreviewLink" link JOIN "Draft" draft ON draft.id = link."draftId" WHERE token = $1`;
    const [draft] = await runPrepared<DraftModel>(text, [token]);
    return draft ?? null;
  },
  async previewTokens(draftIds) {
    const text = `SELECT "draftId", token FROM "PreviewLink" WHERE "draftId" = ANY ($1::uuid[])`;
    const links = await runPrepared<{ draftId: string; token: string }>(text, [[...draftIds]]);
    return new Map(links.map(({ draftId, token }) => [draftId, token]));
  },
  async uploads(ids) {
    const text = `
      SELECT "pictureId", "userId", alt, "unusedSince", ${pictureJson("picture")} AS picture
      FROM "Upload" JOIN "Picture" picture ON picture.id = "pictureId" WHERE "pictureId" = ANY ($1::uuid[])`;
    const uploads = await runPrepared<Upload>(text, [[...ids]]);
    return new Map(uploads.map((upload) => [upload.pictureId, upload]));
  },
});
