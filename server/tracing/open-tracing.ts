import type { Span as SdkSpan } from "@opentelemetry/api";
import { tracing, type Span, type SpanStart } from "./tracing.ts";
import { StartError } from "../start-error.ts";
import { createCollectorAgent } from "./collector-agent.ts";
import { VERSION } from "../version.ts";

const WITHOUT_SDK =
  "Traces need packages of OpenTelemetry, which are not installed: npm start and npm run release install them where OTEL_EXPORTER_OTLP_ENDPOINT is set.";

type Log = { warn: (line: object, message: string) => void };

/** Milliseconds, as is the next: a collector that does not answer must not delay a stop. */
const FLUSH_LIMIT = 2_000;
const WARNING_INTERVAL = 60_000;

async function loadSdk() {
  try {
    const [api, sdk, resources, exporter] = await Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/sdk-trace"),
      import("@opentelemetry/resources"),
      import("@opentelemetry/exporter-trace-otlp-http"),
    ]);
    return { api, sdk, resources, exporter };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";
    throw isMissing ? new StartError(WITHOUT_SDK, { cause: error }) : error;
  }
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>;

/**
 * Exports traces by OTLP over HTTP. The SDK itself reads the variables OTEL_*.
 * @param share of the traces that begin here, from 0 to 1
 * @returns exports the remaining spans
 * @throws StartError if the SDK is not installed
 */
export async function openTracing(share: number, log: Log): Promise<() => Promise<void>> {
  const loaded = await loadSdk();
  const { api, sdk, resources, exporter } = loaded;
  const logger = warnSometimes(log);
  api.diag.setLogger(logger, api.DiagLogLevel.ERROR);
  const { resourceFromAttributes, detectResources, envDetector } = resources;
  const own = resourceFromAttributes({ "service.name": "blog", "service.version": VERSION });
  const provider = new sdk.TracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new exporter.OTLPTraceExporter({ httpAgentOptions: createCollectorAgent }),
      }),
    ],
  });
  tracing.start = startBy(loaded, provider.getTracer("blog", VERSION));
  return async () => {
    tracing.start = null;
    const late = new Promise((done) => setTimeout(done, FLUSH_LIMIT).unref());
    const flushed = provider.shutdown().catch(({ message }: Error) => logger.error(message));
    await Promise.race([flushed, late]);
    api.diag.disable();
  };
}

function startBy({ api }: Sdk, tracer: ReturnType<Sdk["sdk"]["TracerProvider"]["prototype"]["getTracer"]>) {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const kinds = {
    ...{ server: SpanKind.SERVER, internal: SpanKind.INTERNAL },
    ...{ client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER },
  };
  const started = new WeakMap<Span, SdkSpan>();
  const contextOf = (parent: SpanStart["parent"]) => {
    const remote = typeof parent === "string" ? parseTraceparent(parent) : null;
    if (remote && api.isSpanContextValid(remote)) return trace.setSpanContext(ROOT_CONTEXT, remote);
    const local = typeof parent === "object" ? started.get(parent) : undefined;
    return local ? trace.setSpan(ROOT_CONTEXT, local) : ROOT_CONTEXT;
  };
  return ({ name, kind, attributes, parent }: SpanStart): Span => {
    const sdkSpan = tracer.startSpan(name, { kind: kinds[kind], attributes }, contextOf(parent));
    const span: Span = {
      end({ attributes: more = {}, isFailed = false } = {}) {
        sdkSpan.setAttributes(more);
        if (isFailed) sdkSpan.setStatus({ code: SpanStatusCode.ERROR });
        sdkSpan.end();
      },
    };
    started.set(span, sdkSpan);
    return span;
  };
}

/** The header of the W3C Trace Context specification. Later versions may append further parts. */
function parseTraceparent(header: string) {
  const parts = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/.exec(header);
  if (!parts) return null;
  const [, traceId = "", spanId = "", flags = ""] = parts;
  return { traceId, spanId, traceFlags: parseInt(flags, 16) & 1, isRemote: true };
}

function warnSometimes(log: Log) {
  let last = -Infinity;
  const ignore = () => undefined;
  const error = (message: string) => {
    if (performance.now() - last < WARNING_INTERVAL) return;
    last = performance.now();
    log.warn(
      { reason: message.slice(0, 300) },
      "traces cannot be exported; further failures are noted once a minute",
    );
  };
  return { error, warn: ignore, info: ignore, debug: ignore, verbose: ignore };
}
