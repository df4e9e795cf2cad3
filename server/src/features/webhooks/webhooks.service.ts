import { randomUUID } from "node:crypto";
import { pageSize, webhookRules } from "@prosa/contract";
import type { Webhook, WebhookBody, WebhookChanges, WebhookDelivery } from "@prosa/contract";
import { changedFields, recordAudit } from "#server/platform/audit/index.ts";
import type { Vault } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { ResponseValue } from "#server/platform/http/index.ts";
import { newWebhookSecret, refusePrivateAddress } from "#server/platform/net/index.ts";
import { bodyOf, enqueueDeliveries } from "./deliver/index.ts";
import { webhookEvent } from "./webhooks.events.ts";
import {
  countDeliveries,
  countWebhooks,
  deleteWebhook,
  findDelivery,
  findDeliveryPage,
  findWebhookPage,
  findWebhooks,
  insertDeliveries,
  insertWebhook,
  lacksSecret,
  resetDelivery,
  saveSecret,
  saveWebhook,
  secretContext,
} from "./webhooks.queries.ts";
import type { WebhookRow } from "./webhooks.queries.ts";

/** What the verbs need besides their transaction. */
export interface WebhookTools {
  readonly vault: Vault;
  /** The operator allows addresses in private networks. */
  readonly mayBePrivate: boolean;
}

export async function listWebhooks(ctx: Ctx, pageNumber: number) {
  const { rows, count } = await findWebhookPage(ctx, pageNumber);
  return { webhooks: rows, count, hasMore: pageNumber * pageSize.others < count };
}

/** ERR_NOT_FOUND. */
export async function getWebhook(ctx: Ctx, id: number): Promise<WebhookRow> {
  const [found] = await findWebhooks(ctx, [id]);
  if (!found) {
    throw notFound(id);
  }
  return found;
}

/**
 * Adds an endpoint, and makes the secret that signs what is sent to it. ERR_VALIDATION for a private address, ERR_PLAN_LIMIT
 * where there are too many.
 */
export async function createWebhook(ctx: Ctx, tools: WebhookTools, body: WebhookBody) {
  validate(tools, body.url);
  if ((await countWebhooks(ctx)) >= webhookRules.maxEndpoints) {
    throw new AppError("ERR_PLAN_LIMIT", { max: webhookRules.maxEndpoints });
  }
  const id = await insertWebhook(ctx, body);
  const secret = await giveSecret(ctx, tools, id);
  await recordAudit(ctx, { action: "webhook.created", target: { type: "webhook", id, name: body.url }, details: body });
  ctx.emit(webhookEvent("created", id));
  return { ...(await getWebhook(ctx, id)), secret };
}

/** Absent fields stay unchanged. ERR_VALIDATION for a private address, ERR_NOT_FOUND. */
export async function updateWebhook(
  ctx: Ctx,
  tools: WebhookTools,
  id: number,
  body: WebhookChanges,
): Promise<ResponseValue<Webhook>> {
  if (body.url !== undefined) {
    validate(tools, body.url);
  }
  const before = await getWebhook(ctx, id);
  if (!(await saveWebhook(ctx, id, body))) {
    throw notFound(id);
  }
  await ensureSecret(ctx, tools, id);
  const details = changedFields({ ...before }, body);
  if (details) {
    await recordAudit(ctx, {
      action: "webhook.updated",
      target: { type: "webhook", id, name: body.url ?? before.url },
      details,
    });
  }
  ctx.emit(webhookEvent("updated", id));
  return getWebhook(ctx, id);
}

/** A new secret; deliveries that wait are signed with it. */
export async function renewSecret(ctx: Ctx, tools: WebhookTools, id: number) {
  const secret = await giveSecret(ctx, tools, id);
  const webhook = await getWebhook(ctx, id);
  await recordAudit(ctx, { action: "webhook.secret-changed", target: { type: "webhook", id, name: webhook.url } });
  ctx.emit(webhookEvent("updated", id));
  return { ...webhook, secret };
}

export async function removeWebhook(ctx: Ctx, id: number): Promise<void> {
  const { url } = await getWebhook(ctx, id);
  if (!(await deleteWebhook(ctx, id))) {
    throw notFound(id);
  }
  await recordAudit(ctx, { action: "webhook.deleted", target: { type: "webhook", id, name: url } });
  ctx.emit(webhookEvent("deleted", id));
}

/** Sends an event of its own to an endpoint, also to one that is switched off. */
export async function testWebhook(ctx: Ctx, tools: WebhookTools, id: number): Promise<ResponseValue<WebhookDelivery>> {
  await getWebhook(ctx, id);
  await ensureSecret(ctx, tools, id);
  const webhookId = randomUUID();
  const body = bodyOf("webhook.test", ctx.now(), { message: "Prosa" });
  const [made] = await insertDeliveries(ctx, [
    { endpointId: id, webhookId, type: "webhook.test", subject: "test", body },
  ]);
  enqueueDeliveries(ctx, made ? [made] : []);
  return requireDelivery(ctx, id, made?.id ?? 0);
}

export async function listDeliveries(
  ctx: Ctx,
  id: number,
  query: { readonly pageNumber: number; readonly state: string },
) {
  await getWebhook(ctx, id);
  const rows = await findDeliveryPage(ctx, id, query);
  return {
    deliveries: rows.slice(0, pageSize.others),
    count: await countDeliveries(ctx, id, query.state),
    hasMore: rows.length > pageSize.others,
  };
}

/** Sends a delivery again, under the same id: a receiver that has handled it can tell. ERR_NOT_FOUND. */
export async function replayDelivery(
  ctx: Ctx,
  id: number,
  deliveryId: number,
): Promise<ResponseValue<WebhookDelivery>> {
  const subject = await resetDelivery(ctx, id, deliveryId);
  if (subject === undefined) {
    throw new AppError("ERR_NOT_FOUND", { deliveryId });
  }
  enqueueDeliveries(ctx, [{ id: deliveryId, endpointId: id, subject }]);
  return requireDelivery(ctx, id, deliveryId);
}

async function requireDelivery(ctx: Ctx, id: number, deliveryId: number) {
  const row = await findDelivery(ctx, id, deliveryId);
  if (!row) {
    throw new AppError("ERR_NOT_FOUND", { deliveryId });
  }
  return row;
}

/** One that came with an archive of another installation has none: secrets stay where they were made. */
async function ensureSecret(ctx: Ctx, tools: WebhookTools, id: number): Promise<void> {
  if (await lacksSecret(ctx, id)) {
    await giveSecret(ctx, tools, id);
  }
}

/** The encryption context contains the row's id, so the row is inserted first. */
async function giveSecret(ctx: Ctx, { vault }: WebhookTools, id: number): Promise<string> {
  const secret = newWebhookSecret();
  if (!(await saveSecret(ctx, id, vault.seal(secret, secretContext(ctx.companyId, id))))) {
    throw notFound(id);
  }
  return secret;
}

/** A name that resolves to a private address is refused when it is called. */
function validate({ mayBePrivate }: WebhookTools, url: string): void {
  if (!mayBePrivate) {
    refusePrivateAddress("url", url);
  }
}

function notFound(webhookId: number): AppError {
  return new AppError("ERR_NOT_FOUND", { webhookId });
}
