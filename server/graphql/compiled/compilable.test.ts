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

/** Twice: what was answered once may be compiled. */
async function askTwice(query: string) {
  await blog.gql(query);
  return (await blog.gql(query)).body;
}

describe("a document of a visitor is not turned into code", () => {
  test.each([
    ["as it is", `${MARKER}${code}`],
    ["with escapes", `\\u005f\\u005fMAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d${code}`],
  ])("that a literal holds, %s", async (_name, text) => {
    for (const argument of ["category", "search", "after", "sort"])
      await askTwice(`{ posts(${argument}: "${text}") { nodes { id } } }`);
    await askTwice(`{ posts(category: """${text}""") { nodes { id } } }`);
    expect(existsSync(proof)).toBe(false);
  });

  test("that would be too large", async () => {
    const levels = Array.from(
      { length: 6 },
      (_, n) =>
        `fragment F${n} on Post { ${n === 5 ? "id" : Array.from({ length: 44 }, () => `...F${n + 1}`).join(" ")} }`,
    );
    expect(isCompilable(parse(`{ posts { nodes { ...F0 } } } ${levels.join(" ")}`))).toBe(false);
  });
});

describe("answers are the same the second time:", () => {
  test("an alias `__proto__` stays", async () => {
    const query = "{ posts { nodes { __proto__: title id } __proto__: totalCount } }";
    const [first, second] = [await blog.gql(query), await blog.gql(query)];
    expect(second.text).toBe(first.text);
    expect(second.text).toContain('"__proto__":"On slate"');
  });

  test("a fragment that is skipped in one place is not skipped in another", async () => {
    const query = `query ($a: Boolean!) { x: posts { ...F @skip(if: $a) pages } y: posts { ...F } }
      fragment F on PostConnection { totalCount }`;
    await blog.gql(query, { a: true });
    expect((await blog.gql(query, { a: true })).body.data).toEqual({ x: { pages: 1 }, y: { totalCount: 1 } });
  });
});

test("the documents of our own client are compiled", () => {
  const refused = [...readPersistedDocuments("dist").values()].filter(
    (source) => !isCompilable(parse(source)),
  );
  expect(refused).toEqual([]);
});
