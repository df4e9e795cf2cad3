import { areWaitLimitsInOrder, limitBeforeWarning } from "@prosa/contract";
import type { Queue, QueueBody, WaitLimits } from "@prosa/contract";
import { changedFields, recordAudit } from "#server/platform/audit/index.ts";
import { tokenHashOf, tokenTaken, withToken } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { brokenConstraint } from "#server/platform/db/index.ts";
import type { Cached } from "#server/platform/db/index.ts";
import { checkPlanLimit } from "#server/features/plans/index.ts";
import { allowAssistants } from "./assistants.ts";
import type { Assistants } from "./assistants.ts";
import { findOptionsOf } from "./queue-options.queries.ts";
import { queueCreated, queueDeleted, queueEvents, queueUpdated } from "./queues.events.ts";
import { deleteQueue, findQueues, insertQueue, lockWaitLimits, saveQueue, clearReferences } from "./queues.queries.ts";
import type { QueueRowChanges } from "./queues.queries.ts";
import { queueView } from "./queues.view.ts";

const cachedQueues: Cached<readonly Queue[]> = {
  name: "queues",
  staleAfter: queueEvents,
  load: async (ctx) => (await findQueues(ctx)).map(queueView),
};

/** Queues of the company by their order. Cached, so that the bot can read them for every message. */
export function queuesOf(ctx: Ctx): Promise<readonly Queue[]> {
  return ctx.cached(cachedQueues);
}

/** One queue. Throws ERR_NO_QUEUE_FOUND. */
export async function getQueue(ctx: Ctx, id: number): Promise<Queue> {
  const queue = (await queuesOf(ctx)).find((one) => one.id === id);
  if (!queue) {
    throw notFound(id);
  }
  return queue;
}

/** Throws ERR_PLAN_LIMIT, ERR_QUEUE_COLOR_ALREADY_EXISTS, ERR_QUEUE_NAME_TAKEN, ERR_NOT_FOUND. */
export async function createQueue(ctx: Ctx, body: QueueBody): Promise<Queue> {
  refuseSupport(ctx, body, null);
  await checkPlanLimit(ctx, "queues");
  await allowAssistants(ctx, body);

  const row = await refuseDuplicate(() =>
    insertQueue(ctx, {
      ...rowChanges(body),
      ...rowSchedules(body.schedules),
      name: body.name,
      color: body.color.toLowerCase(),
    }),
  );
  ctx.emit(queueCreated(row.id));
  await recordAudit(ctx, { action: "queue.created", target: { type: "queue", id: row.id, name: row.name } });

  return withToken(queueView(row), body.token);
}

/** A change may name one of the two limits of waiting: ERR_VALIDATION where it does not fit the other, saved one. */
export async function updateQueue(ctx: Ctx, id: number, body: Partial<QueueBody>): Promise<Queue> {
  const before = await getQueue(ctx, id);
  refuseSupport(ctx, body, before.retentionDays);
  await allowAssistants(ctx, body, before);
  await refuseLimitsOutOfOrder(ctx, id, body);
  const changes = { ...rowChanges(body), ...(body.schedules && rowSchedules(body.schedules)) };
  const row = await refuseDuplicate(() => saveQueue(ctx, id, changes));
  if (!row) {
    throw notFound(id);
  }
  ctx.emit(queueUpdated(id));
  const details = changedFields({ ...before }, body, ["token"]);
  if (details) {
    await recordAudit(ctx, { action: "queue.updated", target: { type: "queue", id, name: row.name }, details });
  }

  return withToken(queueView(row), body.token);
}

/** A token is a secret, and fewer days of keeping erase: neither is the support's (decision 0225). */
function refuseSupport({ actor }: Ctx, { token, retentionDays }: Partial<QueueBody>, daysBefore: number | null): void {
  const isOther = retentionDays !== undefined && retentionDays !== daysBefore;
  if (actor.kind === "user" && actor.support && (token || token === null || isOther)) {
    throw new AppError("ERR_SUPPORT_REFUSED");
  }
}

/** Compares with the other limit as it is saved now: two colleagues who change one each do not pass each other. */
async function refuseLimitsOutOfOrder(ctx: Ctx, id: number, body: Partial<WaitLimits>): Promise<void> {
  const { waitWarningMinutes, waitLimitMinutes } = body;
  if (waitWarningMinutes === undefined && waitLimitMinutes === undefined) {
    return;
  }
  const saved = await lockWaitLimits(ctx, id);
  if (!saved) {
    throw notFound(id);
  }
  const limits = {
    waitWarningMinutes: waitWarningMinutes ?? saved.waitWarningMinutes,
    waitLimitMinutes: waitLimitMinutes ?? saved.waitLimitMinutes,
  };
  if (!areWaitLimitsInOrder(limits)) {
    throw new AppError("ERR_VALIDATION", { fields: { waitLimitMinutes: limitBeforeWarning } });
  }
}

/** Deletes a queue; its tickets stay without one. Returns the keys of its options' files, to be deleted after the commit. */
export async function removeQueue(ctx: Ctx, id: number): Promise<string[]> {
  const { name } = await getQueue(ctx, id);
  const options = await findOptionsOf(ctx, id);
  if (!(await deleteQueue(ctx, id))) {
    throw notFound(id);
  }
  ctx.emit(queueDeleted(id));
  await recordAudit(ctx, { action: "queue.deleted", target: { type: "queue", id, name } });

  return options.flatMap(({ media_path: path }) => path ?? []);
}

/** Before a prompt or an integration is deleted: clears the references of queues to it. */
export async function clearReferencesInQueues(ctx: Ctx, deleted: Assistants): Promise<void> {
  const ids = await clearReferences(ctx, deleted);
  ids.forEach((id) => ctx.emit(queueUpdated(id)));
}

function rowSchedules(schedules: QueueBody["schedules"]): { schedules: string } {
  return { schedules: JSON.stringify(schedules) };
}

function rowChanges(body: Partial<QueueBody>): QueueRowChanges {
  const changes: QueueRowChanges = {
    name: body.name,
    color: body.color?.toLowerCase(),
    order_queue: body.orderQueue,
    greeting_message: body.greetingMessage,
    complation_message: body.complationMessage,
    out_of_hours_message: body.outOfHoursMessage,
    rating_message: body.ratingMessage,
    token_hash: tokenHashOf(body.token),
    integration_id: body.integrationId,
    prompt_id: body.promptId,
    wait_warning_minutes: body.waitWarningMinutes,
    wait_limit_minutes: body.waitLimitMinutes,
    retention_days: body.retentionDays,
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/** Turns a violated unique constraint into ERR_QUEUE_COLOR_ALREADY_EXISTS, ERR_QUEUE_NAME_TAKEN or ERR_VALIDATION (token). */
async function refuseDuplicate<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    switch (brokenConstraint(error)) {
      case "queues_company_id_color_key":
        throw new AppError("ERR_QUEUE_COLOR_ALREADY_EXISTS", undefined, { cause: error });
      case "queues_company_id_name_key":
        throw new AppError("ERR_QUEUE_NAME_TAKEN", undefined, { cause: error });
      case "queues_token_hash_key":
        throw tokenTaken(error);
      default:
        throw error;
    }
  }
}

function notFound(queueId: number): AppError {
  return new AppError("ERR_NO_QUEUE_FOUND", { queueId });
}
