import { resolveVariables, variableValues } from "@prosa/contract";
import { isBlank } from "@prosa/contract/blank";
import { companyProfileOf } from "#server/features/companies/index.ts";
import { dueAt, sendAutomatic, sendMessages, toOutgoingMessages } from "#server/features/messages/index.ts";
import type { AutomaticSending, OutgoingMessage } from "#server/features/messages/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { JobPriority } from "#server/platform/job-priority.ts";
import { readChatFacts } from "./bot.queries.ts";
import type { ChatFacts } from "./bot.queries.ts";
import type { BotMessage } from "./bot.script.ts";
import { rememberingFileLists, withFileLists } from "./file-lists.ts";
import { connectionTextsOf } from "./connection-texts.ts";
import type { BotLanguage } from "./default-texts.ts";

export interface AutomaticMessage {
  readonly facts: ChatFacts | undefined;
  readonly language: BotLanguage;
  readonly messages: readonly BotMessage[];
  /** Idempotency key: messages with the same id are sent once. */
  readonly clientId?: string;
  /** The user who wrote it, and whose words it is shown as. Null: the product's. */
  readonly writtenBy?: number | null;
  /** How urgent the sending is. Default: an answer of the bot, for which the customer waits. */
  readonly priority?: JobPriority | undefined;
  /** What each of the messages carries, such as the campaign that it is of. */
  readonly data?: OutgoingMessage["data"];
}

/**
 * Sends to several tickets of a connection, in its language. Their facts are read in one statement, and in none where there
 * is nothing to say.
 */
export async function sendToTickets(
  ctx: Ctx,
  connectionId: number,
  tickets: readonly { readonly ticketId: number; readonly messages: readonly BotMessage[] }[],
  priority?: JobPriority,
): Promise<void> {
  const spokenTo = tickets.filter(({ messages }) => messages.length > 0);
  const facts = await readChatFacts(
    ctx,
    spokenTo.map(({ ticketId }) => ticketId),
  );
  const { language } = await connectionTextsOf(ctx, connectionId);
  for (const { ticketId, messages } of spokenTo) {
    await sendAutomaticMessage(ctx, { facts: facts.get(ticketId), language, messages, priority });
  }
}

/**
 * Sends automatic messages as the system actor, in the transaction of what they answer. Returns false if nothing was sent:
 * the contact is blocked, or the text is blank after its variables are resolved.
 */
export async function sendAutomaticMessage(ctx: Ctx, message: AutomaticMessage): Promise<boolean> {
  return (await storeAutomaticMessage(ctx, message)).length > 0;
}

/** The same; returns the ids of the messages, none if nothing was sent. */
export async function storeAutomaticMessage(
  ctx: Ctx,
  { facts, language, messages, clientId, writtenBy = null, priority, data }: AutomaticMessage,
): Promise<readonly number[]> {
  const outgoing = await resolvedMessages(ctx, { facts, language, messages, data }, withFileLists);
  if (!facts || outgoing.length === 0) {
    return [];
  }
  const systemCtx: Ctx = { ...ctx, actor: { kind: "system", companyId: ctx.companyId, reason: "bot" } };
  const author = writtenBy === null ? { isAutomatic: true } : { userId: writtenBy };
  const { ids } = await sendMessages(systemCtx, facts.ticketId, outgoing, { ...author, clientId, priority });
  return ids;
}

/** What is said to one of several chats. */
export interface AutomaticMessageTo extends Pick<AutomaticMessage, "language" | "messages" | "data"> {
  readonly ticket: AutomaticSending["ticket"];
  readonly clientId: string;
  readonly priority: JobPriority;
}

/**
 * The same to several chats, whose tickets are locked, in a few statements for all of them. Returns the ids of their messages, in
 * the order of the chats; none where nothing was sent.
 */
export async function storeAutomaticMessages(
  ctx: Ctx,
  chats: readonly AutomaticMessageTo[],
): Promise<readonly (readonly number[])[]> {
  const facts = await readChatFacts(
    ctx,
    chats.map(({ ticket }) => ticket.id),
  );
  const addFiles = rememberingFileLists();
  const sendings: AutomaticSending[] = [];
  const places: number[] = [];
  for (const [place, { ticket, clientId, priority, ...said }] of chats.entries()) {
    const messages = await resolvedMessages(ctx, { ...said, facts: facts.get(ticket.id) }, addFiles);
    if (messages.length > 0) {
      sendings.push({ ticket, clientId, priority, messages });
      places.push(place);
    }
  }
  const stored = sendings.length === 0 ? [] : await sendAutomatic(ctx, sendings);
  const ids = new Map(places.map((place, index) => [place, stored[index] ?? []]));
  return chats.map((_chat, place) => ids.get(place) ?? []);
}

/** With their files and variables, as they are sent; none to who is blocked. */
async function resolvedMessages(
  ctx: Ctx,
  { facts, language, messages, data }: Pick<AutomaticMessage, "facts" | "language" | "messages" | "data">,
  addFiles: typeof withFileLists,
): Promise<OutgoingMessage[]> {
  if (!facts || facts.isBlocked || messages.length === 0) {
    return [];
  }
  const { name: companyName, timeZone } = await companyProfileOf(ctx);
  const values = variableValues({ ...facts, companyName, now: ctx.now(), timeZone, language });
  const now = ctx.now().getTime();
  let due = now;
  const outgoing = (await addFiles(ctx, messages)).flatMap((message) => {
    due += message.delayMs ?? 0;
    const text = message.isVerbatim ? message.text : resolveVariables(message.text, values);
    const sent = outgoingMessagesOf({ ...message, text });
    // What follows a pause has one as well: all of it is withdrawn where a person takes the ticket.
    return due > now ? sent.map((each) => ({ ...each, data: { ...each.data, ...dueAt(new Date(due)) } })) : sent;
  });
  return data ? outgoing.map((each) => ({ ...each, data: { ...each.data, ...data } })) : outgoing;
}

function outgoingMessagesOf({ text, media, isWithoutPreview, sources }: BotMessage): OutgoingMessage[] {
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
    isVoice: media.spoken !== undefined,
    thumbnail: null,
  };
  return toOutgoingMessages({ body: text, voice: false }, file ? [file] : []).map((message) => ({
    ...message,
    ...(isWithoutPreview && { isWithoutPreview }),
    ...(sources && { data: { ...message.data, sources } }),
    ...(media?.spoken !== undefined && message.file && { transcript: media.spoken }),
  }));
}
