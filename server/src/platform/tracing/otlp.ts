import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { SpanFacts, Tracer } from "./traced.ts";

export interface TracingOptions {
  /** Of a collector, without `/v1/traces`. */
  readonly endpoint: string;
  /** Part of the traces that is kept, 0 to 1. */
  readonly ratio: number;
  readonly version: string;
  /** The name of the process. */
  readonly instance: string;
}

const kinds: Readonly<Record<SpanFacts["kind"], SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};
/** A collector that does not answer must not keep a stopping process waiting. */
const EXPORT_WITHIN_MS = 3_000;

/** Exports spans over OTLP/HTTP (JSON). Loaded only where tracing is on. */
export function openOtlp({ endpoint, ratio, version, instance }: TracingOptions): Tracer & { close(): Promise<void> } {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_WITHIN_MS });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": "prosa",
      "service.version": version,
      "service.instance.id": instance,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_WITHIN_MS })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const tracer = provider.getTracer("prosa", version);

  return {
    run({ name, kind, attributes, needsParent = false }, work) {
      if (needsParent && trace.getActiveSpan() === undefined) {
        return work();
      }
      return tracer.startActiveSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, async (span) => {
        try {
          return await work();
        } catch (error) {
          // The class or code alone: messages quote values.
          span.setAttribute("error.type", nameOf(error));
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      });
    },
    async close() {
      await provider.shutdown().catch(() => undefined);
      context.disable();
    },
  };
}

function nameOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === "string" ? code : typeof name === "string" ? name : "Error";
}
