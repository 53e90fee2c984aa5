import { VERIFY_MESSAGE } from "../domain/accounts/accounts.ts";
import { loginInput } from "../domain/accounts/sessions.ts";
import { tooManyAttempts, type Operation } from "./endpoint/operations.ts";
import { userSession } from "./shapes.ts";

export const login = {
  name: "login",
  summary: "Sign in",
  details: "A session ends after 7 days without a call, and after 30 days in any case.",
  who: "everybody",
  effect: "write",
  body: loginInput,
  response: userSession,
  refusals: { 400: ["invalid email or password", VERIFY_MESSAGE], 429: [tooManyAttempts] },
} satisfies Operation;
