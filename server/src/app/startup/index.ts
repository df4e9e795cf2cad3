export { openDatabaseServer, openInfrastructure, unlessAborted } from "./infrastructure.ts";
export type { DatabaseServer, InfrastructureOptions, OpenInfrastructure } from "./infrastructure.ts";
export { runServer } from "./serve.ts";
