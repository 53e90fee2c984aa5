// CACHE=on adds its response cache.
import { createServer } from "node:http";
import { useResponseCache } from "@graphql-yoga/plugin-response-cache";
import { createSchema, createYoga } from "graphql-yoga";
import { createLoaders, resolvers, typeDefs } from "../peer-schema.ts";

const yoga = createYoga({
  schema: createSchema({ typeDefs, resolvers: resolvers as never }),
  logging: false,
  context: ({ request }) => ({
    authorization: request.headers.get("authorization") ?? "",
    loaders: createLoaders(),
  }),
  plugins: process.env["CACHE"] === "on" ? [useResponseCache({ session: () => null, ttl: 60_000 })] : [],
});
createServer(yoga).listen(Number(process.env["PORT"]), "127.0.0.1", () => console.log("listening"));
