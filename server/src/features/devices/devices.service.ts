import type { PushSubscriptionBody } from "@prosa/contract";
import { requireUser } from "#server/platform/ctx.ts";
import type { Ctx, NewJob } from "#server/platform/ctx.ts";
import type { Cached } from "#server/platform/db/index.ts";
import { enforceSharedLimit } from "#server/platform/http/index.ts";
import { renamedTask } from "#server/platform/jobs/index.ts";
import { refusePrivateAddress } from "#server/platform/net/index.ts";
import type { Services } from "#server/platform/services.ts";
import {
  keepNewestSubscriptions,
  deleteSubscription,
  findSubscriptionIds,
  hasSubscriptions,
  subscriptionKeysContext,
  upsertSubscription,
} from "./devices.queries.ts";

const MAX_DEVICES_PER_USER = 20;
/** Tests of one user: each goes to all their devices, at addresses that they chose. */
const TESTS = { max: 5, perSeconds: 60 };

/** Has any user of the company a push subscription? Cached, because it is checked for every message. */
const hasPushSubscriptions: Cached<boolean> = {
  name: "devices",
  staleAfter: ["device.changed"],
  load: hasSubscriptions,
};

/** Subscribes this browser to pushes. ERR_VALIDATION for an address that cannot be a push service's. */
export async function subscribe(
  ctx: Ctx,
  { config, vault }: Pick<Services, "config" | "vault">,
  { endpoint, keys }: PushSubscriptionBody,
): Promise<void> {
  if (!config.push.mayBePrivate) {
    refusePrivateAddress("endpoint", endpoint);
  }
  const { userId, sessionId } = requireUser(ctx);
  const sealed = vault.seal(JSON.stringify(keys), subscriptionKeysContext(endpoint));
  await upsertSubscription(ctx, { userId, sessionId, endpoint, keys: sealed });
  await keepNewestSubscriptions(ctx, userId, MAX_DEVICES_PER_USER);
  ctx.emit({ type: "device.changed", payload: { userId } });
}

/** Ends the subscription of this browser; without one it does nothing. */
export async function unsubscribe(ctx: Ctx, endpoint: string): Promise<void> {
  const { userId } = requireUser(ctx);
  await deleteSubscription(ctx, userId, endpoint);
  ctx.emit({ type: "device.changed", payload: { userId } });
}

/** Counts a test of the user's devices before it is sent. Throws ERR_TOO_MANY_REQUESTS. */
export async function countTestPush(services: Pick<Services, "db" | "clock">, userId: number): Promise<void> {
  await enforceSharedLimit(services, `push-test:${userId}`, TESTS);
}

/** Sends a test push to each device of the user. Returns their number. */
export async function sendTestPush(ctx: Ctx): Promise<number> {
  const ids = await findSubscriptionIds(ctx, requireUser(ctx).userId);
  ids.forEach((subscriptionId) => ctx.enqueue(pushJob(subscriptionId, null)));
  return ids.length;
}

/** Enqueues the notifications of received messages. Call it in the transaction that stores them. */
export async function notifyDevices(ctx: Ctx, messageIds: readonly number[]): Promise<void> {
  if (messageIds.length > 0 && (await ctx.cached(hasPushSubscriptions))) {
    messageIds.forEach((messageId) =>
      ctx.enqueue({ task: NOTIFY_TASK.enqueuedAs, payload: { messageId, isSecondLook: false } }),
    );
  }
}

export const NOTIFY_TASK = renamedTask("devices.notify", { formerName: "devices.ring", since: "0.2.0" });
export const PUSH_TASK = "devices.push";

/** The job that sends a message to one device; null sends a test, of which one at most waits. */
export function pushJob(subscriptionId: number, messageId: number | null): NewJob {
  const job = { task: PUSH_TASK, payload: { subscriptionId, messageId }, maxAttempts: 3 };
  return messageId === null
    ? { ...job, priority: "interactive", key: `push-test:${subscriptionId}` }
    : { ...job, priority: "notice" };
}
