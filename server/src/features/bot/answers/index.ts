export { isCourtesyText, isThanks } from "./courtesy.ts";
export { matchChoice } from "./match-choice.ts";
export type { Choice } from "./match-choice.ts";
export { readAnswer } from "./read-answer.ts";
export type { Answer, BotCommand } from "./read-answer.ts";
export { readNumber } from "./read-number.ts";
export { asksBesideRating, readRating } from "./read-rating.ts";
export { readYesNo } from "./read-yes-no.ts";
