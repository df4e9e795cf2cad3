import { fillCampaignText } from "@prosa/contract";
import type { ErrorCode, RecipientState } from "@prosa/contract";
import { connectionTextsOf, storeAutomaticMessages } from "#server/features/bot/index.ts";
import type { BotMessage } from "#server/features/bot/index.ts";
import type { ContactResolver } from "#server/features/contacts/index.ts";
import { admitAll } from "#server/features/sending/index.ts";
import type { Admission } from "#server/features/sending/index.ts";
import { deleteUnwrittenTickets, lockOutboundTickets } from "#server/features/tickets/index.ts";
import type { TicketRow } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { campaignSettingsOf } from "../settings/index.ts";
import { findRecipientsOf, saveRecipients } from "./dispatch.queries.ts";
import type { CampaignLine, NextRecipient, RecipientChange, SendingCampaign } from "./dispatch.queries.ts";
import { variantInTurn } from "./variants.ts";
import type { Variant } from "./variants.ts";

/**
 * What became of a contact: asked for confirmation, given the message, ended without one (opted out, found twice, deleted),
 * left as it was because the line has to wait, or to be taken again, since the same person is written to at this moment.
 */
export type Written =
  { readonly kind: "asked" | "messaged" | "ended" | "again" } | Extract<Admission, { readonly kind: "hold" }>;

/** A line, and the contact that it is to write to. */
export interface Place {
  readonly line: CampaignLine;
  readonly recipient: NextRecipient;
}

export interface WriteTools {
  readonly contacts: ContactResolver;
  readonly campaign: SendingCampaign;
  /** An answer to who has just agreed: neither the campaign's pace nor its hours hold it. */
  readonly isAnswer?: boolean;
}

/** A place whose person is known, and whose ticket is locked. */
interface Found extends Place {
  readonly contactId: number;
  readonly ticket: TicketRow;
}

type Outcome = Written & { readonly change?: Omit<RecipientChange, "id"> };

/**
 * Writes to one contact by each of several lines, in one transaction with their results (K-05) and a few statements for all of
 * them: finds or creates contacts and tickets, asks the sending gate, and stores the messages. Lock order: lines, recipients,
 * contacts, tickets. Returns what became of each, in their order.
 */
export async function writeToRecipients(
  ctx: Ctx,
  tools: WriteTools,
  places: readonly Place[],
): Promise<readonly Written[]> {
  const outcomes = new Map<Place, Outcome>();
  const end = (place: Place, state: RecipientState, reason: ErrorCode | null = null) =>
    outcomes.set(place, { kind: "ended", change: { state, reason } });

  const people = await findPeople(ctx, tools.contacts, places);
  const known = await findRecipientsOf(ctx, tools.campaign.id, [...new Set(people.values())]);
  const first = new Map<number, Place>();
  for (const place of places) {
    const contactId = people.get(place);
    const sameId = contactId === undefined ? undefined : known.get(contactId);
    if (contactId === undefined) {
      end(place, "failed", "ERR_NO_CONTACT_FOUND");
    } else if (sameId !== undefined && sameId !== place.recipient.id) {
      end(place, "duplicate");
    } else if (first.has(contactId)) {
      outcomes.set(place, { kind: "again" });
    } else {
      first.set(contactId, place);
    }
  }

  for (const [place, outcome] of await writeToPeople(ctx, tools, first)) {
    outcomes.set(place, outcome);
  }
  const changes = [...outcomes].flatMap(([{ recipient }, { change }]) =>
    change ? [{ id: recipient.id, ...change }] : [],
  );
  await saveRecipients(ctx, changes);
  return places.map((place) => outcomes.get(place)!);
}

/** Who the contacts are; without those of a tag that were deleted meanwhile. */
async function findPeople(
  ctx: Ctx,
  contacts: ContactResolver,
  places: readonly Place[],
): Promise<ReadonlyMap<Place, number>> {
  const people = new Map<Place, number>();
  const numbers: Place[] = [];
  for (const place of places) {
    const { contactId, contactListItemId } = place.recipient;
    if (contactId !== null) {
      people.set(place, contactId);
    } else if (contactListItemId !== null) {
      numbers.push(place);
    }
  }
  const found = await contacts.resolvePeople(
    ctx,
    numbers.map(({ line: { connectionId }, recipient: { number, lid, name } }) => ({
      connectionId,
      phone: number,
      lid,
      fallbackName: name,
    })),
  );
  found.forEach((contactId, index) => people.set(numbers[index]!, contactId));
  return people;
}

/** Writes to people, each of whom is there once. Who gets nothing, now or ever, leaves no empty conversation. */
async function writeToPeople(
  ctx: Ctx,
  tools: WriteTools,
  people: ReadonlyMap<number, Place>,
): Promise<Map<Place, Outcome>> {
  const outcomes = new Map<Place, Outcome>();
  const chats = [...people].map(([contactId, { line }]) => ({ contactId, connectionId: line.connectionId }));
  if (chats.length === 0) {
    return outcomes;
  }
  const { tickets, createdIds } = await lockOutboundTickets(ctx, chats);
  const found: Found[] = [];
  for (const [index, [contactId, place]] of [...people].entries()) {
    const ticket = tickets[index];
    if (ticket) {
      found.push({ ...place, contactId, ticket });
    } else {
      outcomes.set(place, { kind: "ended", change: { state: "failed", reason: "ERR_NO_CONTACT_FOUND" } });
    }
  }
  const placeOf = ({ contactId }: Found) => people.get(contactId)!;
  const admitted: Found[] = [];
  // A reply to who has just written is what schedules send freely; opt-outs refuse both.
  const purpose = tools.isAnswer ? "schedule" : "campaign";
  const asked = found.map(({ line, contactId, ticket }) => ({
    connectionId: line.connectionId,
    contactId,
    ticketId: ticket.id,
  }));
  const admissions = found.length === 0 ? [] : await admitAll(ctx, asked, purpose);
  for (const [index, each] of found.entries()) {
    const admission = admissions[index]!;
    if (admission.kind === "go") {
      admitted.push(each);
    } else {
      outcomes.set(placeOf(each), withoutMessage(admission, each.contactId));
    }
  }
  const written = await storeMessages(ctx, tools, admitted);
  written.forEach((outcome, index) => outcomes.set(placeOf(admitted[index]!), outcome));
  const said = new Set(written.map(({ change }) => change?.written?.ticketId));
  await deleteUnwrittenTickets(
    ctx,
    [...createdIds].filter((id) => !said.has(id)),
  );
  return outcomes;
}

function withoutMessage(admission: Exclude<Admission, { readonly kind: "go" }>, contactId: number): Outcome {
  if (admission.kind === "hold") {
    return { ...admission, change: { contactId } };
  }
  return {
    kind: "ended",
    change:
      admission.reason === "optedOut"
        ? { state: "optedOut", reason: null }
        : { state: "failed", reason: "ERR_CONTACT_BLOCKED" },
  };
}

/** Stores the messages as queued, those of all places in one statement. */
async function storeMessages(
  ctx: Ctx,
  { campaign, isAnswer = false }: WriteTools,
  places: readonly Found[],
): Promise<Outcome[]> {
  const { variables } = await campaignSettingsOf(ctx);
  const chosen: { readonly asks: boolean; readonly variant: Variant | undefined }[] = [];
  const chats: Parameters<typeof storeAutomaticMessages>[1][number][] = [];
  for (const { line, recipient, ticket } of places) {
    const asks = campaign.confirmation && recipient.state === "waiting";
    const variant = asks
      ? variantInTurn(campaign.confirmationMessages, line.handed, line.position)
      : variantInTurn(campaign.messages, line.messaged, line.position);
    const messages = contentOf(asks ? { file: null, fileListId: null } : campaign, variant);
    const { language } = await connectionTextsOf(ctx, line.connectionId);
    chosen.push({ asks, variant });
    chats.push({
      ticket,
      language,
      messages: messages.map((each) => ({ ...each, text: fillCampaignText(each.text, recipient, variables) })),
      clientId: `campaign-${campaign.id}-${recipient.id}${asks ? "-ask" : ""}`,
      priority: isAnswer ? "bot" : "bulk",
      data: { campaign: { id: campaign.id, name: campaign.name } },
    });
  }
  const ids = chats.length === 0 ? [] : await storeAutomaticMessages(ctx, chats);
  return places.map(({ line, contactId, ticket }, index): Outcome => {
    const [messageId] = ids[index] ?? [];
    const { asks, variant } = chosen[index]!;
    if (messageId === undefined) {
      return { kind: "ended", change: { state: "failed", reason: "ERR_SENDING_WAPP_MSG" } };
    }
    return {
      kind: asks ? "asked" : "messaged",
      change: {
        state: asks ? "asked" : "queued",
        contactId,
        written: {
          connectionId: line.connectionId,
          ticketId: ticket.id,
          messageId,
          isRequest: asks,
          variant: variant?.number ?? null,
        },
      },
    };
  });
}

/** The text with the campaign's file, and then its list of files. */
export function contentOf(
  { file, fileListId }: Pick<SendingCampaign, "file" | "fileListId">,
  variant: Variant | undefined,
): BotMessage[] {
  const message = { text: variant?.text ?? "", media: file, fileListId };
  return message.text === "" && file === null && fileListId === null ? [] : [message];
}
