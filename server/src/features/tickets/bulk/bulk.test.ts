import { bulkUndoMs } from "@prosa/contract";
import type { BulkAct, BulkOutcome, Tag, Ticket } from "@prosa/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { feature as tagsFeature } from "#server/features/tags/feature.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { countStatements } from "#server/platform/db/index.ts";
import { openDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { feature } from "../feature.ts";

const clock = createMovedClock(new Date("2026-11-18T13:00:00Z"));
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk([feature, tagsFeature], { clock });
});
afterAll(() => desk.app.close());

interface Answer {
  readonly bulkId: string | null;
  readonly outcomes: BulkOutcome[];
  readonly tickets: Ticket[];
  readonly error?: string;
}

type ActIn = BulkAct | { readonly verb: "transfer"; readonly queueId: number };
const bulk = (who: Pick<Person, "post">, ticketIds: readonly number[], act: ActIn) =>
  who.post<Answer>("/tickets/bulk", { ticketIds, act });
const undo = (who: Pick<Person, "post">, bulkId: string | null) => who.post<Answer>(`/tickets/bulk/${bulkId}/undo`);

const seen = async (who: Person, id: number) => (await who.get<Ticket>(`/tickets/${id}`)).body;
const words = (outcomes: readonly BulkOutcome[]) =>
  outcomes.map((one) => (one.outcome === "refused" ? one.code : one.outcome));
const episodeOf = async (ticketId: number) =>
  (
    await desk.rows<Record<string, unknown>>(
      `select started_at, finished_at, user_id, queue_id from episodes where ticket_id = ${ticketId} order by id`,
    )
  ).at(-1);

async function many(count: number, options: Parameters<Desk["ticket"]>[0]): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n += 1) {
    ids.push((await desk.ticket(options)).id);
  }
  return ids;
}

test("each ticket is allowed or refused as by the single call, and a refused one does not stop the others (T-08, T-12)", async () => {
  const [queueId, foreign] = [await desk.queue(), await desk.queue()];
  const agent = await desk.person("user", { queueIds: [queueId] });
  const colleague = await desk.person("user", { queueIds: [queueId] });
  const waiting = await desk.ticket({ queueId });
  const mine = await desk.ticket({ queueId, status: "open", user: agent });
  const taken = await desk.ticket({ queueId, status: "open", user: colleague });
  const closed = await desk.ticket({ queueId, status: "closed" });
  const unseen = await desk.ticket({ queueId: foreign });
  const stranger = await (await desk.otherCompany()).ticket();

  const ids = [waiting, mine, taken, closed, unseen, stranger].map(({ id }) => id);
  const { status, body } = await bulk(agent, [...ids, waiting.id], { verb: "accept" });

  expect(status).toBe(200);
  expect(words(body.outcomes)).toEqual([
    "done",
    "unchanged",
    "ERR_TICKET_TAKEN",
    "ERR_TICKET_TRANSITION",
    "ERR_NO_PERMISSION",
    "ERR_NO_TICKET_FOUND",
  ]);
  expect(body.tickets).toMatchObject([{ id: waiting.id, status: "open", userId: agent.id, version: 2 }]);
  expect(await episodeOf(waiting.id)).toMatchObject({ started_at: expect.any(Date), user_id: agent.id });
});

test("colleagues' lists lose the resolved tickets, and get them back after the undo (T-10, T-22)", async () => {
  const queueId = await desk.queue();
  const agent = await desk.person("user", { queueIds: [queueId] });
  const ids = await many(3, { queueId, status: "open", user: agent });
  const { promptId, integrationId } = await desk.promptAndIntegration();
  await desk.rows(`update tickets set prompt_id = ${promptId}, use_integration = true,
    integration_id = ${integrationId}, chatbot = true,
    bot_state = '{"step": 2}' where id = ${ids[0]}`);
  const admin = await desk.person("admin");
  const screen = await admin.connect();
  await screen.join("joinTickets", "open");

  const done = await bulk(agent, ids, { verb: "resolve" });
  expect(words(done.body.outcomes)).toEqual(["done", "done", "done"]);
  expect(await seen(agent, ids[0]!)).toMatchObject({ status: "closed", queueId, promptId: null, chatbot: false });
  expect(await episodeOf(ids[0]!)).toMatchObject({ finished_at: expect.any(Date) });

  const back = await undo(agent, done.body.bulkId);
  expect(words(back.body.outcomes)).toEqual(["done", "done", "done"]);
  expect(await seen(agent, ids[0]!)).toMatchObject({
    status: "open",
    userId: agent.id,
    promptId,
    useIntegration: true,
    integrationId,
    chatbot: true,
    version: 3,
  });
  expect(await episodeOf(ids[0]!)).toMatchObject({ finished_at: null, started_at: expect.any(Date) });
  expect(await desk.rows(`select bot_state from tickets where id = ${ids[0]}`)).toEqual([{ bot_state: { step: 2 } }]);

  await desk.app.settle();
  await screen.flushed();
  const packets = screen.packets.filter(({ event }) => event.endsWith("-ticket")).map(({ payload }) => payload);
  for (const id of ids) {
    expect(packets.at(-1)).toBeDefined();
    expect(packets).toContainEqual(
      expect.objectContaining({ ticket: expect.objectContaining({ id, status: "open" }) }),
    );
  }
  screen.close();
});

test("a prompt or integration that was deleted meanwhile is not restored by the undo (O-08, O-09, T-10)", async () => {
  const agent = await desk.person("user");
  const { id } = await desk.ticket({ status: "open", user: agent });
  const { promptId, integrationId } = await desk.promptAndIntegration();
  await desk.rows(`update tickets set prompt_id = ${promptId}, integration_id = ${integrationId} where id = ${id}`);
  const done = await bulk(agent, [id], { verb: "resolve" });
  await desk.rows(`delete from prompts where id = ${promptId}`);
  await desk.rows(`delete from queue_integrations where id = ${integrationId}`);

  expect(words((await undo(agent, done.body.bulkId)).body.outcomes)).toEqual(["done"]);
  expect(await seen(agent, id)).toMatchObject({ status: "open", promptId: null, integrationId: null });
});

test("a transfer goes to a queue, pending, or to a user; the undo restores owner and queue (T-14)", async () => {
  const [from, to] = [await desk.queue(), await desk.queue()];
  const agent = await desk.person("user", { queueIds: [from] });
  const expert = await desk.person("user", { queueIds: [to] });
  const { id } = await desk.ticket({ queueId: from, status: "open", user: agent });

  const waiting = await bulk(agent, [id], { verb: "transfer", queueId: to });
  expect(waiting.body.tickets).toMatchObject([{ status: "pending", userId: null, queueId: to }]);
  expect(await episodeOf(id)).toMatchObject({ started_at: null, queue_id: to });
  // A ticket that the user may not see any more can still be undone.
  expect(words((await undo(agent, waiting.body.bulkId)).body.outcomes)).toEqual(["done"]);
  expect(await seen(agent, id)).toMatchObject({ status: "open", userId: agent.id, queueId: from });
  expect(await episodeOf(id)).toMatchObject({ started_at: expect.any(Date) });

  const handed = await bulk(agent, [id], { verb: "transfer", queueId: to, userId: expert.id });
  expect(handed.body.tickets).toMatchObject([{ status: "open", userId: expert.id, queueId: to }]);
});

test("who is given many conversations at once is told once, and how many (T-14)", async () => {
  const queueId = await desk.queue();
  const agent = await desk.person("admin");
  const expert = await desk.person("user", { queueIds: [queueId] });
  const ids = await many(3, { queueId, status: "open", user: agent });
  const theirs = await desk.ticket({ queueId, status: "open", user: expert });
  const sockets = [await expert.connect(), await agent.connect()];

  await bulk(agent, [...ids, theirs.id], { verb: "transfer", queueId, userId: expert.id });
  await bulk(agent, [theirs.id], { verb: "transfer", queueId, userId: agent.id });
  await desk.app.settle();
  const told = await Promise.all(
    sockets.map(async (socket) => {
      await socket.flushed();
      return socket.packets.filter(({ event }) => event.endsWith("-ticketTransfer")).map(({ payload }) => payload);
    }),
  );

  expect(told).toMatchObject([
    [{ action: "received", count: 3, from: { id: agent.id }, ticket: { userId: expert.id }, note: null }],
    [],
  ]);
  sockets.forEach((socket) => socket.close());
});

test("queue, user and tags must be of this company (N-06)", async () => {
  const agent = await desk.person("user");
  const { id } = await desk.ticket({ status: "open", user: agent });
  const other = await desk.otherCompany();
  const queueId = await desk.queue();
  const [theirQueue, theirs] = [await other.queue(), await other.person("admin")];
  const answers = [
    await bulk(agent, [id], { verb: "transfer", queueId: theirQueue }),
    await bulk(agent, [id], { verb: "transfer", queueId, userId: theirs.id }),
    await bulk(agent, [id], { verb: "tag", tagIds: [2_000_000] }),
  ];
  expect(answers.map(({ body }) => body.error)).toEqual(["ERR_NO_QUEUE_FOUND", "ERR_NO_USER_FOUND", "ERR_NOT_FOUND"]);
});

test("tags are added, and the undo removes only those that were not there before (T-20)", async () => {
  const agent = await desk.person("user");
  const tag = async (name: string) => (await agent.post<Tag>("/tags", { name })).body.id;
  const [vip, late] = [await tag("VIP"), await tag("Atrasado")];
  const [one, two, both] = await many(3, { status: "open", user: agent });
  await agent.post("/tags/sync", { ticketId: two, tags: [{ id: vip }] });
  await agent.post("/tags/sync", { ticketId: both, tags: [{ id: vip }, { id: late }] });

  const { body } = await bulk(agent, [one!, two!, both!], { verb: "tag", tagIds: [vip, late] });
  expect(words(body.outcomes)).toEqual(["done", "done", "unchanged"]);
  expect(body.tickets.map(({ tags }) => tags.length)).toEqual([2, 2]);

  await undo(agent, body.bulkId);
  const left = await Promise.all([one!, two!, both!].map(async (id) => (await seen(agent, id)).tags.map((t) => t.id)));
  expect(left).toEqual([[], [vip], [late, vip]]);
});

describe("undo", () => {
  test("leaves alone a ticket that somebody changed since (issue 3)", async () => {
    const queueId = await desk.queue();
    const agent = await desk.person("user", { queueIds: [queueId] });
    const [touched, still] = await many(2, { queueId });
    const { body } = await bulk(agent, [touched!, still!], { verb: "accept" });
    await agent.put(`/tickets/${touched}`, { status: "closed" });

    const back = await undo(agent, body.bulkId);

    expect(words(back.body.outcomes)).toEqual(["ERR_UNDO_TOO_LATE", "done"]);
    expect(await seen(agent, touched!)).toMatchObject({ status: "closed", userId: agent.id });
    expect(await seen(agent, still!)).toMatchObject({ status: "pending", userId: null });
  });

  test("works until its deadline, once, and for the user who acted", async () => {
    const agent = await desk.person("admin");
    const [one, two] = await many(2, {});
    const first = await bulk(agent, [one!], { verb: "accept" });
    const colleague = await desk.person("admin");
    expect((await undo(colleague, first.body.bulkId)).status).toBe(404);
    expect((await undo(agent, first.body.bulkId)).status).toBe(200);
    expect((await undo(agent, first.body.bulkId)).body.error).toBe("ERR_UNDO_TOO_LATE");

    const second = await bulk(agent, [two!], { verb: "accept" });
    clock.advance({ seconds: bulkUndoMs / 1_000 });
    expect((await undo(agent, second.body.bulkId)).body.error).toBe("ERR_UNDO_TOO_LATE");
    expect(await seen(agent, two!)).toMatchObject({ status: "open", userId: agent.id });
  });

  test("a bulk that changed nothing cannot be undone", async () => {
    const agent = await desk.person("user");
    const { id } = await desk.ticket({ status: "open", user: agent });
    expect((await bulk(agent, [id], { verb: "accept" })).body).toMatchObject({ bulkId: null, tickets: [] });
  });
});

test("a hundred tickets cost as many statements as one, and so does their undo; more are refused", async () => {
  const agent = await desk.person("admin");
  const [first = 0, ...ids] = await many(102, {});
  await bulk(agent, [first], { verb: "accept" }); // from now on the person's name is known
  const asked = (work: () => Promise<unknown>) =>
    countStatements(work).then(({ statements }) => statements.filter((text) => !/pg_notify|pg_snapshot/.test(text)));
  let bulkId: string | null = null;

  const one = await asked(async () => bulk(agent, ids.slice(0, 1), { verb: "accept" }));
  const hundred = await asked(async () => {
    const { body } = await bulk(agent, ids.slice(1), { verb: "accept" });
    expect(body.outcomes).toHaveLength(100);
    ({ bulkId } = body);
  });
  const back = await asked(async () => expect((await undo(agent, bulkId)).body.tickets).toHaveLength(100));

  expect(one.length).toBeLessThanOrEqual(7);
  expect(hundred).toHaveLength(one.length);
  expect(back.length).toBeLessThanOrEqual(7);
  expect((await bulk(agent, ids, { verb: "accept" })).status).toBe(400);
  expect((await bulk(agent, [], { verb: "accept" })).status).toBe(400);
});

test("without a sign-in every call is 401", async () => {
  const stranger = desk.app.as(undefined);
  expect((await bulk(stranger, [1], { verb: "accept" })).status).toBe(401);
  expect((await undo(stranger, "0d2f7c3a-9d0f-4b62-8b0a-1c2d3e4f5a6b")).status).toBe(401);
  const other = await (await desk.otherCompany()).person("admin");
  expect((await undo(other, "0d2f7c3a-9d0f-4b62-8b0a-1c2d3e4f5a6b")).status).toBe(404);
});
