import { registerInput } from "../domain/accounts/accounts.ts";
import { resetInput, resetRequest } from "../domain/accounts/password-resets.ts";
import { tooManyAttempts, type Operation } from "./endpoint/operations.ts";
import { message } from "./shapes.ts";

export const register = {
  name: "register",
  summary: "Open an account",
  details: `The address gets an email with a link to verify it. If it has an account already, the email says so, and
the caller hears the same as ever. An account that stays unverified for 7 days is removed.`,
  who: "everybody",
  effect: "write",
  body: registerInput,
  status: 201,
  response: message,
  refusals: {
    400: ['"username" is required'],
    409: ["username already exist"],
    429: [tooManyAttempts],
  },
} satisfies Operation;

export const verifyEmail = {
  name: "verifyEmail",
  summary: "Verify an address by the link of the email",
  details: "The link answers the same however often it is called, until it ends a day later.",
  who: "everybody",
  effect: "write",
  response: message,
  refusals: { 400: ["invalid link"] },
} satisfies Operation;

export const requestPasswordReset = {
  name: "requestPasswordReset",
  summary: "Have a link mailed for setting a new password",
  details: "Answers alike whether or not the address has an account.",
  who: "everybody",
  effect: "write",
  body: resetRequest,
  response: message,
  refusals: { 400: ['"email" must be a valid email'], 429: [tooManyAttempts] },
} satisfies Operation;

export const checkResetLink = {
  name: "resetLinkValid",
  summary: "Ask whether a link for a new password is still good",
  who: "everybody",
  effect: "read",
  response: message,
  refusals: { 400: ["invalid link"] },
} satisfies Operation;

export const resetPassword = {
  name: "resetPassword",
  summary: "Set a new password by the link in the email",
  details: "Works once, within an hour. Verifies the account too, and ends every session of it.",
  who: "everybody",
  effect: "write",
  body: resetInput,
  response: message,
  refusals: { 400: ["invalid link"] },
} satisfies Operation;
