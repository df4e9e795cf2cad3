export { parseState } from "./bot-state.ts";
export { decideTurn } from "./engine.ts";
export { loadQueueScript, loadScript } from "./load-script.ts";
export { runBotTurns } from "./run-bot-turns.ts";
export type { BotChat } from "./run-bot-turns.ts";
