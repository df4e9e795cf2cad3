export { readSendingRules, saveSendingRules } from "./rules.service.ts";
