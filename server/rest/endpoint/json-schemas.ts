import { z } from "zod";

export type Json = Record<string, unknown>;

/** Converts a zod schema to JSON Schema; schemas with an id move to `named`, and are referenced. */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output", named: Json): Json {
  const { $schema: _, ...written } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: writeDate,
  });
  const moved = JSON.stringify(written).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $defs, ...rest } = JSON.parse(moved) as Json;
  Object.assign(named, $defs);
  return rest;
}

function writeDate({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Json }): void {
  if (zodSchema._zod.def.type === "date") Object.assign(jsonSchema, { type: "string", format: "date-time" });
}
