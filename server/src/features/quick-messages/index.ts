export { createQuickMessage, releaseQuickMessages } from "./quick-messages.service.ts";
