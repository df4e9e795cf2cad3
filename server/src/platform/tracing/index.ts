export { startTracing } from "./start-tracing.ts";
export { tracedStatement } from "./trace-statement.ts";
export { traced } from "./traced.ts";
