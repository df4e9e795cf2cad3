import type { Ctx } from "#server/platform/ctx.ts";
import type { LineState } from "#server/whatsapp/port.ts";
import { connectionEvent } from "./connections.events.ts";
import { saveConnection } from "./connections.queries.ts";
import type { ConnectionChanges } from "./connections.queries.ts";

/** The columns of a line's state: codes are kept only while they can be used, a reason only while it is true (W-05). */
export function columnsOfState(state: LineState): ConnectionChanges {
  const cleared = { reason: null, qrcode: "", pairing_code: "", pairing_expires_at: null, pending_number: null };
  switch (state.status) {
    case "OPENING":
      return { ...cleared, status: state.status };
    case "qrcode":
      return { ...cleared, status: state.status, qrcode: state.qr };
    case "PAIRING":
      return {
        ...cleared,
        status: state.status,
        pairing_code: state.pairingCode,
        pairing_expires_at: state.expiresAt,
      };
    case "CONNECTED":
      return { ...cleared, status: state.status, number: state.number, lid: state.lid, retries: 0 };
    case "TIMEOUT":
      return { ...cleared, status: state.status, reason: state.reason };
    case "DISCONNECTED": {
      const pending = state.reason === "otherNumber" || state.reason === "sameNumber" ? state.detail : null;
      return { ...cleared, status: state.status, reason: state.reason, pending_number: pending };
    }
  }
}

/** Writes and publishes a state that the owner of the line reports. `retries`: attempts since it was last connected. */
export async function changeState(ctx: Ctx, connectionId: number, state: LineState, retries?: number): Promise<void> {
  const columns = { ...columnsOfState(state), ...(retries !== undefined && { retries }) };
  if (await saveConnection(ctx, connectionId, columns)) {
    ctx.emit(connectionEvent("state", connectionId));
  }
}
