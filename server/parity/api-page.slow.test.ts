import { readFile } from "node:fs/promises";
import { buildSchema, Kind, parse } from "graphql";
import { beforeAll, expect, test } from "vitest";
import { startAccountPair } from "../testing/account-pair.ts";
import { startTestApp } from "../testing/app.ts";
import { accounts, contents as others, type Example } from "../testing/api-examples.ts";
import { tagExamples } from "../testing/api-examples-tags.ts";
import { writingExamples } from "../testing/api-examples-writing.ts";
import { codeTable, renderExample } from "../testing/api-page.ts";
import { templateOf, type ApiDocument } from "../testing/api-document.ts";
import { startAppPair, type ParityCall } from "../testing/parity.ts";

const contents = [...others, ...writingExamples, ...tagExamples];

// `npx vitest run --project server api-page -u` updates the responses in docs/api.md.

type AppPair = Pick<Awaited<ReturnType<typeof startAppPair>>, "call">;
let pair: { ofAccounts: AppPair; ofContents: AppPair };
beforeAll(async () => {
  pair = { ofAccounts: await startAccountPair(), ofContents: await startAppPair() };
});

/** Examples without a REST equivalent send a harmless REST request. */
async function draw(example: Example, { call }: AppPair): Promise<string> {
  const { graphql, rest } = await call({
    ...example,
    rest: example.rest ?? { method: "GET", path: "/posts/count" },
  } as ParityCall);
  expect([example.title, graphql.body.errors]).toEqual([example.title, undefined]);
  expect(rest.status).toBeLessThan(300);
  return renderExample(example, { graphql: graphql.body, rest: example.rest && rest });
}

async function drawAll(examples: Example[], ofWhat: AppPair): Promise<string> {
  const drawn: string[] = [];
  for (const example of examples) drawn.push(await draw(example, ofWhat));
  return drawn.join("\n\n");
}

const between = (page: string, name: string, text: string) =>
  page.replace(
    new RegExp(`(<!-- ${name}[^>]*-->)[^]*(<!-- /${name} -->)`),
    (_all, open: string, end: string) => `${open}\n\n${text}\n\n${end}`,
  );

test("docs/api.md shows the actual responses", async () => {
  let page = await readFile("docs/api.md", "utf8");
  page = between(page, "codes", codeTable());
  page = between(page, "accounts", await drawAll(accounts, pair.ofAccounts));
  page = between(page, "contents", await drawAll(contents, pair.ofContents));
  await expect(page).toMatchFileSnapshot("../../docs/api.md");
}, 180_000);

test("docs/api.md covers every field of Query and Mutation", async () => {
  const schema = buildSchema(await readFile("schema.graphql", "utf8"));
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  );
  const covered = [...accounts, ...contents].flatMap(({ graphql }) =>
    parse(graphql.query).definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION
        ? definition.selectionSet.selections.map((each) => (each.kind === Kind.FIELD ? each.name.value : ""))
        : [],
    ),
  );
  expect([...new Set(covered)].sort()).toEqual(fields.sort());
});

test("docs/api.md covers every REST operation", async () => {
  const { app } = await startTestApp();
  const document = (await app.inject("/api/openapi.json")).json<ApiDocument>();
  const all = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const covered = [...accounts, ...contents].flatMap(({ rest }) =>
    rest ? [`${rest.method} ${templateOf(document, rest.method, rest.path)}`] : [],
  );
  expect([...new Set(covered)].sort()).toEqual(all.sort());
});
