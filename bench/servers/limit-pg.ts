// What PostgreSQL and node:http can do: one prepared statement that builds the JSON, nothing else.
import { createHash } from "node:crypto";
import pg from "pg";
import { sendJson, serve } from "../serve.ts";
import { pageJson, pageJsonPlain, poolOptions, postJson, toggleJson } from "../statements.ts";

const pool = new pg.Pool(poolOptions);
const statements: Record<string, string> = { page: pageJson, plain: pageJsonPlain, post: postJson };

serve(async (request, body, response) => {
  const { ask, value } = JSON.parse(body) as { ask: string; value: unknown };
  const { rows } =
    ask === "toggle"
      ? await pool.query({
          name: ask,
          text: toggleJson,
          values: [hashOf(request.headers.authorization), value],
        })
      : await pool.query({ name: ask, text: statements[ask] ?? "", values: [value] });
  sendJson(response, rows[0].json);
});

const hashOf = (authorization = "") => createHash("sha256").update(authorization.slice(7)).digest();
