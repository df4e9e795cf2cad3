import { wireName } from "@prosa/contract";
import type { Connection, WireSuffix } from "@prosa/contract";
import { z } from "zod";
import { everybody, userRoom } from "#server/platform/realtime/index.ts";
import type { Emission, EventHandler } from "#server/platform/realtime/index.ts";
import { adminIdsOf } from "#server/features/users/index.ts";
import { findConnections } from "./connections.queries.ts";
import { connectionView, withoutCodes } from "./connections.view.ts";

const connectionPayload = z.object({ connectionId: z.number().int() });

/** Publishes a connection that was created or updated. */
export const publishConnection: EventHandler = async (batch, tools) => {
  const changed = await readChanged(batch, tools);
  return changed.views.flatMap((view) =>
    emissionsOf(tools.companyId, "whatsapp", view, changed.admins, (whatsapp) => ({ action: "update", whatsapp })),
  );
};

/** Publishes a line's state: for the QR dialog (W-03), and for every screen that shows the connection. */
export const publishConnectionState: EventHandler = async (batch, tools) => {
  const { views, admins } = await readChanged(batch, tools);
  const { companyId } = tools;
  return views.flatMap((view) => [
    ...emissionsOf(companyId, "whatsappSession", view, admins, (session) => ({ action: "update", session })),
    ...emissionsOf(companyId, "whatsapp", view, admins, (whatsapp) => ({ action: "update", whatsapp })),
  ]);
};

export const publishConnectionDeleted: EventHandler = async (batch, tools) => [
  ...batch.map(({ payload }) => ({
    rooms: [everybody],
    event: wireName(tools.companyId, "whatsapp"),
    payload: { action: "delete", whatsappId: connectionPayload.parse(payload).connectionId },
  })),
  ...(await publishConnection(batch, tools)),
];

/** The connections of these events, and lines whose number was refused: each change of another may change which of them has it. */
async function readChanged(
  batch: Parameters<EventHandler>[0],
  { read }: Parameters<EventHandler>[1],
): Promise<{ views: Connection[]; admins: readonly string[] }> {
  const ids = new Set(batch.map(({ payload }) => connectionPayload.parse(payload).connectionId));
  return read(async (ctx) => {
    const [rows, admins] = await Promise.all([findConnections(ctx), adminIdsOf(ctx)]);
    const changed = rows.filter(({ id, reason }) => ids.has(id) || reason === "sameNumber");
    return { views: changed.map((row) => connectionView(row, ctx.now())), admins: admins.map(userRoom) };
  });
}

/** A QR links a phone to the company's line: only admins receive it, the others the status alone. */
function emissionsOf(
  companyId: number,
  suffix: WireSuffix,
  view: Connection,
  admins: readonly string[],
  payloadOf: (view: Connection) => unknown,
): Emission[] {
  const event = wireName(companyId, suffix);
  if (view.qrcode === "" && view.pairingCode === "") {
    return [{ rooms: [everybody], event, payload: payloadOf(view) }];
  }
  return [
    { rooms: admins, event, payload: payloadOf(view) },
    { rooms: [everybody], except: admins, event, payload: payloadOf(withoutCodes(view)) },
  ];
}
