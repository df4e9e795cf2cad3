import { contacts, optOuts, queueOptions, scheduledMessages } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { sendMessages } from "#server/features/messages/index.ts";
import { lockTicket } from "#server/features/tickets/index.ts";
import { createBotScenario, createFakeLineApp, messageFrom } from "#server/testing/bot-scenario.ts";
import type { BotScenario, FakeLineApp } from "#server/testing/bot-scenario.ts";
import { aCompany, aContact } from "#server/testing/factories.ts";
import { admit } from "../admission/index.ts";

let fakeLineApp: FakeLineApp;
beforeAll(async () => {
  fakeLineApp = await createFakeLineApp(createMessagesFeature);
});
afterAll(() => fakeLineApp.app.close());

const maria = "5511988887777";
const confirmed = /não vai mais receber as nossas campanhas.*\*VOLTAR\*/u;

/** A company whose campaign wrote to Maria, whose conversation ended before. */
async function aCampaignToMaria(): Promise<BotScenario & { readonly contactId: number; readonly ticketId: number }> {
  const scenario = await createBotScenario(fakeLineApp);
  await scenario.sendTexts(maria, "oi");
  const { id: ticketId, contactId } = await scenario.ticketOf(maria);
  await scenario.admin.put(`/tickets/${ticketId}`, { status: "open" });
  await scenario.admin.put(`/tickets/${ticketId}`, { status: "closed" });
  scenario.clock.advance({ hours: 2 });
  await writeCampaign(scenario, ticketId);
  await scenario.receivedTexts(maria);
  scenario.clock.advance({ minutes: 5 });
  return { ...scenario, contactId, ticketId };
}

let serial = 0;
function writeCampaign({ company }: BotScenario, ticketId: number): Promise<unknown> {
  const message = { mediaType: "chat", body: "Promoção", quotedId: null, file: null } as const;
  const campaign = { id: 7, name: "Natal" };
  const clientId = `campaign-7-${(serial += 1)}`;
  return company.inside((ctx) =>
    sendMessages(ctx, ticketId, [{ ...message, data: { campaign } }], {
      isAutomatic: true,
      clientId,
      priority: "bulk",
    }),
  );
}

async function optOutsOf({ admin, contactId }: BotScenario & { readonly contactId: number }) {
  return (await admin.call(optOuts.ofContact, { params: { id: contactId } })).body;
}

async function statusOf(scenario: BotScenario & { readonly contactId: number }): Promise<object> {
  const body = { body: "Lembrete", contactId: scenario.contactId, sendAt: scenario.clock.now().toISOString() };
  const made = await scenario.admin.call(scheduledMessages.create, { body });
  await scenario.app.settle();
  const { status, error } = (await scenario.admin.call(scheduledMessages.get, { params: { id: made.body.id } })).body;
  return { status, error };
}

test("a word after a campaign is recorded and confirmed once, and opens nothing (P-02)", async () => {
  const scenario = await aCampaignToMaria();
  const { unreadMessages } = await scenario.ticketOf(maria);
  const [answer, ...more] = await scenario.sendTexts(maria, "SAIR");
  expect(answer).toMatch(confirmed);
  expect(more).toEqual([]);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "closed", unreadMessages });

  const { active } = await optOutsOf(scenario);
  const { id, uuid } = {
    id: (await scenario.messagesOf(maria)).at(-2)?.id,
    uuid: (await scenario.ticketOf(maria)).uuid,
  };
  expect(active).toMatchObject({ source: "word", word: "SAIR", user: null, messageId: id, ticketUuid: uuid });
  expect(active?.at).toBe(scenario.clock.now().toISOString());

  expect(await scenario.sendTexts(maria, "sair!", "Parar")).toEqual([]);
  expect((await optOutsOf(scenario)).history).toHaveLength(1);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "closed" });
});

test("schedules honour it with their own error; a person's answer does not (P-02)", async () => {
  const scenario = await aCampaignToMaria();
  await scenario.sendTexts(maria, "pare");
  expect(await statusOf(scenario)).toEqual({ status: "ERRO", error: "ERR_CONTACT_OPTED_OUT" });

  await scenario.admin.put(`/tickets/${scenario.ticketId}`, { status: "open" });
  await scenario.receivedTexts(maria);
  await scenario.admin.post(`/messages/${scenario.ticketId}`, { body: "Claro, Maria" });
  expect(await scenario.receivedTexts(maria)).toEqual([expect.stringContaining("Claro, Maria")]);
});

test("voltar takes it back, once and with a word of confirmation (P-02)", async () => {
  const scenario = await aCampaignToMaria();
  await scenario.sendTexts(maria, "parar");
  expect(await scenario.sendTexts(maria, "Voltar", "voltar")).toEqual([expect.stringContaining("volta a receber")]);
  const { active, history } = await optOutsOf(scenario);
  expect(active).toBeNull();
  expect(history).toMatchObject([
    { word: "parar", takenBackAt: scenario.clock.now().toISOString(), takenBackBy: null },
  ]);
  expect(await statusOf(scenario)).toEqual({ status: "ENVIADA", error: null });
});

test("at the bot's menu sair asks for a person; after a campaign it does both (P-02, Q-03)", async () => {
  const scenario = await createBotScenario(fakeLineApp);
  await scenario.sendTexts(maria, "oi");
  expect(await scenario.sendTexts(maria, "sair")).toEqual([expect.stringContaining("Aguarde")]);
  const { contactId, id } = await scenario.ticketOf(maria);
  expect((await optOutsOf({ ...scenario, contactId })).active).toBeNull();

  await scenario.admin.put(`/tickets/${id}`, { status: "open" });
  await scenario.admin.put(`/tickets/${id}`, { status: "closed" });
  scenario.clock.advance({ hours: 5 });
  await writeCampaign(scenario, id);
  scenario.clock.advance({ hours: 5 });
  await scenario.sendTexts(maria, "bom dia");
  const answers = await scenario.sendTexts(maria, "sair");
  expect(answers).toEqual([expect.stringMatching(confirmed), expect.stringContaining("Aguarde")]);
  expect((await optOutsOf({ ...scenario, contactId })).active).toMatchObject({ word: "sair" });
});

test("at the bot's menu parar gets one answer, and no wrong answer is counted; the menu stays (P-02, B-01)", async () => {
  const scenario = await createBotScenario(fakeLineApp, { maxUseBotQueues: 1 });
  await scenario.sendTexts(maria, "oi");
  scenario.clock.advance({ seconds: 30 });
  expect(await scenario.sendTexts(maria, "parar", "stop")).toEqual([expect.stringMatching(confirmed)]);
  const { contactId } = await scenario.ticketOf(maria);
  expect((await optOutsOf({ ...scenario, contactId })).active).toMatchObject({ word: "parar" });

  scenario.clock.advance({ seconds: 30 });
  expect(await scenario.sendTexts(maria, "quanto custa?")).toEqual([expect.stringContaining("não entendi")]);
  expect(await scenario.sendTexts(maria, "voltar")).not.toEqual([]);
  expect(await scenario.sendTexts(maria, "sair")).toEqual([expect.stringContaining("Aguarde")]);
});

test("a choice of the bot's menu that is named like a word is a choice (P-02, B-02)", async () => {
  const scenario = await createBotScenario(fakeLineApp);
  const option = { queueId: scenario.sales.id, parentId: null, title: "Baja", message: "Le damos de baja el servicio" };
  await scenario.admin.call(queueOptions.create, { body: option });
  await scenario.sendTexts(maria, "oi", "1");
  expect(await scenario.sendTexts(maria, "baja")).toEqual([option.message]);
  const { contactId } = await scenario.ticketOf(maria);
  expect((await optOutsOf({ ...scenario, contactId })).history).toEqual([]);
});

test("to a person a lone word answers a question, unless a campaign wrote within 30 days (P-02)", async () => {
  const scenario = await aCampaignToMaria();
  await scenario.company.inside(({ db }) =>
    sql`update messages set sent_at = sent_at - interval '31 days' where ticket_id = ${scenario.ticketId} and client_id like 'campaign-%'`.execute(
      db,
    ),
  );
  await scenario.admin.put(`/tickets/${scenario.ticketId}`, { status: "open" });
  await scenario.admin.post(`/messages/${scenario.ticketId}`, { body: "Confirma ou cancela?" });
  await scenario.receivedTexts(maria);
  expect(await scenario.sendTexts(maria, "Cancelar")).toEqual([]);
  expect((await optOutsOf(scenario)).active).toBeNull();

  await writeCampaign(scenario, scenario.ticketId);
  await scenario.admin.post(`/messages/${scenario.ticketId}`, { body: "Quer parar por aqui?" });
  await scenario.receivedTexts(maria);
  const { unreadMessages } = await scenario.ticketOf(maria);
  expect(await scenario.sendTexts(maria, "parar")).toEqual([expect.stringMatching(confirmed)]);
  expect(await scenario.ticketOf(maria)).toMatchObject({ status: "open", unreadMessages: unreadMessages + 1 });
});

test("a word and a dispatch at the same moment: never sent after the word, 200 times (P-02)", async () => {
  const scenario = await aCampaignToMaria();
  const { app, company, contactId, ticketId, connection, clock, line } = scenario;
  const actor = { kind: "system", companyId: company.id, reason: "test" } as const;
  const request = { connectionId: connection.id, contactId, ticketId, purpose: "campaign" } as const;
  const dispatch = () =>
    app.db.inCompany({ actor, companyId: company.id, clock, log: app.services.log }, async (ctx) => {
      await lockTicket(ctx, ticketId);
      const admission = await admit(ctx, request);
      if (admission.kind === "go") {
        const message = { mediaType: "chat", body: "Oferta", quotedId: null, file: null } as const;
        const data = { campaign: { id: 8, name: "Páscoa" } };
        const clientId = `campaign-8-${(serial += 1)}`;
        await sendMessages(ctx, ticketId, [{ ...message, data }], { isAutomatic: true, clientId, priority: "bulk" });
      }
      return admission.kind;
    });
  const offers = () => line.sent.filter(({ content }) => content.kind === "text" && content.text === "Oferta").length;

  const outcomes = new Map<string, number>();
  for (let round = 0; round < 200; round += 1) {
    const before = offers();
    const word = () => scenario.receive([messageFrom(maria, "sair", clock.now())]);
    const isWordFirst = round % 2 === 0;
    const [first, second] = isWordFirst ? [word(), dispatch()] : [dispatch(), word()];
    const kind = (await Promise.all([first, second])).find((answer) => typeof answer === "string") ?? "";
    // Both are committed, and nothing was sent yet: what was stored before the word must not leave any more.
    await app.settle();
    outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
    expect(offers()).toBe(before);
    clock.advance({ seconds: 5 });
    await scenario.receive([messageFrom(maria, "voltar", clock.now())]);
    await app.settle();
    clock.advance({ seconds: 5 });
  }
  // Both orders happened, and all that was admitted ended as refused at the line.
  expect([...outcomes.keys()].toSorted()).toEqual(["go", "refuse"]);
  const { rows } = await company.inside(({ db }) =>
    sql<{ ack: number; reason: string; n: number }>`select ack, fail_reason as reason, count(*)::int as n from messages
      where ticket_id = ${ticketId} and client_id like 'campaign-8-%' group by 1, 2`.execute(db),
  );
  expect(rows).toEqual([{ ack: -1, reason: "optedOut", n: outcomes.get("go") }]);
});

test("a user sets it with a note and takes it back; both are written down (P-02)", async () => {
  const scenario = await aCampaignToMaria();
  const params = { id: scenario.contactId };
  const set = await scenario.admin.call(optOuts.set, { params, body: { note: "Pediu por telefone" } });
  const { userId: id, name } = scenario.company.admin;
  expect(set.body).toMatchObject({ source: "person", word: null, note: "Pediu por telefone", user: { id, name } });
  const again = await scenario.admin.call(optOuts.set, { params, body: { note: "De novo" } });
  expect(again.body).toEqual(set.body);
  expect(await statusOf(scenario)).toMatchObject({ status: "ERRO" });

  expect((await scenario.admin.call(optOuts.takeBack, { params })).body).toEqual({ taken: true });
  expect((await scenario.admin.call(optOuts.takeBack, { params })).body).toEqual({ taken: false });
  expect((await optOutsOf(scenario)).history).toMatchObject([
    { takenBackBy: { id, name }, note: "Pediu por telefone" },
  ]);
});

test("a group cannot opt out, and another company's contact is not found (P-02)", async () => {
  const { admin, company } = await aCampaignToMaria();
  const { id } = await aContact(company, { name: "Obra" });
  await company.inside(({ db }) =>
    db.updateTable("contacts").set({ is_group: true, company_id: company.id }).where("id", "=", id).execute(),
  );
  expect(await admin.call(optOuts.set, { params: { id }, body: {} })).toMatchObject({ status: 400 });
  const other = await aContact(await aCompany(fakeLineApp.app), { name: "Rosa" });
  expect(await admin.call(optOuts.set, { params: { id: other.id }, body: {} })).toMatchObject({
    status: 404,
    body: { error: "ERR_NO_CONTACT_FOUND" },
  });
});

test("it moves with a merge and back with its undo, whoever of the two had opted out (P-02, C-06)", async () => {
  const scenario = await aCampaignToMaria();
  const { admin, company, contactId } = scenario;
  const other = await aContact(company, { name: "Maria nova" });
  const opt = (id: number) => admin.call(optOuts.set, { params: { id }, body: {} });
  const isOut = async (id: number) => (await optOutsOf({ ...scenario, contactId: id })).active !== null;
  const merge = (keptId: number, goneId: number) =>
    admin.call(contacts.merge, { params: { id: keptId }, body: { contactId: goneId } });

  await opt(contactId);
  const first = await merge(other.id, contactId);
  expect(await isOut(other.id)).toBe(true);
  await admin.call(contacts.undoMerge, { params: { id: first.body.id } });
  expect([await isOut(contactId), await isOut(other.id)]).toEqual([true, false]);

  await opt(other.id);
  const second = await merge(other.id, contactId);
  expect(await isOut(other.id)).toBe(true);
  await admin.call(optOuts.takeBack, { params: { id: other.id } });
  expect(await isOut(other.id)).toBe(false);
  await admin.call(contacts.undoMerge, { params: { id: second.body.id } });
  expect([await isOut(contactId), await isOut(other.id)]).toEqual([true, false]);
});

test("a contact that is deleted and added again is still not written to, and can take it back (P-02)", async () => {
  const scenario = await aCampaignToMaria();
  const { admin, company, contactId } = scenario;
  await admin.call(optOuts.set, { params: { id: contactId }, body: {} });
  await admin.call(contacts.remove, { params: { id: contactId } });
  const again = { ...scenario, contactId: (await aContact(company, { name: "Maria", number: maria })).id };
  expect((await optOutsOf(again)).active).toMatchObject({ contactId: again.contactId, source: "person" });
  expect(await statusOf(again)).toMatchObject({ status: "ERRO", error: "ERR_CONTACT_OPTED_OUT" });
  await admin.call(optOuts.takeBack, { params: { id: again.contactId } });
  expect((await optOutsOf(again)).active).toBeNull();
});
