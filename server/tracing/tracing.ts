/** Only constants of the code and names: never a URL, a value of a statement or a variable, since they may be private. */
export type SpanAttributes = Record<string, string | number>;

export type Span = {
  end: (outcome?: { attributes?: SpanAttributes; isFailed?: boolean }) => void;
};

export type SpanStart = {
  name: string;
  kind: "server" | "internal" | "client" | "consumer";
  attributes: SpanAttributes;
  /** A span of this process, or the header `traceparent` of a request. Without it a trace begins. */
  parent?: Span | string | undefined;
};

/** `start` is null unless traces are exported (open-tracing.ts): `tracing.start?.(…)` then costs one comparison. */
export const tracing: { start: ((span: SpanStart) => Span) | null } = { start: null };
