import type { Ticket } from "@prosa/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countStatements } from "#server/platform/db/index.ts";
import { openDesk } from "#server/testing/desk.ts";
import type { Desk } from "#server/testing/desk.ts";
import { feature } from "./feature.ts";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk([feature]);
});
afterAll(() => desk.app.close());

describe("verbs", () => {
  test("accept makes me the owner and starts the episode (T-08)", async () => {
    const queueId = await desk.queue();
    const agent = await desk.person("user", { queueIds: [queueId] });
    const { id } = await desk.ticket({ queueId });

    const { status, body } = await agent.put<Ticket>(`/tickets/${id}`, { status: "open", userId: agent.id });

    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "open", userId: agent.id, user: { name: agent.name }, version: 2 });
    const { body: episodes } = await agent.get(`/tickets/${id}/episodes`);
    expect(episodes).toEqual([
      expect.objectContaining({ startedAt: expect.any(String), user: { id: agent.id, name: agent.name } }),
    ]);
  });

  test("return clears the owner and the start (T-09)", async () => {
    const agent = await desk.person("user");
    const { id } = await desk.ticket({ status: "open", user: agent });
    const { body } = await agent.put<Ticket>(`/tickets/${id}`, { status: "pending", userId: null });
    expect(body).toMatchObject({ status: "pending", userId: null, user: null });
    const [episode] = await desk.rows<{ started_at: Date | null }>(
      `select started_at from episodes where ticket_id = ${id}`,
    );
    expect(episode?.started_at).toBeNull();
  });

  test("resolve keeps the queue, removes automation and finishes the episode (T-10)", async () => {
    const queueId = await desk.queue();
    const agent = await desk.person("user", { queueIds: [queueId] });
    const { id } = await desk.ticket({ status: "open", user: agent, queueId });
    const { promptId, integrationId } = await desk.promptAndIntegration();
    await desk.rows(`update tickets set use_integration = true, prompt_id = ${promptId},
      integration_id = ${integrationId} where id = ${id}`);
    const { body } = await agent.put<Ticket>(`/tickets/${id}`, { status: "closed", userId: agent.id });
    expect(body).toMatchObject({
      status: "closed",
      queueId,
      useIntegration: false,
      promptId: null,
      integrationId: null,
    });
    const [episode] = await desk.rows<{ finished_at: Date | null }>(
      `select finished_at from episodes where ticket_id = ${id}`,
    );
    expect(episode?.finished_at).toBeInstanceOf(Date);
  });

  test("reopen makes the actor the owner, in a new episode (T-11)", async () => {
    const agent = await desk.person("user");
    const { id } = await desk.ticket({ status: "open", user: agent });
    await agent.put(`/tickets/${id}`, { status: "closed" });
    const { body } = await agent.put<Ticket>(`/tickets/${id}`, { status: "open", userId: agent.id });
    expect(body).toMatchObject({ status: "open", userId: agent.id });
    const episodes = await desk.rows(`select 1 from episodes where ticket_id = ${id}`);
    expect(episodes).toHaveLength(2);
    expect(body.protocol).toMatch(new RegExp(`^\\d{14}${id}$`));
  });

  test("a pending ticket is not closed directly, a closed one not returned (T-12)", async () => {
    const admin = await desk.person("admin");
    const waiting = await desk.ticket();
    const closed = await desk.ticket({ status: "closed" });
    const refused = await admin.put(`/tickets/${waiting.id}`, { status: "closed" });
    expect(refused).toMatchObject({ status: 409, body: { error: "ERR_TICKET_TRANSITION" } });
    const again = await admin.put(`/tickets/${closed.id}`, { status: "pending" });
    expect(again).toMatchObject({ status: 409, body: { error: "ERR_TICKET_TRANSITION" } });
  });

  test("two agents accept at once, 100 times: one wins each time, the other gets the owner (T-12)", async () => {
    const queueId = await desk.queue();
    const ana = await desk.person("user", { queueIds: [queueId] });
    const bia = await desk.person("user", { queueIds: [queueId] });
    for (let round = 0; round < 100; round += 1) {
      const { id } = await desk.ticket({ queueId });
      const answers = await Promise.all(
        [ana, bia].map((agent) => agent.put<Ticket>(`/tickets/${id}`, { status: "open", userId: agent.id })),
      );
      const winner = answers[0]?.status === 200 ? ana : bia;
      const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
      expect(won).toMatchObject({ status: 200, body: { userId: winner.id } });
      expect(lost).toMatchObject({
        status: 409,
        body: { error: "ERR_TICKET_TAKEN", details: { user: { id: winner.id, name: winner.name } } },
      });
    }
  });

  test("accepting what is mine already changes nothing", async () => {
    const agent = await desk.person("user");
    const { id } = await desk.ticket({ status: "open", user: agent });
    const { status, body } = await agent.put<Ticket>(`/tickets/${id}`, { status: "open", userId: agent.id });
    expect(status).toBe(200);
    expect(body.version).toBe(1);
  });

  test("a transfer to a queue makes the ticket pending; to a user it is theirs", async () => {
    const [from, to] = [await desk.queue(), await desk.queue()];
    const agent = await desk.person("user", { queueIds: [from] });
    const colleague = await desk.person("user", { queueIds: [to] });
    const { id } = await desk.ticket({ status: "open", user: agent, queueId: from });
    const { body } = await agent.put<Ticket>(`/tickets/${id}`, { queueId: to, status: "pending", userId: null });
    expect(body).toMatchObject({ status: "pending", userId: null, queueId: to });

    const second = await desk.ticket({ status: "open", user: agent, queueId: from });
    const handed = await agent.put<Ticket>(`/tickets/${second.id}`, { queueId: to, userId: colleague.id });
    expect(handed.body).toMatchObject({ status: "open", userId: colleague.id, queueId: to });
  });

  test("an admin takes over an agent's ticket; another agent may not touch it", async () => {
    const queueId = await desk.queue();
    const agent = await desk.person("user", { queueIds: [queueId] });
    const other = await desk.person("user", { queueIds: [queueId] });
    const admin = await desk.person("admin");
    const { id } = await desk.ticket({ status: "open", user: agent, queueId });
    for (const body of [{ status: "closed" }, { status: "pending" }, { userId: other.id }, { queueId: null }]) {
      const refused = await other.put(`/tickets/${id}`, body);
      expect(refused).toMatchObject({ status: 403, body: { error: "ERR_NO_PERMISSION" } });
    }
    const { body } = await admin.put<Ticket>(`/tickets/${id}`, { userId: admin.id });
    expect(body).toMatchObject({ status: "open", userId: admin.id });
  });

  test("no transfer crosses companies", async () => {
    const other = await desk.otherCompany();
    const stranger = await other.person("admin");
    const foreignQueue = await other.queue();
    const admin = await desk.person("admin");
    const { id } = await desk.ticket({ status: "open", user: admin });
    expect(await admin.put(`/tickets/${id}`, { userId: stranger.id })).toMatchObject({ status: 404 });
    expect(await admin.put(`/tickets/${id}`, { queueId: foreignQueue })).toMatchObject({ status: 404 });
    expect(await admin.put(`/tickets/${id}`, { whatsappId: other.connectionId })).toMatchObject({ status: 404 });
    for (const answer of [
      await stranger.get(`/tickets/${id}`),
      await stranger.put(`/tickets/${id}`, { status: "closed" }),
      await stranger.delete(`/tickets/${id}`),
      await stranger.get(`/tickets/${id}/episodes`),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { error: "ERR_NO_TICKET_FOUND" } });
    }
  });
});

describe("opening one", () => {
  test("a new ticket is open and mine (T-15, T-23)", async () => {
    const queueId = await desk.queue();
    const agent = await desk.person("user", { queueIds: [queueId] });
    const contactId = await desk.contact();
    const { status, body } = await agent.post<Ticket>("/tickets", { contactId, queueId, status: "open" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "open", userId: agent.id, queueId, contactId, whatsappId: desk.connectionId });
    expect(await agent.get(`/tickets/u/${body.uuid}`)).toMatchObject({ status: 200, body: { id: body.id } });
  });

  test("an agent must choose a queue, one of theirs; an admin need not", async () => {
    const foreign = await desk.queue();
    const agent = await desk.person("user");
    const admin = await desk.person("admin");
    const contactId = await desk.contact();
    expect(await agent.post("/tickets", { contactId })).toMatchObject({
      status: 400,
      body: { error: "ERR_VALIDATION" },
    });
    expect(await agent.post("/tickets", { contactId, queueId: foreign })).toMatchObject({ status: 403 });
    expect(await admin.post("/tickets", { contactId })).toMatchObject({ status: 200 });
  });

  test("with an open or pending one: 409 with the ticket, its user and queue (T-16)", async () => {
    const queueId = await desk.queue();
    const agent = await desk.person("user", { queueIds: [queueId] });
    const admin = await desk.person("admin");
    const { id, contactId } = await desk.ticket({ status: "open", user: agent, queueId });
    const { status, body } = await admin.post<{ error: string; code: string }>("/tickets", { contactId });
    expect(status).toBe(409);
    expect(body.code).toBe("ERR_OTHER_OPEN_TICKET");
    expect(JSON.parse(body.error)).toMatchObject({
      id,
      userId: agent.id,
      user: { name: agent.name },
      queue: { id: queueId },
    });
  });

  test("20 at once for one contact: one ticket (T-16)", async () => {
    const admin = await desk.person("admin");
    const contactId = await desk.contact();
    const answers = await Promise.all(Array.from({ length: 20 }, () => admin.post("/tickets", { contactId })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect(await desk.rows(`select 1 from tickets where contact_id = ${contactId}`)).toHaveLength(1);
  });

  test("a closed ticket is reopened in a new episode", async () => {
    const admin = await desk.person("admin");
    const { id, contactId } = await desk.ticket({ status: "closed" });
    const { body } = await admin.post<Ticket>("/tickets", { contactId });
    expect(body).toMatchObject({ id, status: "open", userId: admin.id });
  });

  test("contact, queue, user and connection of another company are not found", async () => {
    const other = await desk.otherCompany();
    const admin = await desk.person("admin");
    expect(await admin.post("/tickets", { contactId: await other.contact() })).toMatchObject({ status: 404 });
    const contactId = await desk.contact();
    expect(await admin.post("/tickets", { contactId, queueId: await other.queue() })).toMatchObject({ status: 404 });
    expect(await admin.post("/tickets", { contactId, whatsappId: other.connectionId })).toMatchObject({ status: 404 });
  });
});

test("a ticket of a foreign queue is refused by the server (T-17)", async () => {
  const [mine, foreign] = [await desk.queue(), await desk.queue()];
  const agent = await desk.person("user", { queueIds: [mine] });
  const { id } = await desk.ticket({ queueId: foreign });
  const refused = { status: 403, body: { error: "ERR_NO_PERMISSION" } };
  expect(await agent.get(`/tickets/${id}`)).toMatchObject(refused);
  expect(await agent.put(`/tickets/${id}`, { status: "open" })).toMatchObject(refused);
  expect(await agent.get(`/tickets/${id}/episodes`)).toMatchObject(refused);
});

test("delete needs the permission, and deletes the conversation too (T-18)", async () => {
  const agent = await desk.person("user");
  const admin = await desk.person("admin");
  const { id } = await desk.ticket({ status: "open", user: agent });
  expect(await agent.delete(`/tickets/${id}`)).toMatchObject({ status: 403 });
  expect(await admin.delete(`/tickets/${id}`)).toMatchObject({ status: 200 });
  expect(await admin.get(`/tickets/${id}`)).toMatchObject({ status: 404 });
});

test("without a sign-in every call is 401", async () => {
  const nobody = desk.app.as(undefined);
  for (const answer of [
    await nobody.get("/tickets"),
    await nobody.get("/tickets/counts"),
    await nobody.get("/tickets/1"),
    await nobody.put("/tickets/1", {}),
    await nobody.post("/tickets", { contactId: 1 }),
    await nobody.delete("/tickets/1"),
  ]) {
    expect(answer.status).toBe(401);
  }
});

test("a change of status costs few statements", async () => {
  const agent = await desk.person("user", { allTicket: true });
  const { id } = await desk.ticket();
  // The user's name is cached from now on.
  await agent.put(`/tickets/${(await desk.ticket()).id}`, { status: "open" });
  const { statements, inAll } = await countStatements(() => agent.put(`/tickets/${id}`, { status: "open" }));
  // the lock; and the change with its episode, event and view
  const kinds = statements
    .filter((text) => !/pg_notify|pg_snapshot/.test(text))
    .map((text) => text.trim().split(/\s/)[0]);
  expect(kinds).toEqual(["select", "with"]);
  // with the company
  expect(inAll).toBe(3);
});
