import type { CitedSource, MediaType, ScheduleDay } from "@prosa/contract";
import type { CompanyService } from "#server/features/companies/index.ts";
import type { BotTexts } from "./default-texts.ts";

/** The configuration of one connection's bot: settings, texts, queues and their option trees; loaded once per turn. */
export interface BotScript {
  /** "company": one timetable for all queues; "queue": one for each; "disabled": always open. */
  readonly scheduleType: "disabled" | "queue" | "company";
  readonly companySchedules: readonly ScheduleDay[];
  /** Played as closed whatever the hours say; in previews only. */
  readonly isClosedNow?: true;
  readonly timeZone: string;
  /** Nothing promises a person while the company is switched off or overdue (behaviour 5, rule 4). */
  readonly service: CompanyService;
  readonly greeting: string;
  readonly outOfHoursMessage: string;
  readonly queues: readonly BotQueue[];
  /** The company's other queues: in no menu here, but an assistant may hand over to them, and then their hours count. */
  readonly otherQueues: readonly QueueHours[];
  /** How often a wrong answer gets the menu again, at each place; 0 means no limit (maxUseBotQueues: behaviour 5, rule 6). */
  readonly maxRepeats: number;
  /** Minutes after a menu within which it is not repeated; 0 means none (timeUseBotQueues). */
  readonly quietMinutes: number;
  /** Setting sendGreetingMessageOneQueues: send the greeting even if the only queue is entered at once. */
  readonly greetsOneQueue: boolean;
  /** Answers instead of the menu, before a queue is chosen. */
  readonly assistant: Assistant | null;
  /** The queue that a ticket without one goes to when its contact has not chosen for this long; null: never. */
  readonly transfer: { readonly afterMinutes: number; readonly queue: BotQueue } | null;
  readonly texts: BotTexts;
}

export const assistantKinds = ["prompt", "integration"] as const;
/** Those that this process can ask; a queue or connection with another kind is as one without. */
export type AssistantKinds = readonly (typeof assistantKinds)[number][];

/** An AI prompt or an integration that takes over the conversation. */
export interface Assistant {
  readonly kind: AssistantKinds[number];
  readonly id: number;
}

/** When the people of a queue are there, and what is said when they are not. */
export interface QueueHours {
  readonly id: number;
  readonly outOfHoursMessage: string;
  readonly schedules: readonly ScheduleDay[];
}

export interface BotQueue extends QueueHours {
  readonly name: string;
  readonly greeting: string;
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
  /** A voice message, and what it says in words. */
  readonly spoken?: string;
}

/** Where a conversation is. Each place counts its own wrong answers. */
export type BotPlace =
  /** Before the first menu; with a queue, that queue was chosen while it was closed. */
  | "start"
  /** At the menu of queues. */
  | "queues"
  /** In the option tree of a queue, at a path. */
  | "options"
  /** An assistant has the conversation. */
  | "assistant"
  /** The bot has handed over; the ways back stay open until a person accepts (behaviour 5, rule 3). */
  | "waiting"
  /** An agent resolved the ticket and the contact was asked to rate it. */
  | "rating"
  /** An agent resolved the ticket. */
  | "ended";

/** The position of a conversation in the bot's menus; stored on the ticket between turns. */
export interface BotState {
  readonly place: BotPlace;
  readonly queueId: number | null;
  /** Options chosen so far, from the queue's root down. */
  readonly path: readonly number[];
  /** The assistant that has the conversation, at the place of that name. */
  readonly assistant: Assistant | null;
  /** Ids of the messages that the assistant has not answered. */
  readonly unanswered: readonly number[];
  /** ISO time since when the assistant owes an answer: what it is given may be older, said out of hours. Null where it owes none. */
  readonly askedAt: string | null;
  /** The lines of the menu that the customer sees, as printed; empty where none was. The menu may have been edited since. */
  readonly shown: readonly { readonly option: string; readonly id: number }[];
  /** At this place. */
  readonly wrongAnswers: number;
  /** ISO time of the last answer; null before the first. */
  readonly answeredAt: string | null;
  /** ISO time of the last menu; null before the first. */
  readonly lastMenuAt: string | null;
  /** ISO time of the last message that was too early to be a wrong answer. */
  readonly heardAt: string | null;
  /** ISO time of the last out-of-hours message. */
  readonly outOfHoursAt: string | null;
  /** Media were answered with the request to send a number, once an episode. */
  readonly askedForNumber: boolean;
  /** It was said that a person comes, or that it is closed. */
  readonly toldToWait: boolean;
  /** What was said in the last turn that was answered. */
  readonly lastText: string;
  /** How often the same was said in a row, each time answered. */
  readonly repeats: number;
  /** The beginning of what an assistant said last. */
  readonly lastReply: string;
  /** Turns in a row that followed an assistant's words faster than anybody writes. */
  readonly quickTurns: number;
  /** Answers of assistants without an hour's pause, also over the end of an episode. */
  readonly assistantAnswers: number;
  /** A person took over, or a timer moved the ticket: the bot is silent until the episode ends. */
  readonly isOver: boolean;
}

export const initialState: BotState = {
  place: "start",
  queueId: null,
  path: [],
  assistant: null,
  unanswered: [],
  askedAt: null,
  shown: [],
  wrongAnswers: 0,
  answeredAt: null,
  lastMenuAt: null,
  heardAt: null,
  outOfHoursAt: null,
  askedForNumber: false,
  toldToWait: false,
  lastText: "",
  repeats: 0,
  lastReply: "",
  quickTurns: 0,
  assistantAnswers: 0,
  isOver: false,
};

/** A message of the customer. */
export interface Said {
  /** Of the stored message; 0 in a preview. */
  readonly messageId: number;
  readonly kind: MediaType;
  /** The text, or the caption of media. */
  readonly text: string;
  readonly at: Date;
}

/** All that was said since the last answer, which gets one answer (behaviour 5, rule 6). */
export interface BotTurn {
  /** In order; empty only after an assistant's answer. */
  readonly said: readonly Said[];
  /** Now. */
  readonly at: Date;
}

export interface BotMessage {
  readonly text: string;
  readonly media: BotMedia | null;
  /** Its message and its files follow this one. */
  readonly fileListId: number | null;
  /** Nobody of the company wrote it: its variables are not replaced. */
  readonly isVerbatim?: true;
  /** A model wrote it: addresses in it are not fetched. */
  readonly isWithoutPreview?: true;
  /** The passages of the company's texts that it cites: kept with the message for the agents. */
  readonly sources?: readonly CitedSource[];
  /** The customer sees that somebody types for so long (ms) before this one. Default: none. */
  readonly delayMs?: number;
}

/** A message without a file. */
export function textMessage(text: string): BotMessage {
  return { text, media: null, fileListId: null };
}

/** The answer of an assistant. */
export interface AssistantReply {
  readonly messages: readonly BotMessage[];
  /** Ids of the messages that it answers; left out: all that were asked. */
  readonly answered?: readonly number[];
  /** The conversation goes to a person; without messages it is said that one comes, and out of hours after them when one does. */
  readonly handsOver: boolean;
  /** Promises a person, after the messages: left out where nobody is there to come. */
  readonly promise?: string;
  /** The queue that it goes to; default: the one that it is in. */
  readonly queueId?: number;
  /** The agent who gets the conversation; of the same company. */
  readonly userId?: number;
  /** The conversation is resolved after the messages. */
  readonly closes?: boolean;
}

/** The conversation goes to a person, and of the assistant nothing is said. */
export const handover: AssistantReply = { messages: [], handsOver: true };

/** What the bot does in a turn. */
export interface BotDecision {
  readonly state: BotState;
  /** One answer: each message has a text that is not blank, a file, or a list of files. */
  readonly messages: readonly BotMessage[];
  /** The queue that the ticket belongs to after the turn. */
  readonly queueId: number | null;
  /** `bot`: the bot answers the next turn; `person`: the ticket waits for a user; `assistant`: the assistant has it. */
  readonly outcome: "bot" | "person" | "assistant";
  /** The assistant is to answer what stands in `state.unanswered`. */
  readonly asksAssistant: boolean;
}
