export { createClientVersionCircuitBreaker } from "./circuit-breaker.ts";
export { pruneRefusedVersions } from "./refused-versions.queries.ts";
export { listRefusedVersions } from "./refused-versions.service.ts";
