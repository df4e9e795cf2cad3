import { wireName } from "@prosa/contract";
import type { WirePayload } from "@prosa/contract";
import { z } from "zod";
import { everybody, userRoom } from "#server/platform/realtime/index.ts";
import type { Emission, EventHandler } from "#server/platform/realtime/index.ts";
import { findAdminIds, findUsers } from "./users.queries.ts";
import { colleagueView, userView } from "./users.view.ts";

export const userPayload = z.object({ userId: z.number().int() });

type Batch = Parameters<EventHandler>[0];

/**
 * Publishes the whole user, as GET /users/{id} gives it, to those who may read that: admins and the user (`maySeeUser`).
 * Everybody else gets the fields of GET /users/list (behaviour 2).
 */
export function publishUser(action: "create" | "update"): EventHandler {
  return async (batch, tools) => {
    const { rows, adminIds } = await tools.read(async (ctx) => ({
      rows: await findUsers(ctx, idsOf(batch)),
      adminIds: await findAdminIds(ctx),
    }));
    const event = wireName(tools.companyId, "user");
    return rows.flatMap((row): Emission[] => {
      const readers = [...new Set([...adminIds, row.id])].map(userRoom);
      const whole: WirePayload<"user"> = { action, user: userView(row) };
      if (row.invitation_expires_at) {
        // as in GET /users/list
        return [{ rooms: readers, event, payload: whole }];
      }
      const visible: WirePayload<"user"> = { action, user: colleagueView(row) };
      return [
        { rooms: readers, event, payload: whole },
        { rooms: [everybody], except: readers, event, payload: visible },
      ];
    });
  };
}

/** Publishes who is online now, to everybody of the company. */
export const publishPresence: EventHandler = async (batch, { companyId, read }) => {
  const rows = await read((ctx) => findUsers(ctx, idsOf(batch)));
  return rows.map(({ id, is_online: online }) => ({
    rooms: [everybody],
    event: wireName(companyId, "presence"),
    payload: { action: "update", user: { id, online } } satisfies WirePayload<"presence">,
  }));
};

export const publishUserDeleted: EventHandler = async (batch, { companyId }) =>
  idsOf(batch).map((userId) => ({
    rooms: [everybody],
    event: wireName(companyId, "user"),
    payload: { action: "delete", userId } satisfies WirePayload<"user">,
  }));

function idsOf(batch: Batch): number[] {
  return [...new Set(batch.map(({ payload }) => userPayload.parse(payload).userId))];
}
