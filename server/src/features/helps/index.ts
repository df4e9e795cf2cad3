export { createHelp } from "./helps.service.ts";
