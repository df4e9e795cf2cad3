import type { PushSubscriptionBody } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx, UserActor } from "#server/platform/ctx.ts";
import type { Cached } from "#server/platform/db/index.ts";
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

/** More than anybody carries around. */
const MOST_DEVICES = 20;

/** Is anybody of the company rung at all? From memory: asked for every message. */
const hasPushSubscriptions: Cached<boolean> = {
  name: "devices",
  staleAfter: ["device.changed"],
  load: hasSubscriptions,
};

/** Rings this browser from now on. ERR_VALIDATION for an address that cannot be a push service's. */
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
  await keepNewestSubscriptions(ctx, userId, MOST_DEVICES);
  ctx.emit({ type: "device.changed", payload: { userId } });
}

/** Rings this browser no more; one that was not rung is fine too. */
export async function unsubscribe(ctx: Ctx, endpoint: string): Promise<void> {
  const { userId } = requireUser(ctx);
  await deleteSubscription(ctx, userId, endpoint);
  ctx.emit({ type: "device.changed", payload: { userId } });
}

/** Sends something to each of the person's own devices; answers how many there are. */
export async function sendTestPush(ctx: Ctx): Promise<number> {
  const ids = await findSubscriptionIds(ctx, requireUser(ctx).userId);
  ids.forEach((subscriptionId) => ctx.enqueue(pushJob(subscriptionId, null)));
  return ids.length;
}

/** Call in the transaction of a message that came in: whoever has closed their browser may be rung. */
export async function notifyDevices(ctx: Ctx, messageIds: readonly number[]): Promise<void> {
  const last = messageIds.at(-1);
  if (last !== undefined && (await ctx.cached(hasPushSubscriptions))) {
    messageIds.forEach((messageId) =>
      ctx.enqueue({ task: NOTIFY_TASK.enqueuedAs, payload: { messageId, isSecondLook: false } }),
    );
  }
}

export const NOTIFY_TASK = renamedTask("devices.notify", { formerName: "devices.ring", since: "0.2.0" });
export const PUSH_TASK = "devices.push";

/** One device and one message; without a message a test. */
export function pushJob(subscriptionId: number, messageId: number | null) {
  return { task: PUSH_TASK, payload: { subscriptionId, messageId }, maxAttempts: 3 };
}

function requireUser({ actor }: Ctx): UserActor {
  if (actor.kind !== "user") {
    throw new AppError("ERR_NO_PERMISSION");
  }
  return actor;
}
