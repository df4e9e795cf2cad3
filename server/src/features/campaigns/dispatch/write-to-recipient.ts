import { fillCampaignText } from "@prosa/contract";
import { connectionTextsOf, readChatFacts, storeAutomaticMessage, textMessage } from "#server/features/bot/index.ts";
import type { BotMessage } from "#server/features/bot/index.ts";
import type { ContactResolver } from "#server/features/contacts/index.ts";
import { admit } from "#server/features/sending/index.ts";
import type { Admission } from "#server/features/sending/index.ts";
import { findOrCreateOutboundTicket, lockTicket } from "#server/features/tickets/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { campaignSettingsOf } from "../settings/index.ts";
import { endRecipient, isContactTaken, saveAsked, saveQueued, setContact } from "./dispatch.queries.ts";
import type { CampaignLine, NextRecipient, WrittenMessage } from "./dispatch.queries.ts";
import { variantInTurn } from "./variants.ts";
import type { Variant } from "./variants.ts";

/**
 * What became of a contact: asked for confirmation, given the message, ended without one (opted out, found twice, deleted), or
 * left as it was, because the line has to wait.
 */
export type Written = { readonly kind: "asked" | "messaged" | "ended" } | Extract<Admission, { readonly kind: "hold" }>;

export interface WriteTools {
  readonly contacts: ContactResolver;
  readonly line: CampaignLine;
  readonly recipient: NextRecipient;
  /** An answer to who has just agreed: neither the campaign's pace nor its hours hold it. */
  readonly isAnswer?: boolean;
}

/**
 * Writes to one contact, in one transaction with its result (K-05): finds or creates contact and ticket, asks the sending gate,
 * and stores the message. Lock order: line, recipient, contact, ticket. Throws RecipientFailure for a contact that cannot be
 * written to: roll back what it half did, and end it with its reason, so that it does not stop those behind it.
 */
export async function writeToRecipient(ctx: Ctx, tools: WriteTools): Promise<Written> {
  const { line, recipient } = tools;
  try {
    const contactId = await contactOf(ctx, tools);
    if (contactId === null) {
      return await ended(ctx, recipient, "failed", "ERR_NO_CONTACT_FOUND");
    }
    if (await isContactTaken(ctx, line.campaignId, contactId, recipient.id)) {
      return await ended(ctx, recipient, "duplicate");
    }
    return await writeToContact(ctx, tools, contactId);
  } catch (error) {
    throw error instanceof AppError ? new RecipientFailure(recipient.id, error) : error;
  }
}

/** A contact cannot be written to, for a reason that another attempt would meet again. */
export class RecipientFailure extends Error {
  override readonly name = "RecipientFailure";
  readonly recipientId: number;
  readonly code: AppError["code"];

  constructor(recipientId: number, cause: AppError) {
    super(cause.code, { cause });
    this.recipientId = recipientId;
    this.code = cause.code;
  }
}

/** Null: the contact of a tag was deleted meanwhile. */
async function contactOf(ctx: Ctx, { contacts, line, recipient }: WriteTools): Promise<number | null> {
  const { contactId, contactListItemId, number, lid, name } = recipient;
  if (contactId !== null || contactListItemId === null) {
    return contactId;
  }
  return contacts.resolvePerson(ctx, line.connectionId, { phone: number, lid }, "", name);
}

async function writeToContact(ctx: Ctx, tools: WriteTools, contactId: number): Promise<Written> {
  const { line, recipient, isAnswer = false } = tools;
  const { connectionId } = line;
  const { id: ticketId } = await findOrCreateOutboundTicket(ctx, { contactId, connectionId, userId: null });
  await lockTicket(ctx, ticketId);
  // A reply to who has just written is what schedules send freely; opt-outs refuse both.
  const purpose = isAnswer ? "schedule" : "campaign";
  const admission = await admit(ctx, { connectionId, contactId, ticketId, purpose });
  if (admission.kind === "hold") {
    await setContact(ctx, recipient.id, contactId);
    return admission;
  }
  if (admission.kind === "refuse") {
    return admission.reason === "optedOut"
      ? ended(ctx, recipient, "optedOut")
      : ended(ctx, recipient, "failed", "ERR_CONTACT_BLOCKED");
  }
  const asks = line.confirmation && recipient.state === "waiting";
  const variant = asks
    ? variantInTurn(line.confirmationMessages, line.handed, line.position)
    : variantInTurn(line.messages, line.messaged, line.position);
  const messages = asks ? [textMessage(variant?.text ?? "")] : contentOf(line, variant);
  const clientId = `campaign-${line.campaignId}-${recipient.id}${asks ? "-ask" : ""}`;
  const messageId = await send(ctx, { line, ticketId, messages, recipient, clientId, isAnswer });
  if (messageId === undefined) {
    return ended(ctx, recipient, "failed", "ERR_SENDING_WAPP_MSG");
  }
  const written: WrittenMessage = {
    recipientId: recipient.id,
    contactId,
    connectionId,
    ticketId,
    messageId,
    variant: variant?.number ?? null,
  };
  await (asks ? saveAsked(ctx, written) : saveQueued(ctx, written));
  return { kind: asks ? "asked" : "messaged" };
}

/** The text with the campaign's file, and then its list of files. */
export function contentOf(
  { file, fileListId }: Pick<CampaignLine, "file" | "fileListId">,
  variant: Variant | undefined,
): BotMessage[] {
  const message = { text: variant?.text ?? "", media: file, fileListId };
  return message.text === "" && file === null && fileListId === null ? [] : [message];
}

interface Sending {
  readonly line: Pick<CampaignLine, "campaignId" | "name" | "connectionId">;
  readonly ticketId: number;
  readonly messages: readonly BotMessage[];
  readonly recipient: Pick<NextRecipient, "name" | "number" | "email">;
  readonly clientId: string;
  readonly isAnswer?: boolean;
  readonly isTest?: true;
}

/** Stores the messages as queued. Returns the id of the first one; undefined if there was nothing to say. */
export async function send(ctx: Ctx, sending: Sending): Promise<number | undefined> {
  const { line, ticketId, messages, recipient, clientId, isAnswer = false, isTest } = sending;
  const { variables } = await campaignSettingsOf(ctx);
  const facts = (await readChatFacts(ctx, [ticketId])).get(ticketId);
  const { language } = await connectionTextsOf(ctx, line.connectionId);
  const [first] = await storeAutomaticMessage(ctx, {
    facts,
    language,
    messages: messages.map((each) => ({ ...each, text: fillCampaignText(each.text, recipient, variables) })),
    clientId,
    priority: isAnswer ? "bot" : "bulk",
    data: { campaign: { id: line.campaignId, name: line.name, ...(isTest && { isTest }) } },
  });
  return first;
}

async function ended(
  ctx: Ctx,
  { id }: NextRecipient,
  state: "failed" | "duplicate" | "optedOut",
  reason: string | null = null,
): Promise<Written> {
  await endRecipient(ctx, id, state, reason);
  return { kind: "ended" };
}
