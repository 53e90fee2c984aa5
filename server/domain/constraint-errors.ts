import type { BlogError } from "../errors.ts";

const codes = { unique: ["P2002", "23505"], reference: ["P2003", "23503"], missing: ["P2025"] };

/** For `.catch`: maps a constraint violation to another error. A check before the write would race with other writes. */
export const mapConstraintError =
  (reason: keyof typeof codes, createError: () => BlogError) =>
  (thrown: unknown): never => {
    throw isRefusedAs(reason, thrown) ? createError() : thrown;
  };

export const isRefusedAs = (reason: keyof typeof codes, thrown: unknown): boolean =>
  codes[reason].includes((thrown as { code?: string } | undefined)?.code ?? "");
