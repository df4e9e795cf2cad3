export { createSupervisor } from "./supervisor.ts";
export type { Supervisor } from "./supervisor.ts";
