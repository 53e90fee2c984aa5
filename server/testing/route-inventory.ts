import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";
import { parse, type GraphQLObjectType } from "graphql";
import { buildBlogSchema } from "../graphql/schema.ts";
import { startTestApp } from "./app.ts";

// The routes and operations that exist. Tests compare their tables with these, so that nothing new goes untested.

export type InventoryRoute = { method: string; url: string };

/** Starts a blog and records every registered route. */
export async function startRouteInventory() {
  const routes: InventoryRoute[] = [];
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook("onRoute", ({ method, url }) => {
      for (const each of [method].flat())
        if (!routes.some((route) => route.method === each && route.url === url))
          routes.push({ method: each, url });
    });
  };
  subscribe("fastify.initialization", listen);
  const blog = await startTestApp().finally(() => unsubscribe("fastify.initialization", listen));
  return { blog, routes };
}

/** The route that handles a request. Literal segments win over parameters; wildcards serve unknown paths and files. */
export function routeOf(routes: InventoryRoute[], { method, path }: { method: string; path: string }) {
  const url = path.split("?")[0] ?? "";
  const sameMethod = routes.filter((route) => route.method === method && !route.url.endsWith("*"));
  const isMatch = (pattern: string) => new RegExp(`^${pattern.replaceAll(/:[^/]+/g, "[^/]+")}$`).test(url);
  return sameMethod.find((route) => route.url === url) ?? sameMethod.find((route) => isMatch(route.url));
}

const schema = buildBlogSchema();

export const schemaOperations = [schema.getQueryType(), schema.getMutationType()]
  .filter((type): type is GraphQLObjectType => type != null)
  .flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`));

export function operationOf(query: string): string {
  const [operation] = parse(query).definitions;
  if (operation?.kind !== "OperationDefinition") throw new Error(`no operation: ${query}`);
  const [field] = operation.selectionSet.selections;
  if (field?.kind !== "Field") throw new Error(`no field: ${query}`);
  return `${operation.operation === "query" ? "Query" : "Mutation"}.${field.name.value}`;
}
