import { requireAdmin } from "../domain/permissions.ts";
import type { Profile } from "../domain/profiles.ts";
import { countUsers, readAllUsers, readUsers } from "../domain/users.ts";
import { presentUser } from "./present.ts";
import { loaded, pageQuery, parseQuery, sendPage, windowOf } from "./endpoint/pages.ts";
import type { Route } from "./endpoint/routes.ts";
import { streamArray } from "./endpoint/streams.ts";
import * as operations from "./users.operations.ts";

export function userRoutes(route: Route, publicUrl: string): void {
  route("GET", "/users/profile", operations.listUsers, async ({ ctx, query, reply }) => {
    requireAdmin(ctx);
    const window = windowOf(parseQuery(pageQuery, query));
    const present = (chunk: Profile[]) => chunk.map((user) => presentUser(ctx, user));
    if (window) {
      const address = `${publicUrl}/api/users/profile`;
      return sendPage(await readUsers(ctx, {}, window), { address, query, reply, load: loaded, present });
    }
    reply.header("x-total-count", await countUsers(ctx));
    return streamArray(readAllUsers(ctx), present);
  });
  route("GET", "/users/count", operations.countUsers, ({ ctx }) => countUsers(ctx));
}
