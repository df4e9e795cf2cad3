import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { aHouse, conversations, inAnotherProcess, messageFrom } from "#server/testing/conversations.ts";
import type { Conversations, House } from "#server/testing/conversations.ts";
import { aQueue } from "#server/testing/factories.ts";

let house: House;
beforeAll(async () => {
  house = await aHouse(createMessagesFeature);
});
afterAll(() => house.app.close());

const maria = "5511988887777";
const people = Array.from({ length: 60 }, (_, n) => `55119${String(60_000_000 + n)}`);

/** Two processes whose workers look at the clock in the same moment, minute after minute. */
async function twoRunners(talk: Conversations) {
  const other = await inAnotherProcess(talk);
  const drain = async () => {
    await Promise.all([talk.app.settle(), other.app.settle()]);
    await Promise.all([talk.app.settle(), other.app.settle()]);
  };
  await drain();
  return {
    async after(minutes: number) {
      for (let minute = 0; minute < minutes; minute += 1) {
        talk.clock.advance({ minutes: 1 });
        await drain();
      }
    },
  };
}

async function timedBy(talk: Conversations, fields: object): Promise<void> {
  expect((await talk.admin.put(`/whatsapp/${talk.connection.id}`, fields)).status).toBe(200);
}

async function updatesOf(talk: Conversations, ticketId: number): Promise<number> {
  const { rows } = await sql`select 1 from event_log where company_id = ${talk.company.id}
    and type = 'ticket.updated' and (payload ->> 'ticketId')::int = ${ticketId}`.execute(talk.app.db.system);
  return rows.length;
}

test("who waits without a queue is put into one, counted from their own last word, and once (Q-07)", async () => {
  const talk = await conversations(house);
  const triage = await aQueue(talk.company, { name: "Triagem" });
  await timedBy(talk, { timeToTransfer: 5, transferQueueId: triage.id });
  await talk.says(maria, "oi");
  const { id } = await talk.ticketOf(maria);
  const runners = await twoRunners(talk);

  await runners.after(3);
  await talk.says(maria, "??");
  await runners.after(4);
  expect(await talk.ticketOf(maria)).toMatchObject({ queueId: null });
  const before = await updatesOf(talk, id);
  await runners.after(2);
  expect(await talk.ticketOf(maria)).toMatchObject({ status: "pending", queueId: triage.id, chatbot: false });
  expect(await updatesOf(talk, id)).toBe(before + 1);

  // A person is waited for there: the bot is silent.
  await talk.hears(maria);
  expect(await talk.says(maria, "1")).toEqual([]);
  expect(await talk.ticketOf(maria)).toMatchObject({ queueId: triage.id });
});

test("while the company is switched off no timer moves or closes anything (Y-01)", async () => {
  const talk = await conversations(house);
  const triage = await aQueue(talk.company, { name: "Triagem" });
  await timedBy(talk, { timeToTransfer: 5, transferQueueId: triage.id });
  await talk.says(maria, "oi");
  const switched = async (isOn: boolean) => {
    const { db, services } = talk.app;
    await db.system.updateTable("companies").set({ is_active: isOn }).where("id", "=", talk.company.id).execute();
    services.sessions.forgetCompany(talk.company.id);
  };
  const { id } = await talk.ticketOf(maria);
  const before = await updatesOf(talk, id);
  const runners = await twoRunners(talk);
  await switched(false);
  await runners.after(7);
  expect(await updatesOf(talk, id)).toBe(before);

  await switched(true);
  await runners.after(2);
  expect(await talk.ticketOf(maria)).toMatchObject({ queueId: triage.id });
});

test("who chose a queue stays there (Q-07)", async () => {
  const talk = await conversations(house);
  await timedBy(talk, { timeToTransfer: 1, transferQueueId: talk.sales.id });
  await talk.says(maria, "oi", "2");
  await (await twoRunners(talk)).after(3);
  expect(await talk.ticketOf(maria)).toMatchObject({ queueId: talk.support.id });
});

test("what a contact left unanswered is closed with a word, each once by two workers (Q-08)", async () => {
  const talk = await conversations(house, { hasQueues: false, greetingMessage: "" });
  await timedBy(talk, { expiresTicket: 10, expiresInactiveMessage: "Encerramos por falta de resposta" });
  for (const phone of people) {
    await talk.says(phone, "oi");
  }
  const { body } = await talk.admin.get<{ tickets: { id: number }[] }>("/tickets?status=pending&showAll=true");
  const { body: more } = await talk.admin.get<{ tickets: { id: number }[] }>(
    "/tickets?status=pending&showAll=true&pageNumber=2",
  );
  for (const { id } of [...body.tickets, ...more.tickets]) {
    await talk.admin.put(`/tickets/${id}`, { status: "open" });
    await talk.admin.post(`/messages/${id}`, { body: "Em que posso ajudar?" });
  }
  const runners = await twoRunners(talk);
  await runners.after(9);
  await talk.says(people[0]!, "ainda estou aqui");
  await runners.after(2);

  const closed = talk.line.texts().filter((text) => text === "Encerramos por falta de resposta");
  expect(closed).toHaveLength(people.length - 1);
  expect(await talk.ticketOf(people[0]!)).toMatchObject({ status: "open" });
  expect(await talk.ticketOf(people[1]!)).toMatchObject({ status: "closed", chatbot: false });
  expect((await talk.messagesOf(people[1]!)).at(-1)).toMatchObject({ isAutomatic: true, user: null });
});

test("0 closes nothing, and without a text it closes silently (Q-08)", async () => {
  const talk = await conversations(house, { hasQueues: false, greetingMessage: "" });
  await talk.says(maria, "oi");
  const { id } = await talk.ticketOf(maria);
  await talk.admin.put(`/tickets/${id}`, { status: "open" });
  await talk.admin.post(`/messages/${id}`, { body: "sim?" });
  const runners = await twoRunners(talk);
  await runners.after(3);
  expect(await talk.ticketOf(maria)).toMatchObject({ status: "open" });
  await timedBy(talk, { expiresTicket: 2 });
  await runners.after(1);
  expect(await talk.ticketOf(maria)).toMatchObject({ status: "closed" });
  expect(talk.line.texts()).toEqual(["sim?"]);
});

describe("two processes that take in the same at the same moment", () => {
  test("say once in an hour that the house is closed, and again in the next (Q-06)", async () => {
    const talk = await conversations(house, { outOfHoursMessage: "Voltamos amanhã" });
    await talk.save("scheduleType", "company");
    talk.clock.advance({ hours: 13 });
    const other = await inAnotherProcess(talk);
    const bothHear = async (text: string) => {
      const events = [messageFrom(maria, text, talk.clock.now())];
      await Promise.all([talk.receive(events), other.receive(events)]);
      return talk.hears(maria);
    };
    expect(await bothHear("oi")).toEqual(["Voltamos amanhã"]);
    talk.clock.advance({ minutes: 59 });
    expect(await bothHear("alguém?")).toEqual([]);
    talk.clock.advance({ minutes: 1 });
    expect(await bothHear("e agora?")).toEqual(["Voltamos amanhã"]);
  });

  test.each([
    [30, "Até logo!", 3],
    [31, "Bem-vindo", null],
  ])("%i minutes after the question, what is answered is answered once (Q-09)", async (minutes, words, rating) => {
    const talk = await conversations(house, { complationMessage: "Até logo!" });
    await talk.save("userRating", "enabled");
    await talk.says(maria, "oi");
    const { id } = await talk.ticketOf(maria);
    await talk.admin.put(`/tickets/${id}`, { status: "open" });
    await talk.admin.put(`/tickets/${id}`, { status: "closed" });
    await talk.hears(maria);
    const other = await inAnotherProcess(talk);
    talk.clock.advance({ minutes });

    const events = [messageFrom(maria, "3", talk.clock.now())];
    await Promise.all([talk.receive(events), other.receive(events)]);

    expect(await talk.hears(maria)).toEqual([expect.stringContaining(words)]);
    const { body } = await talk.admin.get<{ rating: number | null }[]>(`/tickets/${id}/episodes`);
    expect(body.at(-1)).toMatchObject({ rating });
  });
});
