import { readDeletions } from "../domain/lists/deletions.ts";
import type { Deletion } from "../domain/post-selection.ts";
import * as operations from "./deletions.operations.ts";
import { alreadyLoaded, parseQuery, sendPage, connectionArgsOf } from "./endpoint/pages.ts";
import type { Route } from "./endpoint/routes.ts";

export function deletionRoutes(route: Route): void {
  route("GET", "/deletions", operations.listDeletions, async ({ ctx, query, reply }) => {
    const { since, ...page } = parseQuery(operations.deletionsQuery, query);
    const rows = await readDeletions(ctx, new Date(since), connectionArgsOf(page) ?? { first: 100 });
    return sendPage(rows, {
      address: `${ctx.siteUrl}/api/deletions`,
      query,
      reply,
      load: alreadyLoaded,
      present,
    });
  });
}

const present = (rows: Deletion[]) =>
  rows.map(({ id, type, createdAt }) => ({ _id: id, id, type, deletedAt: createdAt }));
