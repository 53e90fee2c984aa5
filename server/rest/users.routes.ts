import { Readable } from "node:stream";
import { countUsers, readAllUsers } from "../domain/users.ts";
import { presentUser } from "./present.ts";
import type { Route } from "./routes.ts";
import { streamArray } from "./streams.ts";

export function userRoutes(route: Route): void {
  route("GET", "/users/profile", ({ ctx, reply }) => {
    const chunks = readAllUsers(ctx);
    reply.type("application/json; charset=utf-8");
    return Readable.from(streamArray(chunks, async (chunk) => chunk.map((user) => presentUser(ctx, user))));
  });
  route("GET", "/users/count", ({ ctx }) => countUsers(ctx));
}
