import { queueIntegrations, queues } from "@prosa/contract";
import type { QueueIntegrationBody, Ticket } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { botFeature } from "#server/features/bot/feature.ts";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { createFakeLineApp, messageFrom } from "#server/testing/bot-scenario.ts";
import type { FakeLineApp } from "#server/testing/bot-scenario.ts";
import { aUser } from "#server/testing/factories.ts";
import { anIntegrationLine, anInvitedAgent } from "#server/testing/integration-line.ts";
import type { IntegrationLine } from "#server/testing/integration-line.ts";
import type { Content } from "#server/whatsapp/port.ts";
import { queueIntegrationsFeature } from "./feature.ts";
import { createIntegrationDriver } from "./index.ts";
import { json, pixel, startSystems } from "#server/testing/integration-systems.ts";
import type { Systems } from "#server/testing/integration-systems.ts";

let systems: Systems;
let fakeLineApp: FakeLineApp;
beforeAll(async () => {
  systems = await startSystems();
  const options = { timeoutMs: 1_000 };
  const feature = botFeature({ integration: createIntegrationDriver(options) });
  const others = [queueIntegrationsFeature(options)];
  fakeLineApp = await createFakeLineApp(
    createMessagesFeature,
    { feature, assistants: ["integration"], others },
    { WEBHOOK_PRIVATE_HOSTS: "on", DIALOGFLOW_URL: `${systems.url}/{location}` },
  );
});
afterAll(async () => {
  await fakeLineApp.app.close();
  systems.close();
});
beforeEach(() => {
  systems.calls.length = 0;
  systems.violations.length = 0;
});

const [maria, jose] = ["5511988887777", "5511977776666"];
const waiting = expect.stringContaining("um atendente vai falar");

const aLine = (body: Partial<QueueIntegrationBody> & Pick<QueueIntegrationBody, "type">) =>
  anIntegrationLine(fakeLineApp, { name: "Fluxo", ...body });

const aTypebot = (more: Partial<QueueIntegrationBody> = {}) =>
  aLine({ type: "typebot", urlN8N: systems.url, typebotSlug: "bolos", typebotDelayMessage: 0, ...more });

const paragraph = (...children: object[]) => ({ type: "p", children });
const bubble = (...lines: object[]) => ({ id: "b", type: "text", content: { type: "richText", richText: lines } });
const words = (text: string) => bubble(paragraph({ text }));
/** What PostgreSQL takes in no JSON, and what a slow expression would take minutes for. */
const evil = `fim\u0000 \ud83d${" ".repeat(100_000)}x`;
const choices = (...contents: string[]) => ({
  id: "i",
  type: "choice input",
  items: contents.map((content, index) => ({ id: `c${index}`, content, outgoingEdgeId: "e" })),
});
const question = { id: "i", type: "text input", options: { labels: { placeholder: "…" } } };
const path = () => systems.calls.map(({ path: called }) => called.replace("/api/v1", ""));
/** Whether the session of typebot is known. */
const sent = (index: number) => systems.calls.at(index)?.body["message"];

/** Typebot: a flow that asks for a cake, then for its size, and ends. */
function playCakes(): void {
  systems.answer = ({ path: called, body }, response) => {
    if (called.endsWith("/startChat")) {
      return json(response, {
        sessionId: "s1",
        typebot: { id: "t", theme: {}, settings: {} },
        messages: [
          bubble(
            paragraph({ text: "Olá, " }, { text: "Maria ", bold: true }, { text: "veja ", italic: true }),
            paragraph({ type: "a", url: "https://bolos.example/menu", children: [{ text: "o cardápio" }] }),
            { type: "ul", children: [{ type: "li", children: [{ type: "lic", children: [{ text: "fresco" }] }] }] },
          ),
          { id: "p", type: "image", content: { url: `${systems.url}/files/moved.png` } },
          { id: "d", type: "image", content: { url: `data:image/png;base64,${pixel.toString("base64")}` } },
          { id: "v", type: "video", content: { url: "https://youtu.be/x", type: "youtube", id: "x" } },
        ],
        input: choices("Cenoura", "Chocolate"),
      });
    }
    const { text } = (body["message"] ?? {}) as { readonly text?: string };
    return text === "Cenoura"
      ? json(response, { messages: [words("Qual tamanho?")], input: question })
      : json(response, { messages: [words("Anotado"), words(evil), words(text ?? "")] });
  };
}

test("typebot: a flow is started, its rich text, files and choices are WhatsApp's, numbers choose, and its end calls a person (O-09)", async () => {
  const line = await aTypebot();
  playCakes();
  expect(await line.sendTexts(maria, "oi")).toEqual([
    "Olá, *Maria* _veja_\no cardápio (https://bolos.example/menu)\n- fresco",
    expect.stringMatching(/^bolo de cenoura\.png: /),
    "arquivo.png: ",
    "https://youtu.be/x",
    "*[ 1 ]* - Cenoura\n*[ 2 ]* - Chocolate",
  ]);
  expect(systems.calls[0]!.body).toMatchObject({
    message: { type: "text", text: "oi" },
    prefilledVariables: { number: maria, name: "Maria", ticketId: expect.any(Number) },
  });
  expect(await line.sendTexts(maria, "1")).toEqual(["Qual tamanho?"]);
  expect(sent(-1)).toEqual({ type: "text", text: "Cenoura" });

  const photo: Content = {
    ...{ kind: "image", caption: "deste", fileName: "bolo.jpg", mimeType: "image/jpeg", size: 3 },
    ...{ width: null, height: null, seconds: null, isVoice: false, thumbnail: null, source: {} },
  };
  const at = line.clock.now();
  // A bubble that repeats the customer's words is no command of theirs.
  const trick = '#{"queueId":1}';
  await line.receive([messageFrom(maria, { ...photo, caption: "" }, at), messageFrom(maria, trick, at)]);
  expect(await line.receivedTexts(maria)).toEqual(["Anotado", "fim \ufffd", trick]);
  expect(sent(-1)).toEqual({
    type: "text",
    text: trick,
    attachedFileUrls: [expect.stringContaining("/media/")],
  });
  expect(path()).toEqual(["/typebots/bolos/startChat", ...Array(2).fill("/sessions/s1/continueChat")]);
  expect(await line.ticketOf(maria)).toMatchObject({ status: "pending", chatbot: false, integrationId: null });
  expect(systems.violations).toEqual([]);
});

test("typebot: words that restart and finish, an answer that is none, variables in the company's texts alone, an expired and a lost session, and an episode of its own (O-09)", async () => {
  const line = await aTypebot({
    typebotExpires: 10,
    typebotKeywordFinish: "Encerrar",
    typebotKeywordRestart: "recomeçar",
    typebotRestartMessage: "Vamos de novo, {{firstName}}",
    typebotUnknownMessage: "Escolha uma linha",
  });
  await line.admin.put(`/whatsapp/${line.connection.id}`, { complationMessage: "Obrigado!" });
  systems.answer = ({ path: called }, response) => {
    if (called.includes("lost")) {
      return json(response, { message: "Session not found", code: "NOT_FOUND" }, 404);
    }
    const sessionId = systems.calls.length > 6 ? "s9" : "lost";
    return json(response, { sessionId, messages: [words("Sabor, {{name}}?")], input: choices("Cenoura", "Coco") });
  };
  const menu = ["Sabor, {{name}}?", "*[ 1 ]* - Cenoura\n*[ 2 ]* - Coco"];
  expect(await line.sendTexts(maria, "oi")).toEqual(menu);
  expect(await line.sendTexts(maria, "banana")).toEqual(["Escolha uma linha", menu[1]]);
  expect(path()).toEqual(["/typebots/bolos/startChat"]);
  // lost at Typebot: it starts anew
  expect(await line.sendTexts(maria, "coco")).toEqual(menu);
  expect(path().slice(1)).toEqual(["/sessions/lost/continueChat", "/typebots/bolos/startChat"]);
  expect(await line.sendTexts(maria, "RECOMEÇAR ")).toEqual(["Vamos de novo, Maria", ...menu]);
  line.clock.advance({ seconds: 601 });
  expect(await line.sendTexts(maria, "1")).toEqual(menu);
  expect(path().at(-1)).toBe("/typebots/bolos/startChat");
  expect(await line.sendTexts(maria, "encerrar")).toEqual(["Obrigado!"]);
  expect(await line.ticketOf(maria)).toMatchObject({ status: "closed" });
  const called = systems.calls.length;
  expect(await line.sendTexts(maria, "bom dia, quero outro")).toEqual(menu);
  expect(path().slice(called)).toEqual(["/typebots/bolos/startChat"]);
  expect(systems.violations).toEqual([]);
});

test("typebot: commands stop the bot or name a queue and an agent of the company; a pause is typed and kept, a wait goes on by itself (O-09)", async () => {
  const line = await aTypebot({ typebotDelayMessage: 1_500 });
  const ana = await aUser(line.company);
  const say = (...texts: string[]) => {
    systems.answer = (_, response) => json(response, { sessionId: "s", messages: texts.map(words), input: question });
  };
  say("Um momento", '#{"stopBot":true}');
  expect(await line.sendTexts(maria, "oi")).toEqual(["Um momento"]);
  expect(await line.ticketOf(maria)).toMatchObject({ status: "pending", chatbot: false });
  say(`#{"queueId":"${line.support.id}","userId":${ana.userId}}`);
  expect(await line.sendTexts(jose, "oi")).toEqual([waiting]);
  expect(await line.ticketOf(jose)).toMatchObject({ status: "open", userId: ana.userId, queueId: line.support.id });
  const invited = await anInvitedAgent(line);
  say("Vou passar", `#{"userId":${invited}}`);
  expect(await line.sendTexts("5511933332222", "oi")).toEqual(["Vou passar"]);
  expect(await line.ticketOf("5511933332222")).toMatchObject({ status: "pending", userId: null, chatbot: false });
  say("Vou passar", '#{"queueId":2000000000}');
  expect(await line.sendTexts("5511966665555", "oi")).toEqual(["Vou passar"]);
  expect(await line.ticketOf("5511966665555")).toMatchObject({ status: "pending", queueId: null, chatbot: false });
  const params = { id: line.integrationId };
  const [call] = (await line.admin.call(queueIntegrations.calls, { params })).body.calls;
  expect(call).toMatchObject({ state: "delivered", error: "unknown queue: 2000000000" });

  systems.answer = ({ path: called, body }, response) =>
    called.endsWith("/startChat")
      ? json(response, {
          sessionId: "w",
          messages: [words("Já volto")],
          clientSideActions: [{ type: "wait", wait: { secondsToWaitFor: 4 }, expectsDedicatedReply: true }],
        })
      : json(response, { messages: [words(body["message"] ? "?" : "Voltei"), words("Diga")], input: question });
  const late = "5511955554444";
  expect(await line.sendTexts(late, "oi")).toEqual(["Já volto"]);
  expect(line.line.typing.at(-1)).toMatchObject({ isTyping: true });
  line.clock.advance({ seconds: 5 });
  expect(await line.receivedTexts(late)).toEqual(["Voltei"]);
  line.clock.advance({ seconds: 2 });
  expect(await line.receivedTexts(late)).toEqual(["Diga"]);
  expect(systems.violations).toEqual([]);
});

const aDialogflow = (more: Partial<QueueIntegrationBody> = {}) =>
  aLine({ type: "dialogflow", projectName: "padaria", jsonContent: systems.account, ...more });

test("dialogflow: detectIntent by the service account's token; several answers, a picture, and the end of the conversation (O-09)", async () => {
  const line = await aDialogflow({ language: "es" });
  const answers: object[] = [
    {
      fulfillmentText: "Oi",
      fulfillmentMessages: [
        { text: { text: ["Oi"] } },
        { text: { text: ["só no Telegram"] }, platform: "TELEGRAM" },
        { image: { imageUri: `${systems.url}/files/bolo%20de%20cenoura.png`, accessibilityText: "o de hoje" } },
        { quickReplies: { title: "E agora?", quickReplies: ["Comprar", "Sair"] } },
        { card: { title: "Bolo", subtitle: "R$ 30", buttons: [{ text: "Ver", postback: "https://b.example" }] } },
      ],
    },
    { fulfillmentText: "De nada", intent: { endInteraction: true } },
  ];
  systems.answer = (_, response) =>
    json(response, { responseId: "r", queryResult: answers[systems.calls.length - 1] ?? answers[1] });
  expect(await line.sendTexts(maria, "o".repeat(300))).toEqual([
    "Oi",
    "bolo de cenoura.png: o de hoje",
    "E agora?\n• Comprar\n• Sair",
    "*Bolo*\nR$ 30\n• Ver: https://b.example",
  ]);
  expect(systems.calls[0]).toMatchObject({
    headers: { authorization: "Bearer ya29.test" },
    body: { queryInput: { text: { text: "o".repeat(256), languageCode: "es" } } },
  });
  expect(await line.sendTexts(maria, "obrigada")).toEqual(["De nada"]);
  expect(await line.ticketOf(maria)).toMatchObject({ status: "pending", chatbot: false });
  const sessions = systems.calls.map(({ path: called }) => called);
  expect(new Set(sessions).size).toBe(1);
  expect(sessions[0]).toMatch(/^\/global\/v2\/projects\/padaria\/agent\/sessions\/prosa-\d+-\d+:detectIntent$/);
  await line.sendTexts(jose, "oi");
  expect(systems.calls.at(-1)!.path).not.toBe(sessions[0]);

  // an agent of a region: the host and the session's name say which
  const params = { id: line.integrationId };
  const move = (location: string) => line.admin.call(queueIntegrations.update, { params, body: { location } });
  expect((await move("evil.example/")).body).toMatchObject({
    error: "ERR_VALIDATION",
    details: { fields: { location: expect.any(String) } },
  });
  expect((await move(" Southamerica-East1 ")).body.location).toBe("southamerica-east1");
  await line.sendTexts("5511966665555", "oi");
  expect(systems.calls.at(-1)!.path).toMatch(
    /^\/southamerica-east1\/v2\/projects\/padaria\/locations\/southamerica-east1\/agent\/sessions\/prosa-/,
  );
  expect((await move("")).body.location).toBe("global");
  expect(systems.violations).toEqual([]);
});

test("dialogflow: a refused account and a failing service call a person, and the log says why (O-09)", async () => {
  const stranger = JSON.stringify({ ...(JSON.parse(systems.account) as object), client_email: "x@y.example" });
  const line = await aDialogflow({ jsonContent: stranger });
  const params = { id: line.integrationId };
  const failed = async (phone: string) => {
    await line.sendTexts(phone, "oi");
    for (let second = 0; second < 5; second += 1) {
      line.clock.advance({ seconds: 1 });
      await line.app.settle();
    }
    expect(await line.receivedTexts(phone)).toEqual([waiting]);
    return (await line.admin.call(queueIntegrations.calls, { params })).body.calls[0]!.error;
  };
  expect(await failed(maria)).toBe("account refused: HTTP 400");
  expect(systems.calls).toEqual([]);
  await line.admin.call(queueIntegrations.update, { params, body: { jsonContent: systems.account } });
  systems.answer = (_, response) => json(response, { error: { code: 403, status: "PERMISSION_DENIED" } }, 403);
  expect(await failed(jose)).toBe("HTTP 403");
});

test("testSession plays each type with what somebody types, keeps the conversation, and says what failed (O-09)", async () => {
  const line = await aTypebot();
  const { admin } = line;
  playCakes();
  const first = await admin.call(queueIntegrations.test, { body: { id: line.integrationId, text: "oi" } });
  expect(first.body).toMatchObject({
    outcome: "goesOn",
    messages: [
      { text: expect.stringContaining("*Maria*"), mediaUrl: null },
      { text: "", mediaUrl: `${systems.url}/files/moved.png` },
      { mediaUrl: expect.stringMatching(/^data:image/) },
      { text: "https://youtu.be/x" },
      { text: "*[ 1 ]* - Cenoura\n*[ 2 ]* - Chocolate" },
    ],
  });
  const go = (text: string, session: string | null) =>
    admin.call(queueIntegrations.test, { body: { id: line.integrationId, text, session } });
  const second = await go("cenoura", first.body.session);
  expect([second.body.messages, second.body.outcome]).toEqual([[{ text: "Qual tamanho?", mediaUrl: null }], "goesOn"]);
  expect((await go("grande", second.body.session)).body).toMatchObject({ outcome: "handsOver", session: null });
  expect(line.line.sent).toEqual([]);

  // by the specification
  systems.answer = (_, response) => json(response, { queryResult: { fulfillmentText: "Olá!" } });
  const agent = { projectName: "padaria", jsonContent: systems.account, language: "pt-BR" as const };
  const answered = await admin.call(queueIntegrations.test, { body: agent });
  expect(answered.body).toMatchObject({ messages: [{ text: "Olá!", mediaUrl: null }], outcome: "goesOn" });
  expect(systems.calls.at(-1)!.body).toMatchObject({ queryInput: { text: { text: "Olá", languageCode: "pt-BR" } } });

  const body = { type: "webhook" as const, name: "Sistema", urlN8N: `${systems.url}/hook` };
  const hook = (await admin.call(queueIntegrations.create, { body })).body.id;
  const played = (text = "oi") => admin.call(queueIntegrations.test, { body: { id: hook, text } });
  systems.answer = (_, response) => json(response, { messages: [{ text: "ok" }], queueId: line.sales.id });
  expect((await played()).body).toMatchObject({ outcome: "handsOver", queueId: line.sales.id });
  expect(systems.calls.at(-1)!.body).toMatchObject({ ticket: null, message: { text: "oi" } });
  systems.answer = (_, response) => response.end("<html>");
  expect((await played()).body).toMatchObject({
    error: "ERR_INTEGRATION_FAILED",
    details: { reason: "no JSON", status: 200 },
  });
  systems.answer = (_, response) => json(response, { queueId: 2_000_000_000 });
  expect((await played()).body).toMatchObject({ details: { reason: "unknown queue" } });
  expect(systems.violations).toEqual([]);
});

/** Maria's conversation was resolved; she writes anew under her LID, which nobody knows to be hers, and the flow answers her there. */
async function inTheFlow(line: IntegrationLine) {
  await line.sendTexts(maria, "oi");
  const kept = await line.ticketOf(maria);
  await line.admin.put(`/tickets/${kept.id}`, { status: "open" });
  await line.admin.put(`/tickets/${kept.id}`, { status: "closed" });
  const more = { chat: { kind: "lid", value: "777" }, person: { phone: null, lid: "777" } } as const;
  await line.receive([messageFrom(maria, "bom dia", line.clock.now(), more)]);
  await line.app.settle();
  await line.receivedTexts(maria);
  const { body } = await line.admin.get<{ tickets: Ticket[] }>("/tickets?status=pending&showAll=true");
  return { kept, gone: body.tickets[0]! };
}

const callsOf = (line: IntegrationLine) =>
  line.company.inside(async ({ db }) => {
    const { rows } = await sql<{ id: number }>`select ticket_id as id from integration_calls
      where integration_id = ${line.integrationId} order by id`.execute(db);
    return rows.map(({ id }) => id);
  });

describe("a conversation that is merged into a resolved one while a flow has it", () => {
  test("goes on where the flow was, and its calls name the one that stays, until the undo (O-09, W-10, V-02)", async () => {
    const line = await aTypebot();
    playCakes();
    const { kept, gone } = await inTheFlow(line);
    const calls = [kept.id, gone.id];
    expect(await callsOf(line)).toEqual(calls);
    const path = `/contacts/${kept.contact.id}/merge`;
    const { body } = await line.admin.post<{ id: number }>(path, { contactId: gone.contact.id });
    expect(await callsOf(line)).toEqual([kept.id, kept.id]);
    expect((await line.admin.post(`/contacts/merges/${body.id}/undo`)).status).toBe(200);
    expect(await callsOf(line)).toEqual(calls);
    expect((await line.admin.post(path, { contactId: gone.contact.id })).status).toBe(200);

    expect(await line.sendTexts(maria, "1")).toEqual(["Qual tamanho?"]);
    expect(sent(-1)).toEqual({ type: "text", text: "Cenoura" });
    expect(await line.ticketOf(maria)).toMatchObject({ id: kept.id, status: "pending", chatbot: true });
  });

  test("goes on in the same session at Google (O-09, W-10)", async () => {
    const line = await aDialogflow();
    systems.answer = (_, response) => json(response, { queryResult: { fulfillmentText: "Qual sabor?" } });
    await inTheFlow(line);
    await line.receive([{ type: "identity", phone: maria, lid: "777" }]);
    await line.sendTexts(maria, "cenoura");
    await line.sendTexts(maria, "grande");
    const [before, ...since] = systems.calls.slice(1).map(({ path: called }) => called);
    expect(since).toEqual([before, before]);
  });
});

test("a queue whose plan lost the flag is as one without, also in the middle of a conversation (O-09, Y-05)", async () => {
  const line = await aTypebot();
  await line.admin.put(`/whatsapp/${line.connection.id}`, { integrationId: null });
  const params = { id: line.sales.id };
  await line.admin.call(queues.update, { params, body: { integrationId: line.integrationId } });
  playCakes();
  expect(await line.sendTexts(maria, "oi", "1", "quero bolo")).toContain("https://youtu.be/x");
  await line.app.db.systemTx(async (tx) => {
    await sql`update plans set flags = flags || '{"useIntegrations": false}' where id =
      (select plan_id from companies where id = ${line.company.id})`.execute(tx.db);
    tx.emit(line.company.id, { type: "plan.updated", payload: { planId: 0 } });
  });
  await line.app.settle();
  expect(await line.sendTexts(maria, "cenoura")).toEqual([expect.stringContaining("*[ 1 ]* - Preços")]);
  expect(systems.calls).toHaveLength(1);
});
