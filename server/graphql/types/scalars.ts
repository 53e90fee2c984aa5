import { GraphQLScalarType } from "graphql";
import { GraphQLDateTimeISO } from "graphql-scalars";

/** Serializes to ISO text, also for callers in this process. */
export const DateTime = new GraphQLScalarType({
  ...GraphQLDateTimeISO.toConfig(),
  name: "DateTime",
  description: "A moment in UTC, as in 2026-11-21T09:30:00.000Z.",
});
