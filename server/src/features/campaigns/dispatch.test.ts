import {
  campaigns,
  companies,
  contacts as contactCalls,
  messages,
  scheduledMessages,
  sendingDefaults,
  sendingRulesApi,
  warmUpPlan,
} from "@prosa/contract";
import { sql } from "kysely";
import { SendError } from "#server/whatsapp/port.ts";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { createFakeLineApp, inAnotherProcess, messageFrom } from "#server/testing/bot-scenario.ts";
import type { FakeLineApp } from "#server/testing/bot-scenario.ts";
import {
  aCampaignOffice,
  aContactList,
  ana,
  aSecondLine,
  beto,
  caio,
  people,
  setPace,
} from "#server/testing/campaign-office.ts";
import { aCompany, aContact, setPlanFlag } from "#server/testing/factories.ts";

/** Campaigns from their start to the last reply, on fake lines with a moved clock. */
let fakeLineApp: FakeLineApp;
beforeAll(async () => {
  fakeLineApp = await createFakeLineApp(createMessagesFeature);
});
afterAll(() => fakeLineApp.app.close());

const inHours = ({ clock }: Pick<FakeLineApp, "clock">, hours: number) =>
  new Date(clock.now().getTime() + hours * 3_600_000).toISOString();

const anOffice = (numbers?: Readonly<Record<string, string>>) => aCampaignOffice(fakeLineApp, numbers);

test("a campaign starts at its time, never before, and writes to each contact once at its pace (K-04, K-05)", async () => {
  const office = await anOffice();
  await setPace(office, 10);
  const at = new Date(office.clock.now().getTime() + 2 * 3_600_000);
  const { id } = await office.make({ scheduledAt: at.toISOString(), message1: "Oi {Nome}, use {cupom} {x}" });
  office.clock.set(new Date(at.getTime() - 1));
  await office.app.settle();
  expect(await office.read(id)).toMatchObject({ status: "PROGRAMADA", counts: { total: 0 } });

  office.clock.set(at);
  const sentAt: number[] = [];
  office.line.onSend = () => void sentAt.push(office.clock.now().getTime());
  await office.app.settle();
  expect(await office.read(id)).toMatchObject({ status: "EM_ANDAMENTO", counts: { total: 3, valid: 3, sent: 1 } });
  await office.pass(40);
  expect(office.sentTo(ana)).toEqual(["Oi Ana Lima, use NATAL10 {x}"]);
  expect([office.sentTo(beto).length, office.sentTo(caio).length]).toEqual([1, 1]);
  const gaps = sentAt.slice(1).map((time, index) => time - sentAt[index]!);
  expect(gaps.every((gap) => gap >= 7_000 && gap <= 14_000)).toBe(true);

  const done = await office.read(id);
  expect(done).toMatchObject({ status: "FINALIZADA", counts: { total: 3, waiting: 0, queued: 0, sent: 3 } });
  expect(done.completedAt).not.toBeNull();
});

test("one that was due while the server was down starts at once, without a burst (K-04, K-05)", async () => {
  const office = await anOffice();
  await setPace(office, 10);
  const { id } = await office.make();
  office.clock.advance({ minutes: 90 });
  await office.app.settle();
  expect(await office.read(id)).toMatchObject({ status: "EM_ANDAMENTO", counts: { sent: 1 } });
  office.clock.advance({ minutes: 90 });
  await office.app.settle();
  expect(await office.read(id)).toMatchObject({ counts: { sent: 2 } });
});

test("the message belongs to the campaign in the conversation, and the ticket stays closed (K-05)", async () => {
  const office = await anOffice({ [ana]: "Ana Lima" });
  const { id } = await office.make();
  await office.app.settle();
  const [message] = await office.messagesOf(ana);
  expect(message).toMatchObject({ fromMe: true, isAutomatic: true, data: { campaign: { id, name: "Natal" } } });
  const lastMessageAuthor = { kind: "campaign" };
  expect(await office.ticketOf(ana)).toMatchObject({ status: "closed", userId: null, lastMessageAuthor });
  const [recipient] = await office.recipients(id);
  expect(recipient).toMatchObject({ state: "sent", variant: 1, name: "Ana Lima" });
  expect(recipient?.ticketUuid).toBe((await office.ticketOf(ana)).uuid);
});

test("cancelled, nobody more is written to; restarted, it goes on and writes to nobody twice (K-04)", async () => {
  const office = await anOffice();
  await setPace(office, 10);
  const { id } = await office.make();
  await office.app.settle();
  const cancel = () => office.admin.call(campaigns.cancel, { params: { id } });
  expect((await cancel()).body).toMatchObject({ status: "CANCELADA" });
  expect((await cancel()).body).toMatchObject({ error: "ERR_CAMPAIGN_NOT_RUNNING" });
  await office.pass(30);
  expect((await office.read(id)).counts).toMatchObject({ sent: 1, waiting: 2 });
  const texts = { message1: "Boa noite {nome}", name: "Outro nome" };
  expect((await office.admin.call(campaigns.update, { params: { id }, body: texts })).body).toMatchObject({
    name: "Natal",
    message1: "Boa noite {nome}",
  });

  const restart = () => office.admin.call(campaigns.restart, { params: { id } });
  expect((await restart()).body).toMatchObject({ status: "EM_ANDAMENTO" });
  expect((await restart()).body).toMatchObject({ error: "ERR_CAMPAIGN_NOT_CANCELLED" });
  await office.pass(40);
  expect(await office.read(id)).toMatchObject({ status: "FINALIZADA", counts: { sent: 3 } });
  expect([office.sentTo(ana).length, office.sentTo(beto), office.sentTo(caio)]).toEqual([
    1,
    ["Boa noite Beto Souza"],
    ["Boa noite Caio Reis"],
  ]);
  expect((await office.admin.call(campaigns.remove, { params: { id } })).status).toBe(200);
});

test("a text of blanks in a cancelled campaign is none: after the restart all others get what is written (K-03, K-05)", async () => {
  const office = await anOffice();
  await setPace(office, 10);
  const { id } = await office.make({ message2: "Olá {nome}" });
  await office.app.settle();
  await office.admin.call(campaigns.cancel, { params: { id } });
  const save = (body: object) => office.admin.call(campaigns.update, { params: { id }, body });
  expect((await save({ message1: " ", message2: "\u200b" })).body).toMatchObject({
    error: "ERR_VALIDATION",
    details: { fields: { message1: "Nothing to send" } },
  });
  expect((await save({ message2: " " })).body).toMatchObject({ message1: "Oi {nome}", message2: "" });

  await office.admin.call(campaigns.restart, { params: { id } });
  await office.pass(40);
  expect(await office.read(id)).toMatchObject({ status: "FINALIZADA", counts: { sent: 3, failed: 0 } });
  expect([office.sentTo(beto), office.sentTo(caio)]).toEqual([["Oi Beto Souza"], ["Oi Caio Reis"]]);
});

test("one person under two spellings, and a blocked one: one message and a result for each (K-05)", async () => {
  const withoutNinth = ana.replace("55119", "5511");
  const office = await anOffice({ [ana]: "Ana", [beto]: "Beto" });
  // Lists compare numbers without the ninth digit; this is one that a merge or another country's plan let through.
  await office.company.inside(({ db }) =>
    sql`insert into contact_list_items (company_id, contact_list_id, name, number, match_number, is_whatsapp_valid)
      values (${office.company.id}, ${office.listId}, 'Ana de novo', ${withoutNinth}, 'other', true)`.execute(db),
  );
  await setPace(office, 5);
  await office.sendTexts(beto, "oi");
  const { contactId } = await office.ticketOf(beto);
  await office.admin.call(contactCalls.block, { params: { id: contactId }, body: { blocked: true } });
  const { id } = await office.make();
  await office.pass(30);
  expect((await office.recipients(id)).map(({ state, reason }) => [state, reason])).toEqual([
    ["sent", null],
    ["failed", "ERR_CONTACT_BLOCKED"],
    ["duplicate", null],
  ]);
  expect(await office.read(id)).toMatchObject({
    status: "FINALIZADA",
    counts: { total: 3, valid: 2, sent: 1, failed: 1 },
  });
});

test("who opts out in the middle of the send gets nothing (K-05, P-02)", async () => {
  const office = await anOffice();
  await setPace(office, 10);
  const { id } = await office.make();
  await office.app.settle();
  await office.sendTexts(caio, "quero sair");
  await office.sendTexts(caio, "sair");
  await office.pass(40);
  expect((await office.recipients(id)).map(({ state }) => state)).toEqual(["sent", "sent", "optedOut"]);
  expect(office.sentTo(caio).filter((text) => text.startsWith("Oi"))).toEqual([]);
  expect(await office.read(id)).toMatchObject({ status: "FINALIZADA", counts: { sent: 2, optedOut: 1 } });
});

test("who opts out before their turn is heard by their number, whatever it begins with (K-05, P-02)", async () => {
  // Lists leave the ninth digit out only before 6 to 9; this mobile keeps it.
  const dora = "5511951234567";
  const office = await anOffice({ [ana]: "Ana", [dora]: "Dora" });
  await setPace(office, 10);
  const { id } = await office.make();
  await office.app.settle();
  await office.sendTexts(dora, "sair");
  await office.pass(20);
  expect((await office.recipients(id)).map(({ state }) => state)).toEqual(["sent", "optedOut"]);
  expect(office.sentTo(dora).filter((text) => text.startsWith("Oi"))).toEqual([]);
});

test("an opt-out between storing and sending is seen at the line, and is the result (K-05, P-02)", async () => {
  const office = await anOffice({ [ana]: "Ana" });
  office.line.isConnected = false;
  const { id } = await office.make();
  await office.app.settle();
  expect((await office.recipients(id))[0]).toMatchObject({ state: "queued" });
  await office.sendTexts(ana, "parar");
  office.line.isConnected = true;
  await office.pass(10);
  expect(office.sentTo(ana).filter((text) => text.startsWith("Oi"))).toEqual([]);
  expect((await office.recipients(id))[0]).toMatchObject({ state: "optedOut", reason: null });
  expect(await office.read(id)).toMatchObject({ status: "FINALIZADA" });
});

test("a line that drops holds the campaign and says why; it goes on when the line is back (K-05, P-04)", async () => {
  const office = await anOffice();
  await setPace(office, 5);
  const { id } = await office.make();
  await office.app.settle();
  const status = (value: string) =>
    office.company.inside(async (ctx) => {
      await sql`update connections set status = ${value} where id = ${office.connection.id}`.execute(ctx.db);
      ctx.emit({ type: "connection.state", payload: { connectionId: office.connection.id } });
    });
  await status("DISCONNECTED");
  await office.pass(20);
  expect(await office.read(id)).toMatchObject({ lines: [{ pauseReason: "disconnected" }], counts: { sent: 1 } });

  await status("CONNECTED");
  await expect
    .poll(async () => {
      await office.app.settle();
      return (await office.read(id)).counts.sent;
    })
    .toBe(2);
  await office.pass(20);
  expect(await office.read(id)).toMatchObject({ status: "FINALIZADA", counts: { sent: 3 } });
});

test("a company that is switched off sends nothing, and goes on afterwards (K-04, Y-01)", async () => {
  const office = await anOffice();
  await setPace(office, 5);
  const { id } = await office.make();
  await office.app.settle();
  const setActive = async (isActive: boolean) => {
    const { app, company } = office;
    await app.db.system.updateTable("companies").set({ is_active: isActive }).where("id", "=", company.id).execute();
    await company.inside(async (ctx) => ctx.emit({ type: "company.updated", payload: { companyId: company.id } }));
    await app.settle();
  };
  await setActive(false);
  await office.pass(20);
  await setActive(true);
  expect(await office.read(id)).toMatchObject({ lines: [{ pauseReason: "company" }], counts: { sent: 1 } });
  await office.pass(80);
  expect(await office.read(id)).toMatchObject({ status: "FINALIZADA", counts: { sent: 3 } });
});

test("a company whose plan has lost campaigns sends nothing more, also to who agrees, and may stop; it goes on with the plan (K-04, Y-05)", async () => {
  const office = await anOffice();
  await setPace(office, 5);
  const { id } = await office.make({ confirmation: true, confirmationMessage1: "Posso?", message1: "Aqui está" });
  const later = await office.make({ name: "Depois", scheduledAt: inHours(office, 2) });
  // to others: what it said to Ana would stand between the request and her answer
  const contactListId = await aContactList(office, { Rui: "5511988887701", Lia: "5511988887702" }, "Outros");
  const other = await office.make({ name: "Outra", contactListId });
  await office.pass(3);
  const sent = () => office.line.sent.length;
  await setPlanFlag(office.company, "useCampaigns", false);
  const before = sent();
  await office.sendTexts(ana, "sim");
  await office.pass(20);
  expect(sent()).toBe(before);
  const stop = await office.admin.call(campaigns.cancel, { params: { id: other.id } });
  expect([stop.status, stop.body]).toMatchObject([200, { status: "CANCELADA" }]);
  expect((await office.admin.call(campaigns.remove, { params: { id: other.id } })).status).toBe(200);
  expect((await office.admin.call(campaigns.restart, { params: { id } })).status).toBe(403);
  office.clock.advance({ hours: 3 });
  await office.app.settle();
  expect(sent()).toBe(before);

  await setPlanFlag(office.company, "useCampaigns", true);
  expect(await office.read(later.id)).toMatchObject({ status: "PROGRAMADA" });
  await office.pass(400);
  expect(office.sentTo(ana)).toContain("Aqui está");
  expect((await office.read(later.id)).status).not.toBe("PROGRAMADA");
});

test("a campaign that has nothing to say any more is stopped, and goes on with another text (K-04, K-05)", async () => {
  const office = await anOffice();
  const { id } = await office.make({ scheduledAt: inHours(office, 2) });
  office.clock.advance({ hours: 2 });
  await office.app.settle();
  await office.company.inside(({ db }) => sql`update campaigns set messages = '{}' where id = ${id}`.execute(db));
  await office.pass(60);
  expect(await office.read(id)).toMatchObject({ status: "CANCELADA", counts: { sent: 1, failed: 0, waiting: 2 } });

  await office.admin.call(campaigns.update, { params: { id }, body: { message1: "Boa noite" } });
  await office.admin.call(campaigns.restart, { params: { id } });
  await office.pass(60);
  expect(await office.read(id)).toMatchObject({ status: "FINALIZADA", counts: { sent: 3, failed: 0 } });
});

test("asked first, who agrees gets the message at once, who declines never, and others are heard by people (K-06)", async () => {
  const office = await anOffice();
  await setPace(office, 20);
  const { id } = await office.make({
    confirmation: true,
    confirmationMessage1: "Posso enviar, {nome}?",
    message1: "Aqui está",
  });
  await office.pass(60);
  expect(office.sentTo(ana)).toEqual(["Posso enviar, Ana Lima?"]);
  expect(await office.read(id)).toMatchObject({ counts: { confirmationRequested: 3, waiting: 3, sent: 0 } });

  expect(await office.sendTexts(ana, "Sim, por favor!")).toEqual(["Posso enviar, Ana Lima?", "Aqui está"]);
  expect(await office.ticketOf(ana)).toMatchObject({ status: "closed" });
  await office.sendTexts(beto, "2");
  expect(await office.ticketOf(beto)).toMatchObject({ status: "closed" });
  await office.sendTexts(caio, "quem é?");
  expect(await office.ticketOf(caio)).toMatchObject({ status: "pending" });
  expect((await office.recipients(id)).map(({ state }) => state)).toEqual(["sent", "declined", "asked"]);
  expect(office.sentTo(beto)).toHaveLength(1);

  await office.sendTexts(caio, "ok");
  await office.pass(2);
  expect(office.sentTo(caio).at(-1)).toBe("Aqui está");
  await office.app.settle();
  expect(await office.read(id)).toMatchObject({
    status: "FINALIZADA",
    counts: { confirmationRequested: 3, confirmed: 2, sent: 2, declined: 1, waiting: 0 },
  });
  const again = await office.make({ name: "Ano novo" });
  await office.pass(60);
  expect((await office.recipients(again.id)).map(({ state }) => state)).toEqual(["sent", "optedOut", "sent"]);
});

test("a request that nobody answers within a day has its result, and the campaign ends (K-06)", async () => {
  const office = await anOffice({ [ana]: "Ana" });
  const { id } = await office.make({ confirmation: true, confirmationMessage1: "Posso?" });
  await office.app.settle();
  office.clock.advance({ hours: 24, minutes: 2 });
  await office.app.settle();
  expect(await office.read(id)).toMatchObject({ status: "FINALIZADA", counts: { unanswered: 1 } });
  await office.sendTexts(ana, "sim");
  expect(office.sentTo(ana)).toEqual(["Posso?"]);
  expect(await office.ticketOf(ana)).toMatchObject({ status: "pending" });
});

test("an answer to what somebody else asked meanwhile is not the campaign's, unless it quotes the request (K-06)", async () => {
  const office = await anOffice({ [ana]: "Ana" });
  const { id } = await office.make({ confirmation: true, confirmationMessage1: "Posso?" });
  await office.app.settle();
  await office.sendTexts(ana, "bom dia");
  const ticket = await office.ticketOf(ana);
  await office.admin.put(`/tickets/${ticket.id}`, { status: "open" });
  await office.admin.post(`/messages/${ticket.id}`, { body: "Quer o boleto?" });
  await office.sendTexts(ana, "sim");
  expect((await office.recipients(id))[0]).toMatchObject({ state: "asked" });

  const [ask] = office.line.sent;
  const quotedWaId = ask!.waId;
  await office.receive([messageFrom(ana, "sim", office.clock.now(), { quotedWaId })]);
  await office.pass(2);
  expect((await office.recipients(id))[0]).toMatchObject({ state: "sent" });
});

test("one who agrees after the cancel is the first to be written to after the restart (K-06)", async () => {
  const office = await anOffice();
  await setPace(office, 10);
  const { id } = await office.make({ confirmation: true, confirmationMessage1: "Posso?", message1: "Aqui está" });
  await office.app.settle();
  await office.admin.call(campaigns.cancel, { params: { id } });
  await office.sendTexts(ana, "sim");
  expect((await office.recipients(id)).map(({ state }) => state)).toEqual(["agreed", "waiting", "waiting"]);
  await office.admin.call(campaigns.restart, { params: { id } });
  await office.pass(15);
  expect(office.sentTo(ana)).toEqual(["Posso?", "Aqui está"]);
});

test("delivery, reads, failures and replies are followed, and a retry counts again (K-07)", async () => {
  const office = await anOffice();
  await setPace(office, 5);
  const { id } = await office.make();
  await office.pass(30);
  const waIdOf = (phone: string) => office.line.sent.find(({ to }) => to.value === phone)!.waId;
  await office.receive([
    { type: "status", waIds: [waIdOf(ana)], status: 3, reason: null },
    { type: "status", waIds: [waIdOf(beto)], status: 2, reason: null },
  ]);
  await office.app.settle();
  await office.sendTexts(ana, "obrigada!");
  await office.sendTexts(beto, "SAIR");
  await office.sendTexts(beto, "Sair");
  const states = async () => (await office.recipients(id)).map(({ state }) => state);
  expect(await states()).toEqual(["read", "delivered", "sent"]);
  const [first, second] = await office.recipients(id);
  expect(first?.answeredAt).not.toBeNull();
  expect(second?.answeredAt).toBeNull();
  office.clock.advance({ seconds: 3 });
  await office.app.settle();
  expect((await office.read(id)).counts).toMatchObject({ sent: 3, delivered: 2, read: 1, answered: 1 });
});

test("a failed message is a result with its reason, and one that is sent again counts again (K-07)", async () => {
  const office = await anOffice({ [ana]: "Ana" });
  office.line.onSend = () => {
    throw new SendError("refused", false);
  };
  const { id } = await office.make();
  await office.app.settle();
  expect((await office.recipients(id))[0]).toMatchObject({ state: "failed", reason: "refused" });
  expect(await office.read(id)).toMatchObject({ status: "FINALIZADA", counts: { failed: 1, sent: 0 } });

  office.line.onSend = () => undefined;
  const [message] = await office.messagesOf(ana);
  const { id: ticketId } = await office.ticketOf(ana);
  await office.admin.put(`/tickets/${ticketId}`, { status: "open" });
  const retried = await office.admin.call(messages.retry, { params: { messageId: message!.id } });
  expect(retried.status).toBe(200);
  await office.pass(3);
  expect((await office.recipients(id))[0]).toMatchObject({ state: "sent", reason: null });
  expect(await office.read(id)).toMatchObject({ counts: { failed: 0, sent: 1 } });
});

test("a merge of contacts meanwhile: one person, one message, and the undo brings the other back (K-05, W-10)", async () => {
  const office = await anOffice();
  await setPace(office, 20);
  const { id } = await office.make();
  await office.app.settle();
  await office.sendTexts(beto, "oi");
  const [kept, gone] = [(await office.ticketOf(ana)).contactId, (await office.ticketOf(beto)).contactId];
  const link = await office.company.inside(async ({ db }) =>
    sql`update campaign_recipients set contact_id = ${gone} where campaign_id = ${id} and number = ${beto}`.execute(db),
  );
  expect(link.numAffectedRows).toBe(1n);
  const merged = await office.admin.call(contactCalls.merge, { params: { id: kept }, body: { contactId: gone } });
  expect(merged.status).toBe(200);
  expect((await office.recipients(id)).map(({ state }) => state)).toEqual(["sent", "duplicate", "waiting"]);
  await office.admin.call(contactCalls.undoMerge, { params: { id: merged.body.id } });
  expect((await office.recipients(id)).map(({ state }) => state)).toEqual(["sent", "waiting", "waiting"]);
});

test("the former number of a merged contact is that person: one message, and their opt-out before it counts (K-05, W-10, P-02)", async () => {
  const former = "5511988880009";
  const anOfficeOf = async (numbers: Readonly<Record<string, string>>) => {
    const office = await anOffice(numbers);
    const { id: keptId } = await aContact(office.company, { number: ana });
    const { id: contactId } = await aContact(office.company, { number: former });
    await office.admin.call(contactCalls.merge, { params: { id: keptId }, body: { contactId } });
    await setPace(office, 10);
    const { id } = await office.make();
    await office.app.settle();
    const states = async () => (await office.recipients(id)).map(({ state }) => state);
    return { ...office, states };
  };
  const twice = await anOfficeOf({ [caio]: "Caio", [former]: "Ana, antes", [ana]: "Ana" });
  await twice.pass(40);
  expect(await twice.states()).toEqual(["sent", "duplicate", "sent"]);
  expect([twice.sentTo(ana).length, twice.sentTo(former).length]).toEqual([1, 0]);

  const optsOut = await anOfficeOf({ [caio]: "Caio", [former]: "Ana, antes" });
  await optsOut.sendTexts(ana, "sair");
  await optsOut.pass(40);
  expect(await optsOut.states()).toEqual(["sent", "optedOut"]);
});

test("lists, lines and contacts that are deleted meanwhile have a defined end (K-04)", async () => {
  const office = await anOffice();
  await setPace(office, 20);
  const { id } = await office.make();
  await office.app.settle();
  await office.company.inside(async ({ db }) => {
    await sql`update campaign_recipients set state = 'unchecked' where campaign_id = ${id} and number = ${caio}`.execute(
      db,
    );
    await sql`delete from contact_lists where id = ${office.listId}`.execute(db);
  });
  await office.pass(90);
  expect(await office.read(id)).toMatchObject({ status: "FINALIZADA", contactList: null });
  expect((await office.recipients(id)).map(({ state }) => state)).toEqual(["sent", "sent", "invalid"]);

  const second = await office.make({ contactListId: await aContactList(office, people), name: "Sem linha" });
  await office.app.settle();
  await office.company.inside(({ db }) => sql`delete from campaign_lines where campaign_id = ${second.id}`.execute(db));
  await office.pass(30);
  expect(await office.read(second.id)).toMatchObject({ status: "EM_ANDAMENTO", lines: [], counts: { sent: 1 } });
  await office.admin.call(campaigns.cancel, { params: { id: second.id } });
  const refused = await office.admin.call(campaigns.restart, { params: { id: second.id } });
  expect(refused.body).toMatchObject({ details: { fields: { whatsappId: "Required" } } });
  const body = { whatsappId: office.connection.id };
  await office.admin.call(campaigns.update, { params: { id: second.id }, body });
  await office.admin.call(campaigns.restart, { params: { id: second.id } });
  await office.pass(60);
  expect(await office.read(second.id)).toMatchObject({ status: "FINALIZADA", counts: { sent: 3 } });
});

test("one that lost its list before its start is inactive again (K-04)", async () => {
  const office = await anOffice();
  const { id } = await office.make({ scheduledAt: new Date(office.clock.now().getTime() + 7_200_000).toISOString() });
  await office.company.inside(({ db }) => sql`delete from contact_lists where id = ${office.listId}`.execute(db));
  office.clock.advance({ hours: 2 });
  await office.app.settle();
  expect(await office.read(id)).toMatchObject({ status: "INATIVA", scheduledAt: null });
});

test("a test send goes to one's own number, each message once, and counts nowhere (K-03)", async () => {
  const office = await anOffice();
  const { id } = await office.make({ scheduledAt: null, message1: "Oi {numero}", message4: "Olá" });
  const answer = await office.admin.call(campaigns.test, { params: { id }, body: { number: "+55 (11) 98888-0001" } });
  expect(answer.status).toBe(200);
  await office.pass(3);
  expect(office.sentTo(ana)).toEqual([`Oi ${ana}`, "Olá"]);
  const [message] = await office.messagesOf(ana);
  expect(message).toMatchObject({ data: { campaign: { id, name: "Natal", isTest: true } } });
  expect(await office.read(id)).toMatchObject({ status: "INATIVA", counts: { total: 0 } });
});

test("a test send to a contact's number with the ninth digit goes where WhatsApp spells it without (K-03, W-10)", async () => {
  const office = await anOffice();
  const [spelled, written] = ["553188887777", "5531988887777"];
  await office.receive([messageFrom(spelled, "oi", office.clock.now())]);
  const { id } = await office.make({ scheduledAt: null, message1: "Oi" });
  await office.admin.call(campaigns.test, { params: { id }, body: { number: written } });
  await office.pass(3);
  expect(office.sentTo(spelled)).toContain("Oi");
  expect(office.sentTo(written)).toEqual([]);
});

test("a test send passes the gate: the line's cap counts it, and who opted out gets none (K-03, P-01, P-02, P-03)", async () => {
  const office = await anOffice();
  const { id } = await office.make({ scheduledAt: null });
  const lines = [{ whatsappId: office.connection.id, dailyCap: 2, warmUp: false }];
  await office.admin.call(sendingRulesApi.save, { body: { ...sendingDefaults, lines } });
  const test = async (number: string) => {
    const { status, body } = await office.admin.call(campaigns.test, { params: { id }, body: { number } });
    await office.pass(3);
    return status === 200 ? "sent" : (body as unknown as { error: string }).error;
  };
  expect([await test(ana), await test(beto), await test(caio)]).toEqual(["sent", "sent", "ERR_SENDING_HELD"]);
  await office.receive([messageFrom(ana, "SAIR", office.clock.now())]);
  expect(await test(ana)).toBe("ERR_CONTACT_OPTED_OUT");
  // Hers are the test and the answer to her word.
  expect(office.sentTo(ana)).toEqual([expect.stringMatching(/^Oi/), expect.stringMatching(/^Pronto/)]);
  expect(office.sentTo(caio)).toEqual([]);
});

test("what the company's own rules hold goes on when they are saved anew, and not when the old ones end (P-03)", async () => {
  const office = await anOffice();
  const { id: whatsappId } = office.connection;
  const save = async (hours: Partial<typeof sendingDefaults.hours>, dailyCap: number | null) => {
    const lines = [{ whatsappId, dailyCap, warmUp: false }];
    const body = { ...sendingDefaults, hours: { ...sendingDefaults.hours, ...hours }, lines };
    await office.admin.call(sendingRulesApi.save, { body });
    await office.app.settle();
  };
  const held = async (id: number) => (await office.read(id)).lines[0]?.pauseReason;
  await setPace(office, 0);
  // It is 10:00.
  await save({ start: "15:00" }, 1);
  const { id } = await office.make();
  await office.pass(5);
  expect([await held(id), office.line.sent.length]).toEqual(["hours", 0]);
  // The hours begin earlier: one goes out, and the cap holds the others until tomorrow.
  await save({ start: "08:00" }, 1);
  await office.pass(5);
  expect([await held(id), office.line.sent.length]).toEqual(["dailyCap", 1]);
  const { id: contactId } = await aContact(office.company);
  const sendAt = new Date(office.clock.now().getTime() + 60_000).toISOString();
  const body = { body: "Seu pedido chegou", contactId, whatsappId, sendAt };
  const made = await office.admin.call(scheduledMessages.create, { body });
  expect([made.status, made.text]).toEqual([200, expect.anything()]);
  const scheduleId = made.body.id;
  await office.pass(62);
  const schedule = async () => (await office.admin.call(scheduledMessages.get, { params: { id: scheduleId } })).body;
  expect(await schedule()).toMatchObject({ heldReason: "dailyCap", sentAt: null });
  // Saved again as it was, nothing goes out; without a cap everything does.
  await save({ start: "08:00" }, 1);
  await office.pass(5);
  expect([await held(id), office.line.sent.length]).toEqual(["dailyCap", 1]);
  await save({ start: "08:00" }, null);
  await office.pass(10);
  expect(await office.read(id)).toMatchObject({ status: "FINALIZADA", counts: { sent: 3 } });
  expect(await schedule()).toMatchObject({ heldReason: null, sentAt: expect.any(String) });
  expect(office.line.sent).toHaveLength(4);
});

test("a message that is deleted while it is queued is a result: the campaign ends (K-04, M-10)", async () => {
  const office = await anOffice({ [ana]: "Ana", [beto]: "Beto" });
  await setPace(office, 0);
  await office.sendTexts(ana, "oi");
  await office.sendTexts(beto, "oi");
  for (const phone of [ana, beto]) {
    await office.admin.put(`/tickets/${(await office.ticketOf(phone)).id}`, { status: "open" });
  }
  office.line.isConnected = false;
  const { id } = await office.make();
  await office.pass(2);
  // Longer than a message that does not leave holds up the next one.
  office.clock.advance({ minutes: 6 });
  await office.pass(12);
  const ofCampaign = async (phone: string) =>
    (await office.messagesOf(phone)).find(({ fromMe, ack }) => fromMe && ack === 0);
  const [first, second] = [await ofCampaign(ana), await ofCampaign(beto)];
  // Beto's was handed to WhatsApp once, and whether it arrived is not known.
  await office.company.inside(({ db }) =>
    sql`insert into sent_payloads (company_id, connection_id, wa_id, payload)
      select company_id, connection_id, wa_id, '' from messages where id = ${second!.id}`.execute(db),
  );
  for (const message of [first, second]) {
    expect((await office.admin.delete(`/messages/${message!.id}`)).status).toBe(200);
  }
  office.line.isConnected = true;
  await office.pass(70);
  expect(office.sentTo(ana)).toEqual([]);
  expect((await office.recipients(id)).map(({ state, reason }) => [state, reason])).toEqual([
    ["failed", "ERR_NO_MESSAGE_FOUND"],
    ["failed", "ERR_NO_MESSAGE_FOUND"],
  ]);
  expect(await office.read(id)).toMatchObject({ status: "FINALIZADA", counts: { failed: 2, queued: 0 } });

  // WhatsApp's acknowledgement of what was handed over comes late: it was sent after all.
  const { rows } = await office.company.inside(({ db }) =>
    sql<{ wa_id: string }>`select wa_id from messages where id = ${second!.id}`.execute(db),
  );
  await office.receive([{ type: "status", waIds: [rows[0]!.wa_id], status: 1, reason: null }]);
  await office.app.settle();
  expect((await office.recipients(id)).map(({ state }) => state)).toEqual(["failed", "sent"]);
});

test("the report is searched, filtered and exported, formulas as texts (K-07)", async () => {
  const office = await anOffice({ [ana]: "=Ana", [beto]: "Beto; Souza", [caio]: "Caio" });
  await setPace(office, 5);
  const { id } = await office.make();
  await office.pass(30);
  const find = async (query: { searchParam?: string; state?: "sent" | "failed" }) =>
    (await office.admin.call(campaigns.recipients, { params: { id }, query })).body;
  expect(await find({ searchParam: "beto" })).toMatchObject({ count: 1, records: [{ number: beto }] });
  expect(await find({ state: "sent" })).toMatchObject({ count: 3, hasMore: false });
  expect(await find({ state: "failed" })).toMatchObject({ count: 0, records: [] });
  const { text, headers } = await office.admin.get(`/campaigns/${id}/export`);
  expect(headers["content-disposition"]).toBe(`attachment; filename="campanha-${id}.csv"`);
  const lines = text.split("\r\n");
  expect(lines[0]).toContain("Nome;Número;E-mail;Estado");
  expect(lines[1]).toContain(`'=Ana;${ana};;Enviada;;1;`);
  expect(lines[2]).toContain(`"Beto; Souza";${beto}`);
  const { steps } = (await office.admin.call(campaigns.timeline, { params: { id } })).body;
  expect(steps.reduce((sum, { sent }) => sum + sent, 0)).toBe(3);
});

test("two lines share the contacts, two processes work at it, and each contact gets one message (K-05)", async () => {
  const numbers = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`55119777${String(n).padStart(5, "0")}`, `P${n}`]),
  );
  const office = await anOffice(numbers);
  await setPace(office, 0);
  const second = await aSecondLine(office);
  const other = await inAnotherProcess(office);
  const { id } = await office.make({ whatsappIds: [second.id], message2: "Olá", message5: "Bom dia" });
  for (let passed = 0; passed < 60; passed += 1) {
    office.clock.advance({ seconds: 1 });
    await Promise.all([office.app.settle(), other.app.settle()]);
  }
  const sent = [...office.line.sent, ...second.sent].map(({ to }) => to.value);
  expect(sent.toSorted()).toEqual(Object.keys(numbers).toSorted());
  expect(Math.min(office.line.sent.length, second.sent.length)).toBeGreaterThan(10);
  expect(await office.read(id)).toMatchObject({ status: "FINALIZADA", counts: { sent: 40 } });
  const { rows } = await office.company.inside(({ db }) =>
    sql<{
      n: number;
    }>`select count(*)::int as n from campaign_recipients where campaign_id = ${id} group by variant`.execute(db),
  );
  expect(rows.map(({ n }) => n).toSorted((a, b) => a - b)).toEqual([13, 13, 14]);
});

test("what hours or the operator's plan hold goes on when the time zone or the plan is changed (P-03)", async () => {
  const office = await anOffice();
  const { id: whatsappId } = office.connection;
  const held = async (id: number) => (await office.read(id)).lines[0]?.pauseReason;
  await setPace(office, 0);
  // It is 10:00 in São Paulo, and 14:00 in Lisbon.
  const hours = { ...sendingDefaults.hours, start: "13:00" };
  const lines = [{ whatsappId, dailyCap: null, warmUp: true }];
  await office.admin.call(sendingRulesApi.save, { body: { ...sendingDefaults, hours, lines } });
  await office.company.inside(({ db }) =>
    sql`update connections set linked_at = ${office.clock.now()} where id = ${whatsappId}`.execute(db),
  );
  const operator = (await aCompany(office.app, { isOperator: true })).admin;
  const { body: planBefore } = await office.app.as(operator).call(warmUpPlan.get);
  onTestFinished(async () => void (await office.app.as(operator).call(warmUpPlan.save, { body: planBefore })));
  const savePlan = async (limit: number) => {
    await office.app.as(operator).call(warmUpPlan.save, { body: { steps: [{ day: 1, limit }] } });
    await office.app.settle();
  };
  await savePlan(1);
  const { id } = await office.make();
  await office.pass(5);
  expect([await held(id), office.line.sent.length]).toEqual(["hours", 0]);

  const { id: contactId } = await aContact(office.company);
  const sendAt = new Date(office.clock.now().getTime() + 60_000).toISOString();
  const scheduled = { body: "Seu pedido chegou", contactId, whatsappId, sendAt };
  const { id: scheduleId } = (await office.admin.call(scheduledMessages.create, { body: scheduled })).body;
  const schedule = async () => (await office.admin.call(scheduledMessages.get, { params: { id: scheduleId } })).body;

  await office.admin.call(companies.saveLocale, {
    params: { id: office.company.id },
    body: { timeZone: "Europe/Lisbon", language: "pt" },
  });
  const soon = async (read: () => Promise<unknown>) => {
    await office.pass(1);
    return read();
  };
  await expect.poll(() => soon(async () => [await held(id), office.line.sent.length])).toEqual(["warmUp", 1]);
  await office.pass(62);
  expect(await schedule()).toMatchObject({ heldReason: "warmUp", sentAt: null });

  await savePlan(50);
  await expect.poll(() => soon(() => office.read(id))).toMatchObject({ status: "FINALIZADA", counts: { sent: 3 } });
  await expect.poll(() => soon(schedule)).toMatchObject({ heldReason: null, sentAt: expect.any(String) });
});

test("the report shows the last contacts when others were erased before them (K-07, V-02)", async () => {
  const numbers = Object.fromEntries(
    Array.from({ length: 45 }, (_, n) => [`55119777${String(n).padStart(5, "0")}`, `P${String(n).padStart(2, "0")}`]),
  );
  const office = await anOffice(numbers);
  const { id } = await office.make();
  await office.app.settle();
  await office.company.inside(({ db }) =>
    sql`delete from campaign_recipients where campaign_id = ${id} and position between 10 and 14`.execute(db),
  );
  const seen: string[] = [];
  for (let pageNumber = 1, hasMore = true; hasMore; pageNumber += 1) {
    const query = { pageNumber };
    const page = (await office.admin.call(campaigns.recipients, { params: { id }, query })).body;
    seen.push(...page.records.map(({ name }) => name));
    hasMore = page.hasMore;
  }
  expect(seen).toEqual(Object.values(numbers).filter((_, index) => index < 9 || index > 13));
});

test("a line that is deleted and not erased yet has no part in its campaigns: no pass after pass for it (K-04)", async () => {
  const office = await anOffice();
  await setPace(office, 0);
  const { id } = await office.make();
  await office.app.settle();
  await office.company.inside(async ({ db }) => {
    await sql`select set_config('app.sees_deleted', 'on', true)`.execute(db);
    await sql`update connections set deleted_at = now(), is_default = false where id = ${office.connection.id}`.execute(
      db,
    );
  });
  const passes = async () => {
    const { rows } = await sql<{ id: number }>`
      select id from jobs where company_id = ${office.company.id} and task = 'campaigns.dispatch'`.execute(
      office.app.db.system,
    );
    return rows.length;
  };
  await office.pass(5);
  expect(await passes()).toBe(0);
  expect(await office.read(id)).toMatchObject({ status: "EM_ANDAMENTO", lines: [], counts: { sent: 1 } });

  await office.admin.call(campaigns.cancel, { params: { id } });
  const refused = await office.admin.call(campaigns.restart, { params: { id } });
  expect(refused.body).toMatchObject({ details: { fields: { whatsappId: "Required" } } });
  const { id: whatsappId } = await aSecondLine(office);
  const changed = await office.admin.call(campaigns.update, { params: { id }, body: { whatsappId } });
  expect(changed.body).toMatchObject({ lines: [{ id: whatsappId }] });
});
