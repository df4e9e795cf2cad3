import { sql } from "kysely";
import { namesOneOf } from "#server/platform/db/index.ts";
import type { PersonalDataOwner } from "#server/platform/personal-data.ts";
import { wordsOf } from "#server/platform/personal-data.ts";
import type {} from "./webhooks.tables.ts";

/** What was delivered, or waits to be, about the contact and its conversations (V-02). */
export const deliveryData: readonly PersonalDataOwner[] = [
  {
    name: "webhooks.deliveries",
    async erase(ctx, subject, limit) {
      const { numAffectedRows = 0n } = await sql`delete from webhook_deliveries where id in (
        select id from webhook_deliveries where company_id = ${ctx.companyId}
          and (subject = ${`contact:${subject.contactId}`} or subject in (
            select 'ticket:' || t.id from tickets t
            where t.company_id = ${ctx.companyId} and t.contact_id = ${subject.contactId})
          or ${namesOneOf(sql`body`, wordsOf(subject))}) limit ${limit})`.execute(ctx.db);
      return { rows: Number(numAffectedRows) };
    },
  },
  {
    name: "webhooks.events",
    async erase(ctx, subject, limit) {
      const { numAffectedRows = 0n } = await sql`delete from webhook_events where id in (
        select id from webhook_events where company_id = ${ctx.companyId}
          and ${namesOneOf(sql`payload::text`, wordsOf(subject))}
        limit ${limit})`.execute(ctx.db);
      return { rows: Number(numAffectedRows) };
    },
  },
];
