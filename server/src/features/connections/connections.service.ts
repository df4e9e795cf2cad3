import type { Connection, ConnectionBody, RefusedVersion } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { brokenConstraint } from "#server/platform/db/index.ts";
import type { Db } from "#server/platform/db/index.ts";
import { cancelBound } from "#server/platform/jobs/index.ts";
import type { CancelledJob } from "#server/platform/jobs/index.ts";
import { claimPlaceInPlan } from "#server/features/plans/index.ts";
import { allowAssistants, getQueue } from "#server/features/queues/index.ts";
import type { Assistants } from "#server/features/queues/index.ts";
import { connectionEvent } from "./connections.events.ts";
import { columnsOf, needsGreeting } from "./connections.fields.ts";
import {
  deleteConnection,
  findConnection,
  findConnections,
  findDefaultId,
  findLineLog,
  findOldestId,
  insertConnection,
  lockConnection,
  lockDefault,
  nextRound,
  replaceQueuesOfConnection,
  saveConnection,
  unchoose,
} from "./connections.queries.ts";
import type { ConnectionRow } from "./connections.queries.ts";
import { columnsOfState } from "./connections.state.ts";
import { connectionViewFor } from "./connections.view.ts";
import { findRefusedVersions } from "./refused-versions.queries.ts";

export async function listConnections(ctx: Ctx): Promise<Connection[]> {
  const rows = await findConnections(ctx);
  return rows.map((row) => connectionViewFor(ctx.actor, row));
}

export async function getConnection(ctx: Ctx, id: number): Promise<Connection> {
  return connectionViewFor(ctx.actor, await loadConnection(ctx, id));
}

/** For the operator: why lines of every company wait. */
export async function listRefusedVersions(db: Db): Promise<RefusedVersion[]> {
  const refused = await findRefusedVersions(db);
  return refused.map(({ version, tries, since, nextTryAt }) => ({
    version,
    tries,
    since: since.toISOString(),
    nextTryAt: nextTryAt.toISOString(),
  }));
}

/** What happened on the line lately, newest first. */
export async function readLineLog(ctx: Ctx, id: number) {
  await loadConnection(ctx, id);
  return findLineLog(ctx, id);
}

/**
 * Adds a connection; the company's first one is its default (W-11). The owner of lines begins to connect it.
 * Throws ERR_PLAN_LIMIT, ERR_WAPP_NAME_TAKEN, ERR_WAPP_GREETING_REQUIRED, ERR_NO_QUEUE_FOUND, ERR_NOT_FOUND.
 */
export async function createConnection(ctx: Ctx, body: ConnectionBody): Promise<Connection> {
  await claimPlaceInPlan(ctx, "connections");
  await checkFields(ctx, body, { queues: body.queueIds.length, greeting: body.greetingMessage });
  mayTransfer(body.timeToTransfer, body.transferQueueId);
  await allowAssistants(ctx, body);

  const isDefault = await decideDefault(ctx, undefined, body.isDefault);
  const id = await distinct(() => insertConnection(ctx, body.name, { ...columnsOf(body), is_default: isDefault }));
  await replaceQueuesOfConnection(ctx, id, body.queueIds);
  ctx.emit(connectionEvent("created", id));

  return withToken(await getConnection(ctx, id), body.token);
}

/** Throws ERR_NO_OTHER_WHATSAPP where the company would be left without a default connection. */
export async function updateConnection(ctx: Ctx, id: number, body: Partial<ConnectionBody>): Promise<Connection> {
  const before = await loadConnection(ctx, id);
  await checkFields(ctx, body, {
    queues: body.queueIds?.length ?? before.queues.length,
    greeting: body.greetingMessage ?? before.greeting_message,
  });
  if (body.timeToTransfer !== undefined || body.transferQueueId !== undefined) {
    const queueId = body.transferQueueId === undefined ? before.transfer_queue_id : body.transferQueueId;
    mayTransfer(body.timeToTransfer ?? before.time_to_transfer, queueId);
  }
  await allowAssistants(ctx, body, { promptId: before.prompt_id, integrationId: before.integration_id });

  const isDefault = body.isDefault === undefined ? before.is_default : await decideDefault(ctx, before, body.isDefault);
  const fields = { ...columnsOf(body), is_default: isDefault };
  const isOtherNetwork = body.provider !== undefined && body.provider !== before.provider;
  await distinct(() => (isOtherNetwork ? nextRound(ctx, id, fields) : saveConnection(ctx, id, fields)));
  if (body.queueIds) {
    await replaceQueuesOfConnection(ctx, id, body.queueIds);
  }
  ctx.emit(connectionEvent("updated", id));
  if (isOtherNetwork) {
    ctx.emit(connectionEvent("renewed", id));
  }

  return withToken(await getConnection(ctx, id), body.token);
}

/** Connections that chose this prompt or this integration have none. */
export async function unchooseInConnections(ctx: Ctx, gone: Assistants): Promise<void> {
  const ids = await unchoose(ctx, gone);
  ids.forEach((id) => ctx.emit(connectionEvent("updated", id)));
}

/** Ends what is under way on a connection that is about to be deleted; given by the features that send. */
export type EndTraffic = (ctx: Ctx, connectionId: number, cancelled: readonly CancelledJob[]) => Promise<void>;

/**
 * Its conversations stay; what waited to leave by it ends, and is shown so. Where it was the default, the oldest of the
 * others becomes it (docs/decisions/0042).
 */
export async function removeConnection(ctx: Ctx, id: number, endTraffic: EndTraffic): Promise<void> {
  const { is_default: wasDefault } = await loadConnection(ctx, id);
  await lockDefault(ctx);
  // From here on nobody stores a message for it: what is ended now is all there is.
  await lockConnection(ctx, id);
  await endTraffic(ctx, id, await cancelBound(ctx, `line:${id}`));
  await deleteConnection(ctx, id);
  ctx.emit(connectionEvent("deleted", id));

  const heir = wasDefault ? await findOldestId(ctx) : undefined;
  if (heir !== undefined) {
    await saveConnection(ctx, heir, { is_default: true });
    ctx.emit(connectionEvent("updated", heir));
  }
}

/** What people see until the owner of the line reports; a line that had ended for a reason may be opened again. */
const opening = columnsOfState({ status: "OPENING" });

/** Try again to connect; with a number, by a pairing code instead of the QR (W-03, W-04). */
export async function startConnection(ctx: Ctx, id: number, number?: string): Promise<void> {
  await found(id, saveConnection(ctx, id, { wanted: "up", pairing_number: digitsOf(number), ...opening }));
  ctx.emit(connectionEvent("started", id));
  ctx.emit(connectionEvent("state", id));
}

/** Forget the credentials and ask for a new QR or pairing code. */
export async function renewConnection(ctx: Ctx, id: number, number?: string): Promise<void> {
  await found(id, nextRound(ctx, id, { wanted: "up", pairing_number: digitsOf(number), ...opening }));
  ctx.emit(connectionEvent("renewed", id));
  ctx.emit(connectionEvent("state", id));
}

/** Disconnect, and unlink the device on WhatsApp's side. */
export async function stopConnection(ctx: Ctx, id: number): Promise<void> {
  const stopped = columnsOfState({ status: "DISCONNECTED", reason: "stopped", detail: "" });
  await found(id, nextRound(ctx, id, { wanted: "down", pairing_number: null, ...stopped }));
  ctx.emit(connectionEvent("stopped", id));
  ctx.emit(connectionEvent("state", id));
}

/**
 * Another number was linked than the one whose conversations the line has: go on with it, or unlink it (decision 0122).
 * Throws ERR_WAPP_NOT_INITIALIZED where nothing is to be decided.
 */
export async function decideNumber(ctx: Ctx, id: number, isAccepted: boolean): Promise<void> {
  const { pending_number: number } = await loadConnection(ctx, id);
  if (number === null) {
    throw new AppError("ERR_WAPP_NOT_INITIALIZED");
  }
  if (!isAccepted) {
    return stopConnection(ctx, id);
  }
  await found(id, saveConnection(ctx, id, { ...opening, number, lid: null }));
  ctx.emit(connectionEvent("started", id));
  ctx.emit(connectionEvent("state", id));
}

/** Do the people of a simulator line write and answer by themselves? */
export async function changeLively(ctx: Ctx, id: number, isLively: boolean): Promise<void> {
  await found(id, saveConnection(ctx, id, { is_lively: isLively }));
  ctx.emit(connectionEvent("updated", id));
}

/** Throws ERR_NO_WAPP_FOUND. */
export async function loadConnection(ctx: Ctx, id: number): Promise<ConnectionRow> {
  const row = await findConnection(ctx, id);
  if (!row) {
    throw new AppError("ERR_NO_WAPP_FOUND", { whatsappId: id });
  }
  return row;
}

/**
 * Will this connection be the default? Takes the flag off the one that had it. A company with connections has exactly
 * one: the first takes it unasked, and nobody gives it up without an heir.
 */
async function decideDefault(ctx: Ctx, before: ConnectionRow | undefined, wish: boolean): Promise<boolean> {
  await lockDefault(ctx);
  const current = await findDefaultId(ctx);
  if (!wish && current !== undefined && current === before?.id) {
    throw new AppError("ERR_NO_OTHER_WHATSAPP");
  }
  if (wish && current !== undefined && current !== before?.id) {
    await saveConnection(ctx, current, { is_default: false });
    ctx.emit(connectionEvent("updated", current));
  }
  return wish || current === undefined;
}

async function checkFields(
  ctx: Ctx,
  body: Partial<ConnectionBody>,
  greeting: { queues: number; greeting: string },
): Promise<void> {
  if (needsGreeting(greeting)) {
    throw new AppError("ERR_WAPP_GREETING_REQUIRED");
  }
  const queueIds = [...(body.queueIds ?? []), ...(body.transferQueueId == null ? [] : [body.transferQueueId])];
  await Promise.all(queueIds.map((queueId) => getQueue(ctx, queueId)));
}

/** Minutes after which a ticket goes nowhere would be kept, and do nothing. */
function mayTransfer(minutes: number, queueId: number | null): void {
  if (minutes > 0 && queueId === null) {
    throw new AppError("ERR_VALIDATION", { fields: { transferQueueId: "Required" } });
  }
}

async function distinct<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    switch (brokenConstraint(error)) {
      case "connections_company_id_name_key":
        throw new AppError("ERR_WAPP_NAME_TAKEN", undefined, { cause: error });
      case "connections_token_hash_key":
        throw new AppError("ERR_VALIDATION", { fields: { token: "Already in use" } }, { cause: error });
      default:
        throw error;
    }
  }
}

/** The token is shown this once. */
function withToken(view: Connection, token: string | undefined): Connection {
  return token ? { ...view, token } : view;
}

async function found(id: number, saved: Promise<boolean>): Promise<void> {
  if (!(await saved)) {
    throw new AppError("ERR_NO_WAPP_FOUND", { whatsappId: id });
  }
}

function digitsOf(number: string | undefined): string | null {
  const digits = number?.replaceAll(/\D/g, "") ?? "";
  return digits === "" ? null : digits;
}
