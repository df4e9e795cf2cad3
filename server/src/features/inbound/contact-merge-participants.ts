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
import {
  moveCallsOfTicket,
  snapshotIntegrations,
  takeOverSession,
  undoIntegrationMerge,
} from "#server/features/queue-integrations/index.ts";
import type { IntegrationsSnapshot } from "#server/features/queue-integrations/index.ts";
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
import { allowLongTransaction } from "#server/platform/db/index.ts";

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
  readonly integrations?: IntegrationsSnapshot;
}

/**
 * Moves the tickets, messages, notes, schedules, opt-outs, campaigns, imports of exported chats and calls of integrations of a contact
 * to the one that it is merged into (W-10).
 */
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
    const integrations = await snapshotIntegrations(ctx, from);
    await move(ctx, from, to);
    return {
      tickets,
      messages,
      notes,
      schedules,
      optOuts,
      recipients,
      chatImports,
      integrations,
      merged: await lockTicketVersions(ctx, to),
    };
  },

  async restore(ctx, from, to, snapshot) {
    await allowLongTransaction(ctx);
    const { tickets, merged, messages, notes, schedules, recipients, integrations } = snapshot;
    const { optOuts = [], chatImports = [] } = snapshot;
    const parted = await undoTicketMerge(ctx, to, tickets, merged);
    await undoMessageMerge(ctx, to, messages);
    await rebuildPartedTickets(ctx, parted);
    await undoNoteMerge(ctx, to, notes);
    await moveSchedules(ctx, schedules, to);
    await restoreOptOuts(ctx, to, optOuts);
    await setContactOfImports(ctx, chatImports, to);
    if (recipients) {
      await restoreRecipients(ctx, to, recipients);
    }
    if (integrations) {
      await undoIntegrationMerge(ctx, integrations);
    }
    // What the merge with a blocked contact closed, and was written in since, is not reverted: it waits again where its contact may.
    for (const id of [from, to]) {
      if (!(await isAnyBlocked(ctx, [id]))) {
        await applyContactBlock(ctx, id, false);
      }
    }
  },
};

/** With all that was ever written: a line that learns that two contacts are one would stand still if that took too long. */
async function move(ctx: Ctx, from: number, to: number): Promise<void> {
  await allowLongTransaction(ctx);
  await mergeTickets(ctx, from, to, {
    async moveMessages(within, merged, contactId) {
      const duplicateUnread = await moveMessagesOfTicket(within, merged, { from, to: contactId });
      await moveNotesOfTicket(within, merged, contactId);
      await moveCallsOfTicket(within, merged);
      return duplicateUnread;
    },
    async onBotGoesOn(within, merged) {
      await takeOverSession(within, merged);
      // The job of an assistant that was thinking names the ticket that is gone, and one that has nothing to answer ends at once.
      within.enqueue(assistantJob(merged.into));
    },
  });
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
