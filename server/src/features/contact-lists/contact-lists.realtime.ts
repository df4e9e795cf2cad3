import { wireName } from "@prosa/contract";
import { z } from "zod";
import { adminIdsOf } from "#server/features/users/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { userRoom } from "#server/platform/realtime/index.ts";
import type { EventHandler } from "#server/platform/realtime/index.ts";
import { findLists } from "./contact-lists.queries.ts";
import { itemView, listView } from "./contact-lists.view.ts";
import { findItems, findItemsById } from "./items.queries.ts";

const listPayload = z.object({ contactListId: z.number().int() });
const itemPayload = z.object({ itemId: z.number().int(), contactListId: z.number().int() });
const importPayload = z.object({ importId: z.number().int(), contactListId: z.number().int(), hasEnded: z.boolean() });

/** Only admins may read contact lists. */
const rooms = async (ctx: Ctx) => (await adminIdsOf(ctx)).map(userRoom);

export const publishList =
  (action: "create" | "update"): EventHandler =>
  async (batch, { companyId, read }) => {
    const ids = [...new Set(batch.map(({ payload }) => listPayload.parse(payload).contactListId))];
    return read(async (ctx) => {
      const to = await rooms(ctx);
      const event = wireName(companyId, "ContactList");
      return (await findLists(ctx, ids)).map((row) => ({
        rooms: to,
        event,
        payload: { action, record: listView(companyId, row) },
      }));
    });
  };

export const publishListDeleted: EventHandler = async (batch, { companyId, read }) => {
  const to = await read(rooms);
  return batch.map(({ payload }) => ({
    rooms: to,
    event: wireName(companyId, "ContactList"),
    payload: { action: "delete", id: listPayload.parse(payload).contactListId },
  }));
};

export const publishItem =
  (action: "create" | "update"): EventHandler =>
  async (batch, { companyId, read }) => {
    const ids = [...new Set(batch.map(({ payload }) => itemPayload.parse(payload).itemId))];
    return read(async (ctx) => {
      const to = await rooms(ctx);
      const event = wireName(companyId, "ContactListItem");
      return (await findItemsById(ctx, ids)).map((row) => ({
        rooms: to,
        event,
        payload: { action, record: itemView(companyId, row) },
      }));
    });
  };

export const publishItemDeleted: EventHandler = async (batch, { companyId, read }) => {
  const to = await read(rooms);
  return batch.map(({ payload }) => {
    const { itemId: id, contactListId } = itemPayload.parse(payload);
    return {
      rooms: to,
      event: wireName(companyId, "ContactListItem"),
      payload: { action: "delete", id, contactListId },
    };
  });
};

/** Many items have changed: browsers fetch them again. `records` is the first page, for those that only show what they are sent. */
export const publishReload: EventHandler = async (batch, { companyId, read }) => {
  const ids = [...new Set(batch.map(({ payload }) => listPayload.parse(payload).contactListId))];
  return read(async (ctx) => {
    const to = await rooms(ctx);
    return Promise.all(
      ids.map(async (contactListId) => {
        const rows = await findItems(ctx, { contactListId, searchParam: "", pageNumber: 1 });
        const records = rows.map((row) => itemView(companyId, row));
        const event = `${wireName(companyId, "ContactListItem")}-${contactListId}`;
        return { rooms: to, event, payload: { action: "reload", contactListId, records } };
      }),
    );
  });
};

export const publishImport: EventHandler = async (batch, { companyId, read }) => {
  const latest = new Map(
    batch.map(({ payload }) => importPayload.parse(payload)).map((change) => [change.importId, change]),
  );
  const to = await read(rooms);
  const event = wireName(companyId, "contactListImport");
  return [...latest.values()].map((change) => ({ rooms: to, event, payload: { action: "changed", ...change } }));
};
