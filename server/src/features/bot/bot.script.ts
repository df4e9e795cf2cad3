import type { ScheduleDay } from "@prosa/contract";

/** What the bot of one connection may say and do: settings, queues and their option trees, read once for a turn. */
export interface BotScript {
  /** "company": one timetable for all; "queue": each queue its own; "disabled": always open. */
  readonly scheduleType: "disabled" | "queue" | "company";
  readonly companySchedules: readonly ScheduleDay[];
  readonly timeZone: string;
  readonly greeting: string;
  readonly outOfHoursMessage: string;
  readonly queues: readonly BotQueue[];
  /** Menus an episode; 0 means no limit (behaviour 5, rule 6). */
  readonly maxMenus: number;
  /** Minutes within which a menu is not repeated; 0 means none. */
  readonly quietMinutes: number;
  /** Setting sendGreetingMessageOneQueues: greet even where the only queue is entered at once. */
  readonly greetsOneQueue: boolean;
  /** Who answers before any queue is chosen, instead of the menu. */
  readonly assistant: Assistant | null;
  readonly words: BotWords;
}

/** An AI prompt or an integration that takes the conversation over. */
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
  /** By its bytes: image/png. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}

/** The bot's own lines, in the language of the connection. */
export interface BotWords {
  readonly back: string;
  readonly mainMenu: string;
  readonly waitForPerson: string;
}

/** Where a conversation stands with the bot; kept on the ticket between turns. */
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
  /** How often the same text came in a row. */
  readonly repeats: number;
  /** A person is waited for: the bot is silent until the episode ends. */
  readonly isOver: boolean;
}

export const freshState: BotState = {
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
  /** The customer's text; empty for a picture, a place, a voice note. */
  readonly text: string;
  readonly at: Date;
}

export interface BotMessage {
  readonly text: string;
  readonly media: BotMedia | null;
  readonly fileListId: number | null;
}

/** What the bot does with a turn. */
export interface BotDecision {
  readonly state: BotState;
  /** Never an empty text without a file. */
  readonly messages: readonly BotMessage[];
  /** The queue that the ticket belongs to after the turn. */
  readonly queueId: number | null;
  /** `bot`: it goes on with the next turn; `person`: somebody is waited for; `assistant`: hand the turn over. */
  readonly outcome: "bot" | "person" | "assistant";
  readonly assistant: Assistant | null;
}
