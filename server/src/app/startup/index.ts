export { openInfrastructure, unlessAborted } from "./infrastructure.ts";
export type { InfrastructureOptions, OpenInfrastructure } from "./infrastructure.ts";
export { runServer } from "./serve.ts";
