import { GraphQLScalarType } from "graphql";
import { GraphQLDateTimeISO } from "graphql-scalars";
import GraphQLUpload from "graphql-upload/GraphQLUpload.mjs";

/** Serializes to ISO text, also for callers in this process. */
export const DateTime = new GraphQLScalarType({
  ...GraphQLDateTimeISO.toConfig(),
  name: "DateTime",
  description: "A moment in UTC, as in 2026-11-21T09:30:00.000Z.",
  specifiedByURL: "https://scalars.graphql.org/andimarek/date-time.html",
});

export const Upload = new GraphQLScalarType({
  ...GraphQLUpload.toConfig(),
  specifiedByURL: "https://github.com/jaydenseric/graphql-multipart-request-spec",
});
