export { readTexts } from "./read-texts.ts";
export { runBotTurns } from "./run-bot-turns.ts";
export type { BotChat } from "./run-bot-turns.ts";
