import { login } from "../domain/accounts/sessions.ts";
import { presentSession } from "./present.ts";
import type { Route } from "./endpoint/routes.ts";
import * as operations from "./sessions.operations.ts";

export function sessionRoutes(route: Route): void {
  route("POST", "/auth/login", operations.login, async ({ ctx, body }) => {
    const { token, profile } = await login(ctx, body);
    return presentSession(ctx, profile, token);
  });
}
