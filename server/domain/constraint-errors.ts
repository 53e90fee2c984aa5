import type { BlogError } from "../errors.ts";

/** How Prisma and PostgreSQL name what was refused. */
const codes = { unique: ["P2002", "23505"], reference: ["P2003", "23503"], missing: ["P2025"] };

/**
 * For `.catch`: what the database refuses for `reason` becomes `error`. The database is asked instead of
 * looked into beforehand, because between a look and a write somebody else may come.
 */
export const mapConstraintError =
  (reason: keyof typeof codes, error: BlogError) =>
  (thrown: unknown): never => {
    throw isRefusedAs(reason, thrown) ? error : thrown;
  };

export const isRefusedAs = (reason: keyof typeof codes, thrown: unknown): boolean =>
  codes[reason].includes((thrown as { code?: string } | undefined)?.code ?? "");
