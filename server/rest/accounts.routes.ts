import { register, verifyEmail } from "../domain/accounts/accounts.ts";
import { checkResetLink, requestPasswordReset, resetPassword } from "../domain/accounts/password-resets.ts";
import * as operations from "./accounts.operations.ts";
import type { Route } from "./endpoint/routes.ts";

export function accountRoutes(route: Route): void {
  route("POST", "/auth/register", operations.register, ({ ctx, body }) => register(ctx, body));
  route("GET", "/auth/:id/verify/:token", operations.verifyEmail, ({ ctx, id, token }) =>
    verifyEmail(ctx, id, token),
  );
  route("POST", "/password/reset-password-link", operations.requestPasswordReset, ({ ctx, body }) =>
    requestPasswordReset(ctx, body),
  );
  route("GET", "/password/reset-password/:id/:token", operations.checkResetLink, ({ ctx, id, token }) =>
    checkResetLink(ctx, id, token),
  );
  route("POST", "/password/reset-password/:id/:token", operations.resetPassword, ({ ctx, id, token, body }) =>
    resetPassword(ctx, id, token, body),
  );
}
