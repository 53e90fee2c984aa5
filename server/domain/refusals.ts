import type { BlogError } from "../errors.ts";

/** How Prisma and PostgreSQL name what was refused. */
const codes = { unique: ["P2002", "23505"], reference: ["P2003", "23503"], missing: ["P2025"] };

/**
 * For `.catch`: what the database refuses for `reason` becomes `error`. The database is asked instead of
 * looked into beforehand, because between a look and a write somebody else may come.
 */
export const refusedAs =
  (reason: keyof typeof codes, error: BlogError) =>
  (thrown: { code?: string }): never => {
    throw codes[reason].includes(thrown.code ?? "") ? error : thrown;
  };
