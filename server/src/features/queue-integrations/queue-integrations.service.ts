import { missingFields, pageSize, signedTypes } from "@prosa/contract";
import type { IntegrationCall, QueueIntegration, QueueIntegrationBody, QueueIntegrationChanges } from "@prosa/contract";
import { clearReferencesInConnections } from "#server/features/connections/index.ts";
import { clearReferencesInQueues } from "#server/features/queues/index.ts";
import { changedFields, recordAudit } from "#server/platform/audit/index.ts";
import type { Vault } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx, DomainEvent } from "#server/platform/ctx.ts";
import { brokenConstraint } from "#server/platform/db/index.ts";
import type { ResponseValue } from "#server/platform/http/index.ts";
import { refusePrivateAddress } from "#server/platform/net/index.ts";
import { giveSecret } from "./called-integration.ts";
import { enqueueReplay, findCallPage, findHealth, resetCall } from "./calls/index.ts";
import {
  accountContext,
  deleteIntegration,
  findIntegrationNames,
  findIntegrations,
  findUses,
  hasSecret,
  insertIntegration,
  lockIntegration,
  saveIntegration,
  searchIntegrations,
} from "./queue-integrations.queries.ts";
import type { IntegrationFields, IntegrationUse } from "./queue-integrations.queries.ts";

/** What the verbs need besides their transaction. */
export interface IntegrationTools {
  readonly vault: Vault;
  /** The operator allows addresses in private networks. */
  readonly mayBePrivate: boolean;
}

type Fields = Omit<QueueIntegrationBody, "jsonContent">;

export async function listIntegrations(ctx: Ctx, query: { searchParam: string; pageNumber: number }) {
  const { rows, count } = await searchIntegrations(ctx, query);
  return {
    queueIntegrations: await withUseAndHealth(ctx, rows),
    count,
    hasMore: query.pageNumber * pageSize.others < count,
  };
}

async function withUseAndHealth(ctx: Ctx, rows: readonly QueueIntegration[]) {
  const ids = rows.map(({ id }) => id);
  const [uses, health] = await Promise.all([findUses(ctx, ids), findHealth(ctx, ids)]);
  const usedBy = (id: number, kind: IntegrationUse["kind"]) =>
    uses.filter((use) => use.integrationId === id && use.kind === kind).map((use) => ({ id: use.id, name: use.name }));
  return rows.map((row) => ({
    ...shownTo(ctx, row),
    queues: usedBy(row.id, "queue"),
    connections: usedBy(row.id, "connection"),
    ...(health.get(row.id) ?? { lastWorkedAt: null, failure: null, remark: null }),
  }));
}

/** All integrations, for a picker. */
export async function lookUpIntegrations(ctx: Ctx) {
  return findIntegrationNames(ctx);
}

export async function getIntegration(ctx: Ctx, id: number): Promise<QueueIntegration> {
  const [found] = await findIntegrations(ctx, [id]);
  if (!found) {
    throw notFound(id);
  }
  return shownTo(ctx, found);
}

/** The support sees where an integration is, and not the path, which often has a secret in it. */
function shownTo({ actor }: Ctx, integration: QueueIntegration): QueueIntegration {
  const { urlN8N } = integration;
  const isHidden = actor.kind === "user" && actor.support !== undefined && urlN8N !== "";
  return isHidden ? { ...integration, urlN8N: `${new URL(urlN8N).origin}/…` } : integration;
}

/**
 * Adds an integration, and makes the secret that signs its calls, where its type has one. Throws ERR_NAME_TAKEN, and ERR_VALIDATION
 * for an address that must not be called.
 */
export async function createIntegration(
  ctx: Ctx,
  tools: IntegrationTools,
  body: QueueIntegrationBody,
): Promise<QueueIntegration & { readonly secret: string | null }> {
  const { vault } = tools;
  validate(tools, body);
  const id = await refuseTakenName(() => insertIntegration(ctx, columnsOf(body)));
  // The encryption context contains the row's id, so the row is inserted first.
  await saveIntegration(ctx, id, secretOf(ctx, vault, id, body.jsonContent));
  const secret = signedTypes.includes(body.type) ? await giveSecret(ctx, vault, id) : null;
  await recordAudit(ctx, { action: "integration.created", target: targetOf(id, body.name), details: shownOf(body) });
  ctx.emit(integrationEvent("created", id));
  return { ...(await getIntegration(ctx, id)), secret };
}

/** A new secret: the calls from then on are signed with it. ERR_VALIDATION for a type that signs nothing. */
export async function renewSecret(
  ctx: Ctx,
  { vault }: IntegrationTools,
  id: number,
): Promise<QueueIntegration & { readonly secret: string }> {
  const integration = await lockIntegration(ctx, id);
  if (!integration) {
    throw notFound(id);
  }
  requireSigned(integration);
  const secret = await giveSecret(ctx, vault, id);
  await recordAudit(ctx, { action: "integration.secret-changed", target: targetOf(id, integration.name) });
  return { ...integration, secret };
}

/** ERR_NOT_FOUND. */
export async function listCalls(ctx: Ctx, id: number, pageNumber: number) {
  await getIntegration(ctx, id);
  const rows = await findCallPage(ctx, id, pageNumber);
  return { calls: rows.slice(0, pageSize.others), hasMore: rows.length > pageSize.others };
}

/** Sends a call again, under the same id. The customer hears nothing of it. ERR_NOT_FOUND, ERR_VALIDATION for a type without. */
export async function replayCall(ctx: Ctx, id: number, callId: number): Promise<ResponseValue<IntegrationCall>> {
  requireSigned(await getIntegration(ctx, id));
  const call = await resetCall(ctx, id, callId);
  if (!call) {
    throw new AppError("ERR_NOT_FOUND", { callId });
  }
  enqueueReplay(ctx, id, callId);
  return call;
}

function requireSigned({ type }: Pick<QueueIntegration, "type">): void {
  if (!signedTypes.includes(type)) {
    throw new AppError("ERR_VALIDATION", { fields: { type: "Not signed" } });
  }
}

function targetOf(id: number, name: string) {
  return { type: "integration", id, name } as const;
}

/** What the audit log may show: no account, and no address, which often has a secret in it. */
function shownOf({ type, name }: Pick<Fields, "type" | "name">) {
  return { type, name };
}

/**
 * Changes the given fields. The required fields of the type may be given now or be stored before. One that signs its calls from now on
 * is given its secret, which is answered this once; null: it has one, or signs nothing. Throws as createIntegration.
 */
export async function updateIntegration(
  ctx: Ctx,
  tools: IntegrationTools,
  id: number,
  { jsonContent, ...changes }: QueueIntegrationChanges,
): Promise<QueueIntegration & { readonly secret: string | null }> {
  const before = await lockIntegration(ctx, id);
  if (!before) {
    throw notFound(id);
  }
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const after: Fields = { ...before, ...(Object.fromEntries(given) as Partial<Fields>) };
  validate(tools, after);
  await refuseTakenName(() =>
    saveIntegration(ctx, id, { ...columnsOf(after), ...secretOf(ctx, tools.vault, id, jsonContent) }),
  );
  // An address often has a secret in it.
  const details = changedFields({ ...before, jsonContent: "" }, { ...after, jsonContent: jsonContent ?? "" }, [
    "urlN8N",
    "jsonContent",
  ]);
  if (details) {
    await recordAudit(ctx, { action: "integration.updated", target: targetOf(id, after.name), details });
  }
  const isSigned = signedTypes.includes(after.type);
  const secret = isSigned && !(await hasSecret(ctx, id)) ? await giveSecret(ctx, tools.vault, id) : null;
  if (secret !== null) {
    await recordAudit(ctx, { action: "integration.secret-changed", target: targetOf(id, after.name) });
  }
  ctx.emit(integrationEvent("updated", id));
  return { ...(await getIntegration(ctx, id)), secret };
}

/** Deletes an integration and clears the references of queues, connections and tickets to it. */
export async function removeIntegration(ctx: Ctx, id: number): Promise<void> {
  const integration = await lockIntegration(ctx, id);
  if (!integration) {
    throw notFound(id);
  }
  await recordAudit(ctx, { action: "integration.deleted", target: targetOf(id, integration.name) });
  await clearReferencesInQueues(ctx, { integrationId: id });
  await clearReferencesInConnections(ctx, { integrationId: id });
  await deleteIntegration(ctx, id);
  ctx.emit(integrationEvent("deleted", id));
}

function validate({ mayBePrivate }: IntegrationTools, fields: Fields): void {
  const missing = missingFields(fields);
  if (missing.length > 0) {
    throw new AppError("ERR_VALIDATION", { fields: Object.fromEntries(missing.map((name) => [name, "Required"])) });
  }
  if (!mayBePrivate) {
    refusePrivateAddress("urlN8N", fields.urlN8N);
  }
}

function columnsOf(fields: Fields): IntegrationFields {
  const { type, name, language } = fields;
  return {
    type,
    name,
    language,
    // Specification 2, section 5: except for Dialogflow the project has the integration's name.
    project_name: type === "dialogflow" ? fields.projectName : name,
    location: fields.location,
    url_n8n: fields.urlN8N,
    typebot_slug: fields.typebotSlug,
    typebot_delay_message: fields.typebotDelayMessage,
    typebot_expires: fields.typebotExpires,
    typebot_keyword_finish: fields.typebotKeywordFinish,
    typebot_keyword_restart: fields.typebotKeywordRestart,
    typebot_restart_message: fields.typebotRestartMessage,
    typebot_unknown_message: fields.typebotUnknownMessage,
  };
}

/** The encrypted service account as a column: undefined leaves it unchanged, an empty one removes it. */
function secretOf(ctx: Ctx, vault: Vault, id: number, json: string | undefined): { json_content?: Buffer | null } {
  if (json === undefined) {
    return {};
  }
  return { json_content: json === "" ? null : vault.seal(json, accountContext(ctx.companyId, id)) };
}

function integrationEvent(change: "created" | "updated" | "deleted", integrationId: number): DomainEvent {
  return { type: `queueIntegration.${change}`, payload: { integrationId } };
}

async function refuseTakenName<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (brokenConstraint(error) === "queue_integrations_company_id_name_key") {
      throw new AppError("ERR_NAME_TAKEN", undefined, { cause: error });
    }
    throw error;
  }
}

function notFound(integrationId: number): AppError {
  return new AppError("ERR_NOT_FOUND", { integrationId });
}
