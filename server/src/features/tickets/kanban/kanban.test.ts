import { kanban } from "@prosa/contract";
import type { QueryIn, ResponseOf, Tag, Ticket } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { feature as tagsFeature } from "#server/features/tags/feature.ts";
import { openDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import type { TestSocket } from "#server/testing/socket.ts";
import { feature } from "../feature.ts";

let shared: Desk;
beforeAll(async () => {
  shared = await openDesk([feature, tagsFeature]);
});
afterAll(() => shared.app.close());

/** A company of its own, because the board shows all of it. */
const aDesk = () => shared.otherCompany();

async function tagOf(person: Person, name: string, isLane: boolean): Promise<number> {
  const { status, body } = await person.post<Tag>("/tags", { name, color: "#112233", kanban: isLane ? 1 : 0 });
  expect(status).toBe(200);
  return body.id;
}

async function aBoard() {
  const desk = await aDesk();
  const admin = await desk.person("admin");
  const vip = await tagOf(admin, "Cliente VIP", false);
  const deal = await tagOf(admin, "Negociação", true);
  const sold = await tagOf(admin, "Vendido", true);
  return { desk, admin, vip, deal, sold };
}

const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);

type Query = QueryIn<typeof kanban.cards>;

async function cards(person: Person, query: Query = {}): Promise<number[]> {
  const { status, body } = await person.call(kanban.cards, { query });
  expect(status).toBe(200);
  return body.tickets.map(({ id }) => id);
}

/** Counts by lane, without the lanes that hold nothing. */
async function counts(person: Person, query: Omit<Query, "pageNumber" | "laneId"> = {}) {
  await shared.app.settle();
  const { body } = await person.call(kanban.counts, { query });
  return Object.fromEntries(body.lanes.filter(({ count }) => count > 0).map(({ laneId, count }) => [laneId, count]));
}

async function move(person: Person, ticketId: number, tagId: number): Promise<number[]> {
  const { status, body } = await person.put<ResponseOf<typeof kanban.moveToLane>>(`/ticket-tags/${ticketId}/${tagId}`);
  expect([status, body.ticketId]).toEqual([200, ticketId]);
  return body.tags.map(({ id }) => id);
}

const tagIds = async (desk: Desk, ticketId: number) => {
  const rows = await desk.rows<{ id: number }>(
    `select tag_id as id from ticket_tags where ticket_id = ${ticketId} order by tag_id`,
  );
  return rows.map(({ id }) => id);
};

const ticketPackets = (screen: TestSocket, desk: Desk) =>
  screen.packets.filter(({ event }) => event === `company-${desk.companyId}-ticket`).map(({ payload }) => payload);

test("the board holds pending and open tickets, newest word first, a lane's or all (O-02)", async () => {
  const { desk, admin, vip, deal, sold } = await aBoard();
  const [old, middle, young] = ["2026-01-01", "2026-01-02", "2026-01-03"].map((day) => new Date(`${day}T12:00:00Z`));
  const ticket = async (options: Parameters<Desk["ticket"]>[0]) => (await desk.ticket(options)).id;
  const first = await ticket({ status: "open", user: admin, lastMessageAt: old! });
  const second = await ticket({ status: "pending", lastMessageAt: young! });
  const third = await ticket({ status: "pending", lastMessageAt: middle! });
  const closed = await ticket({ status: "closed" });
  await move(admin, first, deal);
  await move(admin, third, vip);
  await move(admin, closed, deal);

  expect(await cards(admin)).toEqual([second, third, first]);
  expect(await cards(admin, { laneId: deal })).toEqual([first]);
  expect(await cards(admin, { laneId: sold })).toEqual([]);
  // an ordinary tag leaves the ticket in the open lane, and is no lane itself
  expect(await cards(admin, { laneId: 0 })).toEqual([second, third]);
  expect(await cards(admin, { laneId: vip })).toEqual([]);
  expect(await counts(admin)).toEqual({ 0: 2, [deal]: 1 });
  const { body } = await admin.call(kanban.counts, { query: {} });
  expect(body.lanes.find(({ laneId }) => laneId === sold)).toEqual({ laneId: sold, count: 0 });
});

test("a lane comes in pages of forty, with its count (O-02)", async () => {
  const { desk, admin, deal } = await aBoard();
  await desk.rows(`
    with c as (insert into contacts (company_id, name, number)
      select ${desk.companyId}, 'c' || n, '55118' || (10000000 + n) from generate_series(1, 45) n returning id),
    t as (insert into tickets (company_id, connection_id, contact_id, status, last_message_at)
      select ${desk.companyId}, ${desk.connectionId}, id, 'pending', now() - id * interval '1 second' from c returning id)
    insert into ticket_tags select ${desk.companyId}, id, ${deal} from t`);
  await desk.ticket({ status: "pending" });
  const page = async (pageNumber: number) => {
    const { body } = await admin.call(kanban.cards, { query: { laneId: deal, pageNumber } });
    return { length: body.tickets.length, count: body.count, hasMore: body.hasMore };
  };
  expect(await page(1)).toEqual({ length: 40, count: 45, hasMore: true });
  expect(await page(2)).toEqual({ length: 5, count: 45, hasMore: false });
  const { body } = await admin.call(kanban.cards, { query: {} });
  expect([body.tickets.length, body.count, body.hasMore]).toEqual([40, 46, true]);
});

test("everybody sees the cards of their queues, colleagues' too, and no others (O-02, T-06)", async () => {
  const { desk, admin, deal } = await aBoard();
  const queueId = await desk.queue();
  const foreignQueueId = await desk.queue();
  const agent = await desk.person("user", { queueIds: [queueId] });
  const supervisor = await desk.person("supervisor", { queueIds: [queueId] });
  const tickets = [
    await desk.ticket({ status: "pending", queueId }),
    await desk.ticket({ status: "open", queueId, user: agent }),
    await desk.ticket({ status: "open", queueId, user: admin }),
    await desk.ticket({ status: "pending", queueId: foreignQueueId }),
    await desk.ticket({ status: "open", queueId: foreignQueueId, user: admin }),
    await desk.ticket({ status: "open", queueId: foreignQueueId, user: agent }),
    await desk.ticket({ status: "pending" }),
  ];
  const ofColleague = tickets[2]!;
  for (const { id } of tickets) {
    await move(admin, id, deal);
  }
  for (const person of [admin, supervisor, agent]) {
    for (const showAll of ["true", "false"] as const) {
      for (const queueIds of ["[]", `[${queueId}]`, `[${foreignQueueId},0]`]) {
        const filter = `showAll=${showAll}&queueIds=${queueIds}`;
        const listed = sorted([
          ...(await person.list(`status=pending&${filter}`)),
          ...(await person.list(`status=open&${filter}`)),
          // The list "open" of an agent holds their own; the board is the team's.
          ...(person === agent && showAll === "true" && queueIds !== `[${foreignQueueId},0]` ? [ofColleague.id] : []),
        ]);
        const query = { showAll, queueIds };
        expect([filter, sorted(await cards(person, query))]).toEqual([filter, listed]);
        expect([filter, sorted(await cards(person, { ...query, laneId: deal }))]).toEqual([filter, listed]);
        expect([filter, await counts(person, query)]).toEqual([
          filter,
          listed.length > 0 ? { [deal]: listed.length } : {},
        ]);
      }
    }
  }
  // a client of the family sends its queues only
  const queueIds = `[${queueId}]`;
  expect(await cards(admin, { queueIds })).toHaveLength(3);
  expect(await cards(supervisor, { queueIds })).toHaveLength(3);
  // Also the agent's own one in a queue that is not theirs.
  expect(await cards(agent, { queueIds })).toHaveLength(4);
});

test("a search narrows the board and its counts (O-02)", async () => {
  const { desk, admin, deal } = await aBoard();
  const ana = await desk.ticket({ name: "Ána Lima", status: "pending" });
  const bruno = await desk.ticket({ name: "Bruno", status: "open", user: admin });
  const closed = await desk.ticket({ name: "Ana Antiga", status: "closed" });
  for (const { id } of [ana, bruno, closed]) {
    await move(admin, id, deal);
  }
  expect(await cards(admin, { searchParam: "ana" })).toEqual([ana.id]);
  expect(await cards(admin, { searchParam: "ana", laneId: deal })).toEqual([ana.id]);
  expect(await cards(admin, { searchParam: "ana", laneId: 0 })).toEqual([]);
  expect(await counts(admin, { searchParam: "ana" })).toEqual({ [deal]: 1 });
  expect((await admin.call(kanban.cards, { query: { searchParam: "ana", laneId: deal } })).body.count).toBe(1);
});

test("a card moved by hand carries its lane's tag, keeps ordinary ones, and leaves its other lanes (O-02)", async () => {
  const { desk, admin, vip, deal, sold } = await aBoard();
  const { id } = await desk.ticket({ status: "pending" });
  await admin.post("/tags/sync", { ticketId: id, tags: [{ id: vip }, { id: deal }, { id: sold }] });
  expect(await counts(admin)).toEqual({ [deal]: 1, [sold]: 1 });

  expect(sorted(await move(admin, id, sold))).toEqual([vip, sold]);
  expect(await counts(admin)).toEqual({ [sold]: 1 });
  const { body } = await admin.delete<ResponseOf<typeof kanban.moveToOpenLane>>(`/ticket-tags/${id}`);
  expect([body.ticketId, body.tags.map((tag) => tag.id)]).toEqual([id, [vip]]);
  expect(await cards(admin, { laneId: 0 })).toEqual([id]);
  // idempotent
  expect((await admin.delete<typeof body>(`/ticket-tags/${id}`)).body.tags.map((tag) => tag.id)).toEqual([vip]);
});

test("a tag that is no lane is added, and moves no card (O-02)", async () => {
  const { desk, admin, vip, deal } = await aBoard();
  const { id } = await desk.ticket({ status: "pending" });
  await move(admin, id, deal);
  expect(sorted(await move(admin, id, vip))).toEqual([vip, deal]);
  expect(await cards(admin, { laneId: deal })).toEqual([id]);
});

test("two people who move one card at once leave it in exactly one lane, and both screens show it there (O-02)", async () => {
  const { desk, admin, vip, deal, sold } = await aBoard();
  const { id } = await desk.ticket({ status: "pending" });
  await move(admin, id, vip);
  const colleague = await desk.person("admin");
  const screens = [await admin.connect(), await colleague.connect()];
  for (const screen of screens) {
    await screen.join("joinTickets", "pending");
  }
  for (let round = 0; round < 8; round += 1) {
    await Promise.all([
      admin.put(`/ticket-tags/${id}/${deal}`),
      colleague.put(`/ticket-tags/${id}/${sold}`),
      admin.put(`/ticket-tags/${id}/${sold}`),
      colleague.delete(`/ticket-tags/${id}`),
      colleague.put(`/ticket-tags/${id}/${deal}`),
    ]);
    const lanes = (await tagIds(desk, id)).filter((tagId) => tagId !== vip);
    expect(lanes.length).toBeLessThanOrEqual(1);
  }
  await Promise.all([admin.put(`/ticket-tags/${id}/${deal}`), colleague.put(`/ticket-tags/${id}/${sold}`)]);
  await desk.app.settle();
  const kept = await tagIds(desk, id);
  expect(kept).toHaveLength(2);
  expect(await cards(admin, { laneId: kept.find((tagId) => tagId !== vip)! })).toEqual([id]);
  for (const screen of screens) {
    await screen.flushed();
    const last = ticketPackets(screen, desk).at(-1) as { ticket: Ticket };
    expect(sorted(last.ticket.tags.map((tag) => tag.id))).toEqual(kept);
    screen.close();
  }
});

test("a moved card reaches the screens that may see it with its new version, and only a real move does (O-02)", async () => {
  const { desk, admin, deal } = await aBoard();
  const queueId = await desk.queue();
  const { id } = await desk.ticket({ status: "pending", queueId });
  const screen = await (await desk.person("user", { queueIds: [queueId] })).connect();
  const foreign = await (await desk.person("user", { queueIds: [await desk.queue()] })).connect();
  await screen.join("joinTickets", "pending");
  await foreign.join("joinTickets", "pending");

  await move(admin, id, deal);
  await move(admin, id, deal);
  await desk.app.settle();
  await Promise.all([screen.flushed(), foreign.flushed()]);

  expect(ticketPackets(screen, desk)).toEqual([
    {
      action: "update",
      ticket: expect.objectContaining({ id, version: 2, tags: [expect.objectContaining({ id: deal })] }),
    },
  ]);
  expect(ticketPackets(foreign, desk)).toEqual([]);
  screen.close();
  foreign.close();
});

test("the cards of a lane that is switched off or deleted stand in the open lane (O-02, O-04)", async () => {
  const { desk, admin, deal, sold } = await aBoard();
  const first = await desk.ticket({ status: "pending" });
  const second = await desk.ticket({ status: "pending" });
  await move(admin, first.id, deal);
  await move(admin, second.id, sold);
  expect(await counts(admin)).toEqual({ [deal]: 1, [sold]: 1 });
  const screen = await admin.connect();

  await admin.put(`/tags/${deal}`, { kanban: 0 });
  expect(await counts(admin)).toEqual({ 0: 1, [sold]: 1 });
  expect(await cards(admin, { laneId: deal })).toEqual([]);
  await admin.delete(`/tags/${sold}`);
  expect(await counts(admin)).toEqual({ 0: 2 });
  expect(sorted(await cards(admin, { laneId: 0 }))).toEqual([first.id, second.id]);
  await admin.put(`/tags/${deal}`, { kanban: 1 });
  expect(await counts(admin)).toEqual({ 0: 1, [deal]: 1 });

  await desk.app.settle();
  await screen.flushed();
  const tags = screen.packets.filter(({ event }) => event === `company-${desk.companyId}-tag`);
  expect(tags.map(({ payload }) => payload)).toEqual([
    { action: "update", record: expect.objectContaining({ id: deal, kanban: 0 }) },
    { action: "delete", id: sold },
    { action: "update", record: expect.objectContaining({ id: deal, kanban: 1 }) },
  ]);
  screen.close();
});

test("the lanes of another company are empty, and nobody moves its cards (O-02, N-06)", async () => {
  const { desk, admin, deal } = await aBoard();
  const other = await aBoard();
  const { id } = await desk.ticket({ status: "pending" });
  const theirs = await other.desk.ticket({ status: "pending" });
  await move(admin, id, deal);
  await move(other.admin, theirs.id, other.deal);

  expect(await cards(admin, { laneId: other.deal })).toEqual([]);
  expect(await cards(admin, { laneId: 2_000_000_000 })).toEqual([]);
  expect(await counts(admin)).toEqual({ [deal]: 1 });
  expect(await admin.put(`/ticket-tags/${theirs.id}/${deal}`)).toMatchObject({ status: 404 });
  expect(await admin.put(`/ticket-tags/${id}/${other.deal}`)).toMatchObject({ status: 404 });
  expect(await admin.put(`/ticket-tags/${id}/2000000000`)).toMatchObject({ status: 404 });
  expect(await admin.delete(`/ticket-tags/${theirs.id}`)).toMatchObject({ status: 404 });
  const [own, foreign] = [await tagIds(desk, id), await tagIds(other.desk, theirs.id)];
  expect([own, foreign]).toEqual([[deal], [other.deal]]);
});

test("a card of a foreign queue is not moved (O-02, T-17)", async () => {
  const { desk, deal } = await aBoard();
  const agent = await desk.person("user", { queueIds: [await desk.queue()] });
  const { id } = await desk.ticket({ status: "pending", queueId: await desk.queue() });
  const refused = { status: 403, body: { error: "ERR_NO_PERMISSION" } };
  expect(await agent.put(`/ticket-tags/${id}/${deal}`)).toMatchObject(refused);
  expect(await agent.delete(`/ticket-tags/${id}`)).toMatchObject(refused);
  expect(await tagIds(desk, id)).toEqual([]);
});
