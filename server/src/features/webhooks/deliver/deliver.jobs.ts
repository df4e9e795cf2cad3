import { webhookRules } from "@prosa/contract";
import { z } from "zod";
import type { Ctx } from "#server/platform/ctx.ts";
import { createTurns, hastenOneOf, RetryLater } from "#server/platform/jobs/index.ts";
import type { JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import { sendMail } from "#server/platform/mail/index.ts";
import { callFailure, postPublic, webhookHeaders } from "#server/platform/net/index.ts";
import type { PostAnswer } from "#server/platform/net/index.ts";
import type { Services } from "#server/platform/services.ts";
import { webhookEvent } from "../webhooks.events.ts";
import { secretContext } from "../webhooks.queries.ts";
import { nextAttemptMs } from "./back-off.ts";
import { endFailing, findAdmins, findDueDelivery, noteFailing, saveOutcome, switchOff } from "./deliver.queries.ts";
import type { DueDelivery, Outcome } from "./deliver.queries.ts";
import { mayTell } from "./may-tell.ts";
import { switchedOffMail } from "./switched-off-mail.ts";

export const DELIVER_TASK = "webhooks.deliver";

/** Jobs of releases before name no endpoint. */
const payload = z.object({ deliveryId: z.number().int(), endpointId: z.number().int().optional() });
const answerBytes = 500;
/**
 * Calls under way in a process: of an endpoint, so that one that does not answer holds up none of the company's others, and of a company,
 * so that its endpoints hold up nobody else's (decision 0287).
 */
const mostAtOnce = { endpoint: 2, company: 20 } as const;
/** Why a job looks again, and may be called earlier. */
const othersUnderWay = "others of the endpoint or the company are under way";
const suspendedMs = 5 * 60_000;

/** A delivery that is to be sent, with what it keeps its order in. */
interface Queued {
  readonly id: number;
  readonly endpointId: number;
  readonly subject: string;
}

/** Enqueues deliveries: those of one ticket go to an endpoint one after another, also over a retry. */
export function enqueueDeliveries(ctx: Ctx, deliveries: readonly Queued[]): void {
  for (const { id, endpointId, subject } of deliveries) {
    ctx.enqueue({
      task: DELIVER_TASK,
      payload: { deliveryId: id, endpointId },
      lane: `webhook:${endpointId}:${subject}`,
      key: `webhook:${id}`,
      priority: "notice",
      // A process killed amid a call uses up an attempt of the job; those of the delivery are counted in its row.
      maxAttempts: 100,
    });
  }
}

/**
 * Job: sends a delivery to its endpoint, under an id that is the same in each attempt. At least once: a process that dies
 * between the answer and its row sends it again. What fails is tried again for three days.
 */
export function deliverWebhook(
  { vault, config, publicUrl }: Services,
  timeoutMs: number = webhookRules.timeoutMs,
): JobHandler {
  const { mayBePrivate } = config.webhooks;
  const perCompany = createTurns(mostAtOnce.company);
  const perEndpoint = createTurns(mostAtOnce.endpoint);
  async function deliver(
    companyId: number,
    deliveryId: number,
    { inCompany, clock, signal, log }: JobDeps,
  ): Promise<void> {
    const due = await inCompany(async (ctx) => ((await mayTell(ctx)) ? findDueDelivery(ctx, deliveryId) : "off"));
    if (!due) {
      return;
    }
    if (due === "off") {
      throw new RetryLater(suspendedMs, "the company is not served");
    }
    if (!due.isActive && due.type !== "webhook.test") {
      await inCompany((ctx) => saveOutcome(ctx, due.id, { ...nothing, state: "failed", error: "switched off" }));
      return;
    }
    const secret = vault.open(due.secret ?? Buffer.alloc(0), secretContext(companyId, due.endpointId));
    const at = clock.now();
    const result = await attempt(due, { secret: secret.toString(), at, mayBePrivate, signal, timeoutMs });
    signal.throwIfAborted();
    log.debug({ deliveryId, status: result.answer?.status, err: result.error }, "webhook attempted");
    const waitMs = await inCompany((ctx) => record(ctx, due, result, publicUrl()));
    if (waitMs !== undefined) {
      throw new RetryLater(waitMs, "webhook failed");
    }
  }
  return async (job, deps) => {
    const companyId = job.companyId ?? 0;
    const { deliveryId, endpointId = -companyId } = payload.parse(job.payload);
    const passTurns = async () => {
      for (const waiting of [perEndpoint.turnedAway(endpointId), perCompany.turnedAway(companyId)]) {
        if (waiting.length > 0) {
          await deps.inCompany((ctx) => hastenOneOf(ctx, waiting, othersUnderWay));
        }
      }
    };
    const turn = async () => {
      try {
        await deliver(companyId, deliveryId, deps);
      } finally {
        await passTurns();
      }
    };
    const done = await perEndpoint.run(endpointId, () => perCompany.run(companyId, turn, job.id), job.id);
    if (done === "busy") {
      const lookAgainMs = Math.max(perEndpoint.lookAgainMs(endpointId), perCompany.lookAgainMs(companyId));
      throw new RetryLater(lookAgainMs, othersUnderWay);
    }
  };
}

interface Attempt {
  readonly answer: PostAnswer | undefined;
  readonly error: string | null;
  readonly durationMs: number;
}

async function attempt(
  { url, webhookId: id, body }: DueDelivery,
  call: {
    readonly secret: string;
    readonly at: Date;
    readonly mayBePrivate: boolean;
    readonly signal: AbortSignal;
    readonly timeoutMs: number;
  },
): Promise<Attempt> {
  const began = performance.now();
  const done = (answer: PostAnswer | undefined, error: string | null): Attempt => ({
    answer,
    error,
    durationMs: Math.round(performance.now() - began),
  });
  try {
    const answer = await postPublic(url, {
      headers: {
        "content-type": "application/json",
        "user-agent": "Prosa-Webhooks/1",
        ...webhookHeaders({ id, at: call.at, body }, call.secret),
      },
      body,
      signal: AbortSignal.any([call.signal, AbortSignal.timeout(call.timeoutMs)]),
      mayBePrivate: call.mayBePrivate,
      answerBytes,
    });
    const isFine = answer.status >= 200 && answer.status < 300;
    return done(answer, isFine ? null : `HTTP ${answer.status}`);
  } catch (error) {
    return done(undefined, callFailure(error));
  }
}

const nothing = { nextAttemptAt: null, status: null, error: null, answer: null, durationMs: null } as const;

/** Stores what came of an attempt. Returns how long (ms) the next one waits; undefined where there is none. */
async function record(ctx: Ctx, due: DueDelivery, result: Attempt, url: string): Promise<number | undefined> {
  const { answer, error, durationMs } = result;
  const facts = { status: answer?.status ?? null, error, answer: answer?.text ?? null, durationMs };
  const save = (outcome: Pick<Outcome, "state" | "nextAttemptAt">) =>
    saveOutcome(ctx, due.id, { ...facts, ...outcome });
  if (error === null) {
    await save({ state: "delivered", nextAttemptAt: null });
    if (await endFailing(ctx, due.endpointId)) {
      ctx.emit(webhookEvent("updated", due.endpointId));
    }
    return undefined;
  }
  if (due.type === "webhook.test") {
    // Somebody looks on: they press again.
    await save({ state: "failed", nextAttemptAt: null });
    return undefined;
  }
  const isOff = await judgeEndpoint(ctx, due, answer?.status === 410, url);
  const now = ctx.now();
  const retryAfter = answer?.status === 429 || answer?.status === 503 ? answer.retryAfter : undefined;
  const waitMs = isOff ? undefined : nextAttemptMs(due.attempts + 1, { now, random: Math.random(), retryAfter });
  await save(
    waitMs === undefined
      ? { state: "failed", nextAttemptAt: null }
      : { state: "waiting", nextAttemptAt: new Date(now.getTime() + waitMs) },
  );
  return waitMs;
}

/** Switches an endpoint off that is gone or has failed for days, and tells the admins. Returns whether it is off. */
async function judgeEndpoint(ctx: Ctx, { endpointId, url: of }: DueDelivery, isGone: boolean, url: string) {
  const failing = await noteFailing(ctx, endpointId);
  if (!failing) {
    return true;
  }
  const failsTooLong = ctx.now().getTime() - failing.since.getTime() >= webhookRules.switchOffAfterMs;
  if (!isGone && !failsTooLong) {
    if (failing.isNew) {
      ctx.emit(webhookEvent("updated", endpointId));
    }
    return false;
  }
  if (await switchOff(ctx, endpointId, isGone ? "gone" : "failing")) {
    ctx.emit(webhookEvent("updated", endpointId));
    for (const admin of await findAdmins(ctx)) {
      sendMail(ctx, switchedOffMail({ admin, endpoint: of, isGone, url }));
    }
  }
  return true;
}
