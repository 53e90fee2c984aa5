import { badInput } from "../../errors.ts";
import { MAX_FIRST } from "./connections.ts";
import { queueIfLong } from "./lists.ts";
import type { ReadCtx } from "../context.ts";
import { parseId } from "../input.ts";
import type { Category, Comment, NodeType, Tag } from "../post-selection.ts";

export type NodeKey = { id: string; type: NodeType };

/** The object of each id, in the order of `ids`; null for an unknown id. @throws BAD_USER_INPUT */
export async function findNodeTypes(ctx: ReadCtx, ids: readonly string[]): Promise<(NodeKey | null)[]> {
  if (ids.length > MAX_FIRST) throw badInput(`"ids" may hold ${MAX_FIRST} ids`);
  const keys = ids.map(parseId);
  const types = await ctx.queries.nodeTypes(keys);
  return keys.map((id) => {
    const type = types.get(id);
    return type ? { id, type } : null;
  });
}

const byId = <T extends { id: string }>(rows: T[]) => new Map(rows.map((row) => [row.id, row]));

export const findCommentsById = async (ctx: ReadCtx, ids: readonly string[]): Promise<Map<string, Comment>> =>
  byId(await queueIfLong(true, ctx.origin, () => ctx.queries.commentsById(ids)));

export const findCategoriesById = async (
  ctx: ReadCtx,
  ids: readonly string[],
): Promise<Map<string, Category>> => byId(await ctx.queries.categoriesById(ids));

export const findTagsById = async (ctx: ReadCtx, ids: readonly string[]): Promise<Map<string, Tag>> =>
  byId(await ctx.queries.tagsById(ids));
