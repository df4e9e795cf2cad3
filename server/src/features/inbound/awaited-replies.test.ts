import { scheduledMessages } from "@prosa/contract";
import type { Episode, Ticket } from "@prosa/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { countStatements } from "#server/platform/db/index.ts";
import type { TestCaller } from "#server/testing/app.ts";
import { createFakeLineApp, createBotScenario, inAnotherProcess, messageFrom } from "#server/testing/bot-scenario.ts";
import type { BotScenario, FakeLineApp } from "#server/testing/bot-scenario.ts";
import { aContact, aQueue, aUser } from "#server/testing/factories.ts";
import type { TestUser } from "#server/testing/factories.ts";

let fakeLineApp: FakeLineApp;
beforeAll(async () => {
  fakeLineApp = await createFakeLineApp(createMessagesFeature);
});
afterAll(() => fakeLineApp.app.close());

const maria = "5511988887777";

interface Desk extends BotScenario {
  readonly contactId: number;
  /** Agent of Vendas, without tickets that have no queue. */
  readonly ana: TestUser;
  readonly anas: TestCaller;
  /** Agent of Suporte. */
  readonly bruno: TestUser;
  readonly brunos: TestCaller;
}

/** Maria has no ticket yet. */
async function aDesk(options: Parameters<typeof createBotScenario>[1] = {}): Promise<Desk> {
  const scenario = await createBotScenario(fakeLineApp, options);
  const { id: contactId } = await aContact(scenario.company, { name: "Maria", number: maria });
  const ana = await aUser(scenario.company, { name: "Ana", queues: [scenario.sales] });
  const bruno = await aUser(scenario.company, { name: "Bruno", queues: [scenario.support] });
  const { app } = scenario;
  return { ...scenario, contactId, ana, anas: app.as(ana), bruno, brunos: app.as(bruno) };
}

/** Ana's message goes out in an hour. */
async function sendScheduled({ anas, clock, contactId, receivedTexts }: Desk): Promise<void> {
  const sendAt = new Date(clock.now().getTime() + 3_600_000).toISOString();
  const body = { body: "Passamos amanhã às 9h, pode ser?", contactId, sendAt };
  expect((await anas.call(scheduledMessages.create, { body })).status).toBe(200);
  clock.advance({ hours: 1 });
  expect(await receivedTexts(maria)).toEqual(["Passamos amanhã às 9h, pode ser?"]);
}

/** Ana starts a conversation in Vendas, writes in it and resolves it. */
async function startAndResolve(desk: Desk, ...texts: readonly string[]): Promise<Ticket> {
  const { anas, contactId, sales } = desk;
  const { status, body } = await anas.post<Ticket>("/tickets", { contactId, queueId: sales.id });
  expect(status).toBe(200);
  for (const text of texts) {
    expect((await anas.post(`/messages/${body.id}`, { body: text })).status).toBe(200);
  }
  await anas.put(`/tickets/${body.id}`, { status: "closed" });
  await desk.receivedTexts(maria);
  return body;
}

/** Maria's conversation with Bruno in Suporte, resolved by him. */
async function servedByBruno({ brunos, sendTexts, ticketOf, receivedTexts }: Desk): Promise<void> {
  await sendTexts(maria, "oi", "2");
  const { id } = await ticketOf(maria);
  expect((await brunos.put(`/tickets/${id}`, { status: "open" })).status).toBe(200);
  expect((await brunos.put(`/tickets/${id}`, { status: "closed" })).status).toBe(200);
  await receivedTexts(maria);
}

const menu = [expect.stringContaining("Bem-vindo")];
const waitsFor = ({ userId }: TestUser) => ({ status: "pending", userId, chatbot: false });
const pendingOf = async (who: TestCaller) =>
  (await who.get<{ tickets: Ticket[] }>("/tickets?status=pending")).body.tickets.map(({ id }) => id);

describe("a reply to a scheduled message", () => {
  test("waits for its author without the bot, in the queue that served last (T-16, O-03)", async () => {
    const desk = await aDesk();
    await servedByBruno(desk);
    await sendScheduled(desk);
    desk.clock.advance({ hours: 5 });

    expect(await desk.sendTexts(maria, "sim")).toEqual([]);
    const ticket = await desk.ticketOf(maria);
    expect(ticket).toMatchObject({ ...waitsFor(desk.ana), user: { name: "Ana" }, queueId: desk.support.id });
    expect(await pendingOf(desk.anas)).toEqual([ticket.id]);
    expect(await pendingOf(desk.brunos)).toEqual([ticket.id]);
    const { body } = await desk.admin.get<Episode[]>(`/tickets/${ticket.id}/episodes`);
    expect(body[0]).toMatchObject({ user: null, startedAt: null, finishedAt: null });

    expect((await desk.anas.put(`/tickets/${ticket.id}`, { status: "open" })).status).toBe(200);
    expect(await desk.ticketOf(maria)).toMatchObject({ status: "open", userId: desk.ana.userId });
  });

  test("is seen by its author in a ticket without a queue, and by no other agent who may not (T-06, O-03)", async () => {
    const desk = await aDesk();
    await sendScheduled(desk);
    expect(await desk.sendTexts(maria, "sim")).toEqual([]);
    const { id } = await desk.ticketOf(maria);
    expect(await pendingOf(desk.anas)).toEqual([id]);
    expect(await pendingOf(desk.brunos)).toEqual([]);
    expect(await pendingOf(desk.admin)).toEqual([id]);
  });

  test("is answered by the bot after 24 hours (O-03)", async () => {
    const desk = await aDesk();
    await sendScheduled(desk);
    desk.clock.advance({ hours: 24, minutes: 1 });
    expect(await desk.sendTexts(maria, "sim")).toEqual(menu);
    expect(await desk.ticketOf(maria)).toMatchObject({ status: "pending", userId: null });
  });

  test("waits for its author when it was due amid the menu; a message before it was the menu's (B-03)", async () => {
    const desk = await aDesk();
    expect(await desk.sendTexts(maria, "oi")).toEqual(menu);
    await sendScheduled(desk);
    expect(await desk.ticketOf(maria)).toMatchObject({ status: "pending", userId: null });
    expect(await desk.sendTexts(maria, "sim", "1")).toEqual([]);
    expect(await desk.ticketOf(maria)).toMatchObject({ ...waitsFor(desk.ana), queueId: null });
  });

  test("belongs to the agent whose open conversation it comes into (O-03)", async () => {
    const desk = await aDesk();
    await desk.sendTexts(maria, "oi", "2");
    const { id } = await desk.ticketOf(maria);
    await desk.brunos.put(`/tickets/${id}`, { status: "open" });
    await sendScheduled(desk);
    expect(await desk.sendTexts(maria, "sim")).toEqual([]);
    expect(await desk.ticketOf(maria)).toMatchObject({ status: "open", userId: desk.bruno.userId });
    // It was answered there: the next conversation starts at the menu.
    await desk.brunos.put(`/tickets/${id}`, { status: "closed" });
    expect(await desk.sendTexts(maria, "tenho outra dúvida")).toEqual(menu);
  });

  test("is not waited for after somebody accepted the conversation, or its author was deleted (O-03)", async () => {
    const accepted = await aDesk();
    await accepted.sendTexts(maria, "oi", "2");
    await sendScheduled(accepted);
    const { id } = await accepted.ticketOf(maria);
    await accepted.brunos.put(`/tickets/${id}`, { status: "open" });
    await accepted.brunos.put(`/tickets/${id}`, { status: "closed" });
    expect(await accepted.sendTexts(maria, "sim")).toEqual(menu);

    const left = await aDesk();
    await sendScheduled(left);
    expect((await left.admin.delete(`/users/${left.ana.userId}`)).status).toBe(200);
    expect(await left.sendTexts(maria, "sim")).toEqual(menu);
  });

  test("in a burst is one waiting ticket, stored by two processes at once (B-01)", async () => {
    const desk = await aDesk();
    await sendScheduled(desk);
    const other = await inAnotherProcess(desk);
    const events = ["sim", "pode ser", "às 10h?"].map((text) => messageFrom(maria, text, desk.clock.now()));
    await Promise.all([desk.receive(events), other.receive(events), desk.receive(events.slice(1))]);
    expect(await desk.receivedTexts(maria)).toEqual([]);
    expect(await desk.ticketOf(maria)).toMatchObject({ ...waitsFor(desk.ana), unreadMessages: 3 });
  });

  test("is no rating, unless one was asked for (T-16)", async () => {
    const desk = await aDesk();
    await desk.saveSetting("userRating", "enabled");
    await startAndResolve(desk, "Segue a proposta");
    expect(await desk.sendTexts(maria, "3")).toHaveLength(1);
    expect(await desk.ticketOf(maria)).toMatchObject({ status: "closed" });
    expect(await desk.sendTexts(maria, "e o prazo?")).toEqual([]);
    expect(await desk.ticketOf(maria)).toMatchObject(waitsFor(desk.ana));
  });
});

describe("a reply to a conversation that a person started", () => {
  test("waits for that person within 24 hours of their last message (T-16)", async () => {
    const desk = await aDesk();
    await startAndResolve(desk, "Segue a proposta", "Fico à disposição");
    desk.clock.advance({ hours: 23, minutes: 59 });
    expect(await desk.sendTexts(maria, "gostei")).toEqual([]);
    expect(await desk.ticketOf(maria)).toMatchObject({ ...waitsFor(desk.ana), queueId: desk.sales.id });
  });

  test.each([
    ["after 24 hours", ["Segue a proposta"], { hours: 24, minutes: 1 }],
    ["where nothing was written", [], { minutes: 1 }],
  ])("is answered by the bot %s (T-16)", async (_, texts, later) => {
    const desk = await aDesk();
    await startAndResolve(desk, ...texts);
    desk.clock.advance(later);
    expect(await desk.sendTexts(maria, "oi")).toEqual(menu);
  });

  test.each(["Fechado!", "ok", "👍"])(
    "that only agrees (%s) is an answer, and no thanks after the end (T-16)",
    async (text) => {
      const desk = await aDesk();
      await startAndResolve(desk, "Segue a proposta. Podemos fechar?");
      desk.clock.advance({ minutes: 5 });
      expect(await desk.sendTexts(maria, text)).toEqual([]);
      expect(await desk.ticketOf(maria)).toMatchObject(waitsFor(desk.ana));
    },
  );

  test("is answered by the bot where the contact had answered before the end (T-16)", async () => {
    const desk = await aDesk();
    const { body } = await desk.anas.post<Ticket>("/tickets", { contactId: desk.contactId, queueId: desk.sales.id });
    await desk.anas.post(`/messages/${body.id}`, { body: "Segue a proposta" });
    await desk.sendTexts(maria, "recebi");
    await desk.anas.post(`/messages/${body.id}`, { body: "Ótimo" });
    await desk.anas.put(`/tickets/${body.id}`, { status: "closed" });
    await desk.receivedTexts(maria);
    expect(await desk.sendTexts(maria, "bom dia")).toEqual(menu);
  });

  test.each(["transfer", "return"])("is answered by the bot after a %s (T-16)", async (verb) => {
    const desk = await aDesk();
    const { body } = await desk.anas.post<Ticket>("/tickets", { contactId: desk.contactId, queueId: desk.sales.id });
    await desk.anas.post(`/messages/${body.id}`, { body: "Segue a proposta" });
    const change = verb === "transfer" ? { queueId: desk.support.id, userId: null } : { userId: null };
    await desk.anas.put(`/tickets/${body.id}`, { status: "pending", ...change });
    await desk.admin.put(`/tickets/${body.id}`, { status: "open" });
    await desk.admin.put(`/tickets/${body.id}`, { status: "closed" });
    await desk.receivedTexts(maria);
    expect(await desk.sendTexts(maria, "bom dia")).toEqual(menu);
  });

  test("goes back to the agent at once where the company's setting says so (T-16)", async () => {
    const desk = await aDesk();
    await desk.saveSetting("reopenToAgentMinutes", "10");
    await startAndResolve(desk, "Segue a proposta");
    desk.clock.advance({ minutes: 5 });
    expect(await desk.sendTexts(maria, "gostei")).toEqual([]);
    expect(await desk.ticketOf(maria)).toMatchObject({ status: "open", userId: desk.ana.userId });
  });
});

describe("a ticket that waits for Ana", () => {
  async function waiting(options: Parameters<typeof createBotScenario>[1] = {}) {
    const desk = await aDesk(options);
    await servedByBruno(desk);
    await sendScheduled(desk);
    await desk.sendTexts(maria, "sim");
    const { id } = await desk.ticketOf(maria);
    return { ...desk, id };
  }

  test("may be accepted by a colleague of the queue; the next episode starts at the menu (T-12, T-16)", async () => {
    const desk = await waiting();
    expect((await desk.brunos.put(`/tickets/${desk.id}`, { status: "open" })).status).toBe(200);
    expect(await desk.ticketOf(maria)).toMatchObject({ status: "open", userId: desk.bruno.userId });
    await desk.brunos.put(`/tickets/${desk.id}`, { status: "closed" });
    expect(await desk.sendTexts(maria, "outra coisa")).toEqual(menu);
  });

  test("waits for everybody once it was accepted and returned, or transferred (T-16)", async () => {
    const returned = await waiting();
    await returned.anas.put(`/tickets/${returned.id}`, { status: "open" });
    await returned.anas.put(`/tickets/${returned.id}`, { status: "pending", userId: null });
    expect(await returned.ticketOf(maria)).toMatchObject({ status: "pending", userId: null });

    const moved = await waiting();
    await moved.admin.put(`/tickets/${moved.id}`, { queueId: moved.sales.id, userId: null, status: "pending" });
    expect(await moved.ticketOf(maria)).toMatchObject({ status: "pending", userId: null, queueId: moved.sales.id });
  });

  test("waits for everybody after a transfer to another connection (T-14)", async () => {
    const desk = await waiting();
    const { body } = await desk.admin.post<{ id: number }>("/whatsapp", { name: "Segunda", provider: "simulator" });
    expect((await desk.admin.put(`/tickets/${desk.id}`, { whatsappId: body.id })).status).toBe(200);
    const { body: moved } = await desk.admin.get<Ticket>(`/tickets/${desk.id}`);
    expect(moved).toMatchObject({ status: "pending", userId: null, whatsappId: body.id });
  });

  test("comes back to her when a bulk that accepted it is undone (T-08)", async () => {
    const desk = await waiting();
    const act = { ticketIds: [desk.id], act: { verb: "accept" } };
    const { body } = await desk.brunos.post<{ bulkId: string }>("/tickets/bulk", act);
    expect(await desk.ticketOf(maria)).toMatchObject({ status: "open", userId: desk.bruno.userId });
    await desk.brunos.post(`/tickets/bulk/${body.bulkId}/undo`);
    expect(await desk.ticketOf(maria)).toMatchObject(waitsFor(desk.ana));
  });

  test("is moved to a queue by the timer, and still waits for her (Q-07)", async () => {
    const desk = await aDesk();
    const triage = await aQueue(desk.company, { name: "Triagem" });
    await desk.admin.put(`/whatsapp/${desk.connection.id}`, { timeToTransfer: 5, transferQueueId: triage.id });
    await sendScheduled(desk);
    await desk.sendTexts(maria, "sim");
    desk.clock.advance({ minutes: 6 });
    await desk.app.settle();
    await desk.app.settle();
    expect(await desk.ticketOf(maria)).toMatchObject({ ...waitsFor(desk.ana), queueId: triage.id });
    expect(await pendingOf(desk.anas)).toHaveLength(1);
  });

  test("costs no statement more than another waiting ticket (B-01)", async () => {
    const desk = await waiting();
    const joao = "5511977776666";
    await desk.sendTexts(joao, "oi", "2");
    const statementsOf = async (phone: string) => {
      const events = [messageFrom(phone, "alô?", desk.clock.now())];
      const { statements } = await countStatements(() => desk.receive(events));
      return statements.filter((text) => !/pg_notify|pg_snapshot/.test(text));
    };
    expect(await statementsOf(maria)).toEqual(await statementsOf(joao));
  });
});
