import type { Connection, ConnectionBody } from "@prosa/contract";
import { changedFields, recordAudit } from "#server/platform/audit/index.ts";
import { tokenTaken, withToken } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { brokenConstraint } from "#server/platform/db/index.ts";
import { checkPlanLimit } from "#server/features/plans/index.ts";
import { allowAssistants, getQueue } from "#server/features/queues/index.ts";
import type { Assistants } from "#server/features/queues/index.ts";
import { connectionEvent } from "../connections.events.ts";
import {
  findDefaultConnectionId,
  insertConnection,
  lockDefaultConnection,
  lockFields,
  startNextSessionRound,
  replaceConnectionQueues,
  saveConnection,
  clearAssistantReferences,
} from "../connections.queries.ts";
import type { ConnectionRow } from "../connections.queries.ts";
import { getConnection, loadConnection, requireFound } from "../connections.service.ts";
import { columnsOf, needsGreeting } from "./form-columns.ts";

/**
 * Adds a connection; the company's first one is its default (W-11). A process that runs lines then connects it.
 * Throws ERR_PLAN_LIMIT, ERR_WAPP_NAME_TAKEN, ERR_WAPP_GREETING_REQUIRED, ERR_NO_QUEUE_FOUND, ERR_NOT_FOUND.
 */
export async function createConnection(ctx: Ctx, body: ConnectionBody): Promise<Connection> {
  refuseTokenOfOthers(ctx, body);
  await checkPlanLimit(ctx, "connections");
  requireGreeting({ queues: body.queueIds.length, greeting: body.greetingMessage });
  await requireQueues(ctx, body);
  await allowAssistants(ctx, body);

  const isDefault = await decideDefault(ctx, undefined, body.isDefault);
  const id = await translateUniqueViolation(() =>
    insertConnection(ctx, body.name, { ...columnsOf(body), is_default: isDefault }),
  );
  await replaceConnectionQueues(ctx, id, body.queueIds);
  ctx.emit(connectionEvent("created", id));
  await recordAudit(ctx, { action: "connection.created", target: { type: "connection", id, name: body.name } });

  return withToken(await getConnection(ctx, id), body.token);
}

/** Throws ERR_NO_OTHER_WHATSAPP where the company would be left without a default connection. */
export async function updateConnection(ctx: Ctx, id: number, body: Partial<ConnectionBody>): Promise<Connection> {
  refuseTokenOfOthers(ctx, body);
  const before = await loadConnection(ctx, id);
  const viewBefore = await getConnection(ctx, id);
  await requireQueues(ctx, body);
  await allowAssistants(ctx, body, { promptId: before.prompt_id, integrationId: before.integration_id });

  const isDefault = body.isDefault === undefined ? undefined : await decideDefault(ctx, before, body.isDefault);
  await requireGreetingAfter(ctx, id, body);
  const fields = { ...columnsOf(body), ...(isDefault !== undefined && { is_default: isDefault }) };
  const isOtherNetwork = body.provider !== undefined && body.provider !== before.provider;
  await translateUniqueViolation(() =>
    isOtherNetwork ? startNextSessionRound(ctx, id, fields) : saveConnection(ctx, id, fields),
  );
  if (body.queueIds) {
    await replaceConnectionQueues(ctx, id, body.queueIds);
  }
  ctx.emit(connectionEvent("updated", id));
  if (isOtherNetwork) {
    ctx.emit(connectionEvent("renewed", id));
  }
  const shownBefore = { ...viewBefore, queueIds: viewBefore.queues.map((queue) => queue.id) };
  const { token, ...others } = body;
  const target = { type: "connection", id, name: before.name } as const;
  const details = changedFields(shownBefore, others);
  if (details) {
    await recordAudit(ctx, { action: "connection.updated", target, details });
  }
  // Empty means that it stays (see `newToken`).
  if (token !== undefined && token !== "") {
    // Whoever has it sends: a new one, and one that was taken away, are found by themselves.
    await recordAudit(ctx, { action: "connection.token-changed", target });
  }

  return withToken(await getConnection(ctx, id), body.token);
}

/** A token sends by itself, and outlives the company's key or the support's stay that would set it. */
function refuseTokenOfOthers({ actor }: Ctx, { token }: Partial<ConnectionBody>): void {
  if (actor.kind === "user" && actor.support && (token || token === null)) {
    throw new AppError("ERR_SUPPORT_REFUSED");
  }
  if (token && actor.kind === "user" && actor.apiKey) {
    throw new AppError("ERR_NO_PERMISSION");
  }
}

/** Clears the reference to a prompt or an integration that is removed, in all connections that had chosen it. */
export async function clearReferencesInConnections(ctx: Ctx, removed: Assistants): Promise<void> {
  const ids = await clearAssistantReferences(ctx, removed);
  ids.forEach((id) => ctx.emit(connectionEvent("updated", id)));
}

/** Turns the scripted customers of a simulator line on or off: they write and answer by themselves. */
export async function setScriptedCustomers(ctx: Ctx, id: number, isEnabled: boolean): Promise<void> {
  await requireFound(id, saveConnection(ctx, id, { is_lively: isEnabled }));
  ctx.emit(connectionEvent("updated", id));
}

/**
 * Decides whether this connection becomes the default, and clears the flag of the one that was. A company with
 * connections has exactly one default: the first becomes it unasked, and none gives it up without a successor.
 */
async function decideDefault(ctx: Ctx, before: ConnectionRow | undefined, wantsDefault: boolean): Promise<boolean> {
  await lockDefaultConnection(ctx);
  const current = await findDefaultConnectionId(ctx);
  if (!wantsDefault && current !== undefined && current === before?.id) {
    throw new AppError("ERR_NO_OTHER_WHATSAPP");
  }
  if (wantsDefault && current !== undefined && current !== before?.id) {
    await saveConnection(ctx, current, { is_default: false });
    ctx.emit(connectionEvent("updated", current));
  }
  return wantsDefault || current === undefined;
}

function requireGreeting(next: { readonly queues: number; readonly greeting: string }): void {
  if (needsGreeting(next)) {
    throw new AppError("ERR_WAPP_GREETING_REQUIRED");
  }
}

/**
 * Compares with what is saved now: of two colleagues, one who adds a queue and one who empties the greeting, the second is refused.
 * After the default is decided, which locks connections in the order company, connection.
 */
async function requireGreetingAfter(ctx: Ctx, id: number, body: Partial<ConnectionBody>): Promise<void> {
  if (body.queueIds === undefined && body.greetingMessage === undefined) {
    return;
  }
  await lockFields(ctx, id);
  const { queues, greeting_message: greeting } = await loadConnection(ctx, id);
  requireGreeting({ queues: body.queueIds?.length ?? queues.length, greeting: body.greetingMessage ?? greeting });
}

/** ERR_NO_QUEUE_FOUND for a queue that the company does not have. */
async function requireQueues(ctx: Ctx, body: Partial<ConnectionBody>): Promise<void> {
  const queueIds = [...(body.queueIds ?? []), ...(body.transferQueueId == null ? [] : [body.transferQueueId])];
  await Promise.all(queueIds.map((queueId) => getQueue(ctx, queueId)));
}

async function translateUniqueViolation<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    switch (brokenConstraint(error)) {
      case "connections_company_id_name_key":
        throw new AppError("ERR_WAPP_NAME_TAKEN", undefined, { cause: error });
      case "connections_token_hash_key":
        throw tokenTaken(error);
      default:
        throw error;
    }
  }
}
