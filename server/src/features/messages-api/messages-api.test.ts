import { connections, contacts, messagesApi, messagesApiRules, sendingRulesApi } from "@prosa/contract";
import type { ApiMessage } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { contactResolver } from "#server/features/inbound/index.ts";
import { readSharedTokens } from "#server/platform/http/index.ts";
import { createBotScenario, createFakeLineApp, inAnotherProcess, messageFrom } from "#server/testing/bot-scenario.ts";
import type { BotScenario, FakeLineApp } from "#server/testing/bot-scenario.ts";
import { aCompany, aConnection, aContact, aUser } from "#server/testing/factories.ts";
import { messagesApiFeature } from "./feature.ts";

const maria = "5511988887777";
const joao = "5511977776666";
const ana = "5511955554444";
const former = "5511944443333";
const nobody = "5511900000000";

let fakeLineApp: FakeLineApp;
beforeAll(async () => {
  const checkNumber = async (_actor: unknown, _line: number, number: string) =>
    number === nobody ? null : { phone: number, lid: null };
  const feature = messagesApiFeature({ contacts: contactResolver, checkNumber });
  fakeLineApp = await createFakeLineApp(createMessagesFeature, { feature, assistants: [] });
});
afterAll(() => fakeLineApp.app.close());

let serial = 0;
/** A company whose line is connected, and other software that has its token. */
async function aCaller() {
  const scenario = await createBotScenario(fakeLineApp);
  const token = `token-of-line-${(serial += 1)}`;
  const { app, connection, admin } = scenario;
  const params = { id: connection.id };
  expect((await admin.call(connections.update, { params, body: { token } })).status).toBe(200);
  await app.db.system.updateTable("connections").set({ status: "CONNECTED" }).where("id", "=", connection.id).execute();
  return { ...scenario, token, ...callerWith(scenario, token) };
}

function callerWith({ app }: Pick<BotScenario, "app">, token: string) {
  const stranger = app.as(undefined);
  const headers = (key?: string) => ({
    authorization: `Bearer ${token}`,
    ...(key !== undefined && { "idempotency-key": key }),
  });
  return {
    send: (body: unknown, key?: string) =>
      stranger.post<{ mensagem?: string; messageId: string; error?: string }>(
        messagesApi.send.path,
        body,
        headers(key),
      ),
    stateOf: async (id: string) => (await stranger.get<ApiMessage>(`/api/messages/${id}`, headers())).body,
  };
}

test("a text is sent by the token's line, seen in the desk, and looked up by its id (X-01)", async () => {
  const caller = await aCaller();
  const { send, stateOf, receivedTexts } = caller;
  const { status, body } = await send({ number: "+55 (11) 98888-7777", body: "Seu pedido saiu" });
  expect([status, body.mensagem]).toEqual([200, "Mensagem enviada"]);
  expect(await stateOf(body.messageId)).toMatchObject({ status: "queued", number: maria, error: null });

  expect(await receivedTexts(maria)).toEqual(["Seu pedido saiu"]);
  expect(await stateOf(body.messageId)).toMatchObject({ status: "sent" });
  expect((await caller.messagesOf(maria)).at(-1)).toMatchObject({ body: "Seu pedido saiu", isAutomatic: true });
  expect(await caller.ticketOf(maria)).toMatchObject({ status: "closed", userId: null });

  const other = await aCaller();
  expect((await other.stateOf(body.messageId)) as unknown).toMatchObject({ error: "ERR_NO_MESSAGE_FOUND" });
});

test("what is wrong is said: token, plan, number, text, and too many at once (X-01, X-02)", async () => {
  const { app, send, company } = await aCaller();
  const errorOf = async (answer: ReturnType<typeof send>) => {
    const { status, body } = await answer;
    return [status, body.error];
  };
  expect(await errorOf(callerWith({ app }, "of-nobody").send({ number: maria, body: "oi" }))).toEqual([
    401,
    "ERR_NOT_SIGNED_IN",
  ]);
  const session = await app.services.tokens.issue(company.admin);
  expect(await errorOf(callerWith({ app }, session).send({ number: maria, body: "oi" }))).toEqual([
    401,
    "ERR_NOT_SIGNED_IN",
  ]);
  const words = {
    error: "ERR_NOT_SIGNED_IN",
    message: "O token não existe ou foi trocado.",
    details: { token: "unknown" },
  };
  expect((await callerWith({ app }, "of-nobody").send({ number: maria, body: "oi" })).body).toMatchObject(words);
  expect((await app.as(undefined).post(messagesApi.send.path, { number: maria, body: "oi" })).body).toMatchObject({
    message: expect.stringContaining("Authorization: Bearer"),
  });
  expect(await errorOf(send({ number: nobody, body: "oi" }))).toEqual([400, "ERR_WAPP_INVALID_CONTACT"]);
  expect(await errorOf(send({ number: "12", body: "oi" }))).toEqual([400, "ERR_VALIDATION"]);
  expect(await errorOf(send({ number: maria, body: " " }))).toEqual([400, "ERR_VALIDATION"]);
  expect(await errorOf(send({ number: maria, body: "oi", queueId: 999_999 }))).toEqual([404, "ERR_NO_QUEUE_FOUND"]);

  const poor = await aCompany(app, { withoutFlags: ["useExternalApi"] });
  await aConnection(poor, { token: "token-of-the-poor" });
  expect(await errorOf(callerWith({ app }, "token-of-the-poor").send({ number: maria, body: "oi" }))).toEqual([
    403,
    "ERR_PLAN_WITHOUT_FEATURE",
  ]);

  const many = await Promise.all(Array.from({ length: 125 }, () => send({ number: nobody, body: "oi" })));
  const refused = many.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(Number(refused[0]?.headers["retry-after"])).toBeGreaterThan(0);
  expect(many.filter(({ status }) => status === 400).length).toBeGreaterThan(100);
});

test("the same idempotency key sends once, also by two processes at once; with other content it is refused (X-01)", async () => {
  const caller = await aCaller();
  const other = callerWith(await inAnotherProcess(caller), caller.token);
  const text = { number: maria, body: "Uma vez" };
  const answers = await Promise.all([caller, other, caller, other].map(({ send }) => send(text, "pedido-1")));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(answers.map(({ body }) => body.messageId)).size).toBe(1);
  const { status, body } = await caller.send({ ...text, body: "Outra" }, "pedido-1");
  expect([status, body.error]).toEqual([409, "ERR_IDEMPOTENCY_KEY_USED"]);
  expect(await caller.receivedTexts(maria)).toEqual(["Uma vez"]);
});

test("a repeated request is counted as a look-up and answered beyond the limit of new ones (X-01)", async () => {
  const caller = await aCaller();
  const { app, send, connection } = caller;
  const other = callerWith(await inAnotherProcess(caller), caller.token);
  const text = { number: maria, body: "Contada uma vez" };
  const rate = { max: messagesApiRules.requestsPerMinute, perSeconds: 60 };
  const [first] = await Promise.all([caller, other, caller, other].map((each) => each.send(text, "pedido-1")));
  expect(await readSharedTokens(app.services, `api:${connection.id}`, rate)).toBeGreaterThanOrEqual(rate.max - 1);
  expect(await readSharedTokens(app.services, `api-read:${connection.id}`, rate)).toBeLessThan(rate.max);

  await Promise.all(Array.from({ length: 125 }, () => send({ number: nobody, body: "oi" })));
  const fresh = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => send({ ...text, number: nobody }, `outro-${n}`)));
  expect(fresh.map(({ status }) => status)).toContain(429);
  expect(await send(text, "pedido-1")).toMatchObject({ status: 200, body: { messageId: first!.body.messageId } });
});

test("files come with their caption, and a repeated upload is no second message (X-01)", async () => {
  const { send, receivedTexts } = await aCaller();
  const form = () => {
    const data = new FormData();
    data.set("number", maria);
    data.set("body", "A nota");
    data.append("medias", new Blob(["%PDF-1.4 nota"]), "nota.pdf");
    return data;
  };
  const [first, again] = [await send(form(), "nota-1"), await send(form(), "nota-1")];
  expect([first.status, again.body.messageId]).toEqual([200, first.body.messageId]);
  expect(await receivedTexts(maria)).toEqual(["nota.pdf: A nota"]);
});

test("what the gate holds waits in order, says why, and is sent once by whichever process is there (X-01, P-03)", async () => {
  const caller = await aCaller();
  const { admin, connection, send, stateOf, clock, app } = caller;
  const { body: rules } = await admin.call(sendingRulesApi.get);
  const lines = [{ whatsappId: connection.id, dailyCap: 1, warmUp: false }];
  await admin.call(sendingRulesApi.save, { body: { ...rules, lines } });

  await send({ number: maria, body: "de hoje" });
  const held = await send({ number: joao, body: "de amanhã" });
  const behind = await send({ number: joao, body: "logo depois" });
  expect(await stateOf(held.body.messageId)).toMatchObject({ status: "waiting", heldReason: expect.any(String) });
  clock.advance({ minutes: 10 });
  const other = await inAnotherProcess(caller);
  await Promise.all([app.settle(), other.app.settle()]);
  expect(await stateOf(held.body.messageId)).toMatchObject({ status: "waiting", heldReason: "dailyCap" });
  expect(await caller.receivedTexts(joao)).toEqual([]);

  for (let step = 0; step < 3; step += 1) {
    clock.advance({ hours: 12 });
    await Promise.all([app.settle(), other.app.settle()]);
  }
  expect(await caller.receivedTexts(joao)).toEqual(["de amanhã", "logo depois"]);
  expect(await stateOf(behind.body.messageId)).toMatchObject({ status: "sent", heldReason: null });
});

/** The line's day is used up: what starts a conversation waits for tomorrow. */
async function aCallerAtItsCap() {
  const caller = await aCaller();
  const { admin, connection, send, clock, app } = caller;
  const { body: rules } = await admin.call(sendingRulesApi.get);
  const capAt = (dailyCap: number) =>
    admin.call(sendingRulesApi.save, {
      body: { ...rules, lines: [{ whatsappId: connection.id, dailyCap, warmUp: false }] },
    });
  await capAt(1);
  await send({ number: maria, body: "de hoje" });
  await app.settle();
  return {
    ...caller,
    capAt,
    /** What the software has said to them, without the bot. */
    said: async (phone: string) => (await caller.receivedTexts(phone)).filter((text) => !text.startsWith("Bem-vindo")),
    async pass(seconds: number) {
      for (let passed = 0; passed < seconds; passed += 1) {
        clock.advance({ seconds: 1 });
        await app.settle();
      }
    },
    /** They write on their own. */
    writes: (phone: string) => caller.receive([messageFrom(phone, "oi", clock.now())]),
  };
}

test("a reply to who wrote in meanwhile goes at once, behind what waits for them, and past whom the cap holds (X-01, P-03)", async () => {
  const caller = await aCallerAtItsCap();
  const { send, stateOf, pass, said } = caller;
  const held = await send({ number: joao, body: "Bom dia, João" });
  await send({ number: ana, body: "Bom dia, Ana" });
  await send({ number: ana, body: "Seu pedido saiu" });
  await pass(90);
  await caller.writes(ana);
  await send({ number: joao, body: "Outra, João" });
  const answer = await send({ number: ana, body: "Já respondo, Ana" });
  expect(await said(ana)).toEqual(["Bom dia, Ana", "Seu pedido saiu", "Já respondo, Ana"]);
  expect(await stateOf(answer.body.messageId)).toMatchObject({ status: "sent", heldReason: null });
  expect(await said(joao)).toEqual([]);

  await pass(90);
  expect(await stateOf(held.body.messageId)).toMatchObject({ status: "waiting", heldReason: "dailyCap" });
  expect(await said(ana)).toEqual([]);
});

test("what waits for somebody who writes in is a reply from then on, and goes without another request (X-01, P-03)", async () => {
  const caller = await aCallerAtItsCap();
  const { send, pass, said } = caller;
  await send({ number: joao, body: "Bom dia, João" });
  await send({ number: ana, body: "Bom dia, Ana" });
  await send({ number: ana, body: "Seu pedido saiu" });
  await pass(90);
  await caller.writes(ana);
  await pass(70);
  expect(await said(ana)).toEqual(["Bom dia, Ana", "Seu pedido saiu"]);
  expect(await said(joao)).toEqual([]);
});

test("who was merged is the contact that stayed: messages to the former number are replies, and nobody is asked for it (X-01, W-10)", async () => {
  const caller = await aCallerAtItsCap();
  const { send, pass, said, admin, company } = caller;
  const merge = async (keptId: number, number: string) => {
    const { id: contactId } = await aContact(company, { number });
    expect((await admin.call(contacts.merge, { params: { id: keptId }, body: { contactId } })).status).toBe(200);
  };
  const { id: anaId } = await aContact(company, { number: ana });
  await merge(anaId, former);
  await send({ number: joao, body: "Bom dia, João" });
  await send({ number: former, body: "Bom dia, Ana" });
  await pass(90);
  expect(await said(ana)).toEqual([]);
  await caller.writes(ana);
  await pass(70);
  expect(await said(ana)).toEqual(["Bom dia, Ana"]);

  await merge(anaId, nobody);
  expect((await send({ number: nobody, body: "Seu pedido saiu" })).status).toBe(200);
  expect(await said(ana)).toEqual(["Seu pedido saiu"]);
});

/** How a contact is spelled: its number, its addresses on the lines, and what was sent there. */
async function spellingOf({ company, line }: Pick<BotScenario, "company" | "line">, number: string) {
  const rows = await company.inside(({ db }) =>
    db
      .selectFrom("contacts")
      .innerJoin("contact_identifiers as i", "i.contact_id", "contacts.id")
      .select(["contacts.number", "i.value"])
      .where("contacts.number", "in", spellingsOf(number))
      .where("i.kind", "=", "phone")
      .execute(),
  );
  const sentTo = line.sent.map(({ to }) => to.value).filter((to) => spellingsOf(number).includes(to));
  return { numbers: rows.map((row) => row.number), identifiers: rows.map(({ value }) => value), sentTo };
}
const spellingsOf = (number: string) => [number, `${number.slice(0, 4)}9${number.slice(4)}`];

test("a number that WhatsApp spells otherwise than the caller stays as WhatsApp spells it, and is written to there (X-01, W-10)", async () => {
  const caller = await aCaller();
  const { send, stateOf, clock, app, connection } = caller;
  const [spelled, written] = ["553188887777", "5531988887777"];
  await caller.receive([messageFrom(spelled, "oi", clock.now())]);
  await caller.receivedTexts(spelled);
  const { body } = await send({ number: written, body: "Seu pedido saiu" });
  expect(await stateOf(body.messageId)).toMatchObject({ number: spelled });
  const status = (now: "CONNECTED" | "DISCONNECTED") =>
    app.db.system.updateTable("connections").set({ status: now }).where("id", "=", connection.id).execute();
  await status("DISCONNECTED");
  await send({ number: written, body: "Chega hoje" });
  await status("CONNECTED");
  expect(await caller.receivedTexts(spelled)).toEqual(["Seu pedido saiu", "Chega hoje"]);
  const { sentTo, ...kept } = await spellingOf(caller, spelled);
  expect(kept).toEqual({ numbers: [spelled], identifiers: [spelled] });
  expect(new Set(sentTo)).toEqual(new Set([spelled]));
});

test("what was held before its person wrote in goes to the number as WhatsApp spells it (X-01, W-10)", async () => {
  const caller = await aCallerAtItsCap();
  const { send, pass, said, app, connection } = caller;
  const [spelled, written] = ["553188887777", "5531988887777"];
  const status = (now: "CONNECTED" | "DISCONNECTED") =>
    app.db.system.updateTable("connections").set({ status: now }).where("id", "=", connection.id).execute();
  await status("DISCONNECTED");
  await send({ number: written, body: "Seu pedido saiu" });
  await status("CONNECTED");
  await caller.writes(spelled);
  // One that is stored under the spelling of the contact does not overtake it.
  await send({ number: written, body: "Chega às 15h" });
  expect(await said(spelled)).toEqual(["Seu pedido saiu", "Chega às 15h"]);
  await pass(130);
  expect(await said(spelled)).toEqual([]);
  const { sentTo, ...kept } = await spellingOf(caller, spelled);
  expect(kept).toEqual({ numbers: [spelled], identifiers: [spelled] });
  expect(new Set(sentTo)).toEqual(new Set([spelled]));
});

test("a queue or an agent that is not there is refused at once, also where the gate would hold the message (X-01)", async () => {
  const { send } = await aCallerAtItsCap();
  const refused = async (place: object) => {
    const { status, body } = await send({ number: joao, body: "oi", ...place });
    return [status, body.error];
  };
  expect(await refused({ queueId: 999_999 })).toEqual([404, "ERR_NO_QUEUE_FOUND"]);
  await send({ number: joao, body: "de amanhã" });
  expect(await refused({ userId: 999_999 })).toEqual([404, "ERR_NO_USER_FOUND"]);
});

test("replies that pass cost the line nothing: those who wait start in their order, with the line's gap, up to its cap (X-01, P-03)", async () => {
  const caller = await aCallerAtItsCap();
  const { send, capAt, line, clock, admin, app } = caller;
  const strangers = Array.from({ length: 6 }, (_, n) => `551196666000${n}`);
  for (const number of strangers) {
    await send({ number, body: "primeira" });
  }
  await send({ number: ana, body: "Bom dia, Ana" });
  await caller.writes(ana);
  await send({ number: ana, body: "Já respondo" });
  await send({ number: strangers[4]!, body: "segunda" });
  const other = await inAnotherProcess(caller);
  const sentAt: { readonly to: string; readonly at: number }[] = [];
  line.onSend = ({ to, content }) => {
    if ("text" in content && !content.text.startsWith("Bem-vindo")) {
      sentAt.push({ to: to.value, at: clock.now().getTime() });
    }
  };
  await Promise.all([app.settle(), other.app.settle()]);
  const started = async () => (await admin.call(sendingRulesApi.get)).body.lines[0]?.startedToday;
  expect([await started(), sentAt.map(({ to }) => to)]).toEqual([1, [ana, ana]]);

  sentAt.length = 0;
  await capAt(5);
  for (let passed = 0; passed < 180; passed += 1) {
    clock.advance({ seconds: 0.5 });
    await Promise.all([app.settle(), other.app.settle()]);
  }
  expect(sentAt.map(({ to }) => to)).toEqual(strangers.slice(0, 4));
  const gaps = sentAt.slice(1).map(({ at }, index) => at - sentAt[index]!.at);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
  expect(await started()).toBe(5);
});

test("the conversation comes to the queue or the agent that is asked for, signed, and is resolved if wanted (X-01)", async () => {
  const { company, send, sales, clock, ticketOf, receivedTexts, messagesOf, admin } = await aCaller();
  const ana = await aUser(company, { name: "Ana", queues: [sales] });
  await send({ number: maria, body: "na fila", queueId: sales.id });
  expect(await ticketOf(maria)).toMatchObject({ status: "pending", queueId: sales.id, userId: null });
  await receivedTexts(maria);
  clock.advance({ minutes: 1 });
  await send({ number: maria, body: "da Ana", userId: ana.userId, sendSignature: true });
  expect(await ticketOf(maria)).toMatchObject({ status: "open", userId: ana.userId, waitingSince: null });
  expect(await receivedTexts(maria)).toEqual(["*Ana*\nda Ana"]);
  expect((await messagesOf(maria)).at(-1)).toMatchObject({ isAutomatic: false, user: { name: "Ana" } });

  clock.advance({ minutes: 1 });
  // an agent serves it: it is not resolved over their head
  await send({ number: maria, body: "aviso", closeTicket: true });
  expect(await ticketOf(maria)).toMatchObject({ status: "open" });
  clock.advance({ minutes: 1 });
  await admin.put(`/tickets/${(await ticketOf(maria)).id}`, { status: "pending" });
  await send({ number: maria, body: "fim", closeTicket: true });
  expect(await ticketOf(maria)).toMatchObject({ status: "closed" });
});
