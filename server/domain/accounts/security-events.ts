import type { Ctx } from "../context.ts";

/** What the log tells of accounts, in one form whichever API was used. Never a token, password or address of mail. */
export type SecurityEvent = {
  event:
    | ("register" | "verify-email" | "sign-in" | "sign-out" | "sign-out-everywhere" | "end-session")
    | ("request-password-reset" | "reset-password" | "change-password" | "reauthenticate" | "delete-account");
  outcome: "success" | "failure";
  /** The id of the account it is about, where that is known. */
  target?: string;
};

/** `actor` is the account that is signed in; null for a visitor. */
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
