import { parse } from "graphql";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createPost } from "../../testing/factories.ts";
import { isCompilable } from "./compilable.ts";
import { readPersistedDocuments } from "../endpoint/persisted.ts";

let blog: TestApp;
beforeAll(async () => {
  blog = await startTestApp();
  const { id: userId } = await blog.signUp();
  await createPost(blog.db, { userId, title: "On slate" });
});

const MARKER = "__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d";
const proof = join(tmpdir(), `blog-attack-${process.pid}`);
const code = `process.getBuiltinModule('fs').writeFileSync('${proof}','x')`;

/** The second execution may use compiled code. */
async function sendTwice(query: string) {
  await blog.gql(query);
  return (await blog.gql(query)).body;
}

describe("a visitor's document is not compiled", () => {
  test.each([
    ["as it is", `${MARKER}${code}`],
    ["with escapes", `\\u005f\\u005fMAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d${code}`],
  ])("when a string literal holds code, %s", async (_name, text) => {
    for (const argument of ["category", "search", "after", "sort"])
      await sendTwice(`{ posts(${argument}: "${text}") { nodes { id } } }`);
    await sendTwice(`{ posts(category: """${text}""") { nodes { id } } }`);
    expect(existsSync(proof)).toBe(false);
  });

  test("when it expands to too many fields", async () => {
    const levels = Array.from(
      { length: 6 },
      (_, n) =>
        `fragment F${n} on Post { ${n === 5 ? "id" : Array.from({ length: 44 }, () => `...F${n + 1}`).join(" ")} }`,
    );
    expect(isCompilable(parse(`{ posts { nodes { ...F0 } } } ${levels.join(" ")}`))).toBe(false);
  });
});

describe("the second, compiled execution gives the same response:", () => {
  test("for an alias `__proto__`", async () => {
    const query = "{ posts { nodes { __proto__: title id } __proto__: totalCount } }";
    const [first, second] = [await blog.gql(query), await blog.gql(query)];
    expect(second.text).toBe(first.text);
    expect(second.text).toContain('"__proto__":"On slate"');
  });

  test("for a fragment with `@skip` on one of two spreads", async () => {
    const query = `query ($a: Boolean!) { x: posts { ...F @skip(if: $a) pages } y: posts { ...F } }
      fragment F on PostConnection { totalCount }`;
    await blog.gql(query, { a: true });
    expect((await blog.gql(query, { a: true })).body.data).toEqual({ x: { pages: 1 }, y: { totalCount: 1 } });
  });
});

test("the client's own documents are compilable", () => {
  const refused = [...readPersistedDocuments("dist").values()].filter(
    (source) => !isCompilable(parse(source)),
  );
  expect(refused).toEqual([]);
});
