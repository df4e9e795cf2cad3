export { createQuickMessage } from "./quick-messages.service.ts";
