import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { integrationTypes } from "@prosa/contract";
import type { IntegrationType, Queue, QueueOption, Ticket } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import type { TestDatabase } from "#server/testing/database.ts";
import { answerOf, fieldsOf, json, saidIn, startSystems } from "#server/testing/integration-systems.ts";
import type { Systems } from "#server/testing/integration-systems.ts";
import { createModelService } from "#server/testing/model-service.ts";
import type { ChatBody } from "#server/testing/model-service.ts";
import { startServerProcess, startSimProcess } from "#server/testing/processes.ts";
import type { ServerProcess, SimProcess } from "#server/testing/processes.ts";
import { signInWithRetries } from "#server/testing/storm/retrying-api.ts";
import type { RetryingApi } from "#server/testing/storm/retrying-api.ts";
import { makeCompany } from "#server/testing/storm/company.ts";
import { linkLine } from "#server/testing/storm/link-line.ts";
import type { RunQuery } from "#server/testing/storm/verdict.ts";
import { waitUntil } from "#server/testing/wait-until.ts";

/** kill -9 of the real server while customers are in the bot's menus; checked by the messages on their phones. */
const LINE = "5511990000003";
const customers = Array.from({ length: 6 }, (_, index) => `55119${60_000_001 + index}`);

const stop = "*[ sair ]* - Falar com um atendente";
const ways = `*[ 0 ]* - Voltar\n*[ # ]* - Menu inicial\n${stop}`;
const menus = {
  queues: `Bem-vindo\n\n*[ 1 ]* - Vendas\n*[ 2 ]* - Suporte\n\n${stop}`,
  options: `Olá de Vendas\n\n*[ 1 ]* - Preços\n\n${ways}`,
  prices: `Sobre os preços\n\n*[ 1 ]* - Mensal\n\n${ways}`,
  leaf: "São R$ 10 por mês",
  rating: "De 1 a 3, como foi?",
  farewell: "Obrigado, até logo",
};

let folder: string;
let database: TestDatabase;
let sim: SimProcess;
let server: ServerProcess | undefined;
let systems: Systems;
let api: RetryingApi;
let query: RunQuery;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "prosa-bot-kill-"));
  database = await createTestDatabase();
  sim = await startSimProcess(join(folder, "network"));
  const company = await makeCompany(database.db, "botkill");
  query = (query) => database.inCompany(company.companyId, async (ctx) => (await query.execute(ctx.db)).rows);
  systems = await startSystems();
  await launch();
  api = await signInWithRetries(() => server?.url ?? "", company);

  await api.call("PUT", "/settings/userRating", { value: "enabled" });
  const queue = (name: string, color: string, greetingMessage: string) =>
    api.call<Queue>("POST", "/queue", { name, color, greetingMessage });
  const sales = await queue("Vendas", "#112233", "Olá de Vendas");
  const support = await queue("Suporte", "#445566", "Olá do Suporte");
  const option = (title: string, message: string, parentId: number | null) =>
    api.call<QueueOption>("POST", "/queue-options", { queueId: sales.id, parentId, title, message });
  const { id: prices } = await option("Preços", "Sobre os preços", null);
  await option("Mensal", menus.leaf, prices);

  const { id } = await api.call<{ id: number }>("POST", "/whatsapp", {
    name: "Loja",
    greetingMessage: "Bem-vindo",
    ratingMessage: menus.rating,
    complationMessage: menus.farewell,
    queueIds: [sales.id, support.id],
  });
  await linkLine(sim.client, query, id, LINE);
});

afterAll(async () => {
  await Promise.all([server?.kill(), sim.kill()]);
  systems.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function launch(): Promise<void> {
  server = await startServerProcess({
    DATA_DIR: join(folder, "data"),
    DATABASE_URL: database.url,
    WHATSAPP_WS_URL: sim.wsUrl,
    NODE_EXTRA_CA_CERTS: sim.caFile,
    SIMULATOR: "off",
    LANGUAGE_MODEL_PRIVATE_HOSTS: "on",
    WEBHOOK_PRIVATE_HOSTS: "on",
    DIALOGFLOW_URL: systems.url,
  });
}

/** Kills the server at a random moment of the work, and starts it again. */
async function amidAKill(work: () => Promise<unknown>): Promise<void> {
  const killed = sleep(randomInt(700)).then(() => server?.kill());
  await Promise.all([killed.then(launch), work()]);
}

/** Messages on a customer's phone in order, repeated ids once. */
async function phones() {
  const inboxes = await Promise.all(customers.map((number) => sim.client.call("inbox", { number })));
  return inboxes.map((inbox) => inbox.map(({ id, text }) => ({ id, text })));
}

async function everybodySays(text: string): Promise<void> {
  await Promise.all(customers.map((number) => sim.client.call("says", { number, to: LINE, content: text })));
}

async function untilEverybodyHas(count: number): Promise<void> {
  await waitUntil(async () => (await phones()).every((inbox) => inbox.length >= count), 60_000);
}

async function tickets(): Promise<Ticket[]> {
  const { tickets: all } = await api.call<{ tickets: Ticket[] }>("GET", "/tickets?showAll=true");
  return all;
}

async function expectOnEveryPhone(texts: readonly string[]): Promise<void> {
  for (const inbox of await phones()) {
    expect(inbox.map(({ text }) => text)).toEqual(texts);
    expect(new Set(inbox.map(({ id }) => id)).size).toBe(texts.length);
  }
}

test("killed in the middle of a menu, the bot goes on where it was, and sends no menu twice (Q-04, W-08)", async () => {
  const steps = [
    ["oi", menus.queues],
    ["1", menus.options],
    ["1", menus.prices],
    ["1", menus.leaf],
  ] as const;
  for (const [index, [text]] of steps.entries()) {
    await amidAKill(() => everybodySays(text));
    await untilEverybodyHas(index + 1);
  }

  await expectOnEveryPhone(steps.map(([, answer]) => answer));
  expect(await tickets()).toHaveLength(customers.length);
  expect((await tickets()).every(({ chatbot, queue }) => !chatbot && queue?.name === "Vendas")).toBe(true);
}, 150_000);

test("killed amid resolving and rating, each customer is asked once and thanked once (Q-09, W-08)", async () => {
  for (const { id } of await tickets()) {
    await api.call("PUT", `/tickets/${id}`, { status: "open" });
  }
  const before = [menus.queues, menus.options, menus.prices, menus.leaf];
  await amidAKill(async () => {
    for (const { id } of await tickets()) {
      await api.call("PUT", `/tickets/${id}`, { status: "closed" });
    }
  });
  await untilEverybodyHas(before.length + 1);
  await expectOnEveryPhone([...before, menus.rating]);

  await amidAKill(() => everybodySays("3"));
  await untilEverybodyHas(before.length + 2);
  await expectOnEveryPhone([...before, menus.rating, menus.farewell]);
  const rated = await query(sql<{ rating: number }>`select rating from episodes where rating is not null`);
  expect(rated.map(({ rating }) => rating)).toEqual(customers.map(() => 3));
  expect((await tickets()).every(({ status }) => status === "closed")).toBe(true);
});

test("killed in the midst of a burst, each customer gets one menu, and no word is lost (B-01, W-08)", async () => {
  const newcomers = customers.map((_, index) => `55119${61_000_001 + index}`);
  const words = ["oi", "bom dia", "tudo bem?", "queria saber de um sofá"];
  const say = (number: string, content: string) => sim.client.call("says", { number, to: LINE, content });
  const heard = (number: string) => sim.client.call("inbox", { number }).then((all) => all.map(({ text }) => text));
  const burst = words.flatMap((content) => newcomers.map((number) => ({ number, to: LINE, content })));
  await amidAKill(() => sim.client.call("saysAll", { messages: burst }));

  const stored = () =>
    query(sql<{ number: string; bodies: string[] }>`
      select c.number, array_agg(m.body order by m.sent_at, m.id) as bodies from messages m
        join contacts c on c.id = m.contact_id
      where c.number = any(${newcomers}) and not m.from_me and not m.is_stub group by c.number`);
  const isStored = async () => {
    const bodies = (await stored()).map((each) => each.bodies.length);
    return bodies.length === newcomers.length && bodies.every((count) => count === words.length);
  };
  await waitUntil(isStored, 60_000);
  expect((await stored()).map(({ bodies }) => bodies.toSorted())).toEqual(newcomers.map(() => words.toSorted()));

  // The answer to the choice comes after whatever the bot said to the burst.
  await Promise.all(newcomers.map((number) => say(number, "1")));
  await waitUntil(async () =>
    (await Promise.all(newcomers.map(heard))).every((all) => all.at(-1)?.includes("Olá de Vendas")),
  );
  for (const number of newcomers) {
    expect(await heard(number)).toEqual([
      expect.stringContaining("Bem-vindo"),
      expect.stringContaining("Olá de Vendas"),
    ]);
  }
}, 150_000);

test("killed while assistants think, each customer gets one answer to each thing said (O-08, W-08)", async () => {
  const service = await createModelService();
  onTestFinished(() => service.close());
  service.delayMs = 400;
  // all that was said since the last answer
  const lastOf = ({ messages }: ChatBody) => messages.at(-1)?.content ?? "";
  service.answer = (body) => `Ouvi: ${lastOf(body)}`;
  const [line] = await query(sql<{ id: number; queueId: number }>`
    select c.id, q.id as "queueId" from connections c, queues q where q.name = 'Suporte'`);
  const { id: promptId } = await api.call<{ id: number }>("POST", "/prompt", {
    name: "Lia",
    prompt: "Ajude",
    queueId: line?.queueId,
    baseUrl: service.url,
    apiKey: "sk-1",
  });
  await api.call("PUT", `/whatsapp/${line?.id}`, { promptId });

  const newcomers = customers.map((_, index) => `55119${62_000_001 + index}`);
  const answers = (number: string) => sim.client.call("inbox", { number });
  const words = ["primeira pergunta", "segunda pergunta"];
  for (const [index, word] of words.entries()) {
    const say = () =>
      Promise.all(newcomers.map((number) => sim.client.call("says", { number, to: LINE, content: word })));
    await (index === 0 ? say() : amidAKill(say));
    await waitUntil(
      async () => (await Promise.all(newcomers.map(answers))).every((inbox) => inbox.length > index),
      60_000,
    );
  }
  for (const number of newcomers) {
    const inbox = await answers(number);
    expect(inbox.map(({ text }) => text)).toEqual(words.map((word) => `Ouvi: ${word}`));
    expect(new Set(inbox.map(({ id }) => id)).size).toBe(words.length);
  }
  const [usage] = await query(sql<{ requests: number }>`select requests from prompt_usage`);
  expect(usage?.requests).toBeGreaterThanOrEqual(newcomers.length * words.length);
}, 150_000);

test("killed during the calls of integrations, and between two of their bubbles, each customer gets each bubble once (O-09, W-08)", async () => {
  const people = integrationTypes.flatMap((type, index) =>
    [1, 2].map((n) => ({ type, number: `55119${63_000_000 + 10 * index + n}` })),
  );
  const say = (word: string, to = people) =>
    Promise.all(
      to.map(({ type, number }) => sim.client.call("says", { number, to: LINE, content: `${type} ${word}` })),
    );
  const inboxes = (of = people) => Promise.all(of.map(({ number }) => sim.client.call("inbox", { number })));
  const untilAll = (count: number, of = people) =>
    waitUntil(async () => (await inboxes(of)).every((inbox) => inbox.length >= count));
  let isSilent = false;
  systems.answer = (call, response) => {
    const said = saidIn(call);
    // Typebot is asked without a message whether it has gone on: it has not.
    const [type] = (said || "typebot ?").split(" ") as [IntegrationType];
    return isSilent || json(response, answerOf(type, `1: ${said}`, `2: ${said}`));
  };
  const [line] = await query(sql<{ id: number }>`select id from connections`);
  const chooses = (ids: readonly number[], greetingMessage = "") =>
    api.call("PUT", `/whatsapp/${line?.id}`, { promptId: null, greetingMessage, queueIds: ids });
  // Each type has a queue, which conversations begin in while it is the only one.
  const queueIds: number[] = [];
  for (const type of integrationTypes) {
    const fields = { ...fieldsOf(type, systems), name: `Fluxo ${type}`, typebotDelayMessage: 1_500 };
    const { id: integrationId } = await api.call<{ id: number }>("POST", "/queueIntegration", fields);
    const color = `#0000f${queueIds.length}`;
    const queue = await api.call<Queue>("POST", "/queue", { name: `Fila ${type}`, color, integrationId });
    queueIds.push(queue.id);
    await chooses([queue.id]);
    await say(
      "oi",
      people.filter((each) => each.type === type),
    );
    await untilAll(
      1,
      people.filter((each) => integrationTypes.indexOf(each.type) < queueIds.length),
    );
  }
  await chooses(queueIds, menus.queues);
  await untilAll(2);

  isSilent = true;
  systems.calls.length = 0;
  await say("fala");
  await waitUntil(async () => systems.calls.length === people.length);
  await server?.kill();
  isSilent = false;
  await launch();
  await waitUntil(async () => (await inboxes()).some((inbox) => inbox.length >= 3));
  await server?.kill();
  await launch();
  await untilAll(4);
  await say("enfim");
  await untilAll(6);

  for (const [index, inbox] of (await inboxes()).entries()) {
    const words = ["oi", "fala", "enfim"].map((word) => `${people[index]?.type} ${word}`);
    expect(inbox.map(({ text }) => text)).toEqual(words.flatMap((said) => [`1: ${said}`, `2: ${said}`]));
    expect(new Set(inbox.map(({ id }) => id)).size).toBe(inbox.length);
  }
  expect(systems.violations).toEqual([]);
}, 150_000);
