import type { MediaType } from "@prosa/contract";
import type { JobDeps } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import { assistantKinds } from "../bot.script.ts";
import type { AssistantKinds, AssistantReply } from "../bot.script.ts";

/** Answers customers in place of the menus: an AI prompt, an integration (behaviour 5, rule 5; behaviour 6). */
export interface AssistantDriver {
  /**
   * Answers all that was said since the last answer. Throws where it cannot: it is tried again, then a person is called.
   * `RetryLater` where it only has to wait: that counts as no failure.
   */
  answer(request: AssistantRequest): Promise<AssistantReply>;
}

/** The drivers of this process. A kind without one answers nobody: its queues and connections show their menus. */
export type AssistantDrivers = Readonly<Partial<Record<AssistantKinds[number], CreateAssistantDriver>>>;

/** Called once in each process. */
export type CreateAssistantDriver = (services: Services) => AssistantDriver;

export function kindsOf(drivers: AssistantDrivers): AssistantKinds {
  return assistantKinds.filter((kind) => drivers[kind] !== undefined);
}

export interface AssistantRequest {
  /** Of the prompt or the integration. */
  readonly assistantId: number;
  readonly ticketId: number;
  readonly connectionId: number;
  /** In order, at least one message. */
  readonly said: readonly SaidToAssistant[];
  /** Since when the answer is owed. What was said before, out of hours or while the line was down, may be hours older. */
  readonly waitsSince: Date;
  readonly companyId: number;
  /** What the driver throws now is not tried again: a person is called. */
  readonly isLastTry: boolean;
  /** Transactions of the company, to read what the answer needs. Open none during an external call. */
  readonly inCompany: JobDeps["inCompany"];
  /** Aborted when the answer would come too late. */
  readonly signal: AbortSignal;
}

/** A message of the customer. */
export interface SaidToAssistant {
  readonly messageId: number;
  readonly kind: MediaType;
  /** The text, or the caption of media. */
  readonly text: string;
  /** The file of the message, which may still be on its way; null for a text. */
  readonly mediaId: number | null;
  /** When the customer sent it. */
  readonly at: Date;
  /** When it came in: its file is on its way since then. */
  readonly storedAt: Date;
}
