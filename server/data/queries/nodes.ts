import type { Queries } from "../../domain/ports.ts";
import type { NodeType } from "../../domain/post-selection.ts";
import type { RunPrepared } from "./run-prepared.ts";

const tables: [NodeType, string][] = [
  ["Post", "Post"],
  ["Comment", "Comment"],
  ["Category", "Category"],
  ["Profile", "User"],
  ["Tag", "Tag"],
];

const statement = tables
  .map(([type, table]) => `SELECT id, '${type}' AS type FROM "${table}" WHERE id = ANY($1::uuid[])`)
  .join(" UNION ALL ");

export const nodeQueries = (runPrepared: RunPrepared): Pick<Queries, "nodeTypes"> => ({
  async nodeTypes(ids) {
    const rows = await runPrepared<{ id: string; type: NodeType }>(statement, [[...ids]]);
    return new Map(rows.map(({ id, type }) => [id, type]));
  },
});
