/** The server of the test databases, as its owner. */
export { inDatabase, onServer } from "#server/platform/db/index.ts";
