import { wireName } from "@prosa/contract";
import { z } from "zod";
import { everybody, userRoom } from "#server/platform/realtime/index.ts";
import type { EventHandler } from "#server/platform/realtime/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { findContacts } from "./contacts.queries.ts";
import { contactView } from "./contacts.view.ts";

const about = z.object({ contactId: z.number().int() });

export const tellContact =
  (action: "create" | "update", media: MediaLinks): EventHandler =>
  async (batch, { companyId, read }) => {
    const ids = [...new Set(batch.map(({ payload }) => about.parse(payload).contactId))];
    const rows = await read((ctx) => findContacts(ctx, ids));
    return rows.map((row) => ({
      rooms: [everybody],
      event: wireName(companyId, "contact"),
      payload: { action, contact: contactView(media, companyId, row) },
    }));
  };

export const tellDeleted: EventHandler = async (batch, { companyId }) =>
  batch.map(({ payload }) => ({
    rooms: [everybody],
    event: wireName(companyId, "contact"),
    payload: { action: "delete", contactId: about.parse(payload).contactId },
  }));

const aboutImport = z.object({ importId: z.number().int(), userId: z.number().int(), hasEnded: z.boolean() });

/** Progress is told to whoever imports; its end to everybody, whose lists have grown. */
export const tellImport: EventHandler = async (batch, { companyId }) => {
  const latest = new Map(batch.map(({ payload }) => aboutImport.parse(payload)).map((told) => [told.importId, told]));
  return [...latest.values()].map(({ importId, userId, hasEnded }) => ({
    rooms: [hasEnded ? everybody : userRoom(userId)],
    event: wireName(companyId, "contactImport"),
    payload: { action: "changed", importId, hasEnded },
  }));
};
