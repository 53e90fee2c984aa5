import type { ReadCtx } from "./context.ts";
import type { ConnectionArgs } from "./lists/connections.ts";
import {
  inOneGroup,
  nameSearch,
  readInChunks,
  readList,
  type ListQuery,
  listQueryParser,
} from "./lists/lists.ts";
import { requireAdmin } from "./permissions.ts";
import { findProfiles, type Profile } from "./profiles.ts";

const parseQuery = listQueryParser(["createdAt", "username", "email"], "-createdAt");

const findUsers = async (ctx: ReadCtx, ids: string[]) => [...(await findProfiles(ctx, ids)).values()];

/** Accounts, newest first by default; `search` matches part of a name or email. @throws UNAUTHENTICATED, FORBIDDEN, BAD_USER_INPUT */
export function readUsers(ctx: ReadCtx, query: ListQuery, pageArgs: ConnectionArgs) {
  requireAdmin(ctx);
  const { search, order } = parseQuery(query);
  const selection = { list: "users", search: nameSearch(search) } as const;
  return readList<Profile>(ctx, { selection, order }, pageArgs, (ids) => findUsers(ctx, ids));
}

/** Yields every account in chunks, newest first. @throws UNAUTHENTICATED, FORBIDDEN */
export function readAllUsers(ctx: ReadCtx): AsyncGenerator<Profile[]> {
  requireAdmin(ctx);
  return readInChunks(
    ctx,
    { list: "users", search: null },
    inOneGroup((ids) => findUsers(ctx, ids)),
  );
}

/** @throws UNAUTHENTICATED, FORBIDDEN */
export async function countUsers(ctx: ReadCtx): Promise<number> {
  requireAdmin(ctx);
  return ctx.queries.countList({ list: "users", search: null });
}
