import type { TracingOptions } from "./otlp.ts";
import { setTracer } from "./traced.ts";

/** Turns tracing on for this process; the SDK is loaded by this. `stop` sends what is left and turns it off. */
export async function startTracing(options: TracingOptions): Promise<{ stop(): Promise<void> }> {
  const { openOtlp } = await import("./otlp.ts");
  const tracer = openOtlp(options);
  setTracer(tracer);
  return {
    async stop() {
      setTracer(undefined);
      await tracer.close();
    },
  };
}
