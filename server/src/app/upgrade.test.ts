import { expect, inject, test } from "vitest";
import { migrateToLatest } from "#server/platform/db/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { createTestDatabase, testLog } from "#server/testing/database.ts";
import { catalogOf, contentsOf, onOwner } from "#server/testing/released/catalog.ts";
import type { Contents } from "#server/testing/released/catalog.ts";
import { restoreDump } from "#server/testing/released/dump.ts";
import { migrateWithKills } from "#server/testing/released/interrupt.ts";
import type { Interruption } from "#server/testing/released/interrupt.ts";
import { companyOf, CONVERSATIONS, MESSAGES_EACH, PASSWORD, releasedSchemas } from "#server/testing/released/seed.ts";

const IN_OCTOBER = "/dashboard?date_from=2026-10-01&date_to=2026-10-31";
/** Lists that count, with the rows that they list. */
const lists: Readonly<Record<string, string>> = {
  "/tickets?showAll=true": "tickets",
  "/tickets?showAll=true&status=open": "tickets where status = 'open'",
  "/tickets?showAll=true&searchParam=acai": "message_texts where text like '%acai%'",
  "/contacts": "contacts",
  "/contacts?searchParam=conceicao": "contacts",
  "/tags": "tags",
  "/products": "products",
  "/quick-messages": "quick_messages where geral",
  "/users": "users",
  "/schedules": "schedules",
  "/queueIntegration": "queue_integrations",
  "/chats": "chats",
  "/campaigns": "campaigns",
  "/contact-lists": "contact_lists",
  "/files": "file_lists",
  "/knowledge": "knowledge_sources",
  "/webhooks": "webhooks",
  "/api-keys": "api_keys",
  "/invoices": "invoices",
};

/** Signs in with the password of then, and compares what every list answers with the rows. */
async function expectAnswers(app: TestApp, schema: string): Promise<void> {
  const { email, name } = companyOf(schema);
  const login = await app.as(undefined).post<{ token: string }>("/auth/login", { email, password: PASSWORD });
  const get = async (path: string) => {
    const { status, body } = await app
      .as(undefined)
      .get<{ count: number; counters: string; tickets: { id: number }[] }>(path, {
        authorization: `Bearer ${login.body.token}`,
      });
    expect([path, status]).toEqual([path, 200]);
    return body;
  };
  const [company] = await app.db.systemRaw<{ id: number }>(
    { name: "c", text: "select id from companies where name = $1" },
    [name],
  );
  const answered: Record<string, number> = {};
  for (const path of Object.keys(lists)) {
    answered[path] = (await get(path)).count;
  }
  const counts = Object.entries(lists).map(([path, rows]) => {
    const [table, condition = "true"] = rows.split(" where ");
    return `select '${path}' as path, count(*)::int as n from ${table} where company_id = ${company!.id} and ${condition}`;
  });
  const stored = await onOwner<{ path: string; n: number }>(app.database.url, counts.join(" union all "));
  expect(answered).toEqual(Object.fromEntries(stored.map(({ path, n }) => [path, n])));
  expect([answered["/tickets?showAll=true"], answered["/users"]]).toEqual([CONVERSATIONS, 2]);

  const { tickets } = await get("/tickets?showAll=true");
  expect((await get(`/messages/${tickets[0]!.id}`)).count).toBe(MESSAGES_EACH);
  expect(JSON.parse((await get(IN_OCTOBER)).counters)).toMatchObject({ supportFinished: CONVERSATIONS / 3 });
}

test.for(releasedSchemas.map(({ migration }, index) => ({ migration, index })))(
  "from $migration with data: the schema of a fresh install, every row as it was, and every list answers with it (E-03)",
  async ({ migration, index }, { onTestFinished }) => {
    let before: readonly Contents[] = [];
    let after: readonly Contents[] = [];
    const database = await createTestDatabase({
      async fill(url) {
        await restoreDump(url, migration);
        before = await contentsOf(url);
        await migrateToLatest({ url, log: testLog });
        after = await contentsOf(url, before);
      },
    });
    const app = await createTestApp({ database });
    onTestFinished(() => app.close());
    expect(await catalogOf(database.url)).toEqual(await catalogOf(inject("templateUrl")));
    expect(after).toEqual(before);
    // the oldest company, which all migrations went over, and the newest
    for (const { migration: made } of releasedSchemas.filter((_, place) => place === 0 || place === index)) {
      await expectAnswers(app, made);
    }
  },
);

/** In their order: within transactions of many statements, and before, between and amid the steps that are prepared outside of them. */
const interruptions: readonly Interruption[] = [
  { statement: 'alter table "episodes" drop constraint' },
  { statement: "validate constraint tickets_awaited" },
  { statement: 'create index concurrently "tickets_waiting"', indexOf: "tickets" },
  { statement: 'create index concurrently "message_texts_words"' },
  { statement: "create table campaign_recipients" },
];

test("killed in the middle of migrations and of what they prepare, and begun again by two at once, it ends the same (E-03)", async () => {
  const { migration } = releasedSchemas[0]!;
  let before: readonly Contents[] = [];
  let interrupted: Awaited<ReturnType<typeof migrateWithKills>> | undefined;
  const database = await createTestDatabase({
    closeAfterTest: true,
    async fill(url) {
      await restoreDump(url, migration);
      before = await contentsOf(url);
      interrupted = await migrateWithKills(url, interruptions);
    },
  });
  const statements = interruptions.map(({ statement, indexOf }) =>
    indexOf ? "amid the index tickets_waiting" : statement,
  );
  expect(interrupted).toEqual({ killedAt: statements, exits: [0, 0] });
  expect(await catalogOf(database.url)).toEqual(await catalogOf(inject("templateUrl")));
  expect(await contentsOf(database.url, before)).toEqual(before);
});
