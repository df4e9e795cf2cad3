export { readChatFacts } from "./bot.queries.ts";
export { textMessage } from "./bot.script.ts";
export { connectionTextsOf } from "./connection-texts.ts";
export { sendCustomerNotice } from "./customer-notices.ts";
export { runBotTurns } from "./engine/index.ts";
export type { BotChat } from "./engine/index.ts";
export { applyRatings, isRatingTime, readRating } from "./rating/index.ts";
export type { Rating } from "./rating/index.ts";
export { sendAutomaticMessage } from "./send-automatic-message.ts";
