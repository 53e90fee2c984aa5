import { countUsers, readAllUsers } from "../domain/users.ts";
import { presentUser } from "./present.ts";
import type { Route } from "./endpoint/routes.ts";
import { streamArray } from "./endpoint/streams.ts";
import * as operations from "./users.operations.ts";

export function userRoutes(route: Route): void {
  route("GET", "/users/profile", operations.listUsers, async ({ ctx, reply }) => {
    reply.header("x-total-count", await countUsers(ctx));
    return streamArray(readAllUsers(ctx), async (chunk) => chunk.map((user) => presentUser(ctx, user)));
  });
  route("GET", "/users/count", operations.countUsers, ({ ctx }) => countUsers(ctx));
}
