import { prompts } from "@prosa/contract";
import type { Message, Ticket } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { contactsFeature } from "#server/features/contacts/feature.ts";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { applyContactBlock, emitTicketsDeleted } from "#server/features/tickets/index.ts";
import { findErasedNumbers } from "#server/features/privacy/index.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createBotScenario, createFakeLineApp, messageFrom } from "#server/testing/bot-scenario.ts";
import type { BotScenario, FakeLineApp } from "#server/testing/bot-scenario.ts";
import { aDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { createFakeLine, fakeLinesFeature } from "#server/testing/fake-line.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import { contactMergeParticipants } from "./contact-merge-participants.ts";
import { contactResolver } from "./inbound-contact-resolver.ts";
import { createIngest } from "./ingest.ts";

const lines = new Map<number, FakeLine>();
const clock = createMovedClock("2026-05-04T12:00:00Z");
let desk: Desk;
let line: FakeLine;
let ana: Person;

beforeEach(async () => {
  clock.set("2026-05-04T12:00:00Z");
  lines.clear();
  const contacts = contactsFeature({
    mergeParticipants: contactMergeParticipants,
    onBlockChanged: applyContactBlock,
    onDeleted: emitTicketsDeleted,
    findErasedNumbers,
  });
  const messages = createMessagesFeature(() => (id) => lines.get(id));
  desk = await aDesk([contacts, tickets, messages, fakeLinesFeature(lines)], { clock });
  line = createFakeLine(desk.connectionId);
  lines.set(desk.connectionId, line);
  ana = await desk.person("admin");
});

/** Two conversations of one person, who is not known to be one: Ana serves the second. */
async function twoOfOne() {
  const kept = await desk.ticket({ status: "pending", name: "Maria", lastMessageAt: clock.now() });
  const gone = await desk.ticket({ status: "open", user: ana, name: "Maria nova", lastMessageAt: clock.now() });
  return { kept, gone };
}

const send = (ticketId: number, body: string) => ana.post<Message[]>(`/messages/${ticketId}`, { body });
const ticket = async (id: number) => (await ana.get<Ticket>(`/tickets/${id}`)).body;
const merge = (kept: { contactId: number }, gone: { contactId: number }) =>
  ana.post<{ id: number }>(`/contacts/${kept.contactId}/merge`, { contactId: gone.contactId });
const undo = ({ body }: { body: { id: number } }) => ana.post(`/contacts/merges/${body.id}/undo`);
const sentFrom = () =>
  desk.rows<{ ticket_id: number; ack: number }>("select ticket_id, ack from messages where from_me order by id");

async function settle(): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await desk.app.settle();
    clock.advance({ seconds: 1 });
  }
}

describe("a queued message of a conversation that is merged", () => {
  test("is sent once from the one that stays (C-06, M-05)", async () => {
    const { kept, gone } = await twoOfOne();
    line.isConnected = false;
    await send(gone.id, "oi");
    await settle();
    expect((await merge(kept, gone)).status).toBe(200);
    await settle();
    line.isConnected = true;
    await settle();
    expect(line.texts()).toEqual(["oi"]);
    expect(await sentFrom()).toEqual([{ ticket_id: kept.id, ack: 1 }]);
  });

  test("also where WhatsApp reveals that the two are one (W-10, M-05)", async () => {
    const { kept, gone } = await twoOfOne();
    await desk.rows(`update contacts set number = '5511988887777' where id = ${kept.contactId}`);
    await desk.rows(`update contact_identifiers set value = '5511988887777' where contact_id = ${kept.contactId}`);
    await desk.rows(`update contacts set number = null where id = ${gone.contactId}`);
    await desk.rows(`update contact_identifiers set kind = 'lid', value = '777' where contact_id = ${gone.contactId}`);
    line.isConnected = false;
    await send(gone.id, "oi");
    await settle();

    const ingest = createIngest({ vault: desk.app.services.vault, contacts: contactResolver, isSilent: true });
    const { companyId, connectionId } = desk;
    const actor = { kind: "line", companyId, connectionId } as const;
    await desk.app.db.inCompany({ actor, companyId, log: desk.app.services.log, clock }, (ctx) =>
      ingest(ctx, connectionId, [{ type: "identity", phone: "5511988887777", lid: "777" }]),
    );
    expect(await desk.rows("select id from contacts")).toHaveLength(1);
    line.isConnected = true;
    await settle();
    expect(line.texts()).toEqual(["oi"]);
    expect((await sentFrom()).map(({ ack }) => ack)).toEqual([1]);
  });

  test("is sent once from its own after the undo (C-06, M-05)", async () => {
    const { kept, gone } = await twoOfOne();
    line.isConnected = false;
    await send(gone.id, "oi");
    const merged = await merge(kept, gone);
    await settle();
    expect((await undo(merged)).status).toBe(200);
    await settle();
    line.isConnected = true;
    await settle();
    expect(line.texts()).toEqual(["oi"]);
    expect(await sentFrom()).toEqual([{ ticket_id: gone.id, ack: 1 }]);
  });

  test("is sent once where the merge came while it was being sent (C-06, M-05)", async () => {
    const { kept, gone } = await twoOfOne();
    line.onSend = async () => {
      line.onSend = () => undefined;
      await merge(kept, gone);
    };
    await send(gone.id, "oi");
    await settle();
    expect(line.texts()).toEqual(["oi"]);
    expect(await sentFrom()).toEqual([{ ticket_id: kept.id, ack: 1 }]);
  });
});

test("messages go to the number of the contact that stays, whichever of the two numbers is smaller (C-06, M-05)", async () => {
  const { kept, gone } = await twoOfOne();
  for (const [{ contactId }, number] of [
    [kept, "5511988887777"],
    [gone, "5511911112222"],
  ] as const) {
    await desk.rows(`update contacts set number = '${number}' where id = ${contactId}`);
    await desk.rows(`update contact_identifiers set value = '${number}' where contact_id = ${contactId}`);
  }
  expect((await merge(kept, gone)).status).toBe(200);
  await send(kept.id, "oi");
  await settle();
  expect(line.sent.map(({ to }) => to)).toEqual([{ kind: "phone", value: "5511988887777" }]);
});

test("a merge with a blocked contact blocks the one that stays: its waiting conversation closes, and waits again after the undo (C-06)", async () => {
  for (const blocked of ["gone", "kept"] as const) {
    const pair = {
      kept: await desk.ticket({ status: "pending", name: "Maria" }),
      gone: await desk.ticket({ status: "pending", name: "Maria nova" }),
    };
    await desk.rows(`update contacts set is_blocked = true where id = ${pair[blocked].contactId}`);
    const merged = await merge(pair.kept, pair.gone);
    expect(await ticket(pair.kept.id)).toMatchObject({ status: "closed", contact: { id: pair.kept.contactId } });
    expect((await undo(merged)).status).toBe(200);
    expect([(await ticket(pair.kept.id)).status, (await ticket(pair.gone.id)).status]).toEqual(["pending", "pending"]);
  }
});

describe("a conversation that an agent has open and is merged into a waiting one (C-06)", () => {
  test("stays with the agent, and no bot goes on with it", async () => {
    const { kept, gone } = await twoOfOne();
    const queueId = await desk.queue();
    await desk.rows(`update tickets set chatbot = true where id = ${kept.id}`);
    await desk.rows(`update tickets set queue_id = ${queueId} where id = ${gone.id}`);
    await merge(kept, gone);

    expect(await ticket(kept.id)).toMatchObject({ status: "open", userId: ana.id, queueId, chatbot: false });
    expect((await send(kept.id, "continuo aqui")).status).toBe(200);
    const running = `select e.user_id, e.queue_id, e.started_at is not null as is_started, e.id = t.episode_id as is_current
      from episodes e join tickets t on t.id = e.ticket_id where e.finished_at is null`;
    expect(await desk.rows(running)).toEqual([
      { user_id: ana.id, queue_id: queueId, is_started: true, is_current: true },
    ]);
  });

  test("after the undo each is as it was", async () => {
    const { kept, gone } = await twoOfOne();
    await desk.rows(`update tickets set chatbot = true, bot_state = '{"at": "menu"}' where id = ${kept.id}`);
    const state = () =>
      desk.rows(`select t.id, t.status, t.user_id, t.queue_id, t.chatbot, t.bot_state, t.episode_id,
          json_agg(json_build_array(e.id, e.user_id, e.started_at, e.finished_at) order by e.id) as episodes
        from tickets t join episodes e on e.ticket_id = t.id group by t.id order by t.id`);
    const before = await state();
    expect((await undo(await merge(kept, gone))).status).toBe(200);
    expect(await state()).toEqual(before);
  });

  test("after the undo the lists of who lost it lose it (T-22)", async () => {
    const { kept, gone } = await twoOfOne();
    await undo(await merge(kept, gone));
    const { rows } = await sql<{ payload: object }>`select payload from event_log
      where type = 'ticket.updated' and payload ->> 'ticketId' = ${String(kept.id)} order by id`.execute(
      desk.app.db.system,
    );
    expect(rows.at(-1)?.payload).toMatchObject({
      from: { status: "open", userId: ana.id },
      to: { status: "pending", userId: null },
    });
  });

  test("of two that are open each keeps what it had", async () => {
    const { kept, gone } = await twoOfOne();
    const rui = await desk.person("user", { allTicket: true });
    await rui.put(`/tickets/${kept.id}`, { status: "open" });
    await merge(kept, gone);
    expect(await ticket(kept.id)).toMatchObject({ status: "open", userId: rui.id });
  });
});

describe("a conversation that the bot has, merged into a resolved one", () => {
  let fakeLineApp: FakeLineApp;
  beforeAll(async () => (fakeLineApp = await createFakeLineApp(createMessagesFeature)));
  afterAll(() => fakeLineApp.app.close());
  const [phone, lid] = ["5511988887777", "777"] as const;

  /** Maria's conversation was resolved; she writes anew under her LID, and the bot shows her the menu. */
  async function inTheMenu() {
    const scenario = await createBotScenario(fakeLineApp);
    await scenario.sendTexts(phone, "oi");
    const kept = await scenario.ticketOf(phone);
    await scenario.admin.put(`/tickets/${kept.id}`, { status: "open" });
    await scenario.admin.put(`/tickets/${kept.id}`, { status: "closed" });
    await scenario.receivedTexts(phone);
    const more = { chat: { kind: "lid", value: lid }, person: { phone: null, lid } } as const;
    await scenario.receive([messageFrom(phone, "bom dia", scenario.clock.now(), more)]);
    const [menu] = await scenario.receivedTexts(lid);
    expect(menu).toContain("*[ 1 ]* - Vendas");
    const { body } = await scenario.admin.get<{ tickets: Ticket[] }>("/tickets?status=pending&showAll=true");
    return { scenario, kept, gone: body.tickets[0]! };
  }

  const says = (scenario: BotScenario, text: string) =>
    scenario.receive([messageFrom(phone, text, scenario.clock.now(), { person: { phone, lid } })]);
  const botOf = ({ scenario, kept }: { scenario: BotScenario; kept: Ticket }) =>
    scenario.company.inside(async ({ db }) => {
      const { rows } = await sql`select status, chatbot, use_integration, integration_id, prompt_id, bot_state
        from tickets where id = ${kept.id}`.execute(db);
      return rows[0];
    });

  test("is answered where its menu left off, where WhatsApp reveals that the two are one (W-10, B-04)", async () => {
    const { scenario, kept } = await inTheMenu();
    await scenario.receive([{ type: "identity", phone, lid }]);
    expect(await scenario.ticketOf(phone)).toMatchObject({ id: kept.id, status: "pending", chatbot: true });
    await says(scenario, "1");
    await scenario.app.settle();
    expect((await scenario.messagesOf(phone)).at(-1)?.body).toContain("Olá de Vendas");
    expect(await scenario.ticketOf(phone)).toMatchObject({ queueId: scenario.sales.id, chatbot: true });
  });

  test("where a person merges them too, until the undo (C-06, B-04)", async () => {
    const { scenario, kept, gone } = await inTheMenu();
    const prompt = { name: "Lia", prompt: "Ajude a comprar", queueId: scenario.sales.id };
    const { id: promptId } = (await scenario.admin.call(prompts.create, { body: prompt })).body;
    await scenario.company.inside(({ db }) =>
      sql`update tickets set prompt_id = ${promptId} where id = ${gone.id}`.execute(db),
    );
    const before = await botOf({ scenario, kept });
    const path = `/contacts/${kept.contact.id}/merge`;
    const { body } = await scenario.admin.post<{ id: number }>(path, { contactId: gone.contact.id });
    expect(await botOf({ scenario, kept })).toMatchObject({
      chatbot: true,
      prompt_id: promptId,
      bot_state: { place: "queues", isOver: false },
    });
    expect((await scenario.admin.post(`/contacts/merges/${body.id}/undo`)).status).toBe(200);
    expect(await botOf({ scenario, kept })).toEqual(before);
  });
});
