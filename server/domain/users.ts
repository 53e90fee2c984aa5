import type { Ctx } from "../context.ts";
import { readConnection, readInChunks, toPrisma, type Window } from "./connections.ts";
import { requireAdmin } from "./permissions.ts";
import { publicParts, type Profile } from "./profiles.ts";

/** Every account, newest first. @throws UNAUTHENTICATED, FORBIDDEN */
export function readUsers(ctx: Ctx, window: Window) {
  requireAdmin(ctx);
  return readConnection<Profile>(
    {
      order: "desc",
      find: (slice) => ctx.db.user.findMany({ ...toPrisma(slice), ...publicParts }),
      count: () => ctx.db.user.count(),
    },
    window,
  );
}

/** Every account, newest first, chunk by chunk. @throws UNAUTHENTICATED, FORBIDDEN */
export function readAllUsers(ctx: Ctx): AsyncGenerator<Profile[]> {
  requireAdmin(ctx);
  return readInChunks("desc", (slice) => ctx.db.user.findMany({ ...slice, ...publicParts }));
}

/** @throws UNAUTHENTICATED, FORBIDDEN */
export async function countUsers(ctx: Ctx): Promise<number> {
  requireAdmin(ctx);
  return ctx.db.user.count();
}
