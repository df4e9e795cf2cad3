import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { connectionEvent } from "../connections.events.ts";
import { saveConnection, startNextSessionRound } from "../connections.queries.ts";
import { loadConnection, requireFound } from "../connections.service.ts";
import { columnsOfState } from "../connections.state.ts";
import { forgetLimits } from "../health/index.ts";

/** Shown until the owner of the line reports a state; without the reason that kept an ended line from being opened. */
const openingColumns = columnsOfState({ status: "OPENING" });

/** Asks for the line to be connected; with a number, by a pairing code instead of the QR (W-03, W-04). */
export async function startConnection(ctx: Ctx, id: number, number?: string): Promise<void> {
  await requireFound(
    id,
    saveConnection(ctx, id, { wanted: "up", pairing_number: digitsOf(number), ...openingColumns }),
  );
  ctx.emit(connectionEvent("started", id));
  ctx.emit(connectionEvent("state", id));
}

/** Starts a new session round: the line deletes its credentials and shows a new QR or pairing code. */
export async function renewConnection(ctx: Ctx, id: number, number?: string): Promise<void> {
  await requireFound(
    id,
    startNextSessionRound(ctx, id, { wanted: "up", pairing_number: digitsOf(number), ...openingColumns }),
  );
  ctx.emit(connectionEvent("renewed", id));
  ctx.emit(connectionEvent("state", id));
}

/** Disconnects the line and unlinks its device on WhatsApp's side. */
export async function stopConnection(ctx: Ctx, id: number): Promise<void> {
  const stoppedColumns = columnsOfState({ status: "DISCONNECTED", reason: "stopped", detail: "" });
  await requireFound(id, startNextSessionRound(ctx, id, { wanted: "down", pairing_number: null, ...stoppedColumns }));
  ctx.emit(connectionEvent("stopped", id));
  ctx.emit(connectionEvent("state", id));
}

/**
 * Accepts or refuses the number that was linked where the line had another one before: accepted, the line connects with
 * it; refused, it is unlinked (decision 0122). Throws ERR_WAPP_NOT_INITIALIZED where no number waits for a decision.
 */
export async function confirmNumber(ctx: Ctx, id: number, isAccepted: boolean): Promise<void> {
  const { pending_number: number, reason } = await loadConnection(ctx, id);
  if (number === null || reason !== "otherNumber") {
    throw new AppError("ERR_WAPP_NOT_INITIALIZED");
  }
  if (!isAccepted) {
    return stopConnection(ctx, id);
  }
  await requireFound(id, saveConnection(ctx, id, { ...openingColumns, number, lid: null }));
  await forgetLimits(ctx, id);
  ctx.emit(connectionEvent("started", id));
  ctx.emit(connectionEvent("state", id));
}

function digitsOf(number: string | undefined): string | null {
  const digits = number?.replaceAll(/\D/g, "") ?? "";
  return digits === "" ? null : digits;
}
