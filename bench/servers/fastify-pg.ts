// Fastify with one prepared statement per route.
import { createHash } from "node:crypto";
import fastify from "fastify";
import pg from "pg";
import { pageJson, poolOptions, postJson, toggleJson } from "../statements.ts";

const pool = new pg.Pool(poolOptions);
const app = fastify();
const runPrepared = async (name: string, text: string, values: unknown[]) =>
  (await pool.query({ name, text, values })).rows[0].json as string;

app.addHook("onRequest", async (_request, reply) => void reply.type("application/json; charset=utf-8"));
app.get<{ Querystring: { page: string } }>("/posts", ({ query }) =>
  runPrepared("page", pageJson, [(Number(query.page) - 1) * 3]),
);
app.get<{ Params: { id: string } }>("/posts/:id", ({ params }) => runPrepared("post", postJson, [params.id]));
app.put<{ Params: { id: string } }>("/posts/:id/like", ({ params, headers }) =>
  runPrepared("toggle", toggleJson, [
    createHash("sha256")
      .update((headers.authorization ?? "").slice(7))
      .digest(),
    params.id,
  ]),
);
await app.listen({ port: Number(process.env["PORT"]), host: "127.0.0.1" });
console.log("listening");
