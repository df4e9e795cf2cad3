export { answerAgreed, dispatchNext } from "./dispatch.ts";
export { sendTest } from "./test-send.ts";
export { wakeHeldLines } from "./wake-lines.ts";
