export { parseState } from "./bot-state.ts";
export { answerAsAssistant } from "./assistant-turns.ts";
export { decideTransfer, decideTurn } from "./engine.ts";
export { isClosed } from "./hours.ts";
export { loadQueueScript, loadScript } from "./load-script.ts";
