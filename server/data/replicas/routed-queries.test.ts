import { expect, test } from "vitest";
import type { Queries } from "../../domain/ports.ts";
import { targetOf } from "./routes.ts";
import { routeQueries } from "./routed-queries.ts";

/** Queries that return the name of their server, or fail. */
const serverOf = (name: string, failing: string[] = []): Queries =>
  Object.fromEntries(
    Object.keys(targetOf).map((query) => [
      query,
      async () => {
        if (failing.includes(query)) throw new Error("away");
        return name;
      },
    ]),
  ) as unknown as Queries;

function open(failing: string[] = []) {
  const counts = { primary: 0, replica: 0, repeated: 0 };
  const replica = { queries: () => serverOf("replica", failing) };
  const openReads = routeQueries({
    primary: serverOf("primary"),
    choose: async () => replica,
    count: (target) => void counts[target]++,
  });
  return { reads: openReads(false), counts };
}

const byId = ["00000000-0000-4000-8000-000000000000"];

test("public reads use the replica, until the request needs the primary", async () => {
  const { reads, counts } = open();
  expect(await reads.profiles(byId)).toBe("replica");
  expect(await reads.session(Buffer.alloc(0))).toBe("primary");
  expect(await reads.categories()).toBe("replica");
  expect(await reads.horizon("posts")).toBe("primary");
  expect(await reads.categories()).toBe("primary");
  expect(counts).toEqual({ replica: 2, primary: 2, repeated: 0 });
});

test("a read that fails on the replica is repeated on the primary, with all that follow", async () => {
  const { reads, counts } = open(["comments"]);
  const slice = { direction: "asc", cursor: null, take: 1, skip: 0 } as const;
  expect(await reads.comments(byId, slice)).toBe("primary");
  expect(await reads.profiles(byId)).toBe("primary");
  expect(counts).toEqual({ replica: 0, primary: 1, repeated: 1 });
});

test("lists of accounts and emails are read on the primary, all others on the replica", async () => {
  const { reads } = open();
  expect(await reads.countList({ list: "tags", search: null })).toBe("replica");
  expect(await reads.countList({ list: "users", search: null })).toBe("primary");
});

test("queries work without their object", async () => {
  const { commentsById } = open().reads;
  expect(await commentsById(byId)).toBe("replica");
});
