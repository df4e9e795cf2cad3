export { migrateToLatest } from "./migrator.ts";
