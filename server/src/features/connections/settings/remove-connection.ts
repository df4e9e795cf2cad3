import { z } from "zod";
import { recordAudit } from "#server/platform/audit/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { detachAtOnce, detachRows } from "#server/platform/db/index.ts";
import { RetryLater, cancelJobsWithAffinity } from "#server/platform/jobs/index.ts";
import type { CancelledJob, JobHandler } from "#server/platform/jobs/index.ts";
import { connectionEvent } from "../connections.events.ts";
import {
  deleteHiddenConnection,
  findOldestConnectionId,
  hideConnection,
  isLeased,
  lockConnection,
  lockDefaultConnection,
  saveConnection,
} from "../connections.queries.ts";
import { loadConnection, requireFound } from "../connections.service.ts";

export const ERASE_TASK = "connections.erase";

const erasePayload = z.object({ connectionId: z.number().int() });
/** The owner of a line takes some seconds to unlink its device. */
const WHILE_LEASED_MS = 1_000;
/** Tables that name a line in few rows, by which others are led to it: they give it up as it is hidden. */
const AT_ONCE = ["campaign_lines", "users"];
/** These read it through `connections` until then, and give it up before its device is unlinked, which needs neither. */
const FIRST = ["schedules", "tickets"];

/** Fails what is still to be sent or fetched by a connection that is about to be deleted; passed in by the features that send. */
export type FailPendingOnLineDeletion = (
  ctx: Ctx,
  connectionId: number,
  cancelled: readonly CancelledJob[],
) => Promise<void>;

/**
 * Deletes a connection: it is hidden at once, its device is unlinked, and a job erases it. Its conversations stay; what was
 * still to be sent is shown as failed. Where it was the default, the oldest of the others becomes the default
 * (docs/decisions/0042).
 */
export async function removeConnection(ctx: Ctx, id: number, failPending: FailPendingOnLineDeletion): Promise<void> {
  const { is_default: wasDefault, name } = await loadConnection(ctx, id);
  await lockDefaultConnection(ctx);
  // Before the connection is locked: that is the order of who writes these.
  await detachAtOnce(ctx, { table: "connections", id }, AT_ONCE);
  // The lock keeps new messages from being stored for it: what is failed now is all there is.
  await lockConnection(ctx, id);
  await cancelPending(ctx, id, failPending);
  await requireFound(id, hideConnection(ctx, id));
  ctx.enqueue({ task: ERASE_TASK, payload: { connectionId: id }, maxAttempts: 20, priority: "bulk" });
  ctx.emit(connectionEvent("deleted", id));
  await recordAudit(ctx, { action: "connection.deleted", target: { type: "connection", id, name } });

  const successorId = wasDefault ? await findOldestConnectionId(ctx) : undefined;
  if (successorId !== undefined) {
    await saveConnection(ctx, successorId, { is_default: true });
    ctx.emit(connectionEvent("updated", successorId));
  }
}

/**
 * Job that erases a deleted connection: what refers to it in small batches, most of it once no process runs its line any more,
 * then its row.
 */
export function eraseDeletedConnection(failPending: FailPendingOnLineDeletion): JobHandler {
  return async ({ payload }, { db, inCompany, signal }) => {
    const { connectionId: id } = erasePayload.parse(payload);
    // With each step what a request has queued since that had read its ticket before. A ticket gives the connection up before
    // its messages do: afterwards none is queued, so none is detached that was not failed.
    const inCleanTransaction = <T>(work: (ctx: Ctx) => Promise<T>) =>
      inCompany(
        async (ctx) => {
          await cancelPending(ctx, id, failPending);
          return work(ctx);
        },
        { retry: true },
      );
    const row = { table: "connections", id, signal, inCompany: inCleanTransaction };
    await detachRows(db, { ...row, from: FIRST });
    // Its owner unlinks the device with the credentials, which go with the row.
    if (await inCompany((ctx) => isLeased(ctx, id))) {
      throw new RetryLater(WHILE_LEASED_MS, "the line is being unlinked");
    }
    await detachRows(db, row);
    await inCleanTransaction((ctx) => deleteHiddenConnection(ctx, id));
  };
}

async function cancelPending(ctx: Ctx, id: number, failPending: FailPendingOnLineDeletion): Promise<void> {
  await failPending(ctx, id, await cancelJobsWithAffinity(ctx, `line:${id}`));
}
