export { readChatFacts } from "./bot.queries.ts";
export { handover, textMessage } from "./bot.script.ts";
export { connectionTextsOf } from "./connection-texts.ts";
export { customerNotices } from "./customer-notices.ts";
export { assistantJob, kindsOf, longestPauseMs, pauseAskedFor } from "./assistants/index.ts";
export type {
  AssistantDriver,
  AssistantDrivers,
  AssistantRequest,
  CreateAssistantDriver,
  SaidToAssistant,
} from "./assistants/index.ts";
export type { AssistantKinds, AssistantReply, BotMedia, BotMessage, Said } from "./bot.script.ts";
export { asksBesideRating, matchChoice, readRating, readYesNo } from "./answers/index.ts";
export { applyRatings, isRatingTime, isThanksTime, readAfterEnd } from "./rating/index.ts";
export type { Rating } from "./rating/index.ts";
export { readTexts, runBotTurns } from "./turns/index.ts";
export type { BotChat } from "./turns/index.ts";
export { sendAutomaticMessage, storeAutomaticMessage, storeAutomaticMessages } from "./send-automatic-message.ts";
