import type { Ctx } from "./context.ts";
import { Prisma } from "../generated/prisma/client.ts";
import type { ConnectionArgs } from "./connections.ts";
import { nameKey } from "./input.ts";
import { containing, readInChunks, readList, type ListQuery, listQueryParser } from "./lists.ts";
import { requireAdmin } from "./permissions.ts";
import { findProfiles, type Profile } from "./profiles.ts";

const columns = {
  createdAt: Prisma.sql`node."createdAt"`,
  username: Prisma.sql`node."usernameKey"`,
  email: Prisma.sql`node.email`,
};

const parseWish = listQueryParser(columns, "-createdAt");

const from = Prisma.sql`"User" AS node`;

const findUsers = async (ctx: Ctx, ids: string[]) => [...(await findProfiles(ctx, ids)).values()];

/** Accounts, newest first unless sorted; `search` is part of a name or address. @throws UNAUTHENTICATED, FORBIDDEN, BAD_USER_INPUT */
export function readUsers(ctx: Ctx, wish: ListQuery, window: ConnectionArgs) {
  requireAdmin(ctx);
  const { search, order } = parseWish(wish);
  const pattern = containing(nameKey(search));
  const found = Prisma.sql`(node."usernameKey" LIKE ${pattern} OR node.email LIKE ${pattern})`;
  return readList<Profile>(ctx, { from, where: search ? [found] : [], order }, window, (ids) =>
    findUsers(ctx, ids),
  );
}

/** Every account, newest first, chunk by chunk. @throws UNAUTHENTICATED, FORBIDDEN */
export function readAllUsers(ctx: Ctx): AsyncGenerator<Profile[]> {
  requireAdmin(ctx);
  return readInChunks(ctx, { from, where: [] }, (ids) => findUsers(ctx, ids));
}

/** @throws UNAUTHENTICATED, FORBIDDEN */
export async function countUsers(ctx: Ctx): Promise<number> {
  requireAdmin(ctx);
  return ctx.db.user.count();
}
