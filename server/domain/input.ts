import { z } from "zod";
import { badField, badInput, BlogError, type FieldErrors } from "../errors.ts";

/** PostgreSQL's text type cannot hold NUL or a lone surrogate. */
export const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed();

/**
 * More marks on one letter than any script has: Unicode normalization sorts them in quadratic time, in PostgreSQL too. The
 * halfwidth sound marks of Japanese become marks.
 */
const LONG_MARK_RUNS = /(?<![\p{M}\uff9e\uff9f])([\p{M}\uff9e\uff9f]{64})[\p{M}\uff9e\uff9f]+/gu;

/** For texts of releases that accepted any number, and of restored backups. */
export const cutMarkRuns = (text: string): string => text.replace(LONG_MARK_RUNS, "$1");

/** Browsers submit forms with CR LF; the database and the length limits use LF. */
const withLineFeeds = (value: string) => value.replace(/\r\n?/g, "\n");

/** Nobody sees them, XML cannot contain them, and JSON has six bytes for each. Tabs and line ends are none of these. */
const CONTROL = /[\u0001-\u0008\u000b\u000c\u000e-\u001f]+/g;

export const withoutControls = (value: string) => value.replace(CONTROL, "");

const storable = (string = z.string()) =>
  string
    .refine((value) => isStorable(value) && cutMarkRuns(value) === value, {
      error: "contains invalid characters",
      abort: true,
    })
    .overwrite(withLineFeeds);

const SHORT = 2_000;

/** Whether normalization, which the search needs, leaves a text about as long: one character can stand for 18. */
const staysShort = (value: string) =>
  value.length <= SHORT || value.normalize("NFKC").length <= 2 * value.length;

const limited = (schema: z.ZodString, max: number) =>
  schema.max(max).refine((value) => value.length > max || staysShort(value), {
    error: "has too many characters that stand for several others",
  });

/** Trimmed text of `min` to `max` characters, with LF line ends. */
export const text = (min: number, max: number) => limited(storable().trim().min(min), max);

/** As `text`, for what people read: without control characters. */
export const prose = (min: number, max: number) =>
  limited(storable(z.string().overwrite(withoutControls)).trim().min(min), max);

/** Text of at most `max` characters as it was typed, with LF line ends. */
export const typedText = (max: number) => limited(storable(), max);

/** The years that ISO 8601, PostgreSQL and its drivers write alike: PostgreSQL has no year 0. */
const [FIRST, LAST] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];

const YEARS = "must be in the years 1 to 9999";
export const isStorableTime = (time: number) => time >= FIRST && time <= LAST;

/** A time that a row can have. */
export const storableTime = z.date().refine((time) => isStorableTime(time.getTime()), YEARS);

/** @throws BAD_USER_INPUT for a time that no row can have */
export function parseTime(name: string, time: Date): Date {
  const message = `"${name}" ${YEARS}`;
  if (!isStorableTime(time.getTime())) throw badField(name, message);
  return time;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isId = (value: string) => UUID.test(value);

/** @throws BAD_USER_INPUT `invalid id` */
export function parseId(value: string): string {
  if (!isId(value)) throw badInput("invalid id");
  return value.toLowerCase();
}

/** A comparison key that ignores case and Unicode composition: "José" equals "JOSÉ". */
export const nameKey = (name: string) => name.normalize("NFKC").toLowerCase();

/** More elements than any list may have: zod reports each that is invalid. */
const MAX_ELEMENTS = 101;

const shorten = (list: unknown) => (Array.isArray(list) ? list.slice(0, MAX_ELEMENTS) : list);

const withShortLists = (value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shorten(field)]))
    : value;

/**
 * Parses untrusted input; null and undefined count as an empty object.
 * @throws BAD_USER_INPUT with the first message, and one message per invalid field in `fields`
 */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  // The transport passes an unreadable body on as an error, so that permission errors come first.
  if (value instanceof BlogError) throw value;
  const result = schema.safeParse(withShortLists(value ?? {}), { reportInput: true });
  if (result.success) return result.data;
  const fields: FieldErrors = Object.create(null) as FieldErrors;
  // Unknown keys come last, since a message about a missing field helps more.
  const issues = result.error.issues.toSorted((a, b) => rank(a) - rank(b));
  for (const { field, message } of issues.flatMap(describe)) fields[field] ??= message;
  throw badInput(Object.values(fields)[0] ?? "invalid input", fields);
}

const rank = (issue: z.core.$ZodIssue) => (issue.code === "unrecognized_keys" ? 1 : 0);

const NAMED_KEYS = 10;

function describe(issue: z.core.$ZodIssue): { field: string; message: string }[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.slice(0, NAMED_KEYS).map((key) => ({ field: key, message: `"${key}" is not allowed` }));
  const field = issue.path.length ? issue.path.join(".") : "value";
  return [{ field, message: `"${field}" ${messageOf(issue)}` }];
}

/** The messages of the legacy API; clients depend on them. */
function messageOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${article(issue.expected)}`;
    case "too_small":
      if (issue.origin !== "string") return `must be greater than or equal to ${issue.minimum}`;
      return issue.input === ""
        ? "is not allowed to be empty"
        : `length must be at least ${count(issue.minimum)} long`;
    case "too_big":
      if (issue.origin !== "string") return `must be less than or equal to ${issue.maximum}`;
      return `length must be less than or equal to ${count(issue.maximum)} long`;
    case "invalid_format":
      return issue.format === "email" ? "must be a valid email" : "has an invalid format";
    default:
      return issue.message;
  }
}

const article = (type: string) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);
const count = (n: number | bigint) => (n === 1 ? "1 character" : `${n} characters`);

/** Trims search text. @throws BAD_USER_INPUT for text that no row can hold */
export function parseSearchText(name: string, value: string): string {
  const message = `"${name}" contains invalid characters`;
  if (!isStorable(value)) throw badField(name, message);
  return value.trim();
}
