import type { Slice } from "../../domain/post-selection.ts";

export function createParams() {
  const values: unknown[] = [];
  return { values, add: (value: unknown) => `$${values.push(value)}` };
}

export const orderOf = ({ direction }: Pick<Slice, "direction">, alias = "") =>
  `ORDER BY ${alias}"createdAt" ${direction}, ${alias}id ${direction}`;

/** Inlines the limit, since a generic plan for a LIMIT parameter expects a tenth of the table. */
export function keysetClause(slice: Slice, add: (value: unknown) => string): string {
  const { cursor, direction, take, skip, until } = slice;
  const operator = direction === "asc" ? ">" : "<";
  const beyond = cursor
    ? ` AND ("createdAt", id) ${operator} (${add(cursor.createdAt)}, ${add(cursor.id)}::uuid)`
    : "";
  const before = until ? ` AND "createdAt" < ${add(until)}` : "";
  return `${beyond}${before} ${orderOf(slice)} LIMIT ${Number.isFinite(take) ? take : "ALL"}${skip > 0 ? ` OFFSET ${add(skip)}` : ""}`;
}
