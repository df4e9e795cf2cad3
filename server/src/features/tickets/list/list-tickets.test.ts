import type { Ticket } from "@prosa/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countStatements } from "#server/platform/db/index.ts";
import { openDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { feature } from "../feature.ts";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk([feature]);
});
afterAll(() => desk.app.close());

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const ids = (tickets: readonly { readonly id: number }[]) => tickets.map(({ id }) => id);

describe("what a list shows (T-06)", () => {
  let [mine, foreign] = [0, 0];
  let agent: Person;
  let lucky: Person;
  let supervisor: Person;
  let admin: Person;
  let colleague: Person;
  let otherDesk: Desk;
  const tickets: Record<string, number> = {};

  beforeAll(async () => {
    otherDesk = await desk.otherCompany();
    [mine, foreign] = [await otherDesk.queue(), await otherDesk.queue()];
    agent = await otherDesk.person("user", { queueIds: [mine] });
    lucky = await otherDesk.person("user", { queueIds: [mine], allTicket: true });
    supervisor = await otherDesk.person("supervisor", { queueIds: [mine] });
    admin = await otherDesk.person("admin");
    colleague = await otherDesk.person("user", { queueIds: [mine] });
    const plan = {
      waiting: { queueId: mine },
      foreign: { queueId: foreign },
      queueless: {},
      mine: { status: "open", user: agent, queueId: foreign },
      theirs: { status: "open", user: colleague, queueId: mine },
      done: { status: "closed", queueId: mine },
      doneElsewhere: { status: "closed", queueId: foreign },
    } as const;
    for (const [index, [name, options]] of Object.entries(plan).entries()) {
      tickets[name] = (await otherDesk.ticket({ ...options, lastMessageAt: minutesAgo(60 - index) })).id;
    }
  });

  const named = (list: readonly number[]) =>
    list.map((id) => Object.keys(tickets).find((name) => tickets[name] === id));

  test.each([
    ["agent", "status=pending", ["waiting"]],
    ["agent with allTicket", "status=pending", ["queueless", "waiting"]],
    ["supervisor", "status=pending", ["queueless", "waiting"]],
    ["admin", "status=pending", ["queueless", "foreign", "waiting"]],
    ["agent", "status=open", ["mine"]],
    ["agent", "status=open&showAll=true", ["mine"]],
    ["supervisor", "status=open&showAll=true", ["theirs"]],
    ["admin", "status=open", []],
    ["admin", "status=open&showAll=true", ["theirs", "mine"]],
    ["agent", "status=closed", ["done"]],
    ["admin", "status=closed", ["doneElsewhere", "done"]],
    ["agent", "", ["done", "theirs", "mine", "waiting"]],
    ["supervisor", "", ["done", "theirs", "queueless", "waiting"]],
    ["admin", "", ["doneElsewhere", "done", "theirs", "mine", "queueless", "foreign", "waiting"]],
  ] as const)("%s, %s: %j", async (who, query, names) => {
    const person = { agent, "agent with allTicket": lucky, supervisor, admin }[who];
    expect(named(await person.list(query))).toEqual(names);
  });

  test.each([
    ["queues that are ticked", (): string => `status=pending&queueIds=[${mine}]`, ["waiting"]],
    ["0 for no queue", (): string => "status=pending&queueIds=[0]", ["queueless"]],
    ["users", (): string => `users=[${agent.id}]`, ["mine"]],
    ["users and a status", (): string => `status=closed&users=[${agent.id}]`, []],
  ] as const)("filter by %s (T-05)", async (_what, query, names) => {
    expect(named(await admin.list(query()))).toEqual(names);
  });

  test("a filter never shows more than the list: a foreign queue stays hidden", async () => {
    expect(await agent.list(`queueIds=[${foreign}]`)).toEqual([tickets["mine"]]);
    expect(await agent.list(`users=[${colleague.id}]`)).toEqual([tickets["theirs"]]);
  });

  test("counts of the tabs (T-02)", async () => {
    expect((await agent.get("/tickets/counts")).body).toEqual({ open: 1, pending: 1 });
    expect((await admin.get("/tickets/counts?showAll=true")).body).toEqual({ open: 2, pending: 3 });
  });
});

test("a queue or user that a filter names twice counts its tickets once (T-05)", async () => {
  const other = await desk.otherCompany();
  const queueId = await other.queue();
  const admin = await other.person("admin");
  await other.ticket({ status: "open", queueId, user: admin });
  const count = async (filter: string) => {
    const { body } = await admin.get<{ count: number }>(`/tickets?status=open&showAll=true&${filter}`);
    return body.count;
  };
  expect(await count(`queueIds=[${queueId},${queueId}]`)).toBe(1);
  expect(await count(`users=[${admin.id},${admin.id}]`)).toBe(1);
});

test("search finds names whatever case and accents, and numbers; tags narrow (T-05)", async () => {
  const admin = await desk.person("admin");
  const jose = await desk.ticket({ name: "José da Conceição" });
  const numbered = await desk.ticket({ number: "5583977776666" });
  const agent = await desk.person("user");
  expect(await admin.list("searchParam=jose%20da%20conceicao")).toEqual([jose.id]);
  expect(await admin.list("searchParam=CONCEI%C3%87")).toEqual([jose.id]);
  expect(await admin.list("searchParam=8397777")).toEqual([numbered.id]);
  expect(await admin.list("searchParam=100%25")).toEqual([]);
  expect(await agent.list("searchParam=jose")).toEqual([]);

  const [tag] = await desk.rows<{ id: number }>(
    `insert into tags (company_id, name, color) values (${desk.companyId}, 'vip', '#fff') returning id`,
  );
  await desk.rows(`insert into ticket_tags values (${desk.companyId}, ${jose.id}, ${tag!.id})`);
  expect(await admin.list(`tags=[${tag!.id}]`)).toEqual([jose.id]);
  expect(await admin.list(`tags=[${tag!.id}]&searchParam=ana`)).toEqual([]);
  const { body } = await admin.get<Ticket>(`/tickets/${jose.id}`);
  expect(body.tags).toEqual([{ id: tag!.id, name: "vip", color: "#fff", kanban: 0 }]);
});

test("days are in the company's time zone, half-open; unread tickets can be filtered (T-05)", async () => {
  const otherDesk = await desk.otherCompany();
  const admin = await otherDesk.person("admin");
  const late = await otherDesk.ticket({ unread: 2 });
  const early = await otherDesk.ticket();
  // 23:30 in São Paulo is the next day in UTC
  await otherDesk.rows(
    `update tickets set created_at = '2026-03-02T02:30:00Z', updated_at = '2026-03-02T02:30:00Z' where id = ${late.id}`,
  );
  await otherDesk.rows(
    `update tickets set created_at = '2026-03-02T03:00:00Z', updated_at = '2026-03-02T03:00:00Z' where id = ${early.id}`,
  );
  expect(await admin.list("date=2026-03-01")).toEqual([late.id]);
  expect(await admin.list("date=2026-03-02")).toEqual([early.id]);
  expect(await admin.list("updatedAt=2026-03-01")).toEqual([late.id]);
  expect(await admin.list("withUnreadMessages=true")).toEqual([late.id]);
});

test("the list by waiting time holds who waits longest first, then those who do not wait, newest first (Z-01)", async () => {
  const other = await desk.otherCompany();
  const [first, second, foreign] = [await other.queue(), await other.queue(), await other.queue()];
  const [agent, admin] = [await other.person("user", { queueIds: [first, second] }), await other.person("admin")];
  const waits: [id: number, isForeign: boolean][] = [];
  // Several at the same moment, so that no page may depend on the order of equal times.
  for (let n = 0; n < 90; n += 1) {
    const queueId = [first, second, foreign][n % 3]!;
    const { id } = await other.ticket({ queueId, lastMessageAt: minutesAgo(200 - n) });
    await other.rows(`update tickets set waiting_since = '2026-05-04T12:00:00Z'::timestamptz - ${Math.floor(n / 4)} * interval '1 minute'
      where id = ${id} and ${n} < 80 returning id`);
    waits.push([id, queueId === foreign]);
  }
  const resolved = await other.ticket({ status: "closed", queueId: first });

  const rows = await other.rows<{ id: number }>(
    "select id from tickets where status <> 'closed' order by waiting_since, last_message_at desc, id desc",
  );
  const isForeign = new Map(waits);
  const all = async (who: Person, query: string) => {
    const pages = [];
    for (let page = 1, more = true; more; page += 1) {
      const { body } = await who.get<{ tickets: Ticket[]; hasMore: boolean; count: number }>(
        `/tickets?${query}&order=waiting&pageNumber=${page}`,
      );
      pages.push(...ids(body.tickets));
      more = body.hasMore;
    }
    return pages;
  };
  expect(await all(admin, "status=pending")).toEqual(ids(rows));
  expect(await all(agent, "status=pending")).toEqual(ids(rows).filter((id) => !isForeign.get(id)));
  expect(await all(admin, "showAll=true")).toEqual([...ids(rows).slice(0, 80), resolved.id, ...ids(rows).slice(80)]);
  expect((await admin.get("/tickets?order=oldest")).status).toBe(400);
});

test("pages of 40, newest message first, none twice and none left out (T-05)", async () => {
  const otherDesk = await desk.otherCompany();
  const queueId = await otherDesk.queue();
  const agent = await otherDesk.person("user", { queueIds: [queueId], allTicket: true });
  await otherDesk.rows(`
    with c as (insert into contacts (company_id, name, number)
      select ${otherDesk.companyId}, 'c' || n, '55119' || n from generate_series(10000000, 10000099) n returning id)
    insert into tickets (company_id, connection_id, contact_id, status, queue_id, last_message_at)
    select ${otherDesk.companyId}, ${otherDesk.connectionId}, id, 'pending', case when id % 3 = 0 then null else ${queueId} end,
      timestamptz '2026-01-01' + (id % 7) * interval '1 hour' from c`);
  const expected = ids(
    await otherDesk.rows<{ id: number }>(`select id from tickets where company_id = ${otherDesk.companyId}
    order by last_message_at desc, id desc`),
  );

  const pages = await Promise.all(
    [1, 2, 3, 4].map((page) =>
      agent.get<{ tickets: Ticket[]; count: number; hasMore: boolean }>(`/tickets?status=pending&pageNumber=${page}`),
    ),
  );

  expect(pages.map(({ body }) => [body.tickets.length, body.hasMore, body.count])).toEqual([
    [40, true, 100],
    [40, true, 100],
    [20, false, 100],
    [0, false, 100],
  ]);
  expect(pages.flatMap(({ body }) => ids(body.tickets))).toEqual(expected);
});

test("a list is one statement, once its names and its count are known (T-05)", async () => {
  const agent = await desk.person("user", { queueIds: [await desk.queue()], allTicket: true });
  await agent.get("/tickets?status=pending");
  const { statements, transactions } = await countStatements(() => agent.get("/tickets?status=pending"));
  expect(statements).toHaveLength(1);
  expect(transactions).toBe(1);
});

test("a count is cached only until a ticket moves (T-05)", async () => {
  const agent = await desk.person("user", { queueIds: [await desk.queue()] });
  const [queueId] = (await desk.rows<{ id: number }>("select max(id) as id from queues")).map(({ id }) => id);
  const own = () => agent.get<{ count: number }>("/tickets?status=pending").then(({ body }) => body.count);
  expect(await own()).toBe(0);
  const { id } = await desk.ticket({ queueId });
  await desk.app.settle();
  const admin = await desk.person("admin");
  await admin.put(`/tickets/${id}`, { status: "open" });
  await admin.put(`/tickets/${id}`, { status: "pending" });
  expect(await own()).toBe(1);
  await admin.put(`/tickets/${id}`, { status: "open" });
  expect(await own()).toBe(0);
});

test("nothing of another company is in any list (N-06)", async () => {
  const other = await desk.otherCompany();
  await other.ticket({ name: "Somebody else" });
  const [foreignTag] = await other.rows<{ id: number }>(
    `insert into tags (company_id, name, color) values (${other.companyId}, 'theirs', '#000') returning id`,
  );
  const fresh = await desk.otherCompany();
  const admin = await fresh.person("admin");
  for (const query of ["", "status=pending", "searchParam=somebody", `tags=[${foreignTag!.id}]`]) {
    expect(await admin.list(query)).toEqual([]);
  }
});
