import type { ContactResolver } from "#server/features/contacts/index.ts";
import { sendMessages, toOutgoingMessages } from "#server/features/messages/index.ts";
import { admit } from "#server/features/sending/index.ts";
import { findOrCreateOutboundTicket, lockTicket, placeTicket } from "#server/features/tickets/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { Held } from "./hold.ts";
import { findSignature } from "./messages-api.queries.ts";
import type { ApiRequest } from "./messages-api.queries.ts";

/**
 * Stores what other software asked to send as queued messages of the contact's ticket, and puts the ticket where it wants it.
 * Lock order as everywhere: contact, ticket, line. Returns the ids of the messages. Throws Held where the sending gate holds
 * it, ERR_CONTACT_BLOCKED and ERR_CONTACT_OPTED_OUT where it refuses, and what `placeTicket` throws.
 */
export async function storeMessage(
  ctx: Ctx,
  contacts: ContactResolver,
  request: ApiRequest,
): Promise<readonly number[]> {
  const { id, connectionId, number, options } = request;
  const { userId, queueId, closeTicket } = options;
  const person = { phone: number, lid: options.lid };
  // While it was held, the person may have written in under another spelling.
  const contactId = options.isSpelledByWhatsApp
    ? await contacts.resolvePerson(ctx, connectionId, person, "")
    : await contacts.resolveWritten(ctx, connectionId, person);
  const { id: ticketId } = await findOrCreateOutboundTicket(ctx, { contactId, connectionId, userId });
  const ticket = await lockTicket(ctx, ticketId);
  const admission = await admit(ctx, { connectionId, contactId, ticketId, purpose: "api" });
  if (admission.kind === "hold") {
    throw new Held(admission);
  }
  if (admission.kind === "refuse") {
    throw new AppError(admission.reason === "optedOut" ? "ERR_CONTACT_OPTED_OUT" : "ERR_CONTACT_BLOCKED");
  }
  const signerId = options.sendSignature ? (userId ?? ticket.userId) : null;
  const name = signerId === null ? undefined : await findSignature(ctx, signerId);
  const messages = toOutgoingMessages(
    { body: signed(request.body, name), voice: false },
    request.files.map(({ thumbnail, ...file }) => ({
      ...file,
      seconds: null,
      isVoice: false,
      thumbnail: thumbnail === null ? null : Buffer.from(thumbnail, "base64"),
    })),
  );
  await placeTicket(ctx, ticket, { userId, queueId, closes: closeTicket });
  const author = userId === null ? { isAutomatic: true } : { userId, isAnswer: true };
  const { ids } = await sendMessages(ctx, ticketId, messages, { ...author, clientId: `api-${id}`, priority: "notice" });
  return ids;
}

/** As an agent's signature (specification 1, section 2); an empty text stays empty. */
function signed(text: string, name: string | undefined): string {
  return name === undefined || text.trim() === "" ? text : `*${name}*\n${text}`;
}
