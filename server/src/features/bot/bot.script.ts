import type { ScheduleDay } from "@prosa/contract";

/** The configuration of one connection's bot: settings, texts, queues and their option trees; loaded once per turn. */
export interface BotScript {
  /** "company": one timetable for all queues; "queue": one for each; "disabled": always open. */
  readonly scheduleType: "disabled" | "queue" | "company";
  readonly companySchedules: readonly ScheduleDay[];
  readonly timeZone: string;
  readonly greeting: string;
  readonly outOfHoursMessage: string;
  readonly queues: readonly BotQueue[];
  /** The most menus of one episode; 0 means no limit (behaviour 5, rule 6). */
  readonly maxMenus: number;
  /** Minutes within which a menu is not repeated; 0 means none. */
  readonly quietMinutes: number;
  /** Setting sendGreetingMessageOneQueues: send the greeting even if the only queue is entered at once. */
  readonly greetsOneQueue: boolean;
  /** Answers instead of the menu, before a queue is chosen. */
  readonly assistant: Assistant | null;
  readonly texts: BotTexts;
}

/** An AI prompt or an integration that takes over the conversation. */
export interface Assistant {
  readonly kind: "prompt" | "integration";
  readonly id: number;
}

export interface BotQueue {
  readonly id: number;
  readonly name: string;
  readonly greeting: string;
  readonly outOfHoursMessage: string;
  readonly schedules: readonly ScheduleDay[];
  readonly options: readonly BotOption[];
  readonly assistant: Assistant | null;
}

export interface BotOption {
  readonly id: number;
  /** What the customer types. */
  readonly option: string;
  readonly title: string;
  readonly message: string;
  readonly media: BotMedia | null;
  readonly fileListId: number | null;
  readonly children: readonly BotOption[];
}

export interface BotMedia {
  readonly path: string;
  readonly name: string;
  /** The MIME type, detected from the bytes: image/png. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}

/** The bot's fixed texts, in the language of the connection. */
export interface BotTexts {
  readonly back: string;
  readonly mainMenu: string;
  readonly waitForPerson: string;
}

/** The position of a conversation in the bot's menus; stored on the ticket between turns. */
export interface BotState {
  readonly queueId: number | null;
  /** Options chosen so far, from the queue's root down. */
  readonly path: readonly number[];
  readonly menusSent: number;
  /** ISO time of the last menu; null before the first. */
  readonly lastMenuAt: string | null;
  /** ISO time of the last out-of-hours message. */
  readonly outOfHoursAt: string | null;
  readonly lastText: string;
  /** How often the same text arrived in a row. */
  readonly repeats: number;
  /** Handed over to a person: the bot is silent until the episode ends. */
  readonly isOver: boolean;
}

export const initialState: BotState = {
  queueId: null,
  path: [],
  menusSent: 0,
  lastMenuAt: null,
  outOfHoursAt: null,
  lastText: "",
  repeats: 0,
  isOver: false,
};

export interface BotTurn {
  /** The customer's text; empty for a picture, a location, a voice note. */
  readonly text: string;
  readonly at: Date;
}

export interface BotMessage {
  readonly text: string;
  readonly media: BotMedia | null;
  readonly fileListId: number | null;
}

/** A message without a file. */
export function textMessage(text: string): BotMessage {
  return { text, media: null, fileListId: null };
}

/** What the bot does in a turn. */
export interface BotDecision {
  readonly state: BotState;
  /** Each has a text that is not blank, or a file. */
  readonly messages: readonly BotMessage[];
  /** The queue that the ticket belongs to after the turn. */
  readonly queueId: number | null;
  /** `bot`: the bot answers the next turn; `person`: the ticket waits for a user; `assistant`: the assistant answers. */
  readonly outcome: "bot" | "person" | "assistant";
  readonly assistant: Assistant | null;
}
