import { pushSubscription, shouldNotify } from "@prosa/contract";
import type { PushMessage } from "@prosa/contract";
import webPush from "web-push";
import { z } from "zod";
import { NoRetry } from "#server/platform/jobs/index.ts";
import type { Job, JobHandler } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import {
  deleteSubscriptionById,
  findNotifiableUsers,
  findNotification,
  findSubscription,
  subscriptionKeysContext,
  mayNotify,
} from "./devices.queries.ts";
import type { Notification, Subscription } from "./devices.queries.ts";
import { pushJob, NOTIFY_TASK } from "./devices.service.ts";
import type { PostPush, PushRequest } from "./post-push.ts";
import { PrivateAddressError } from "#server/platform/net/index.ts";
import { getVapidKeys, vapidSubject } from "./vapid.ts";

/** A browser that was just closed counts as open for 60 s: then it is looked at again. */
const RECHECK_MS = 65_000;
/** A message that nobody could deliver for so long is no news (s). */
const TTL_SECONDS = 4 * 3_600;

const ringPayload = z.object({ messageId: z.number().int(), isSecondLook: z.boolean() });
const pushPayload = z.object({ subscriptionId: z.number().int(), messageId: z.number().int().nullable() });

/** Who is to be rung for a message, by the conditions of the browser's own notification; who is online rings there. */
export const notifyForMessage: JobHandler = async (job, deps) => {
  const { messageId, isSecondLook } = parse(ringPayload, job);
  const story = await deps.inCompany((ctx) => findNotification(ctx, messageId));
  if (!story || job.companyId === null) {
    return;
  }
  const listeners = await findNotifiableUsers(deps.db, job.companyId);
  const meant = listeners.filter((listener) => shouldNotify(listener, story.message, story.ticket, false));
  const away = meant.filter(({ isOnline }) => !isOnline);

  await deps.inCompany(async (ctx) => {
    away.flatMap(({ subscriptionIds }) => subscriptionIds).forEach((id) => ctx.enqueue(pushJob(id, messageId)));
    if (!isSecondLook && away.length < meant.length) {
      const runAt = new Date(deps.clock.now().getTime() + RECHECK_MS);
      ctx.enqueue({ task: NOTIFY_TASK.enqueuedAs, payload: { messageId, isSecondLook: true }, runAt });
    }
  });
};

/** Sends one message to one device. A device that is gone is forgotten; a push service that is away is asked again. */
export function pushToDevice(services: Services, post: PostPush): JobHandler {
  return async (job, deps) => {
    const { subscriptionId, messageId } = parse(pushPayload, job);
    const [subscription, story] = await deps.inCompany(async (ctx) => [
      await findSubscription(ctx, subscriptionId),
      messageId === null ? undefined : await findNotification(ctx, messageId),
    ]);
    const message = messageId === null ? testMessage : story && toPushMessage(story);
    if (!subscription || !message || job.companyId === null) {
      return;
    }
    if (!(await mayNotify(deps.db, job.companyId, subscriptionId))) {
      return;
    }

    const request = await encryptPush(services, subscription, message);
    const status = request && (await post(request, services.config.push.mayBePrivate).catch(refusedForEver));
    if (status === undefined || status === 404 || status === 410) {
      await deps.inCompany((ctx) => deleteSubscriptionById(ctx, subscriptionId));
    } else if (status === 429 || status >= 500) {
      throw new Error(`The push service answered ${status}`);
    } else if (status >= 300) {
      throw new NoRetry(`The push service answered ${status}`);
    }
  };
}

/** Where it leads and what it says; the worker finds words for what has none. */
export function toPushMessage({ message, ticket, contact }: Notification): PushMessage {
  const { body, mediaType } = message;
  return { kind: "message", title: contact, body, mediaType, path: `/tickets/${ticket.uuid}` };
}

const testMessage: PushMessage = { kind: "test", title: "Prosa", body: "", mediaType: "chat", path: "/tickets" };

/** Encrypted for the device and signed by us; undefined for keys that no browser has. */
async function encryptPush(
  services: Services,
  { endpoint, keys }: Subscription,
  message: PushMessage,
): Promise<PushRequest | undefined> {
  const { vault, config } = services;
  const opened = pushSubscription.shape.keys.parse(
    JSON.parse(vault.open(keys, subscriptionKeysContext(endpoint)).toString("utf8")),
  );
  const own = await getVapidKeys(services);
  try {
    return webPush.generateRequestDetails({ endpoint, keys: opened }, JSON.stringify(message), {
      vapidDetails: { subject: vapidSubject(services.publicUrl(), config.mail.from), ...own },
      TTL: TTL_SECONDS,
      urgency: "high",
      // At most 32 signs: a newer message of the conversation replaces one that still waits.
      topic: message.path.replace(/[^\da-f]/g, "").slice(-32) || "test",
      contentEncoding: "aes128gcm",
    });
  } catch (error) {
    services.log.debug({ err: error }, "a device's keys are none");
    return undefined;
  }
}

/** An address of our own network will not become a push service by asking again. */
function refusedForEver(error: unknown): undefined {
  if (error instanceof PrivateAddressError) {
    return undefined;
  }
  throw error;
}

function parse<T>(schema: z.ZodType<T>, { payload }: Job): T {
  const parsed = schema.safeParse(payload);
  if (!parsed.success) {
    throw new NoRetry("The payload is none of ours");
  }
  return parsed.data;
}
