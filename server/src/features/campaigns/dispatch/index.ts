export { answerAgreed } from "./answer.ts";
export { dispatchDue } from "./dispatch.ts";
export { sendTest } from "./test-send.ts";
export { wakeHeldLines, wakeLinesOfRules } from "./wake-lines.ts";
