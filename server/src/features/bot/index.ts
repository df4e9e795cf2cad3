export { freshState } from "./bot.script.ts";
export type { BotDecision, BotMedia, BotMessage, BotScript, BotState, BotTurn } from "./bot.script.ts";
export { readState } from "./bot.state.ts";
export { decideTurn } from "./engine.ts";
export { isOpenAt } from "./hours.ts";
export { loadScript } from "./load-script.ts";
export { ratingWindowMs, readRating } from "./rating.ts";
export { wordsIn } from "./words.ts";
