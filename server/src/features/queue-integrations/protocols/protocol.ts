import type { IntegrationCallBody } from "@prosa/contract";
import type { PostAnswer } from "#server/platform/net/index.ts";
import { storableText } from "#server/platform/storable-text.ts";

/** An integration as its protocol needs it, with its secrets in clear for the call. */
export interface CalledIntegration {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  /** Signs calls of n8n and webhook. */
  readonly secret: string;
  readonly projectName: string;
  readonly location: string;
  readonly language: string;
  /** The service account; empty without one. */
  readonly account: string;
  readonly typebotSlug: string;
  readonly delayMs: number;
  readonly expiresMinutes: number;
  readonly keywordFinish: string;
  readonly keywordRestart: string;
  readonly restartMessage: string;
  readonly unknownMessage: string;
}

/** What was said, and in which conversation. */
export interface Talk {
  readonly integration: CalledIntegration;
  readonly said: IntegrationCallBody["messages"];
  readonly contact: IntegrationCallBody["contact"];
  readonly ticket: IntegrationCallBody["ticket"];
  readonly connection: IntegrationCallBody["connection"];
  /** Names the conversation to the other system: another one for each time that it is served. */
  readonly conversation: string;
  /** The conversation's state at the other system, where it keeps one; null at its beginning. */
  readonly session: Session | null;
  /** An earlier call of this point of the conversation was interrupted: nobody knows whether the other system has gone on. */
  readonly isRepeated: boolean;
  /** Said where a word of the customer ends the conversation. */
  readonly farewell: string;
  readonly at: Date;
}

/** What a Dialogflow agent remembers of a session. */
export interface DialogflowContext {
  readonly name: string;
  readonly lifespanCount: number;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

export interface Session {
  readonly id: string;
  /** The lines of the menu that the customer sees. */
  readonly choices: readonly string[];
  /** Several of them may be chosen. */
  readonly isMultiple: boolean;
  /** Id of the question that Typebot asked last; null: not known. */
  readonly question: string | null;
  /** Dialogflow's contexts after its last answer; null: not known. */
  readonly contexts: readonly DialogflowContext[] | null;
  readonly usedAt: Date;
}

/** A message of the answer: a text, or a file by its address with its caption. */
export interface AnswerPart {
  readonly text: string;
  /** Set where the company wrote the text, in the integration or the connection: only in such a text variables are replaced. */
  readonly isOwn?: true;
  readonly mediaUrl: string | null;
  /** The pause before it. Default: none. */
  readonly delayMs?: number;
}

export interface ProtocolAnswer {
  readonly parts: readonly AnswerPart[];
  readonly handsOver: boolean;
  readonly closes: boolean;
  readonly queueId: number | null;
  readonly userId: number | null;
  /** From here on; null: it is over. Left out by protocols without sessions. */
  readonly session?: Session | null;
}

export const silence: ProtocolAnswer = { parts: [], handsOver: false, closes: false, queueId: null, userId: null };

/** Posts to the other system; guarded, limited and noted in the log of calls. Throws IntegrationError where there is no answer. */
export interface Caller {
  post(
    url: string,
    request: {
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** The operator chose the address, not a user: it may be in a private network. */
      readonly isOperators?: boolean;
    },
  ): Promise<PostAnswer>;
}

/** Asks the other system. Throws IntegrationError. */
export type Protocol = (talk: Talk, caller: Caller) => Promise<ProtocolAnswer>;

/** Why an integration did not answer, in words that its admins read in the log of calls. */
export class IntegrationError extends Error {
  override readonly name = "IntegrationError";
  readonly reason: string;
  readonly detail: string;

  constructor(reason: string, detail = "", options?: ErrorOptions) {
    super(detail === "" ? reason : `${reason}: ${detail}`, options);
    this.reason = reason;
    this.detail = detail;
  }
}

/** The reason where a flow went on and its words are gone (decision 0270). */
export const answerLost = "answer lost";

/** The body of an answer that has to be JSON. What PostgreSQL takes in no JSON, U+0000 and half letters, is cleaned away. */
export function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) => (typeof value === "string" ? storableText(value) : value));
  } catch (cause) {
    throw new IntegrationError("no JSON", "", { cause });
  }
}
