import { describe, expect, test } from "vitest";
import { z } from "zod";
import { BlogError } from "../errors.ts";
import { isId, nameKey, parseId, parseInput, prose, text } from "./input.ts";

const sample = z.strictObject({ title: text(2, 5), text: text(1, 3).optional() });

function errorOf(value: unknown, schema: z.ZodType = sample): Pick<BlogError, "message" | "fields"> {
  try {
    parseInput(schema, value);
  } catch (error) {
    expect(error).toMatchObject({ name: "BlogError", code: "BAD_USER_INPUT" });
    const { message, fields } = error as BlogError;
    return { message, fields };
  }
  throw new Error("the input was accepted");
}

describe("text()", () => {
  const parse = (title: string) => parseInput(sample, { title }).title;

  test("trims Unicode spaces", () => {
    expect(parse("  ab ")).toBe("ab");
    expect(parse("\n\t a b\u00a0\u2003")).toBe("a b");
  });

  test("normalizes line ends to LF before it checks the length", () => {
    const long = z.strictObject({ title: text(2, 5) });
    expect(parseInput(long, { title: "a\r\nb\rc" })).toEqual({ title: "a\nb\nc" });
    expect(parseInput(long, { title: "a\r\nb\r\nc\r\n" })).toEqual({ title: "a\nb\nc" });
  });

  test("A49-6: prose has no control characters but tabs and line ends", () => {
    const said = z.strictObject({ text: prose(1, 7) });
    const controls = Array.from({ length: 31 }, (_, n) => String.fromCharCode(n + 1)).join("");
    expect(parseInput(said, { text: `a${controls}b` })).toEqual({ text: "a\t\n\nb" });
    const marks = z.strictObject({ text: prose(1, 500) });
    const runs = `a${"\u0301".repeat(60)}\u0001${"\u0316".repeat(60)}`;
    expect(errorOf({ text: runs }, marks).message).toBe('"text" contains invalid characters');
    expect(errorOf({ text: "\u0001".repeat(5) }, said).message).toBe('"text" is not allowed to be empty');
  });

  test("checks the length after trimming", () => {
    expect(parse(` ${"x".repeat(5)} `)).toBe("xxxxx");
    expect(errorOf({ title: " x " }).message).toBe('"title" length must be at least 2 characters long');
    expect(errorOf({ title: "x".repeat(6) }).message).toBe(
      '"title" length must be less than or equal to 5 characters long',
    );
  });

  test("accepts any printable text", () => {
    for (const title of ["żółć", "数据库", "a\u0301b", "<b>", "🧵🧵🧵🧵🧵", "'--"])
      expect(parse(title)).toBe(title);
  });

  test.each([
    ["a NUL", "a\0b"],
    ["a first half alone", "ab\ud83e"],
    ["a second half alone", "\uddf5ab"],
    // Normalization in PostgreSQL, as the search's index does it, would take time that is quadratic in these.
    ["65 marks on a letter", `a${"\u0301".repeat(32)}${"\u0316".repeat(33)}`],
    ["marks that normalization makes", `か${"\u0301\uff9e".repeat(33)}`],
  ])("rejects %s with a single message", (_name, title) => {
    const message = '"title" contains invalid characters';
    expect(errorOf({ title })).toEqual({ message, fields: { title: message } });
  });
});

describe("error messages", () => {
  const limits = z.strictObject({
    email: z.email().optional(),
    count: z.number().min(1).max(9).optional(),
    own: text(1, 9)
      .refine((value) => value !== "no", "must be yes")
      .optional(),
  });
  test.each([
    [{}, sample, '"title" is required'],
    [{ title: "ab", text: "four" }, sample, '"text" length must be less than or equal to 3 characters long'],
    [{ title: "ab", isAdmin: true }, sample, '"isAdmin" is not allowed'],
    [{ email: "nobody" }, limits, '"email" must be a valid email'],
    [{ count: 0 }, limits, '"count" must be greater than or equal to 1'],
    [{ count: 10 }, limits, '"count" must be less than or equal to 9'],
    [{ own: "no" }, limits, '"own" must be yes'],
    [{ a: { b: "" } }, z.object({ a: z.object({ b: text(2, 3) }) }), '"a.b" is not allowed to be empty'],
  ])("match the legacy API's for %j", (value, schema, message) => {
    expect(errorOf(value, schema).message).toBe(message);
  });

  test("use the singular for a limit of one", () => {
    expect(errorOf({ title: "xx" }, z.object({ title: text(1, 1) })).message).toBe(
      '"title" length must be less than or equal to 1 character long',
    );
  });

  test("report the first field's message and one per field, with unknown keys last", () => {
    const title = '"title" length must be at least 2 characters long';
    const long = '"text" length must be less than or equal to 3 characters long';
    const { message, fields } = errorOf({ role: 1, isAdmin: true, text: "four", title: "x" });
    expect(message).toBe(title);
    expect(Object.entries(fields ?? {})).toEqual([
      ["title", title],
      ["text", long],
      ["role", '"role" is not allowed'],
      ["isAdmin", '"isAdmin" is not allowed'],
    ]);
  });
});

test("undefined and null count as an empty object", () => {
  const empty = z.strictObject({ title: text(2, 5).optional() });
  for (const value of [undefined, null, {}]) expect(parseInput(empty, value)).toEqual({});
  expect(errorOf(null).message).toBe('"title" is required');
});

test.each([[[]], ["text"], [5], [true], [[{ title: "ab" }]]])(
  "rejects %o, which is not an object",
  (value) => {
    expect(errorOf(value).message).toMatch(/^"value" /);
  },
);

test("a list with a hundred thousand invalid elements is checked in part", () => {
  const schema = z.object({ tags: z.array(z.string()) });
  const { message, fields } = errorOf({ tags: Array<number>(100_000).fill(1) }, schema);
  expect(message).toBe('"tags.0" must be a string');
  expect(Object.keys(fields ?? {})).toHaveLength(101);
});

describe("parseId", () => {
  const id = "01a1fc5f-207c-76cf-abc7-0ca7eefef436";

  test.each([
    id,
    id.toUpperCase(),
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
  ])("accepts %s and returns it in lower case", (value) => {
    expect(isId(value)).toBe(true);
    expect(parseId(value)).toBe(value.toLowerCase());
  });

  test.each([
    "",
    "12-34",
    id.replaceAll("-", ""),
    `${id}0`,
    `{${id}}`,
    ` ${id}`,
    `${id}\n`,
    `${id.slice(1)}g`,
    "null",
  ])("rejects '%s'", (value) => {
    expect(isId(value)).toBe(false);
    expect(() => parseId(value)).toThrow(new BlogError("BAD_USER_INPUT", "invalid id"));
  });
});

test("name keys ignore case, width and Unicode composition", () => {
  expect(nameKey("JOSÉ")).toBe(nameKey("jose\u0301"));
  expect(nameKey("Ａｄａ")).toBe("ada");
  expect(nameKey("Ada")).not.toBe(nameKey("Ida"));
  expect(nameKey("a b")).not.toBe(nameKey("ab"));
});

test.each(["ﷺ", "㍿", "ﬃ".repeat(2)])(
  "a long text of %s is refused, since normalization makes it far longer",
  (part) => {
    const schema = z.object({ text: text(0, 50_000) });
    expect(() => parseInput(schema, { text: part.repeat(10_000) })).toThrow(
      "characters that stand for several",
    );
    expect(parseInput(schema, { text: part.repeat(3) })).toEqual({ text: part.repeat(3) });
  },
);

test.each(["한글", "é", "日本", "नमस्ते", "👩‍👩‍👧‍👦", "ｱ"])("a long text of %s is accepted", (part) => {
  const long = part.repeat(Math.floor(50_000 / part.length));
  expect(parseInput(z.object({ text: text(0, 50_000) }), { text: long })).toEqual({ text: long });
});
