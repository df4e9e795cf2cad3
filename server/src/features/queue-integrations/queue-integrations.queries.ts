import type { QueueIntegration } from "@prosa/contract";
import { sql } from "kysely";
import type { Insertable, Updateable } from "kysely";
import type { SealedColumn } from "#server/platform/auth/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { searchByName } from "#server/platform/db/index.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type { QueueIntegrationsTable } from "./queue-integrations.tables.ts";

export type IntegrationFields = Omit<Insertable<QueueIntegrationsTable>, "id" | "company_id" | "created_at" | "secret">;
type Changes = Omit<Updateable<QueueIntegrationsTable>, "id" | "company_id">;

/** Whether a service account is set, never the account: no view can leak it. */
const columns = [
  "id",
  "type",
  "name",
  "project_name as projectName",
  "location",
  "language",
  "url_n8n as urlN8N",
  "typebot_slug as typebotSlug",
  "typebot_delay_message as typebotDelayMessage",
  "typebot_expires as typebotExpires",
  "typebot_keyword_finish as typebotKeywordFinish",
  "typebot_keyword_restart as typebotKeywordRestart",
  "typebot_restart_message as typebotRestartMessage",
  "typebot_unknown_message as typebotUnknownMessage",
  sql<boolean>`json_content is not null`.as("hasJsonContent"),
] as const;

function ofCompany(ctx: Ctx) {
  return ctx.db.selectFrom("queue_integrations").where("company_id", "=", ctx.companyId);
}

export async function searchIntegrations(
  ctx: Ctx,
  query: { searchParam: string; pageNumber: number },
): Promise<{ rows: QueueIntegration[]; count: number }> {
  return searchByName(ofCompany(ctx), (matching) => matching.select(columns), query);
}

export async function findIntegrationNames(ctx: Ctx): Promise<Pick<QueueIntegration, "id" | "name" | "type">[]> {
  return ofCompany(ctx)
    .select(["id", "name", "type"])
    .orderBy(sql`folded(name)`)
    .execute();
}

export async function findIntegrations(ctx: Ctx, ids: readonly number[]): Promise<QueueIntegration[]> {
  return ofCompany(ctx).select(columns).where("id", "in", ids).execute();
}

export interface IntegrationUse {
  readonly integrationId: number;
  readonly kind: "queue" | "connection";
  readonly id: number;
  readonly name: string;
}

const USES: Statement<IntegrationUse> = {
  name: "integration_uses",
  text: `select integration_id as "integrationId", kind, id, name from (
      select q.integration_id, 'queue' as kind, q.id, q.name from queues q
        where q.company_id = $1 and q.integration_id = any($2::int[])
      union all
      select c.integration_id, 'connection', c.id, c.name from connections c
        where c.company_id = $1 and c.integration_id = any($2::int[])) used
    order by folded(name), id`,
};

/** The queues and connections that chose these integrations. */
export async function findUses(ctx: Ctx, ids: readonly number[]): Promise<IntegrationUse[]> {
  return ids.length === 0 ? [] : ctx.raw(USES, [ctx.companyId, ids]);
}

/** Locks the integration against changes and new references until the transaction ends. */
export async function lockIntegration(ctx: Ctx, id: number): Promise<QueueIntegration | undefined> {
  return ofCompany(ctx).select(columns).where("id", "=", id).forUpdate().executeTakeFirst();
}

/** With its secrets, sealed. */
export async function findSealedIntegration(ctx: Ctx, id: number) {
  return ofCompany(ctx).selectAll().where("id", "=", id).executeTakeFirst();
}

/** Whether there is something to sign its calls with. */
export async function hasSecret(ctx: Ctx, id: number): Promise<boolean> {
  const row = await ofCompany(ctx).select("id").where("id", "=", id).where("secret", "is not", null).executeTakeFirst();
  return row !== undefined;
}

export async function insertIntegration(ctx: Ctx, fields: IntegrationFields): Promise<number> {
  const { id } = await ctx.db
    .insertInto("queue_integrations")
    .values({ ...fields, company_id: ctx.companyId })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function saveIntegration(ctx: Ctx, id: number, changes: Changes): Promise<void> {
  await ctx.db
    .updateTable("queue_integrations")
    .set({ ...changes, company_id: ctx.companyId })
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .execute();
}

export async function deleteIntegration(ctx: Ctx, id: number): Promise<void> {
  await ctx.db.deleteFrom("queue_integrations").where("id", "=", id).where("company_id", "=", ctx.companyId).execute();
}

/** The encryption context of an integration's service account. */
export function accountContext(companyId: number, integrationId: number): string {
  return `queue-integration:${companyId}:${integrationId}:jsonContent`;
}

export const sealedAccounts: SealedColumn = {
  table: "queue_integrations",
  column: "json_content",
  key: ["company_id", "id"],
  contextOf: (row) => accountContext(Number(row["company_id"]), Number(row["id"])),
};

/** The encryption context of what signs an integration's calls. */
export function secretContext(companyId: number, integrationId: number): string {
  return `queue-integration:${companyId}:${integrationId}:secret`;
}

export const sealedSecrets: SealedColumn = {
  table: "queue_integrations",
  column: "secret",
  key: ["company_id", "id"],
  contextOf: (row) => secretContext(Number(row["company_id"]), Number(row["id"])),
};
