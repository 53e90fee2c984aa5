import fc from "fast-check";

// Input of careless or malicious clients.

const oddities = [
  ...["", " ", "\0", "\ud83e", "\uddf5", "\u202e", "\ufeff", "\u0301", "ﬃ", "İ", "ß", "🧵"],
  ...["null", "undefined", "NaN", "__proto__", "constructor", "toString", "../../etc/passwd", "%00", "%zz"],
  ...['\'; DROP TABLE "User"; --', "${7*7}", "<script>alert(1)</script>", "a@b.c", "-1", "1e309"],
];

/** Includes lone surrogates, NUL and other characters that break programs. */
export const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme", maxLength: 250 }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(...oddities),
  fc
    .tuple(fc.string({ minLength: 1, maxLength: 3 }), fc.nat(3_000))
    .map(([text, times]) => text.repeat(times)),
);

export const anyJson = fc.oneof(
  anyText,
  fc.jsonValue({ stringUnit: "binary" }).map((value): unknown => value),
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, 2 ** 53, [], {}, [[]], [null]),
  fc
    .integer({ min: 1, max: 200 })
    .map((depth) => JSON.parse("[".repeat(depth) + "]".repeat(depth)) as unknown),
);

/** Objects with valid and invalid keys and values. */
export const anyObject = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.record(fields, { requiredKeys: [] }) },
    {
      weight: 3,
      arbitrary: fc.record(
        mapValues(fields, (right) => fc.oneof(right, anyJson)),
        { requiredKeys: [] },
      ),
    },
    {
      weight: 1,
      arbitrary: fc.dictionary(
        fc.oneof(fc.constantFrom(...Object.keys(fields), "isAdmin"), anyText),
        anyJson,
      ),
    },
    { weight: 1, arbitrary: anyJson },
  );

const mapValues = <T, U>(values: Record<string, T>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
