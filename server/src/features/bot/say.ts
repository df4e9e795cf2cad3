import { resolveVariables, variableValues } from "@prosa/contract";
import { isBlank } from "@prosa/contract/blank";
import { companyProfileOf } from "#server/features/companies/index.ts";
import { sendMessages, toOutgoingMessages } from "#server/features/messages/index.ts";
import type { OutgoingMessage } from "#server/features/messages/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { ChatFacts } from "./bot.queries.ts";
import type { BotMessage } from "./bot.script.ts";
import type { BotLanguage } from "./words.ts";

export interface Saying {
  readonly facts: ChatFacts | undefined;
  readonly language: BotLanguage;
  readonly messages: readonly BotMessage[];
  /** The same id again is the same saying, and is not said twice. */
  readonly clientId?: string;
}

/**
 * Says something by itself, as the machinery: automatic messages through the one gate, in the transaction of what they
 * answer. False when nothing was said: the contact is blocked, or nothing is left of the text.
 */
export async function say(ctx: Ctx, { facts, language, messages, clientId }: Saying): Promise<boolean> {
  if (!facts || facts.isBlocked || messages.length === 0) {
    return false;
  }
  const { timeZone } = await companyProfileOf(ctx);
  const values = variableValues({ ...facts, now: ctx.now(), timeZone, language });
  const drafts = messages.flatMap((message) =>
    outgoingMessagesOf({ ...message, text: resolveVariables(message.text, values) }),
  );
  if (drafts.length === 0) {
    return false;
  }
  const machine: Ctx = { ...ctx, actor: { kind: "system", companyId: ctx.companyId, reason: "bot" } };
  await sendMessages(machine, facts.ticketId, drafts, { isAutomatic: true, clientId });
  return true;
}

/** A text by itself, as most things that are said are. */
export function textMessage(text: string): BotMessage {
  return { text, media: null, fileListId: null };
}

function outgoingMessagesOf({ text, media }: BotMessage): OutgoingMessage[] {
  if (isBlank(text) && !media) {
    return [];
  }
  const file = media && {
    storageKey: media.path,
    fileName: media.name,
    mimeType: media.type,
    size: media.size,
    width: null,
    height: null,
    seconds: null,
    isVoice: false,
    thumbnail: null,
  };
  return toOutgoingMessages({ body: text, voice: false }, file ? [file] : []);
}
