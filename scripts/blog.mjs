// `npm run blog -- COMMAND`: the command line, built first where it is stale.
import { prepare, prepareSchemaWriter } from "./prepare.mjs";

// The client is checked against schema.graphql: writing that file must not wait for the client to fit it.
const writesSchema = process.argv[2] === "schema";
try {
  await (writesSchema ? prepareSchemaWriter() : prepare());
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
process.env.NODE_ENV ??= "production";
await import(writesSchema ? "../dist/schema/blog.js" : "../dist/server/blog.js");
