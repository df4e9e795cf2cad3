import { z } from "zod";
import { done } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** Endpoint of the push service: https on the standard port. */
export const pushAddress = z.url({ protocol: /^https$/ }).max(2_000);

/** Result of `PushSubscription.toJSON()`. */
export const pushSubscription = z.object({
  endpoint: pushAddress,
  /** The browser's public key (65 bytes) and secret (16 bytes), base64url. */
  keys: z.object({
    p256dh: z.string().regex(/^[\w-]{87}=?$/),
    auth: z.string().regex(/^[\w-]{22}(==)?$/),
  }),
});
export type PushSubscriptionBody = z.output<typeof pushSubscription>;

/** Push message to the service worker, end-to-end encrypted. */
export const pushMessage = z.object({
  /** `test` shows the worker's own words. */
  kind: z.enum(["message", "test"]),
  title: z.string(),
  body: z.string(),
  mediaType: z.string(),
  path: z.string(),
});
export type PushMessage = z.output<typeof pushMessage>;

export const push = {
  key: endpoint({
    method: "GET",
    path: "/push/key",
    summary: "The key by which push services know this installation (VAPID)",
    access: { who: "session" },
    response: z.object({ publicKey: z.string() }),
  }),
  subscribe: endpoint({
    method: "POST",
    path: "/push/subscriptions",
    summary: "Ring this browser while it is closed; the same address again replaces what was there",
    access: { who: "session" },
    body: pushSubscription,
    response: done,
  }),
  unsubscribe: endpoint({
    method: "DELETE",
    path: "/push/subscriptions",
    summary: "Ring this browser no more",
    access: { who: "session" },
    body: z.object({ endpoint: pushAddress }),
    response: done,
  }),
  test: endpoint({
    method: "POST",
    path: "/push/test",
    summary: "Send a notification to the devices of the signed-in user, to see that it arrives",
    access: { who: "session" },
    response: z.object({ devices: z.number().int() }),
  }),
} as const;
