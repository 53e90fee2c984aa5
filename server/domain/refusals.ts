import type { BlogError } from "../errors.ts";

/** How Prisma names what the database refused. */
const codes = { unique: "P2002", reference: "P2003", missing: "P2025" } as const;

/**
 * For `.catch`: what the database refuses for `reason` becomes `error`. The database is asked instead of
 * looked into beforehand, because between a look and a write somebody else may come.
 */
export const refusedAs =
  (reason: keyof typeof codes, error: BlogError) =>
  (thrown: { code?: string }): never => {
    throw thrown.code === codes[reason] ? error : thrown;
  };
