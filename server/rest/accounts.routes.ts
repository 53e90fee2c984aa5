import { register, verifyEmail } from "../domain/accounts.ts";
import { checkResetLink, requestPasswordReset, resetPassword } from "../domain/password-resets.ts";
import type { Route } from "./routes.ts";

export function accountRoutes(route: Route): void {
  route("POST", "/auth/register", async ({ ctx, body, reply }) => {
    const answer = await register(ctx, body);
    reply.code(201);
    return answer;
  });
  route("GET", "/auth/:id/verify/:token", ({ ctx, id, token }) => verifyEmail(ctx, id, token));
  route("POST", "/password/reset-password-link", ({ ctx, body }) => requestPasswordReset(ctx, body));
  route("GET", "/password/reset-password/:id/:token", ({ ctx, id, token }) => checkResetLink(ctx, id, token));
  route("POST", "/password/reset-password/:id/:token", ({ ctx, id, token, body }) =>
    resetPassword(ctx, id, token, body),
  );
}
