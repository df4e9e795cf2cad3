import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { createFakeLineApp, createBotScenario, inAnotherProcess, messageFrom } from "#server/testing/bot-scenario.ts";
import type { BotScenario, FakeLineApp } from "#server/testing/bot-scenario.ts";
import { aQueue, aUser } from "#server/testing/factories.ts";
import { SendError } from "#server/whatsapp/port.ts";

let fakeLineApp: FakeLineApp;
beforeAll(async () => {
  fakeLineApp = await createFakeLineApp(createMessagesFeature);
});
afterAll(() => fakeLineApp.app.close());

const maria = "5511988887777";
const people = Array.from({ length: 60 }, (_, n) => `55119${String(60_000_000 + n)}`);

/** Two processes whose workers run the timers at the same moment, each minute. */
async function twoRunners(scenario: BotScenario) {
  const other = await inAnotherProcess(scenario);
  const drain = async () => {
    await Promise.all([scenario.app.settle(), other.app.settle()]);
    await Promise.all([scenario.app.settle(), other.app.settle()]);
  };
  await drain();
  return {
    async after(minutes: number) {
      for (let minute = 0; minute < minutes; minute += 1) {
        scenario.clock.advance({ minutes: 1 });
        await drain();
      }
    },
  };
}

async function timedBy(scenario: BotScenario, fields: object): Promise<void> {
  expect((await scenario.admin.put(`/whatsapp/${scenario.connection.id}`, fields)).status).toBe(200);
}

async function setTicket(scenario: BotScenario, ticketId: number, columns: string): Promise<void> {
  await scenario.company.inside(({ db }) =>
    sql.raw(`update tickets set ${columns} where id = ${ticketId}`).execute(db),
  );
}

async function updatesOf(scenario: BotScenario, ticketId: number): Promise<number> {
  const { rows } = await sql`select 1 from event_log where company_id = ${scenario.company.id}
    and type = 'ticket.updated' and (payload ->> 'ticketId')::int = ${ticketId}`.execute(scenario.app.db.system);
  return rows.length;
}

test("a ticket that waits without a queue is transferred once, counted from the contact's last message (Q-07)", async () => {
  const scenario = await createBotScenario(fakeLineApp);
  const triage = await aQueue(scenario.company, { name: "Triagem" });
  await timedBy(scenario, { timeToTransfer: 5, transferQueueId: triage.id });
  await scenario.sendTexts(maria, "oi");
  const { id } = await scenario.ticketOf(maria);
  const runners = await twoRunners(scenario);

  await runners.after(3);
  await scenario.sendTexts(maria, "??");
  await runners.after(4);
  expect(await scenario.ticketOf(maria)).toMatchObject({ queueId: null });
  const before = await updatesOf(scenario, id);
  await runners.after(2);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "pending", queueId: triage.id, chatbot: false });
  expect(await updatesOf(scenario, id)).toBe(before + 1);

  // The contact is told so once; the ticket waits for a person in that queue, and the old menu is dead.
  expect((await scenario.receivedTexts(maria)).filter((text) => text.includes("*Triagem*"))).toEqual([
    expect.stringContaining("O menu anterior não vale mais"),
  ]);
  expect(await scenario.sendTexts(maria, "1")).toEqual([]);
  expect(await scenario.ticketOf(maria)).toMatchObject({ queueId: triage.id });
});

test("while the company is switched off no timer transfers or closes tickets (Y-01)", async () => {
  const scenario = await createBotScenario(fakeLineApp);
  const triage = await aQueue(scenario.company, { name: "Triagem" });
  await timedBy(scenario, { timeToTransfer: 5, transferQueueId: triage.id });
  await scenario.sendTexts(maria, "oi");
  const switched = async (isOn: boolean) => {
    const { db, services } = scenario.app;
    await db.system.updateTable("companies").set({ is_active: isOn }).where("id", "=", scenario.company.id).execute();
    services.sessions.forgetCompany(scenario.company.id);
  };
  const { id } = await scenario.ticketOf(maria);
  const before = await updatesOf(scenario, id);
  const runners = await twoRunners(scenario);
  await switched(false);
  await runners.after(7);
  expect(await updatesOf(scenario, id)).toBe(before);

  await switched(true);
  await runners.after(2);
  expect(await scenario.ticketOf(maria)).toMatchObject({ queueId: triage.id });
});

test("no menu is spoken of that never was (Q-07)", async () => {
  const scenario = await createBotScenario(fakeLineApp, { hasQueues: false });
  const triage = await aQueue(scenario.company, { name: "Triagem" });
  await timedBy(scenario, { timeToTransfer: 5, transferQueueId: triage.id });
  await scenario.sendTexts(maria, "oi");
  const { id } = await scenario.ticketOf(maria);
  // As an assistant leaves the ticket that it has.
  const state = JSON.stringify({ place: "assistant", isOver: false });
  await setTicket(scenario, id, `chatbot = true, bot_state = '${state}'`);

  await (await twoRunners(scenario)).after(7);
  expect(await scenario.ticketOf(maria)).toMatchObject({ queueId: triage.id });
  expect((await scenario.receivedTexts(maria)).filter((text) => text.includes("*Triagem*"))).toEqual([
    expect.not.stringContaining("menu"),
  ]);
});

test("a ticket in a chosen queue is not transferred (Q-07)", async () => {
  const scenario = await createBotScenario(fakeLineApp);
  await timedBy(scenario, { timeToTransfer: 1, transferQueueId: scenario.sales.id });
  await scenario.sendTexts(maria, "oi", "2");
  await (await twoRunners(scenario)).after(3);
  expect(await scenario.ticketOf(maria)).toMatchObject({ queueId: scenario.support.id });
});

test("tickets that the contact left unanswered are closed with a message, each once by two workers (Q-08)", async () => {
  const scenario = await createBotScenario(fakeLineApp, { hasQueues: false, greetingMessage: "" });
  await timedBy(scenario, { expiresTicket: 10, expiresInactiveMessage: "Encerramos por falta de resposta" });
  for (const phone of people) {
    await scenario.sendTexts(phone, "oi");
  }
  const { body } = await scenario.admin.get<{ tickets: { id: number }[] }>("/tickets?status=pending&showAll=true");
  const { body: more } = await scenario.admin.get<{ tickets: { id: number }[] }>(
    "/tickets?status=pending&showAll=true&pageNumber=2",
  );
  for (const { id } of [...body.tickets, ...more.tickets]) {
    await scenario.admin.put(`/tickets/${id}`, { status: "open" });
    await scenario.admin.post(`/messages/${id}`, { body: "Em que posso ajudar?" });
  }
  const runners = await twoRunners(scenario);
  await runners.after(9);
  await scenario.sendTexts(people[0]!, "ainda estou aqui");
  await runners.after(2);

  const closed = scenario.line.texts().filter((text) => text === "Encerramos por falta de resposta");
  expect(closed).toHaveLength(people.length - 1);
  expect(await scenario.ticketOf(people[0]!)).toMatchObject({ status: "open" });
  expect(await scenario.ticketOf(people[1]!)).toMatchObject({ status: "closed", chatbot: false });
  expect((await scenario.messagesOf(people[1]!)).at(-1)).toMatchObject({ isAutomatic: true, user: null });
});

test("0 closes nothing; without a text tickets close silently (Q-08)", async () => {
  const scenario = await createBotScenario(fakeLineApp, { hasQueues: false, greetingMessage: "" });
  await scenario.sendTexts(maria, "oi");
  const { id } = await scenario.ticketOf(maria);
  await scenario.admin.put(`/tickets/${id}`, { status: "open" });
  await scenario.admin.post(`/messages/${id}`, { body: "sim?" });
  const runners = await twoRunners(scenario);
  await runners.after(3);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "open" });
  await timedBy(scenario, { expiresTicket: 2 });
  await runners.after(1);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "closed" });
  expect(scenario.line.texts()).toEqual(["sim?"]);
});

test("a customer who waits for a person is not closed by what the product said meanwhile; one who does not answer is (Q-08)", async () => {
  const scenario = await createBotScenario(fakeLineApp, { hasQueues: false, greetingMessage: "" });
  await timedBy(scenario, { expiresTicket: 10 });
  await scenario.saveSetting("sendGreetingAccepted", "enabled");
  await scenario.saveSetting("sendMsgTransfTicket", "enabled");
  const colleague = await aUser(scenario.company);
  await scenario.sendTexts(maria, "Onde está meu pedido?");
  const { id } = await scenario.ticketOf(maria);
  const runners = await twoRunners(scenario);

  // The introduction and the transfer notice are the last word, and answer nothing.
  await scenario.admin.put(`/tickets/${id}`, { status: "open" });
  await runners.after(12);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "open", lastMessageFromMe: true });
  await scenario.admin.put(`/tickets/${id}`, { userId: colleague.userId });
  await runners.after(12);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "open", user: { id: colleague.userId } });
  expect(await scenario.receivedTexts(maria)).toHaveLength(2);

  await scenario.app.as(colleague).post(`/messages/${id}`, { body: "Qual é o número?" });
  await runners.after(9);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "open" });
  await runners.after(2);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "closed" });
});

test("nobody is closed for lack of an answer to what did not reach them, whatever else did (Q-08)", async () => {
  const scenario = await createBotScenario(fakeLineApp, { hasQueues: false, greetingMessage: "" });
  await timedBy(scenario, { expiresTicket: 10 });
  await scenario.saveSetting("sendMsgTransfTicket", "enabled");
  const colleague = await aUser(scenario.company);
  await scenario.sendTexts(maria, "Onde está meu pedido?");
  const { id } = await scenario.ticketOf(maria);
  await scenario.admin.put(`/tickets/${id}`, { status: "open" });
  const runners = await twoRunners(scenario);
  const { line } = scenario;

  line.isConnected = false;
  await scenario.admin.post(`/messages/${id}`, { body: "Qual é o número?" });
  await runners.after(12);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "open" });

  // The answer is refused, the notice of a transfer after it is not.
  line.isConnected = true;
  line.onSend = ({ content }) => {
    if (content.kind === "text" && content.text === "Qual é o número?") {
      throw new SendError("invalidContact", false);
    }
  };
  await scenario.admin.put(`/tickets/${id}`, { userId: colleague.userId });
  await runners.after(12);
  expect(line.texts()).toHaveLength(1);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "open" });

  await scenario.app.as(colleague).post(`/messages/${id}`, { body: "Qual é o número do pedido?" });
  await runners.after(11);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "closed" });
});

describe("two processes that receive the same message at the same moment", () => {
  test("send the out-of-hours message once per hour (Q-06)", async () => {
    const scenario = await createBotScenario(fakeLineApp, { outOfHoursMessage: "Voltamos amanhã" });
    await scenario.saveSetting("scheduleType", "company");
    scenario.clock.advance({ hours: 13 });
    const other = await inAnotherProcess(scenario);
    const bothReceive = async (text: string) => {
      const events = [messageFrom(maria, text, scenario.clock.now())];
      await Promise.all([scenario.receive(events), other.receive(events)]);
      return scenario.receivedTexts(maria);
    };
    expect(await bothReceive("oi")).toEqual(["Voltamos amanhã"]);
    scenario.clock.advance({ minutes: 59 });
    expect(await bothReceive("alguém?")).toEqual([]);
    scenario.clock.advance({ minutes: 1 });
    expect(await bothReceive("e agora?")).toEqual(["Voltamos amanhã"]);
  });

  test.each([
    [30, "Até logo!", 3],
    [31, "Bem-vindo", null],
  ])("%i minutes after the rating request, the rating is answered once (Q-09)", async (minutes, words, rating) => {
    const scenario = await createBotScenario(fakeLineApp, { complationMessage: "Até logo!" });
    await scenario.saveSetting("userRating", "enabled");
    await scenario.sendTexts(maria, "oi");
    const { id } = await scenario.ticketOf(maria);
    await scenario.admin.put(`/tickets/${id}`, { status: "open" });
    await scenario.admin.put(`/tickets/${id}`, { status: "closed" });
    await scenario.receivedTexts(maria);
    const other = await inAnotherProcess(scenario);
    scenario.clock.advance({ minutes });

    const events = [messageFrom(maria, "3", scenario.clock.now())];
    await Promise.all([scenario.receive(events), other.receive(events)]);

    expect(await scenario.receivedTexts(maria)).toEqual([expect.stringContaining(words)]);
    const { body } = await scenario.admin.get<{ rating: number | null }[]>(`/tickets/${id}/episodes`);
    expect(body.at(-1)).toMatchObject({ rating });
  });
});
