export { findImportIdsOf, setContactOfImports } from "./chat-imports.queries.ts";
