import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";
import { parse, type GraphQLObjectType } from "graphql";
import { buildBlogSchema } from "../graphql/schema.ts";
import { startTestApp } from "./app.ts";

// What the application itself says it offers: tables in tests are held against it, so that nothing new goes untested.

export type DeclaredRoute = { method: string; url: string };

/** A blog, and every route that its router was given. */
export async function startDeclaredApp() {
  const routes: DeclaredRoute[] = [];
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook("onRoute", ({ method, url }) => {
      for (const each of [method].flat()) routes.push({ method: each, url });
    });
  };
  subscribe("fastify.initialization", listen);
  const blog = await startTestApp().finally(() => unsubscribe("fastify.initialization", listen));
  return { blog, routes };
}

/** Which of the declared routes answers a call; what is spelled out goes before what has a parameter. */
export function routeOf(routes: DeclaredRoute[], { method, path }: { method: string; path: string }) {
  const url = path.split("?")[0] ?? "";
  const sameMethod = routes.filter((route) => route.method === method);
  const isMatch = (pattern: string) =>
    new RegExp(`^${pattern.replaceAll(/:[^/]+/g, "[^/]+").replaceAll("*", ".*")}$`).test(url);
  return sameMethod.find((route) => route.url === url) ?? sameMethod.find((route) => isMatch(route.url));
}

const schema = buildBlogSchema();

/** `Query.posts`, `Mutation.login` and so on: every operation of the schema. */
export const declaredOperations = [schema.getQueryType(), schema.getMutationType()]
  .filter((type): type is GraphQLObjectType => type != null)
  .flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`));

/** The first field that a document asks for. */
export function operationOf(query: string): string {
  const [operation] = parse(query).definitions;
  if (operation?.kind !== "OperationDefinition") throw new Error(`no operation: ${query}`);
  const [field] = operation.selectionSet.selections;
  if (field?.kind !== "Field") throw new Error(`no field: ${query}`);
  return `${operation.operation === "query" ? "Query" : "Mutation"}.${field.name.value}`;
}
