import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { readDemo } from "../../demo/read-demo.ts";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { createCategory, createPost, createUser } from "../../testing/factories.ts";
import { indexPending } from "./search-index.ts";

let blog: TestApp;

beforeAll(async () => {
  blog = await startTestApp();
  const { people, categories, posts } = await readDemo(new Date());
  for (const title of categories) await createCategory(blog.db, title);
  const ids = new Map(people.map(({ key }) => [key, randomUUID()]));
  for (const { key, username, bio } of people)
    await createUser(blog.db, { id: ids.get(key)!, username, bio });
  for (const { title, category, description, author, createdAt } of [...posts, ...elsewhere])
    await createPost(blog.db, { title, category, description, createdAt, userId: ids.get(author)! });
  while (await indexPending(blog.services));
});

/** Older than the demo posts, in languages that write without spaces. */
const elsewhere = [
  ["東京の静かな公園", "朝の公園には誰もいない。池のそばで読書をする。"],
  ["北京的老图书馆", "图书馆在一条安静的街上,窗外有一棵银杏树。"],
  ["ร้านกาแฟริมแม่น้ำ", "ทุกเช้าฉันดื่มกาแฟที่ร้านริมแม่น้ำและอ่านหนังสือพิมพ์"],
  ["서울의 겨울 시장", "겨울 시장에서는 따뜻한 국수를 먹을 수 있다."],
].map(([title = "", description = ""]) => ({
  ...{ title, description, category: "Places", author: "keiko", createdAt: new Date("2020-01-01") },
}));

/** A query, and its expected result among the first three. */
const expectations: [query: string, expected: string][] = [
  ["lichen", "How to look at a lichen"],
  ["slate roofs", "A town that looks at its own roofs"],
  ["kitchen hill", "The hill you see from the kitchen"],
  ["loom", "What a loom remembers"],
  ["rye", "Rye is not wheat in a bad mood"],
  ["lighthouse logbooks", "The keeper's hand"],
  ["keepers hand", "The keeper's hand"],
  ["Venta de Arce", "Six minutes at platform two"],
  ["shiraz bowl", "The bowl with the seam"],
  ["viaduct", "Under the viaduct"],
  ["dictionary", "In praise of the second-best dictionary"],
  ["second-best", "In praise of the second-best dictionary"],
  ["SNOW", "Snow, briefly"],
  ["night nurse ward", "The ward at four in the morning"],
  ["bicycle wheel", "Truing a wheel"],
  ["contour", "Contour lines are a kind of rumour"],
  ["tea", "Tea for people who are waiting"],
  ["moth", "Moths at the porch light"],
  ["wheat starch", "Paste"],
  ["beans", "Beans, onions, beans"],
  ["swallow", "Swallows on the line"],
  ["russian novel", "On reading the same novel every winter"],
  ["tide", "Low tide, and other appointments"],
  ["āsh", "Soup, a correspondence"],
  ["ash grandmother recipe", "Soup, a correspondence"],
  ["salt", "Salt"],
  ["seismograph", "What the seismograph heard"],
  ["seizmograf", "What the seismograph heard"],
  ["viadukt", "Under the viaduct"],
  ["dictionery", "In praise of the second-best dictionary"],
  ['"solar system"', "The solar system on the towpath"],
  ["hedge -rye", "Dyeing with what the hedge gives"],
  ["author:tomas novel", "On reading the same novel every winter"],
  ["category:books index", "A short defence of the index"],
  ["ines cardoso", "Inês Cardoso"],
  ["jonas weiss", "Jonas Weiß"],
  ["food", "Food"],
  ["公園", "東京の静かな公園"],
  ["图书馆", "北京的老图书馆"],
  ["กาแฟ", "ร้านกาแฟริมแม่น้ำ"],
];

async function titlesFor(query: string): Promise<string[]> {
  const { body } = await blog.gql(
    "query ($query: String!) { search(query: $query, first: 3) { edges { title { text } } } }",
    { query },
  );
  expect(body.errors).toBeUndefined();
  return body.data.search.edges.map(({ title }: any) => title.map(({ text }: any) => text).join(""));
}

test("of 40 searches at least 36 find the expected result among the first three", async () => {
  expect(expectations).toHaveLength(40);
  const missed: string[] = [];
  for (const [query, expected] of expectations) {
    const titles = await titlesFor(query);
    if (!titles.includes(expected)) missed.push(`${query}: ${titles.join(" | ")}`);
  }
  expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(4);
});
