import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { BlogError } from "../errors.ts";
import { anyObject, anyText } from "../testing/arbitraries.ts";
import { adminInput, registerInput } from "./accounts/accounts.ts";
import { categoryInput } from "./categories.ts";
import { commentInput, commentText } from "./comments.ts";
import { commonPasswords } from "./accounts/common-passwords.ts";
import { excerpt } from "./posts/excerpts.ts";
import { isId, isStorable, nameKey, parseId, parseInput, parseSearchText } from "./input.ts";
import { resetInput, resetRequest } from "./accounts/password-resets.ts";
import { postChanges, postInput } from "./posts/post-changes.ts";
import { tagKey } from "./posts/tag-names.ts";
import { profileChanges } from "./profiles.ts";
import { loginInput } from "./accounts/sessions.ts";

const LONG = { timeout: 30_000 };

/** The documented limits, implemented independently of the schemas. */
const between = (min: number, max: number) => (value: string) =>
  value === value.trim() && value.length >= min && value.length <= max && isStorable(value);
const isAddress = (value: string) =>
  between(5, 100)(value) && value === value.toLowerCase() && /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(value);
const isPassword = (value: string) =>
  value.length >= 8 &&
  value.length <= 128 &&
  /\S/.test(value) &&
  isStorable(value) &&
  !commonPasswords.has(value.toLowerCase());
const isBio = (value: string | null) => value === null || between(0, 1_000)(value);

const limits: Record<string, (value: never) => boolean> = {
  username: between(2, 100),
  email: isAddress,
  password: isPassword,
  bio: isBio,
  currentPassword: (value: string) => value.length > 0 && value.length <= 128,
  title: between(2, 200),
  description: between(10, 50_000),
  category: between(1, 100),
  text: between(1, 2_000),
  tags: (value: string[]) =>
    value.length <= 5 &&
    value.every((name) => between(1, 40)(name) && !name.includes(",")) &&
    new Set(value.map(tagKey)).size === value.length,
  // The schema does not check the format of the id; the lookup does.
  postId: (value: string) => value.length > 0 && value === value.trim(),
};

const address = fc
  .tuple(fc.stringMatching(/^[a-zA-Z0-9.+-]{1,12}$/), fc.stringMatching(/^[A-Za-z0-9-]{1,12}$/))
  .map(([name, host]) => ` ${name}@${host}.Example`);
const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 220 });
const validValues: Record<string, fc.Arbitrary<unknown>> = {
  email: address,
  password: fc.string({ unit: "grapheme", minLength: 6, maxLength: 130 }),
  bio: fc.option(words),
  postId: fc.uuid(),
  tags: fc.oneof(fc.array(fc.string({ unit: "grapheme", maxLength: 30 }), { maxLength: 7 }), words),
};

type Documented = [name: string, schema: z.ZodObject, limits?: typeof limits];
const schemas: Documented[] = [
  ["a registration", registerInput],
  ["an admin", adminInput],
  // A login does not validate the address: an invalid one counts as unknown.
  [
    "a login",
    loginInput,
    { email: between(1, 100), password: (value: string) => value.length > 0 && value.length <= 128 },
  ],
  ["a request for a reset", resetRequest],
  ["a reset", resetInput],
  ["a post", postInput],
  ["changes of a post", postChanges],
  ["a comment", commentInput],
  ["a comment's text", commentText],
  ["a category", categoryInput, { title: between(1, 100) }],
  ["changes of a profile", profileChanges],
];

const parse = (
  schema: z.ZodType,
  value: unknown,
): { parsed: Record<string, unknown> } | { rejected: unknown } => {
  try {
    return { parsed: parseInput(schema, value) as Record<string, unknown> };
  } catch (rejected) {
    return { rejected };
  }
};

function expectBadInput(rejected: unknown) {
  expect(rejected).toBeInstanceOf(BlogError);
  const { code, message, fields = {} } = rejected as BlogError;
  expect(code).toBe("BAD_USER_INPUT");
  expect(message).toMatch(/\S/);
  expect(Object.values(fields)).toContain(message);
}

describe.each(schemas)("%s", (_name, schema, ownLimits = {}) => {
  const names = Object.keys(schema.shape);
  const input = anyObject(Object.fromEntries(names.map((name) => [name, validValues[name] ?? words])));

  test("is within the limits or rejected with a field error, and parsing is idempotent", LONG, () => {
    let parsed = 0;
    fc.assert(
      fc.property(input, (value) => {
        const result = parse(schema, value);
        if ("rejected" in result) return expectBadInput(result.rejected);
        parsed++;
        for (const [name, each] of Object.entries(result.parsed)) {
          expect(names).toContain(name);
          if (each !== undefined) expect((ownLimits[name] ?? limits[name])?.(each as never), name).toBe(true);
        }
        expect(parse(schema, result.parsed)).toEqual({ parsed: result.parsed });
      }),
      { numRuns: 400 },
    );
    // Guards against a generator that makes only invalid input.
    expect(parsed).toBeGreaterThan(10);
  });
});

test("parseId returns the canonical form or rejects the input", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText,
        fc.uuid(),
        fc.uuid().map((id) => id.toUpperCase()),
      ),
      (value) => {
        if (isId(value)) expect(parseId(parseId(value))).toBe(value.toLowerCase());
        else expect(() => parseId(value)).toThrow(new BlogError("BAD_USER_INPUT", "invalid id"));
      },
    ),
  );
});

test("parseSearchText returns storable text or rejects the input", () => {
  fc.assert(
    fc.property(anyText, (value) => {
      if (isStorable(value)) expect(parseSearchText("search", value)).toBe(value.trim());
      else expect(() => parseSearchText("search", value)).toThrow(BlogError);
    }),
  );
});

test("nameKey is idempotent and ignores case and Unicode composition", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      const key = nameKey(name);
      for (const form of ["NFC", "NFD", "NFKC", "NFKD"] as const)
        expect(nameKey(name.normalize(form))).toBe(key);
      expect(nameKey(key)).toBe(key);
    }),
    { numRuns: 2_000 },
  );
  fc.assert(
    fc.property(fc.string(), (name) => {
      expect(nameKey(name.toUpperCase())).toBe(nameKey(name.toLowerCase()));
    }),
  );
});

test("an excerpt of any text is one line of at most 221 well-formed characters", LONG, () => {
  const marks = fc.constantFrom(
    "# ",
    "**",
    "[",
    "](",
    ")",
    "![",
    "> ",
    "- ",
    "1. ",
    "`",
    "\n",
    "🧵",
    "é",
    " word ",
  );
  const runs = fc.tuple(marks, fc.nat(400)).map(([mark, times]) => mark.repeat(times));
  const texts = fc.oneof(
    words,
    fc.array(fc.oneof(marks, words, runs)).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const short = excerpt(text);
      expect(short.length).toBeLessThanOrEqual(221);
      expect(short).toBe(short.trim());
      expect(short).not.toMatch(/[\n\t]| {2}/);
      if (text.isWellFormed()) expect(short.isWellFormed()).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
