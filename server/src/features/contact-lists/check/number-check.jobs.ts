import { z } from "zod";
import { findCheckingConnection } from "#server/features/contacts/index.ts";
import type { Lines } from "#server/features/connections/index.ts";
import { RetryLater } from "#server/platform/jobs/index.ts";
import type { Job, JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import { SendError } from "#server/whatsapp/port.ts";
import type { PersonRef } from "#server/whatsapp/port.ts";
import { nextBatch, saveAnswers, setCheckState } from "./number-check.ts";
import type { UncheckedItem } from "./settle-checked.ts";

const checkPayload = z.object({ contactListId: z.number().int() });

/** Between two batches of a company. */
const defaultPauseMs = 5_000;
/** Share of the pause that is random, so that the batches have no beat. */
const jitter = 0.3;
const noLineMs = 15_000;

export interface NumberCheckOptions {
  readonly lines: () => Pick<Lines, "call">;
  /** A test sets it. */
  readonly pauseMs?: number | undefined;
}

/**
 * Checks one batch of a list's numbers, and comes again after a pause until none is left: a job that only waits must not keep
 * a worker. What was checked stands in the rows, so a repeated job continues after the last committed batch (K-02).
 */
export function checkNumbers({ lines, pauseMs = defaultPauseMs }: NumberCheckOptions): JobHandler {
  return async (job, deps) => {
    const { contactListId } = checkPayload.parse(job.payload);
    const batch = await deps.inCompany((ctx) => nextBatch(ctx, contactListId));
    if (!batch) {
      return;
    }
    const connectionId = await deps.inCompany((ctx) => findCheckingConnection(ctx));
    const answers = connectionId === undefined ? undefined : await ask(job, deps, lines(), connectionId, batch);
    if (!answers) {
      await deps.inCompany((ctx) => setCheckState(ctx, contactListId, "waiting"));
      throw new RetryLater(noLineMs, "No line is connected");
    }
    if (answers === "failed") {
      await deps.inCompany((ctx) => setCheckState(ctx, contactListId, "failed"));
      return;
    }
    await deps.inCompany((ctx) => saveAnswers(ctx, contactListId, batch, answers));
    throw new RetryLater(pauseMs * (1 + jitter * (2 * Math.random() - 1)), "The next batch", { isProgress: true });
  };
}

/** WhatsApp's answers by number. Undefined: the line is not connected any more; failed: it gave none in all attempts of this batch. */
async function ask(
  job: Job,
  deps: JobDeps,
  lines: Pick<Lines, "call">,
  connectionId: number,
  batch: readonly UncheckedItem[],
): Promise<ReadonlyMap<string, PersonRef> | "failed" | undefined> {
  const actor = { kind: "system", companyId: job.companyId ?? 0, reason: job.task } as const;
  try {
    const numbers = batch.map(({ number }) => number);
    return new Map(await lines.call(actor, connectionId, "checkNumbers", numbers, askTimeoutMs));
  } catch (error) {
    if (error instanceof SendError && error.reason === "notConnected") {
      return undefined;
    }
    deps.log.info({ err: error, connectionId, attempt: job.attempt }, "number check of a list failed");
    if (job.attempt < job.maxAttempts) {
      throw error;
    }
    return "failed";
  }
}

const askTimeoutMs = 30_000;
