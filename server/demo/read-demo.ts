import { readFile, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";

const HOME = resolve("server/demo/content");

export type DemoPerson = { key: string; username: string; bio: string };
export type DemoComment = { post: number; author: string; text: string; hoursAfter: number };
export type DemoPost = {
  number: number;
  title: string;
  author: string;
  category: string;
  tags: string[];
  description: string;
  createdAt: Date;
};

export type Demo = {
  people: DemoPerson[];
  categories: string[];
  posts: DemoPost[];
  comments: DemoComment[];
  likes: Record<string, string[]>;
};

const HOUR = 60 * 60 * 1000;

const readJson = async <T>(name: string): Promise<T> =>
  JSON.parse(await readFile(join(HOME, name), "utf8")) as T;

/** Reads the demo blog with dates relative to `now`. */
export async function readDemo(now: Date): Promise<Demo> {
  const files = (await readdir(join(HOME, "posts"))).filter((name) => name.endsWith(".md")).sort();
  return {
    people: await readJson("people.json"),
    categories: await readJson("categories.json"),
    posts: await Promise.all(files.map((file) => readPost(file, now))),
    comments: await readJson("comments.json"),
    likes: await readJson("likes.json"),
  };
}

async function readPost(file: string, now: Date): Promise<DemoPost> {
  const [, head = "", description = ""] = (await readFile(join(HOME, "posts", file), "utf8")).split(/^---$/m);
  const fields = Object.fromEntries(
    head
      .trim()
      .split("\n")
      .map((line) => line.split(/:\s(.*)/s).slice(0, 2) as [string, string]),
  );
  const { title = "", author = "", category = "", tags = "", daysAgo = "0", hour = "0" } = fields;
  const number = Number(file.slice(0, 2));
  const createdAt = dateOf(now, Number(daysAgo), Number(hour), number);
  return {
    ...{ number, title, author, category, createdAt },
    ...{ tags: tags ? tags.split(", ") : [], description: description.trim() },
  };
}

/** Clamps to the past: shortly after midnight the newest post would be in the future. */
function dateOf(now: Date, daysAgo: number, hour: number, number: number): Date {
  const day = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()) - daysAgo * 24 * HOUR;
  return new Date(Math.min(day + hour * HOUR + number * 60_000, now.getTime() - (41 - number) * 1_000));
}

export const readPicture = (of: DemoPost | DemoPerson): Promise<Buffer> => {
  const name = "key" in of ? of.key : String(of.number).padStart(2, "0");
  return readFile(join(HOME, "pictures", `${name}.webp`));
};
