import type { Ctx } from "../context.ts";

/** Logged in the same form by both APIs. Must not contain a token, password or email address. */
export type SecurityEvent = {
  event:
    | ("register" | "verify-email" | "sign-in" | "sign-out" | "sign-out-everywhere" | "end-session")
    | ("request-password-reset" | "reset-password" | "change-password" | "reauthenticate" | "delete-account");
  outcome: "success" | "failure";
  target?: string;
};

export function recordEvent(ctx: Ctx, { event, outcome, target }: SecurityEvent): void {
  const actor = ctx.viewer?.id ?? null;
  ctx.securityLog({
    event,
    outcome,
    actor,
    target: target ?? null,
    origin: ctx.origin,
    reqId: ctx.requestId,
  });
}
