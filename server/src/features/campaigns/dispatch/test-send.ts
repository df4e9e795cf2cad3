import { randomUUID } from "node:crypto";
import { fillCampaignText } from "@prosa/contract";
import { isBlank } from "@prosa/contract/blank";
import { connectionTextsOf, storeAutomaticMessages } from "#server/features/bot/index.ts";
import type { ContactResolver } from "#server/features/contacts/index.ts";
import { admit } from "#server/features/sending/index.ts";
import type { AdmissionRequest } from "#server/features/sending/index.ts";
import { findOrCreateOutboundTicket, lockTicket } from "#server/features/tickets/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { campaignSettingsOf } from "../settings/index.ts";
import { findCampaignContent, findContactFields } from "./test-send.queries.ts";
import { contentOf } from "./write-to-recipients.ts";

const shortestNumber = 8;

/**
 * Sends each message of a campaign once to a number, as the campaign would, by its first line (K-03). No campaign counts it, but
 * the line does: it passes the sending gate, at any hour. ERR_VALIDATION where there is nothing to send, to send by, or no number;
 * ERR_SENDING_HELD with `reason` and `until`, ERR_CONTACT_OPTED_OUT and ERR_CONTACT_BLOCKED by the gate.
 */
export async function sendTest(
  ctx: Ctx,
  contacts: ContactResolver,
  campaignId: number,
  written: string,
): Promise<void> {
  const phone = written.replaceAll(/\D/g, "");
  const campaign = await findCampaignContent(ctx, campaignId);
  if (!campaign) {
    throw new AppError("ERR_NOT_FOUND", { campaignId });
  }
  const texts = campaign.messages.filter((text) => !isBlank(text));
  const contents = (texts.length > 0 ? texts : [""]).map((text) => contentOf(campaign, { text, number: 0 }));
  const { connectionId } = campaign;
  if (phone.length < shortestNumber || connectionId === null || contents.flat().length === 0) {
    throw new AppError("ERR_VALIDATION", {
      fields: {
        ...(phone.length < shortestNumber && { number: "Too Short!" }),
        ...(connectionId === null && { whatsappId: "Required" }),
        ...(contents.flat().length === 0 && { message1: "Nothing to send" }),
      },
    });
  }
  const contactId = await contacts.resolveWritten(ctx, connectionId, { phone, lid: null });
  const { id: ticketId } = await findOrCreateOutboundTicket(ctx, { contactId, connectionId, userId: null });
  const ticket = await lockTicket(ctx, ticketId);
  await requireAdmission(ctx, { connectionId, contactId, ticketId });
  const recipient = await findContactFields(ctx, contactId);
  const { variables } = await campaignSettingsOf(ctx);
  const { language } = await connectionTextsOf(ctx, connectionId);
  const data = { campaign: { id: campaignId, name: campaign.name, isTest: true } };
  const chats = contents.map((messages) => ({
    ticket,
    language,
    messages: messages.map((each) => ({ ...each, text: fillCampaignText(each.text, recipient, variables) })),
    clientId: `campaign-test-${randomUUID()}`,
    priority: "bulk" as const,
    data,
  }));
  await storeAutomaticMessages(ctx, chats);
}

/** As a schedule: the opt-out ledger holds, the work hours of campaigns do not. */
async function requireAdmission(ctx: Ctx, request: Omit<AdmissionRequest, "purpose">): Promise<void> {
  const admission = await admit(ctx, { ...request, purpose: "schedule" });
  if (admission.kind === "hold") {
    throw new AppError("ERR_SENDING_HELD", { reason: admission.reason, until: admission.until.toISOString() });
  }
  if (admission.kind === "refuse") {
    throw new AppError(admission.reason === "blocked" ? "ERR_CONTACT_BLOCKED" : "ERR_CONTACT_OPTED_OUT");
  }
}
