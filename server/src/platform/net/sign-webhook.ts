import { createHmac, randomBytes } from "node:crypto";

/** A secret by Standard Webhooks: whsec_ and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

export interface SignedWebhook {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

/** The three headers of Standard Webhooks. The time is that of the attempt, in seconds, so that a receiver can refuse old ones. */
export function webhookHeaders({ id, at, body }: SignedWebhook, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/u, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}
