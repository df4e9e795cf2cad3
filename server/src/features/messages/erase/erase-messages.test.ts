import { tickets } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aContact } from "#server/testing/factories.ts";
import { messageData } from "./index.ts";

let app: TestApp;
beforeAll(async () => (app = await createTestApp()));
afterAll(() => app.close());

const inGroups = messageData.find(({ name }) => name === "messages.in-groups")!;
const joao = "5511977776666";
const at = (minutes: number) => new Date(Date.UTC(2026, 10, 21, 12, minutes)).toISOString();

interface Written {
  readonly body: string;
  readonly minutes: number;
  readonly by: "us" | "the product" | "João" | "Maria";
}

/** A group that waits since its first unanswered word, as its row was written when each message came. */
async function aGroup(messages: readonly Written[], waitsSince: number | null) {
  const company = await aCompany(app);
  const line = await aConnection(company);
  const group = await aContact(company);
  const last = messages.at(-1)!;
  const id = await company.inside(async ({ db }) => {
    const { rows } = await sql<{
      id: number;
    }>`insert into tickets (company_id, connection_id, contact_id, is_group, status,
        last_message, last_message_from_me, last_message_at, unread_messages, waiting_since)
      values (${company.id}, ${line.id}, ${group.id}, true, 'pending', ${last.body}, false, ${at(last.minutes)},
        ${messages.filter(({ by }) => by === "João" || by === "Maria").length},
        ${waitsSince === null ? null : at(waitsSince)}) returning id`.execute(db);
    for (const { body, minutes, by } of messages) {
      const participant = by === "João" ? { phone: joao } : by === "Maria" ? { phone: "5511988887777" } : null;
      await sql`insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, is_automatic, sent_at, body, participant)
        values (${company.id}, ${rows[0]!.id}, ${group.id}, ${line.id}, ${body}, ${participant === null}, ${by === "the product"},
          ${at(minutes)}, ${body}, ${participant && JSON.stringify(participant)})`.execute(db);
    }
    return rows[0]!.id;
  });
  await company.inside((ctx) => inGroups.erase(ctx, { contactId: 0, numbers: [joao], lids: [], emails: [] }, 100));
  return (await app.as(company.admin).call(tickets.get, { params: { id } })).body;
}

test("where our answer is the last word left of a group, its row shows it as ours, and nobody waits (V-02)", async () => {
  const answered = { body: "até amanhã", minutes: 5, by: "us" } as const;
  const row = await aGroup([answered, { body: "obrigado", minutes: 9, by: "João" }], 9);
  expect(row).toMatchObject({ lastMessage: "até amanhã", lastMessageFromMe: true, lastMessageAt: at(5) });
  expect([row.waitingSince, row.unreadMessages]).toEqual([null, 0]);
});

test("a member who wrote after an erased one waits since their own words, whatever the product said (V-02)", async () => {
  const row = await aGroup(
    [
      { body: "alguém aí?", minutes: 1, by: "João" },
      { body: "estamos fechados", minutes: 2, by: "the product" },
      { body: "e amanhã?", minutes: 3, by: "Maria" },
      { body: "também quero saber", minutes: 4, by: "João" },
    ],
    1,
  );
  expect(row).toMatchObject({ lastMessage: "e amanhã?", lastMessageFromMe: false, unreadMessages: 1 });
  expect([row.lastMessageAt, row.waitingSince]).toEqual([at(3), at(3)]);
});

test("a group of which nothing is left keeps its place in the list (V-02)", async () => {
  const row = await aGroup([{ body: "só eu", minutes: 7, by: "João" }], 7);
  expect(row).toMatchObject({ lastMessage: "", lastMessageFromMe: false, lastMessageAt: at(7), unreadMessages: 0 });
});
