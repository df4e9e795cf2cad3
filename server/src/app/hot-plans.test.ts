import { randomUUID } from "node:crypto";
import { campaigns } from "@prosa/contract";
import type { Ticket } from "@prosa/contract";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSession } from "#server/features/auth/index.ts";
import { contactResolver, createIngest } from "#server/features/inbound/index.ts";
import { advanceAcks } from "#server/features/messages/index.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import { arrangeCampaign } from "#server/testing/campaign-storm/arrange-campaign.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp, TestCaller } from "#server/testing/app.ts";
import { aCompany, aContact } from "#server/testing/factories.ts";
import { seedLargeCompany } from "#server/testing/large-company.ts";
import type { SeededCompany } from "#server/testing/large-company.ts";
import { touchedBy } from "#server/testing/touched-rows.ts";
import type { Touched } from "#server/testing/touched-rows.ts";
import { waitUntil } from "#server/testing/wait-until.ts";
import type { LineEvent } from "#server/whatsapp/port.ts";

/** Plans of the statements of hot paths in a company of 20,000 tickets and 100,000 messages. */
let app: TestApp;
let company: SeededCompany;
let admin: TestCaller;
let agent: TestCaller;

beforeAll(async () => {
  app = await createTestApp();
  const about = { name: "large", contacts: 10_000, tickets: 20_000, messages: 100_000, users: 30 };
  company = await seedLargeCompany(app.database.url, about, "");
  const [first = 0, second = 0] = company.userIds;
  admin = await signedIn(first);
  agent = await signedIn(second);
}, 180_000);
afterAll(() => app.close());

async function signedIn(userId: number): Promise<TestCaller> {
  const { companyId } = company;
  const { sessionId } = await openSession(
    app.services,
    { id: userId, company_id: companyId },
    { address: "127.0.0.1", userAgent: "test" },
  );
  return app.as({ userId, companyId, sessionId });
}

async function ticketsOf(caller: TestCaller, query: string): Promise<readonly Ticket[]> {
  const { body } = await caller.get<{ tickets: Ticket[] }>(`/tickets?${query}`);
  return body.tickets;
}

/** What the company has of everything that grows is thousands; its users, queues and tags are some dozens. */
const ownRows = { read: 2_500, buffers: 2_500 };

/**
 * The statements of the work, those that functions and triggers run included, that touch more than they should, each with what
 * it touched: a statement that reads a table of the company, by whichever plan, reads ten thousand rows and more.
 */
async function heavyIn(work: () => Promise<unknown>, atMost = ownRows): Promise<string[]> {
  const touched = await touchedBy({ url: app.database.url, companyId: company.companyId }, work);
  expect(touched).not.toEqual([]);
  return touched
    .filter(({ read, buffers }) => read > atMost.read || buffers > atMost.buffers)
    .map(({ read, buffers, text }) => `${read} rows, ${buffers} buffers: ${text.trim().slice(0, 120)}`);
}

test("what reads a whole table is heavy, by whichever plan, and inside of what it writes", async () => {
  const { companyId } = company;
  const texts = [
    "select count(*) from contacts where name like '%x'",
    "select count(*) from (select id from tickets order by company_id, id) t",
    "insert into tags (company_id, name, color) select company_id, 'x', '#fff' from contacts where name = 'nobody'",
  ];
  for (const text of texts) {
    const work = () => app.database.inCompany(companyId, ({ db }) => sql.raw(text).execute(db));
    expect(await heavyIn(work)).toEqual([expect.stringContaining(text)]);
  }
});

test("pages of the list, with every filter, read their own rows", async () => {
  const [queue, tag] = [company.queueIds[0], company.tagIds[0]];
  const queries = [
    "status=open&showAll=true",
    "status=closed&showAll=true&pageNumber=5",
    `status=open&showAll=true&queueIds=[${queue},0]`,
    `status=open&showAll=true&tags=[${tag}]`,
    `status=open&showAll=true&users=[${company.userIds[1]}]`,
  ];
  expect(
    await heavyIn(async () => {
      for (const query of queries) {
        expect((await ticketsOf(admin, query)).length).toBeGreaterThan(0);
        await ticketsOf(agent, query);
        await admin.get(`/tickets/counts?${query}`);
      }
    }),
  ).toEqual([]);
});

/** Rows that all statements of the work read, and pages that they looked at. */
async function sizeOf(work: () => Promise<unknown>): Promise<Pick<Touched, "read" | "buffers">> {
  const touched = await touchedBy({ url: app.database.url, companyId: company.companyId }, work);
  const sum = (of: "read" | "buffers") => touched.reduce((total, each) => total + each[of], 0);
  return { read: sum("read"), buffers: sum("buffers") };
}

test("a page of the list reads about its own rows (T-05)", async () => {
  for (const caller of [admin, agent]) {
    const { read, buffers } = await sizeOf(() => ticketsOf(caller, "status=closed&showAll=true&pageNumber=2"));
    // The count stops at a thousand; the page reads forty tickets with their contacts, from a few index ranges.
    expect(read).toBeLessThan(2_000);
    expect(buffers).toBeLessThan(1_000);
  }
});

test("a page by tag reads its own rows, however many tickets have the tag (T-05)", async () => {
  // The first tag is on a fifth of all tickets, the last on closed ones alone.
  const [often, rare, ofClosed] = [company.tagIds.at(0), company.tagIds.at(-2), company.tagIds.at(-1)];
  const queries = [
    `status=closed&tags=[${often}]`,
    `status=closed&tags=[${often},${rare}]&pageNumber=2`,
    `status=pending&tags=[${often}]&order=waiting`,
    `status=open&tags=[${ofClosed}]`,
  ];
  for (const query of queries) {
    for (const caller of [admin, agent]) {
      const { read, buffers } = await sizeOf(() => ticketsOf(caller, `showAll=true&${query}`));
      // The count stops at a thousand; the page reads its tickets and those of the hour in which it ends.
      expect(read).toBeLessThan(2_500);
      expect(buffers).toBeLessThan(2_000);
    }
  }
});

test("tags and contacts cost a page, however many there are (O-04, C-01)", async () => {
  const buffers = async (path: string) => (await sizeOf(() => agent.get(path))).buffers;
  // The kept counts of twenty tags; counting their tickets looks at hundreds of pages.
  expect(await buffers("/tags")).toBeLessThan(200);
  expect(await buffers("/contacts")).toBeLessThan(300);
  expect(await buffers("/contacts?pageNumber=300")).toBeLessThan(500);
  // On every tenth contact, and on one in seven hundred.
  for (const text of ["ana", "almeida 77", "5511980000123"]) {
    const { read } = await sizeOf(() => agent.get(`/contacts?searchParam=${encodeURIComponent(text)}`));
    expect(read, text).toBeLessThan(5_000);
  }
});

/** A sample, a scan until the page is full, and what the index found, with its own rows; all messages are a hundred thousand. */
const searched = { read: 40_000, buffers: 20_000 };

test("a search reads what it finds, for common and rare words, for users with and without all tickets (T-03)", async () => {
  const searches = ["bom dia", "pedido 12", "dadanati", "👍"].map(
    (text) => `showAll=true&searchParam=${encodeURIComponent(text)}`,
  );
  expect(
    await heavyIn(async () => {
      for (const search of [...searches, `${searches[0]}&tags=[${company.tagIds[0]}]&users=[${company.userIds[1]}]`]) {
        await ticketsOf(admin, search);
        await ticketsOf(agent, search);
      }
      expect((await ticketsOf(admin, searches[0]!)).length).toBe(40);
    }, searched),
  ).toEqual([]);
});

test("the functions of a search use trigram indexes, which row-level security would prevent otherwise (T-03)", async () => {
  const messages = await plansWithin("select * from found_messages('{%contrat%}', '{(^|[ .])12}', '{%!%}', 100)");
  expect(messages).toContain("Bitmap Index Scan on message_texts_words");
  expect(messages).toContain("Bitmap Index Scan on message_words_trigrams");
  expect(await plansWithin("select * from found_messages('{%ana%}', '{}', '{}', 100)")).toContain(
    "Bitmap Index Scan on message_texts_search",
  );
  expect(messages).not.toContain("Seq Scan on");
  const contacts = "select * from found_contacts('almeida 77', 100)";
  expect(await plansWithin(contacts)).toContain("Bitmap Index Scan on contacts_pieces");

  // The plan is of whoever asks, not of the company that asked first on the connection.
  const other = await aCompany(app);
  await Promise.all([1, 2, 3].map(() => aContact(other)));
  expect(await plansWithin(contacts, other.id)).toContain("Bitmap Index Scan on contacts_pieces");
});

/** Plans of the statements inside functions, as logged by auto_explain; of a connection on which another company asked before. */
async function plansWithin(statement: string, firstCompanyId?: number): Promise<string> {
  const client = new pg.Client({ connectionString: app.database.url });
  const logged: string[] = [];
  client.on("notice", ({ message }) => logged.push(message ?? ""));
  await client.connect();
  try {
    await client.query("load 'auto_explain'");
    await client.query("set auto_explain.log_min_duration = 0");
    await client.query("set auto_explain.log_nested_statements = on");
    await client.query("set client_min_messages = log");
    const ask = async (companyId: number) => {
      await client.query("begin");
      await client.query("select set_config('app.company_id', $1, true)", [String(companyId)]);
      await client.query("set local role prosa_app");
      await client.query("set local plan_cache_mode = force_generic_plan");
      await client.query(statement);
      await client.query("commit");
    };
    if (firstCompanyId !== undefined) {
      await ask(firstCompanyId);
      logged.length = 0;
    }
    await ask(company.companyId);
    return logged.join("\n");
  } finally {
    await client.end();
  }
}

test("a conversation and what is done in it touch its own rows only", async () => {
  const [ticket] = await ticketsOf(admin, "status=pending&showAll=true");
  expect(
    await heavyIn(async () => {
      await admin.put(`/tickets/${ticket!.id}`, { status: "open" });
      const { status } = await admin.post(`/messages/${ticket!.id}`, { body: "bom dia", clientId: randomUUID() });
      expect(status).toBe(200);
      await admin.get(`/messages/${ticket!.id}`);
      await admin.put(`/tickets/${ticket!.id}`, { status: "closed" });
    }),
  ).toEqual([]);
});

test("an inbound message finds contact, ticket and its own copies by index", async () => {
  const ingest = createIngest({ vault: app.services.vault, contacts: contactResolver });
  const phone = "5511980000007";
  const waId = randomUUID();
  const events: LineEvent[] = [
    {
      type: "message",
      message: {
        waId,
        chat: { kind: "phone", value: phone },
        person: { phone, lid: "900000000000007" },
        fromMe: false,
        participant: null,
        pushName: "Outro nome",
        at: new Date(),
        isOffline: false,
        quotedWaId: null,
        content: { kind: "text", text: "oi" },
      },
    },
    {
      type: "edit",
      waId,
      fromMe: false,
      author: null,
      chat: { kind: "phone", value: phone },
      person: { phone, lid: "900000000000007" },
      text: "olá",
      at: new Date(),
    },
    { type: "status", waIds: ["S1-2"], status: 4, reason: null },
  ];
  expect(
    await heavyIn(() =>
      app.database.inCompany(company.companyId, async (ctx) => {
        const line = await ctx.db.selectFrom("connections").select("id").orderBy("id").executeTakeFirstOrThrow();
        await ingest(ctx, line.id, events);
      }),
    ),
  ).toEqual([]);
});

test("the steps of a campaign, their delivery and its report read their own rows (K-05, K-07)", async () => {
  const { companyId } = company;
  const pace = { messageInterval: 0, longerIntervalAfter: 0, greaterInterval: 0 };
  const params = await app.database.inCompany(companyId, async (ctx) => {
    const { campaignId } = await arrangeCampaign(ctx, { contacts: 30, lines: 3, pace });
    return { id: campaignId };
  });
  const written = () =>
    app.database.inCompany(companyId, async (ctx) => {
      const { rows } = await sql<{ connectionId: number; waId: string }>`
        select m.connection_id as "connectionId", m.wa_id as "waId" from campaign_recipients r
        join messages m on m.id = r.message_id where r.campaign_id = ${params.id}`.execute(ctx.db);
      return rows;
    });
  // The start reads the address book for the whole list; the lines write their first message.
  await app.settle();
  const [first] = await written();
  expect(
    await heavyIn(async () => {
      await app.database.inCompany(companyId, (ctx) => advanceAcks(ctx, first!.connectionId, [first!.waId], 2));
      await waitUntil(async () => {
        await app.settle();
        return (await written()).length > 3;
      });
      const { body } = await admin.call(campaigns.recipients, { params });
      expect(body.records.filter(({ state }) => state === "delivered")).toHaveLength(1);
      await admin.call(campaigns.get, { params });
    }),
  ).toEqual([]);
});

test("the picture of a contact is found by the index of its file (C-01)", async () => {
  const { companyId } = company;
  const key = storageKey(companyId, "pictures", "one");
  await app.services.storage.put(key, Buffer.from("x"), { contentType: "image/jpeg" });
  await app.database.inCompany(companyId, async ({ db }) => {
    // of a quarter of them: one statement has five seconds, also on a busy machine
    await sql`update contacts set picture_path = replace(${key}, 'one', id::text) where id % 4 = 0`.execute(db);
    await sql`update contacts set picture_path = ${key} where id = (select min(id) from contacts)`.execute(db);
  });
  const link = app.services.media.link({ companyId, key, contentType: "image/jpeg" });

  const touched = await touchedBy({ url: app.database.url, companyId }, async () =>
    expect((await app.as(undefined).get(link)).status).toBe(200),
  );
  const plans = JSON.stringify(touched.map((each) => each.plans));
  expect(plans).toContain('"contacts_picture"');
  expect(touched.reduce((sum, { read }) => sum + read, 0)).toBeLessThan(20);
  // and merge snapshots are not read for the picture of a contact
  expect(plans).not.toContain("contact_merges");
});
