export { parseState, stateOfNewEpisode } from "./bot-state.ts";
export { answerAsAssistant } from "./assistant-turns.ts";
export { decideTransfer, decideTurn } from "./engine.ts";
export { readText } from "./hear.ts";
export type { TextMeaning } from "./hear.ts";
export { closedSentence, isClosed } from "./hours.ts";
export { loadQueueScript, loadScript } from "./load-script.ts";
