import { wordsOf } from "#server/platform/personal-data.ts";
import type { PersonalDataOwner } from "#server/platform/personal-data.ts";
import { contactDeleted } from "../contacts.events.ts";
import { deleteContact } from "../contacts.queries.ts";
import type { OnDeleted } from "../contacts.service.ts";
import { emptyMerges, emptyRefusedRows, findPicture } from "./erase.queries.ts";

/** Snapshots of merges, reports of imports, and at last the contact with its conversations, numbers and picture (V-02). */
export const contactData = (onDeleted: OnDeleted): readonly PersonalDataOwner[] => [
  {
    name: "contacts.merges",
    erase: async (ctx, subject, limit) => ({
      rows: await emptyMerges(ctx, subject.contactId, wordsOf(subject), limit),
    }),
  },
  {
    name: "contacts.imports",
    erase: async (ctx, subject, limit) => ({ rows: await emptyRefusedRows(ctx, wordsOf(subject), limit) }),
  },
  {
    name: "contacts",
    isLast: true,
    async erase(ctx, { contactId }) {
      const picture = await findPicture(ctx, contactId);
      await onDeleted(ctx, contactId);
      if (await deleteContact(ctx, contactId)) {
        ctx.emit(contactDeleted(contactId));
      }
      return { rows: 0, files: picture === null ? [] : [picture] };
    },
  },
];
