import { botPreview, prompts, queueIntegrations, queueOptions, queues, settings } from "@prosa/contract";
import type { BodyIn, ResponseOf } from "@prosa/contract";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aQueue, aUser } from "#server/testing/factories.ts";
import { initialState } from "../bot.script.ts";
import { decideTurn, loadScript } from "../engine/index.ts";
import { previewTurn } from "./index.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

type State = ResponseOf<typeof botPreview.turn>["state"];

async function aBot() {
  const company = await aCompany(app);
  const sales = await aQueue(company, { name: "Vendas", greetingMessage: "Olá de Vendas" });
  const support = await aQueue(company, { name: "Suporte", greetingMessage: "Olá do Suporte" });
  const line = await aConnection(company, { greetingMessage: "Bem-vindo", queueIds: [sales.id, support.id] });
  const admin = app.as(company.admin);
  const add = async (title: string, parentId: number | null = null) =>
    (
      await admin.call(queueOptions.create, {
        body: { queueId: sales.id, parentId, title, message: `Sobre ${title}` },
      })
    ).body;
  const prices = await add("Preços");
  await add("Mensal", prices.id);
  await add("Anual", prices.id);
  await add("Prazos");
  const turn = async (body: BodyIn<typeof botPreview.turn>) => (await admin.call(botPreview.turn, { body })).body;
  return { company, admin, sales, support, line, prices, turn };
}

test("a conversation runs turn by turn on the state that the browser keeps (Q-03, Q-04)", async () => {
  const { line, sales, turn } = await aBot();
  const first = await turn({ connectionId: line.id, text: "oi" });
  expect(first).toMatchObject({
    messages: [
      {
        text: "Bem-vindo\n\n*[ 1 ]* - Vendas\n*[ 2 ]* - Suporte\n\n*[ sair ]* - Falar com um atendente",
        mediaName: null,
      },
    ],
    outcome: "bot",
    queue: null,
  });
  const second = await turn({ connectionId: line.id, state: first.state, text: "1" });
  expect(second).toMatchObject({ outcome: "bot", queue: { id: sales.id, name: "Vendas" } });
  const third = await turn({ connectionId: line.id, state: second.state, text: "2" });
  expect(third).toMatchObject({ messages: [{ text: "Sobre Prazos" }], outcome: "person" });
});

test("a queue is previewed alone; a leaf's file is sent with it (Q-04)", async () => {
  const { admin, sales, prices, turn } = await aBot();
  const form = new FormData();
  form.set("file", new File(["mensal;10"], "tabela.csv"));
  await admin.post(`/queue-options/${prices.id}/media-upload`, form);

  const first = await turn({ queueId: sales.id, text: "oi" });
  expect(first.messages[0]?.text).toContain("Olá de Vendas");
  const second = await turn({ queueId: sales.id, state: first.state, text: "1" });
  expect(second.messages[0]).toMatchObject({ text: "", mediaName: "tabela.csv", mediaType: "text/csv" });
  expect(await app.as(undefined).get(second.messages[0]?.mediaUrl ?? "")).toMatchObject({ status: 200 });
});

test("opening hours are previewed at any time, in the company's time zone (Q-06)", async () => {
  const { company, admin, turn } = await aBot();
  await admin.call(settings.save, { params: { key: "scheduleType" }, body: { value: "company" } });
  const line = await aConnection(company, { outOfHoursMessage: "Voltamos amanhã" });
  const at = async (time: string, isClosed = false) =>
    (await turn({ connectionId: line.id, text: "oi", at: time, isClosed })).messages;
  expect(await at("2026-11-18T10:00:00-03:00", true)).toMatchObject([{ text: "Voltamos amanhã" }]);
  expect(await at("2026-11-18T22:00:00-03:00")).toMatchObject([{ text: "Voltamos amanhã" }]);
  expect(await at("2026-11-18T10:00:00-03:00")).toEqual([]);
});

test("texts have their variables resolved: the name and the previewed hour (Q-03)", async () => {
  const { company, turn } = await aBot();
  const line = await aConnection(company, { greetingMessage: "{{greeting}}, {{firstName}}! {{code}}" });
  const [firstName] = company.admin.name.split(" ");
  const said = (await turn({ connectionId: line.id, text: "oi", at: "2026-11-18T09:00:00-03:00" })).messages;
  expect(said).toMatchObject([{ text: `Bom dia, ${firstName}! {{code}}` }]);
});

test("a hundred random conversations give the engine's decisions (Q-03, Q-04, Q-05)", async () => {
  const { company, line, turn } = await aBot();
  const script = await company.inside((ctx) => loadScript(ctx, line.id, []));
  const text = fc.constantFrom("oi", "1", "2", "3", "0", "#", "sair", "", "  2 ", "não sei");
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 8 }), async (texts) => {
      let expected = initialState;
      let state: State = null;
      for (const [index, each] of texts.entries()) {
        const at = new Date(Date.UTC(2026, 10, 18, 13, index));
        const decision = decideTurn(script, expected, {
          said: [{ messageId: 0, kind: "chat", text: each, at }],
          at,
        });
        const played = await turn({ connectionId: line.id, state, text: each, at: at.toISOString() });
        expect(played.state).toEqual(decision.state);
        expect(played.messages.map((message) => message.text)).toEqual(
          decision.messages.map((message) => message.text),
        );
        expect([played.outcome, played.queue?.id ?? null]).toEqual([decision.outcome, decision.queueId]);
        expected = decision.state;
        ({ state } = played);
      }
    }),
    { numRuns: 100 },
  );
});

test("the customer sends media, waits an hour, is served and rates: all is previewed (Q-07, Q-09, B-01)", async () => {
  const { company, admin, support, turn } = await aBot();
  await admin.call(settings.save, { params: { key: "userRating" }, body: { value: "enabled" } });
  const fields = { timeToTransfer: 30, transferQueueId: support.id, complationMessage: "Até logo" };
  const line = await aConnection(company, {
    greetingMessage: "Bem-vindo",
    queueIds: [support.id, (await aQueue(company)).id],
    ...fields,
  });
  let state: State = null;
  const next = async (event: Partial<BodyIn<typeof botPreview.turn>>) => {
    const played = await turn({ connectionId: line.id, state, at: "2026-11-18T10:00:00-03:00", ...event });
    ({ state } = played);
    return { ...played, texts: played.messages.map(({ text }) => text) };
  };
  await next({ text: "oi" });
  expect((await next({ kind: "image", at: "2026-11-18T10:01:00-03:00" })).texts).toEqual([
    expect.stringContaining("*número*"),
  ]);
  expect(await next({ event: "hourLater" })).toMatchObject({
    texts: [expect.stringContaining("*Suporte*")],
    outcome: "person",
    queue: { id: support.id },
    at: "2026-11-18T14:00:00.000Z",
  });
  expect(await next({ event: "resolved" })).toMatchObject({
    texts: [expect.stringContaining("*1* - ")],
    outcome: "closed",
  });
  expect(await next({ text: "obrigada!" })).toMatchObject({ texts: [], outcome: "closed", rating: null });
  expect(await next({ text: "*3*" })).toMatchObject({ texts: ["Até logo"], outcome: "closed", rating: 3 });
  expect(await next({ text: "valeu" })).toMatchObject({ texts: [], outcome: "closed" });
  expect(await next({ text: "mais uma coisa" })).toMatchObject({
    texts: [expect.stringContaining("Bem-vindo")],
    outcome: "bot",
  });
});

test("what was sent before the menu could be read is told apart from other silence (B-01)", async () => {
  const { line, turn } = await aBot();
  const at = (seconds: number) => new Date(Date.UTC(2026, 10, 18, 13, 0, seconds)).toISOString();
  const play = (state: State, text: string, seconds: number) =>
    turn({ connectionId: line.id, state, text, at: at(seconds) });
  const menu = await play(null, "oi", 0);
  const early = await play(menu.state, "tudo bem?", 2);
  expect([menu.isTooEarly, early]).toMatchObject([false, { isTooEarly: true, messages: [], outcome: "bot" }]);
  const timely = await play(early.state, "tudo bem?", 30);
  expect([timely.isTooEarly, timely.messages.length]).toEqual([false, 1]);
});

test("the assistant that has the conversation is named (B-04)", async () => {
  const { company, admin, sales, support, turn } = await aBot();
  const ana = { name: "Ana", prompt: "Ajude a comprar", queueId: sales.id };
  const promptId = (await admin.call(prompts.create, { body: ana })).body.id;
  const orders = { type: "n8n" as const, name: "Pedidos", urlN8N: "https://n8n.example.com/webhook" };
  const integrationId = (await admin.call(queueIntegrations.create, { body: orders })).body.id;
  await admin.call(queues.update, { params: { id: sales.id }, body: { promptId, greetingMessage: "" } });
  await admin.call(queues.update, { params: { id: support.id }, body: { integrationId, greetingMessage: "" } });
  // Whatever kinds have a driver in the product.
  const edge = {
    media: { link: () => "", read: () => undefined, period: () => "" },
    assistants: ["prompt", "integration"],
  } as const;
  const first = { state: null, event: "message", kind: "text", text: "oi", isClosed: false } as const;
  const played = (queueId: number) => company.inside((ctx) => previewTurn(ctx, edge, { ...first, queueId }));
  expect(await played(sales.id)).toMatchObject({ outcome: "assistant", assistant: "Ana" });
  expect(await played(support.id)).toMatchObject({ outcome: "assistant", assistant: "Pedidos" });
  expect(await turn({ queueId: sales.id, text: "oi" })).toMatchObject({ outcome: "assistant", assistant: "Ana" });
});

test("nothing is stored, and an invalid state starts the conversation again (Q-04)", async () => {
  const { admin, line, turn } = await aBot();
  const before = await turn({ connectionId: line.id, text: "oi" });
  const odd = await turn({ connectionId: line.id, text: "oi", state: { queueId: "drop", path: {} } });
  expect(odd.messages).toEqual(before.messages);
  const { body } = await admin.get<{ tickets: unknown[] }>("/tickets?status=pending&showAll=true");
  expect(body.tickets).toEqual([]);
});

test("ids and times that cannot be stored are refused, or start the conversation again (Q-04)", async () => {
  const { admin, line, turn } = await aBot();
  const { state, messages } = await turn({ connectionId: line.id, text: "oi" });
  const assistant = { kind: "prompt", id: 10 ** 15 };
  const forged = await turn({ connectionId: line.id, text: "oi", state: { ...state, isOver: true, assistant } });
  expect(forged.messages).toEqual(messages);
  const answers = ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59-12:00", "0000-01-01T00:00:00+12:00"].map((at) =>
    admin.call(botPreview.turn, { body: { connectionId: line.id, event: "hourLater", at, state } }),
  );
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([400, 400, 400]);
});

test("an admin may preview; agents get 403, another company 404, a stranger 401", async () => {
  const { company, line, sales } = await aBot();
  const foreign = app.as((await aCompany(app)).admin);
  const play = (who: typeof foreign, body: Partial<BodyIn<typeof botPreview.turn>>) =>
    who.call(botPreview.turn, { body: { text: "oi", ...body } });
  expect((await play(app.as(await aUser(company)), { connectionId: line.id })).status).toBe(403);
  expect((await play(foreign, { connectionId: line.id })).status).toBe(404);
  expect((await play(foreign, { queueId: sales.id })).status).toBe(404);
  expect((await play(app.as(undefined), { connectionId: line.id })).status).toBe(401);
  expect((await play(foreign, {})).status).toBe(400);
});
