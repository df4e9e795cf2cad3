export { readSendingRules, saveSendingRules } from "./rules.service.ts";
export { endOfDay, nextOpening } from "./work-hours.ts";
