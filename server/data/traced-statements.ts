import { currentOperation } from "../tracing/operation.ts";
import { tracing } from "../tracing/tracing.ts";
import { shortStatement, type ObserveStatement } from "./observed-client.ts";

const nothing = () => undefined;

/** Spans of the statements of requests and jobs. Of an error only its SQLSTATE: the message may contain values. */
export const traceStatement: ObserveStatement = (text) => {
  const operation = currentOperation();
  const parent = operation?.graphql?.span ?? operation?.span;
  if (!tracing.start || !parent) return nothing;
  const statement = shortStatement(text);
  const [name = "SQL"] = /^\w+/.exec(statement)?.map((word) => word.toUpperCase()) ?? [];
  const attributes = {
    "db.system.name": "postgresql",
    "db.operation.name": name,
    "db.query.text": statement,
  };
  const span = tracing.start({ name, kind: "client", attributes, parent });
  return (error) => {
    const { code } = (error ?? {}) as { code?: unknown };
    span.end({
      isFailed: Boolean(error),
      attributes: error ? { "error.type": String(code ?? "error") } : {},
    });
  };
};
