import { adminIdsOf } from "#server/features/users/index.ts";
import type { Feature } from "#server/platform/feature.ts";
import { publishRecords, userRoom } from "#server/platform/realtime/index.ts";
import {
  createFanOutWake,
  DELIVER_TASK,
  deliverWebhook,
  enqueueForgotten,
  FAN_OUT_TASK,
  fanOut,
} from "./deliver/index.ts";
import { deliveryData } from "./erase-deliveries.queries.ts";
import { findWebhooks, pruneDeliveries, sealedSecrets } from "./webhooks.queries.ts";
import { webhooksRoutes } from "./webhooks.routes.ts";
import { webhookView } from "./webhooks.view.ts";

/** Events of the log that the trigger copies into the outbox. */
const watched = [
  "message.created",
  "message.updated",
  "ticket.updated",
  "ticket.deleted",
  "contact.created",
  "contact.updated",
  "contact.deleted",
  "connection.created",
  "connection.updated",
  "connection.state",
  "connection.deleted",
] as const;

/** `timeoutMs`: a test replaces the time in which an endpoint has to answer. */
export const webhooksFeature = ({ timeoutMs }: { readonly timeoutMs?: number } = {}): Feature => ({
  name: "webhooks",
  routes: webhooksRoutes,
  sealed: [sealedSecrets],
  personalData: deliveryData,
  tasks: (services) => ({
    [FAN_OUT_TASK]: fanOut(services.media),
    [DELIVER_TASK]: deliverWebhook(services, timeoutMs),
  }),
  waitingTasks: [DELIVER_TASK],
  crons: ({ db, clock }) => [
    { name: "webhooks.fan-out", everySeconds: 60, priority: "notice", run: () => enqueueForgotten(db) },
    { name: "webhooks.prune", at: { hour: 4, minute: 50 }, run: () => pruneDeliveries(db, clock.now()) },
  ],
  eventWatchers: (services) => {
    const wake = createFanOutWake(services);
    return services.config.roles.has("worker") ? Object.fromEntries(watched.map((type) => [type, wake])) : {};
  },
  events: () =>
    publishRecords({
      noun: "webhook",
      idField: "webhookId",
      load: async (ctx, ids) => (await findWebhooks(ctx, ids)).map(webhookView),
      // Only admins may read webhooks.
      rooms: async (ctx) => (await adminIdsOf(ctx)).map(userRoom),
    }),
});
