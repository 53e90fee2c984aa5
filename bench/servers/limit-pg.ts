// The limit of PostgreSQL and node:http: one prepared statement that builds the JSON, nothing else.
import { createHash } from "node:crypto";
import pg from "pg";
import { sendJson, serve } from "../serve.ts";
import { pageJson, pageJsonPlain, poolOptions, postJson, toggleJson } from "../statements.ts";

const pool = new pg.Pool(poolOptions);
const statements: Record<string, string> = { page: pageJson, plain: pageJsonPlain, post: postJson };

serve(async (request, body, response) => {
  const { name, value } = JSON.parse(body) as { name: string; value: unknown };
  const { rows } =
    name === "toggle"
      ? await pool.query({
          name,
          text: toggleJson,
          values: [hashOf(request.headers.authorization), value],
        })
      : await pool.query({ name, text: statements[name] ?? "", values: [value] });
  sendJson(response, rows[0].json);
});

const hashOf = (authorization = "") => createHash("sha256").update(authorization.slice(7)).digest();
