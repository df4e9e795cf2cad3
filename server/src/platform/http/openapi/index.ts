export { openApi, serveDocs } from "./openapi.ts";
