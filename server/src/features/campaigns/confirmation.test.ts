import { campaigns, contacts } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contactResolver, createIngest } from "#server/features/inbound/index.ts";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { createFakeLineApp, messageFrom } from "#server/testing/bot-scenario.ts";
import type { BotScenario, FakeLineApp } from "#server/testing/bot-scenario.ts";
import { aCampaignOffice, ana, aSecondLine, beto, setPace } from "#server/testing/campaign-office.ts";
import type { LineEvent } from "#server/whatsapp/port.ts";

/** What becomes of a yes where a campaign has several lines, does not run, or asked over a line that was down. */
let fakeLineApp: FakeLineApp;
beforeAll(async () => {
  fakeLineApp = await createFakeLineApp(createMessagesFeature);
});
afterAll(() => fakeLineApp.app.close());

const asks = { confirmation: true, confirmationMessage1: "Posso?", message1: "Aqui está" };

test("who agreed gets the message from the line that asked, while the campaign has that line (K-06)", async () => {
  const office = await aCampaignOffice(fakeLineApp, { [ana]: "Ana", [beto]: "Beto" });
  await setPace(office, 5);
  const { company } = office;
  const second = await aSecondLine(office);
  const { id } = await office.make({ ...asks, whatsappIds: [second.id] });
  await office.pass(3);
  const askedBy = (phone: string) =>
    [office.line, second].find(({ sent }) => sent.some(({ to }) => to.value === phone))!;
  const [lineOfAna, lineOfBeto] = [askedBy(ana), askedBy(beto)];
  expect(lineOfAna).not.toBe(lineOfBeto);
  const agree = (phone: string, at: string) =>
    company.inside(({ db }) =>
      sql`update campaign_recipients set state = 'agreed', confirmed_at = ${at} where campaign_id = ${id} and number = ${phone}`.execute(
        db,
      ),
    );
  const pause = (connectionId: number, until: string | null) =>
    company.inside(({ db }) =>
      sql`update campaign_lines set paused_until = ${until} where campaign_id = ${id} and connection_id = ${connectionId}`.execute(
        db,
      ),
    );

  // Only the other line is due.
  await agree(ana, office.clock.now().toISOString());
  await pause(lineOfAna.connectionId, new Date(office.clock.now().getTime() + 60_000).toISOString());
  await office.pass(30);
  expect([lineOfAna.texts(), lineOfBeto.texts()]).toEqual([["Posso?"], ["Posso?"]]);
  // Both are due, and the one who agreed first is not the first line's.
  await agree(beto, "2026-01-01T00:00:00Z");
  await pause(lineOfAna.connectionId, null);
  await office.pass(70);
  expect([lineOfAna, lineOfBeto].map(({ sent }) => sent.map(({ to }) => to.value))).toEqual([
    [ana, ana],
    [beto, beto],
  ]);
});

test("the line that asked was taken away: another one writes to who agreed (K-06)", async () => {
  const office = await aCampaignOffice(fakeLineApp, { [ana]: "Ana" });
  const second = await aSecondLine(office);
  const { id } = await office.make(asks);
  await office.app.settle();
  await office.company.inside(async ({ db }) => {
    await sql`update campaign_recipients set state = 'agreed', confirmed_at = now() where campaign_id = ${id}`.execute(
      db,
    );
    await sql`update campaign_lines set connection_id = ${second.id} where campaign_id = ${id}`.execute(db);
  });
  await office.pass(70);
  expect([office.line.texts(), second.texts()]).toEqual([["Posso?"], ["Aqui está"]]);
});

test("a yes to a cancelled campaign counts for its restart, and people hear it; to one that is over it is a message like others (K-06)", async () => {
  const office = await aCampaignOffice(fakeLineApp, { [ana]: "Ana", [beto]: "Beto" });
  await setPace(office, 5);
  const { id } = await office.make(asks);
  await office.pass(10);
  await office.admin.call(campaigns.cancel, { params: { id } });
  await office.sendTexts(ana, "sim");
  expect((await office.recipients(id)).map(({ state }) => state)).toEqual(["agreed", "asked"]);
  expect(await office.ticketOf(ana)).toMatchObject({ status: "pending" });

  await office.company.inside(({ db }) => sql`update campaigns set status = 'FINALIZADA' where id = ${id}`.execute(db));
  await office.sendTexts(beto, "sim");
  expect((await office.recipients(id)).map(({ state }) => state)).toEqual(["agreed", "asked"]);
  expect(await office.ticketOf(beto)).toMatchObject({ status: "pending" });
});

test("the day for an answer begins when WhatsApp has the request, not while it waits for the line (K-06)", async () => {
  const office = await aCampaignOffice(fakeLineApp, { [ana]: "Ana" });
  office.line.isConnected = false;
  const { id } = await office.make(asks);
  await office.app.settle();
  office.clock.advance({ hours: 25 });
  await office.app.settle();
  expect((await office.recipients(id))[0]).toMatchObject({ state: "asked", confirmationRequestedAt: null });
  expect(await office.read(id)).toMatchObject({ status: "EM_ANDAMENTO", counts: { confirmationRequested: 0 } });

  office.line.isConnected = true;
  await office.pass(10);
  expect(office.sentTo(ana)).toEqual(["Posso?"]);
  const [{ confirmationRequestedAt } = { confirmationRequestedAt: null }] = await office.recipients(id);
  expect(office.clock.now().getTime() - Date.parse(confirmationRequestedAt!)).toBeLessThan(15_000);
  // Later acknowledgements do not begin the day again.
  office.clock.advance({ hours: 2 });
  await office.receive([{ type: "status", waIds: [office.line.sent[0]!.waId], status: 3, reason: null }]);
  await office.app.settle();
  expect((await office.recipients(id))[0]).toMatchObject({ confirmationRequestedAt });
  await office.sendTexts(ana, "sim");
  await office.pass(3);
  expect(office.sentTo(ana)).toEqual(["Posso?", "Aqui está"]);
});

test("a late acknowledgement of the request takes back no opt-out, and no end after a yes (K-06, P-02)", async () => {
  const office = await aCampaignOffice(fakeLineApp, { [ana]: "Ana", [beto]: "Beto" });
  await setPace(office, 5);
  const { id } = await office.make(asks);
  await office.pass(10);
  const results = async () => (await office.recipients(id)).map(({ state, reason }) => reason ?? state);
  await office.sendTexts(ana, "SAIR");
  await office.admin.call(campaigns.cancel, { params: { id } });
  await office.sendTexts(beto, "sim");
  expect(await results()).toEqual(["optedOut", "agreed"]);
  const { contactId } = await office.ticketOf(beto);
  await office.admin.call(contacts.block, { params: { id: contactId }, body: { blocked: true } });
  await office.admin.call(campaigns.restart, { params: { id } });
  await office.pass(20);
  const ended = ["optedOut", "ERR_CONTACT_BLOCKED"];
  expect([await results(), (await office.read(id)).status]).toEqual([ended, "FINALIZADA"]);

  const requests = office.line.sent.flatMap(({ content, waId }) =>
    "text" in content && content.text === "Posso?" ? [waId] : [],
  );
  await office.receive([{ type: "status", waIds: requests, status: 3, reason: null }]);
  await office.pass(3);
  expect(await results()).toEqual(ended);
});

test("an opt-out counts although it comes before the request's acknowledgement is counted (K-06, P-02)", async () => {
  const office = await aCampaignOffice(fakeLineApp, { [ana]: "Ana" });
  const { id } = await office.make(asks);
  await office.pass(3);
  await office.company.inside(({ db }) =>
    sql`update campaign_recipients set confirmation_requested_at = null where campaign_id = ${id}`.execute(db),
  );
  await office.sendTexts(ana, "SAIR");
  await office.receive([{ type: "status", waIds: [office.line.sent[0]!.waId], status: 3, reason: null }]);
  await office.pass(3);
  expect((await office.recipients(id))[0]).toMatchObject({ state: "optedOut" });
});

test("what is said on another line answers no request, and no message, of this one (K-06, K-07)", async () => {
  const office = await aCampaignOffice(fakeLineApp, { [ana]: "Ana", [beto]: "Beto" });
  await setPace(office, 5);
  const second = await aSecondLine(office);
  const { id } = await office.make(asks);
  await office.pass(10);
  const ask = office.line.sent.find(({ to }) => to.value === ana)!;
  const at = office.clock.now();
  await receiveOn(office, second.id, messageFrom(ana, "sim", at));
  await receiveOn(office, second.id, messageFrom(beto, "não", at));
  await office.app.settle();
  expect((await office.recipients(id)).map(({ state }) => state)).toEqual(["asked", "asked"]);
  expect(await office.ticketOf(ana)).toMatchObject({ whatsappId: second.id, status: "pending" });

  await office.receive([messageFrom(ana, "sim", at, { quotedWaId: ask.waId })]);
  await office.pass(10);
  expect(office.sentTo(ana)).toEqual(["Posso?", "Aqui está"]);
  await receiveOn(office, second.id, messageFrom(ana, "que horas abre?", office.clock.now()));
  expect((await office.recipients(id))[0]).toMatchObject({ answeredAt: null });
  await office.sendTexts(ana, "obrigada");
  expect((await office.recipients(id))[0]).toMatchObject({ answeredAt: expect.any(String) });
});

test("what was written before the request, and arrives after it, is no answer to it (K-06, P-02)", async () => {
  const office = await aCampaignOffice(fakeLineApp, { [ana]: "Ana", [beto]: "Beto" });
  await setPace(office, 5);
  const earlier = new Date(office.clock.now().getTime() - 3_600_000);
  office.line.isConnected = false;
  const { id } = await office.make(asks);
  await office.pass(10);
  // Not even while the request waits for the line, which is back and delivers first what contacts wrote meanwhile.
  await office.receive([messageFrom(ana, "sim", office.clock.now())]);
  office.line.isConnected = true;
  await office.pass(10);
  await office.receive([messageFrom(ana, "sim", earlier), messageFrom(beto, "não", earlier)]);
  await office.pass(10);
  expect((await office.recipients(id)).map(({ state }) => state)).toEqual(["asked", "asked"]);
  expect(await office.ticketOf(beto)).toMatchObject({ status: "pending" });

  // WhatsApp's clock is some seconds behind.
  const { confirmationRequestedAt } = (await office.recipients(id))[0]!;
  await office.receive([messageFrom(ana, "sim", new Date(Date.parse(confirmationRequestedAt!) - 4_000))]);
  await office.pass(3);
  expect(office.sentTo(ana)).toEqual(["Posso?", "Aqui está"]);
  await office.receive([messageFrom(ana, "alô?", earlier)]);
  expect((await office.recipients(id))[0]).toMatchObject({ answeredAt: null });
});

test.each([
  { text: "não", receipt: "missing", state: "declined" },
  { text: "SAIR", receipt: "missing", state: "optedOut" },
  // It may be meant for something else: only a receipt shows that the request was read.
  { text: "sim", receipt: "missing", state: "asked" },
  { text: "sim", receipt: "in its batch", state: "agreed" },
  { text: "sim", receipt: "stored before", state: "agreed" },
  { text: "não", receipt: "stored before", state: "declined" },
])(
  "the line went down after it had handed the request over: $text is $state, its receipt $receipt (K-06, P-02)",
  async ({ text, receipt, state }) => {
    const office = await aCampaignOffice(fakeLineApp, { [ana]: "Ana" });
    office.line.isConnected = false;
    const { id } = await office.make(asks);
    await office.app.settle();
    const waId = await handOver(office, ana);
    office.clock.advance({ seconds: 30 });
    const answer = messageFrom(ana, text, office.clock.now());
    office.clock.advance({ minutes: 5 });
    const status = { type: "status", waIds: [waId], status: 2, reason: null } as const;
    const results = async () => (await office.recipients(id)).map((recipient) => recipient.state);
    if (receipt === "stored before") {
      await office.receive([status]);
      await office.app.settle();
    }
    await office.receive(receipt === "in its batch" ? [answer, status] : [answer]);
    expect(await results()).toEqual([state]);
    // Nor does a later receipt ask again who has answered.
    await office.receive([status]);
    await office.app.settle();
    expect(await results()).toEqual([state === "agreed" ? "queued" : state]);
  },
);

test("the first reply to a message counts although its acknowledgement is late (K-07)", async () => {
  const office = await aCampaignOffice(fakeLineApp, { [ana]: "Ana" });
  office.line.isConnected = false;
  const { id } = await office.make();
  await office.app.settle();
  await handOver(office, ana);
  office.clock.advance({ seconds: 30 });
  const answeredAt = office.clock.now();
  office.clock.advance({ minutes: 5 });
  office.line.isConnected = true;
  await office.pass(10);
  await office.receive([messageFrom(ana, "obrigada", answeredAt)]);
  expect((await office.recipients(id))[0]).toMatchObject({ state: "sent", answeredAt: expect.any(String) });
});

/** Notes that what waits for a person was given to WhatsApp now, whose acknowledgement is not there. Returns its WhatsApp id. */
async function handOver({ company, clock }: BotScenario, phone: string): Promise<string> {
  const { rows } = await company.inside(({ db }) =>
    sql<{ wa_id: string }>`insert into sent_payloads (company_id, connection_id, wa_id, payload, created_at)
      select m.company_id, m.connection_id, m.wa_id, '', ${clock.now()} from messages m join contacts c on c.id = m.contact_id
      where c.number = ${phone} and m.from_me and m.ack = 0 order by m.id desc limit 1
      returning wa_id`.execute(db),
  );
  return rows[0]!.wa_id;
}

/** Ingests an event of another line of the office. */
async function receiveOn({ app, company, clock }: BotScenario, connectionId: number, event: LineEvent): Promise<void> {
  const ingest = createIngest({ vault: app.services.vault, contacts: contactResolver, assistants: [] });
  const actor = { kind: "line", companyId: company.id, connectionId } as const;
  const scope = { actor, companyId: company.id, log: app.services.log, clock };
  await app.db.inCompany(scope, (ctx) => ingest(ctx, connectionId, [event]));
}
