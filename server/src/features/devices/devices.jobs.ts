import { pushSubscription, shouldNotify } from "@prosa/contract";
import type { PushMessage } from "@prosa/contract";
import webPush from "web-push";
import { z } from "zod";
import { createTurns, NoRetry } from "#server/platform/jobs/index.ts";
import type { Job, JobDeps, JobHandler } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import {
  deleteSubscriptionById,
  findNotifiableUsers,
  findNotification,
  findSubscription,
  mayNotify,
  subscriptionKeysContext,
} from "./devices.queries.ts";
import type { MessageNotification, Subscription } from "./devices.queries.ts";
import { NOTIFY_TASK, pushJob } from "./devices.service.ts";
import type { PostPush, PushRequest } from "./post-push.ts";
import { PrivateAddressError } from "#server/platform/net/index.ts";
import { getVapidKeys, vapidSubject } from "./vapid.ts";

/** A user who has just closed the browser counts as online for 60 s; after this time the job checks again. */
const RECHECK_MS = 65_000;
/** A push service that cannot deliver a message drops it after this time (s). */
const TTL_SECONDS = 4 * 3_600;
/**
 * Posts for a company at once in a process: users chose their addresses, and a firewall may drop what goes there (decision 0219). One more
 * looks again later.
 */
const AT_ONCE_OF_COMPANY = 10;

const notifyPayload = z.object({
  messageId: z.number().int(),
  isSecondLook: z.boolean(),
  /** Of a second look: who was online at the first. Jobs of the release before do not say it. */
  onlineUserIds: z.array(z.number().int()).optional(),
});
const pushPayload = z.object({ subscriptionId: z.number().int(), messageId: z.number().int().nullable() });

/**
 * Job: enqueues the pushes for a message to the offline users whom it notifies. The rules are those of notifications in the
 * browser; online users are notified there. The second look is at those only: everybody else got theirs at the first.
 */
export const notifyForMessage: JobHandler = async (job, deps) => {
  const { messageId, isSecondLook, onlineUserIds } = parse(notifyPayload, job);
  const notification = await deps.inCompany((ctx) => findNotification(ctx, messageId));
  if (!notification || job.companyId === null) {
    return;
  }
  const users = await findNotifiableUsers(deps.db, job.companyId);
  const recipients = users.filter((user) => shouldNotify(user, notification.message, notification.ticket, false));
  const offline = recipients.filter(({ isOnline, userId }) => !isOnline && (onlineUserIds?.includes(userId) ?? true));
  const online = recipients.filter(({ isOnline }) => isOnline);

  await deps.inCompany(async (ctx) => {
    offline.flatMap(({ subscriptionIds }) => subscriptionIds).forEach((id) => ctx.enqueue(pushJob(id, messageId)));
    if (!isSecondLook && online.length > 0) {
      const runAt = new Date(deps.clock.now().getTime() + RECHECK_MS);
      const payload = { messageId, isSecondLook: true, onlineUserIds: online.map(({ userId }) => userId) };
      ctx.enqueue({ task: NOTIFY_TASK.enqueuedAs, payload, runAt });
    }
  });
};

/**
 * Job: sends one push to one device. Deletes the subscription if the push service reports that it has ended, and retries if
 * the service is unavailable.
 */
export function pushToDevice(services: Services, post: PostPush): JobHandler {
  const perCompany = createTurns(AT_ONCE_OF_COMPANY);
  async function send(job: Job, deps: JobDeps): Promise<void> {
    const { subscriptionId, messageId } = parse(pushPayload, job);
    const [subscription, notification] = await deps.inCompany(async (ctx) => [
      await findSubscription(ctx, subscriptionId),
      messageId === null ? undefined : await findNotification(ctx, messageId),
    ]);
    const message = messageId === null ? testMessage : notification && toPushMessage(notification);
    if (!subscription || !message || job.companyId === null) {
      return;
    }
    if (!(await mayNotify(deps.db, job.companyId, subscriptionId))) {
      return;
    }

    const request = await encryptPush(services, subscription, message);
    const status = request && (await post(request, services.config.push.mayBePrivate).catch(statusOfFailure));
    if (status === undefined || status === 404 || status === 410) {
      await deps.inCompany((ctx) => deleteSubscriptionById(ctx, subscriptionId));
    } else if (status instanceof Error || status === 429 || status >= 500) {
      retryOrDrop(job, deps, status);
    } else if (status >= 300) {
      throw new NoRetry(`push service responded with status ${status}`);
    }
  }
  return (job, deps) =>
    perCompany.runOrRetry(job.companyId ?? 0, () => send(job, deps), "other pushes of the company are under way");
}

/** Throws for another attempt. After the last one the push is dropped: it was of use for minutes, and nobody would try a dead job again. */
function retryOrDrop({ attempt, maxAttempts }: Job, { log }: JobDeps, failure: Error | number): void {
  const error = failure instanceof Error ? failure : new Error(`push service responded with status ${failure}`);
  if (attempt < maxAttempts) {
    throw error;
  }
  log.info({ err: error }, "push dropped: the push service is unavailable");
}

/** The content of a push. The service worker adds a text for messages that have none. */
export function toPushMessage({ message, ticket, contact }: MessageNotification): PushMessage {
  const { body, mediaType } = message;
  return { kind: "message", title: contact, body, mediaType, path: `/tickets/${ticket.uuid}` };
}

const testMessage: PushMessage = { kind: "test", title: "Prosa", body: "", mediaType: "chat", path: "/tickets" };

/** Encrypts a push for its device and signs it with the VAPID keys. Undefined if the device's keys are invalid or sealed with a lost secret. */
async function encryptPush(
  services: Services,
  { endpoint, keys }: Subscription,
  message: PushMessage,
): Promise<PushRequest | undefined> {
  const { vault, config } = services;
  const vapid = await getVapidKeys(services);
  try {
    const deviceKeys = pushSubscription.shape.keys.parse(
      JSON.parse(vault.open(keys, subscriptionKeysContext(endpoint)).toString("utf8")),
    );
    return webPush.generateRequestDetails({ endpoint, keys: deviceKeys }, JSON.stringify(message), {
      vapidDetails: { subject: vapidSubject(services.publicUrl(), config.mail.from), ...vapid },
      TTL: TTL_SECONDS,
      urgency: "high",
      // At most 32 characters. A newer push of the same conversation replaces an undelivered one.
      topic: message.path.replace(/[^\da-f]/g, "").slice(-32) || "test",
      contentEncoding: "aes128gcm",
    });
  } catch (error) {
    services.log.debug({ err: error }, "push subscription keys invalid");
    return undefined;
  }
}

/** Undefined for a private address, which is never a push service: no retry, the subscription is deleted. */
function statusOfFailure(error: Error): Error | undefined {
  return error instanceof PrivateAddressError ? undefined : error;
}

function parse<T>(schema: z.ZodType<T>, { payload }: Job): T {
  const parsed = schema.safeParse(payload);
  if (!parsed.success) {
    throw new NoRetry("invalid job payload");
  }
  return parsed.data;
}
