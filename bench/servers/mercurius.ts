import fastify from "fastify";
import mercurius from "mercurius";
import { createLoaders, resolvers, typeDefs } from "../peer-schema.ts";

const app = fastify();
await app.register(mercurius.default ?? mercurius, {
  schema: typeDefs,
  resolvers: resolvers as never,
  jit: 1,
  context: (request) => ({ authorization: request.headers.authorization ?? "", loaders: createLoaders() }),
});
await app.listen({ port: Number(process.env["PORT"]), host: "127.0.0.1" });
console.log("listening");
