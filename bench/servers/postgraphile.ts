import "../promise-with-resolvers.ts";
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { extendSchema, gql } from "postgraphile/utils";
import { lambda, object } from "postgraphile/grafast";
import { grafserv } from "postgraphile/grafserv/node";
import { postgraphile } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import { context } from "postgraphile/grafast";
import pg from "pg";
import { poolOptions, toggleJson } from "../statements.ts";

const pool = new pg.Pool(poolOptions);

const toggleLike = extendSchema({
  typeDefs: gql`
    type Liked {
      id: UUID!
      viewerHasLiked: Boolean!
    }
    extend type Mutation {
      flipLike(id: UUID!): Liked
    }
  `,
  objects: {
    Mutation: {
      plans: {
        flipLike(_: unknown, { $id }: any) {
          return lambda(
            object({ id: $id, authorization: (context() as any).get("authorization") }),
            async ({ id, authorization }: any) => {
              const hash = createHash("sha256").update(String(authorization).slice(7)).digest();
              const { rows } = await pool.query({ name: "toggle", text: toggleJson, values: [hash, id] });
              return JSON.parse(rows[0].json);
            },
          );
        },
      },
    },
  },
} as never);

const preset = {
  extends: [PostGraphileAmberPreset],
  plugins: [toggleLike],
  pgServices: [makePgService({ pool, schemas: ["public"] })],
  grafast: {
    explain: false,
    context: (ctx: any) => ({ authorization: ctx.node?.req.headers.authorization ?? "" }),
  },
  grafserv: { graphqlPath: "/graphql", watch: false, graphiql: false },
};
const server = createServer();
await postgraphile(preset as never)
  .createServ(grafserv)
  .addTo(server);
server.listen(Number(process.env["PORT"]), "127.0.0.1", () => console.log("listening"));
