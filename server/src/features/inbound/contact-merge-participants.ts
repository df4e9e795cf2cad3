import { assistantJob } from "#server/features/bot/index.ts";
import { findImportIdsOf, setContactOfImports } from "#server/features/chat-imports/index.ts";
import { moveRecipients, restoreRecipients, snapshotRecipients } from "#server/features/campaigns/index.ts";
import type { RecipientsSnapshot } from "#server/features/campaigns/index.ts";
import { isAnyBlocked } from "#server/features/contacts/index.ts";
import type { ContactMergeParticipants } from "#server/features/contacts/index.ts";
import {
  moveMessagesOfContact,
  moveMessagesOfTicket,
  snapshotMessages,
  undoMessageMerge,
} from "#server/features/messages/index.ts";
import type { MessageSnapshot } from "#server/features/messages/index.ts";
import { moveNotesOfContact, moveNotesOfTicket, snapshotNotes, undoNoteMerge } from "#server/features/notes/index.ts";
import type { NoteSnapshot } from "#server/features/notes/index.ts";
import { moveErasure, mustNotBeErased } from "#server/features/privacy/index.ts";
import { moveSchedules, snapshotSchedules } from "#server/features/schedules/index.ts";
import { moveOptOuts, restoreOptOuts, snapshotOptOuts } from "#server/features/sending/index.ts";
import type { OptOutSnapshot } from "#server/features/sending/index.ts";
import {
  applyContactBlock,
  lockTicketVersions,
  mergeTickets,
  rebuildPartedTickets,
  snapshotTickets,
  undoTicketMerge,
} from "#server/features/tickets/index.ts";
import type { TicketSnapshot } from "#server/features/tickets/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";

interface MergeSnapshot {
  readonly tickets: TicketSnapshot;
  /** Versions that the merge left. */
  readonly merged: readonly { readonly id: number; readonly version: number }[];
  readonly messages: readonly MessageSnapshot[];
  readonly notes: readonly NoteSnapshot[];
  readonly schedules: readonly number[];
  /** Not in the snapshots of the release before. */
  readonly optOuts?: readonly OptOutSnapshot[];
  readonly recipients?: RecipientsSnapshot;
  readonly chatImports?: readonly number[];
}

/** Moves the tickets, messages, notes, schedules, opt-outs, campaigns and imports of exported chats of a contact to the one that it is merged into (W-10). */
export const contactMergeParticipants: ContactMergeParticipants<MergeSnapshot> = {
  move,
  mustNotBeErased,
  moveErasure,

  async moveWithSnapshot(ctx, from, to) {
    const tickets = await snapshotTickets(ctx, [from, to]);
    const messages = await snapshotMessages(ctx, from);
    const notes = await snapshotNotes(ctx, from);
    const schedules = await snapshotSchedules(ctx, from);
    const optOuts = await snapshotOptOuts(ctx, from);
    const recipients = await snapshotRecipients(ctx, from, to);
    const chatImports = await findImportIdsOf(ctx, from);
    await move(ctx, from, to);
    return {
      tickets,
      messages,
      notes,
      schedules,
      optOuts,
      recipients,
      chatImports,
      merged: await lockTicketVersions(ctx, to),
    };
  },

  async restore(ctx, to, { tickets, merged, messages, notes, schedules, optOuts = [], recipients, chatImports = [] }) {
    const parted = await undoTicketMerge(ctx, tickets, merged);
    await undoMessageMerge(ctx, to, messages);
    await rebuildPartedTickets(ctx, parted);
    await undoNoteMerge(ctx, to, notes);
    await moveSchedules(ctx, schedules, to);
    await restoreOptOuts(ctx, to, optOuts);
    await setContactOfImports(ctx, chatImports, to);
    if (recipients) {
      await restoreRecipients(ctx, to, recipients);
    }
  },
};

async function move(ctx: Ctx, from: number, to: number): Promise<void> {
  const goneOnByBot = await mergeTickets(ctx, from, to, async (within, merged, contactId) => {
    const duplicateUnread = await moveMessagesOfTicket(within, merged, { from, to: contactId });
    await moveNotesOfTicket(within, merged, contactId);
    return duplicateUnread;
  });
  // The job of an assistant that was thinking names the ticket that is gone, and one that has nothing to answer ends at once.
  for (const ticketId of goneOnByBot) {
    ctx.enqueue(assistantJob(ticketId));
  }
  await moveMessagesOfContact(ctx, from, to);
  await moveNotesOfContact(ctx, from, to);
  await moveSchedules(ctx, await snapshotSchedules(ctx, from), to);
  await moveOptOuts(ctx, from, to);
  await moveRecipients(ctx, from, to);
  // One that is under way goes on with the contact that stays.
  await setContactOfImports(ctx, await findImportIdsOf(ctx, from), to);
  // The contact that stays is blocked if either was (decision 0091).
  if (await isAnyBlocked(ctx, [from, to])) {
    await applyContactBlock(ctx, to, true);
  }
}
