import { requireAdmin } from "../domain/permissions.ts";
import type { Profile } from "../domain/profiles.ts";
import { countUsers, readAllUsers, readUsers } from "../domain/users.ts";
import { presentUser } from "./present.ts";
import { alreadyLoaded, pageQuery, parseQuery, sendPage, connectionArgsOf } from "./endpoint/pages.ts";
import type { Route } from "./endpoint/routes.ts";
import { streamArray } from "./endpoint/streams.ts";
import * as operations from "./users.operations.ts";

export function userRoutes(route: Route): void {
  route("GET", "/users/profile", operations.listUsers, async ({ ctx, query, reply }) => {
    requireAdmin(ctx);
    const pageArgs = connectionArgsOf(parseQuery(pageQuery, query));
    const present = (chunk: Profile[]) => chunk.map((user) => presentUser(ctx, user));
    if (pageArgs) {
      const address = `${ctx.siteUrl}/api/users/profile`;
      return sendPage(await readUsers(ctx, {}, pageArgs), {
        address,
        query,
        reply,
        load: alreadyLoaded,
        present,
      });
    }
    reply.header("x-total-count", await countUsers(ctx));
    return streamArray(readAllUsers(ctx), present);
  });
  route("GET", "/users/count", operations.countUsers, ({ ctx }) => countUsers(ctx));
}
