import { isBlank } from "@prosa/contract/blank";
import type { BotDecision, BotMessage, BotState, BotTurn } from "../bot.script.ts";

/** No assistant has the conversation. */
const nothingAsked = { assistant: null, unanswered: [], askedAt: null } as const;

/** Moves to a place, where no menu was shown and no wrong answer given yet. */
export function arrive(
  state: BotState,
  place: BotState["place"],
  queueId: number | null,
  path: readonly number[] = [],
): BotState {
  return { ...state, ...nothingAsked, place, queueId, path, shown: [], wrongAnswers: 0, toldToWait: false };
}

export function answered(state: BotState, { at }: Pick<BotTurn, "at">): BotState {
  return { ...state, answeredAt: at.toISOString(), heardAt: null };
}

/** The ticket waits for a person from here on; the ways back stay open. */
export function handOver(state: BotState, messages: readonly BotMessage[]): BotDecision {
  return decision({ ...state, ...nothingAsked, place: "waiting", shown: [] }, messages);
}

export function decision(state: BotState, messages: readonly BotMessage[]): BotDecision {
  return {
    state,
    messages: messages.filter(({ text, media, fileListId }) => !isBlank(text) || media !== null || fileListId !== null),
    queueId: state.queueId,
    outcome: outcomeAt(state),
    asksAssistant: false,
  };
}

function outcomeAt({ place, isOver }: BotState): BotDecision["outcome"] {
  if (isOver || place === "waiting") {
    return "person";
  }
  return place === "assistant" ? "assistant" : "bot";
}
