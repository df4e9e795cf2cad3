import { markReadFromPhone } from "#server/features/messages/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { LineEvent } from "#server/whatsapp/port.ts";
import { findContactsByAddress } from "./contacts-by-address.queries.ts";
import { addressesOf } from "./record-contacts.ts";

type Read = Extract<LineEvent, { type: "read" }>;

/** Marks conversations as read that the owner read on the phone (M-14). Chats without a contact are skipped. */
export async function applyPhoneReads(ctx: Ctx, connectionId: number, events: readonly LineEvent[]): Promise<void> {
  const reads = events
    .filter((event): event is Read => event.type === "read")
    .map(({ chat, person, upTo }) => ({
      upTo,
      addresses: addressesOf(
        chat.kind === "group" ? { kind: "group", groupId: chat.value } : { kind: "person", person },
      ),
    }));
  if (reads.length === 0) {
    return;
  }
  const contacts = await findContactsByAddress(
    ctx,
    connectionId,
    reads.flatMap(({ addresses }) => addresses),
  );
  const readContacts = reads.flatMap(({ upTo, addresses }) => {
    const contact = contacts.find((each) =>
      addresses.some(({ kind, value }) => each.kind === kind && each.value === value),
    );
    return contact ? [{ contactId: contact.contactId, upTo }] : [];
  });
  await markReadFromPhone(ctx, connectionId, readContacts);
}
