import { integrationCallBody, integrationTypes, queueIntegrations, queues } from "@prosa/contract";
import type { IntegrationType, QueueIntegrationBody } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { botFeature } from "#server/features/bot/feature.ts";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { webhookHeaders } from "#server/platform/net/index.ts";
import { asOwner } from "#server/testing/as-owner.ts";
import { createFakeLineApp, messageFrom } from "#server/testing/bot-scenario.ts";
import type { BotScenario, FakeLineApp } from "#server/testing/bot-scenario.ts";
import { aCompany, aQueue, aUser } from "#server/testing/factories.ts";
import { anIntegrationLine, anInvitedAgent } from "#server/testing/integration-line.ts";
import type { IntegrationLine } from "#server/testing/integration-line.ts";
import type { Content } from "#server/whatsapp/port.ts";
import { pruneCalls, resetCall } from "./calls/index.ts";
import { queueIntegrationsFeature } from "./feature.ts";
import { createIntegrationDriver } from "./index.ts";
import { secretContext } from "./queue-integrations.queries.ts";
import { answerOf, fieldsOf, json, saidIn, startSystems } from "#server/testing/integration-systems.ts";
import { aFlood, anError, cutAmid, gzipBomb, inLatin1, toPrivate, withMark } from "#server/testing/odd-answers.ts";
import type { SystemCall, Systems } from "#server/testing/integration-systems.ts";

const timeoutMs = 500;
/** The job of an answer has so long (ms). */
let jobMs = 60_000;
let systems: Systems;
let fakeLineApp: FakeLineApp;
beforeAll(async () => {
  systems = await startSystems();
  const options = { timeoutMs };
  const feature = botFeature({
    integration: (services) => {
      const driver = createIntegrationDriver(options)(services);
      return {
        answer: (request) =>
          driver.answer({ ...request, signal: AbortSignal.any([request.signal, AbortSignal.timeout(jobMs)]) }),
      };
    },
  });
  const others = [queueIntegrationsFeature(options)];
  fakeLineApp = await createFakeLineApp(
    createMessagesFeature,
    { feature, assistants: ["integration"], others },
    { WEBHOOK_PRIVATE_HOSTS: "on", DIALOGFLOW_URL: systems.url },
  );
});
afterAll(async () => {
  await fakeLineApp.app.close();
  systems.close();
});
beforeEach(() => {
  jobMs = 60_000;
  systems.calls.length = 0;
  systems.violations.length = 0;
});

const [maria, jose, rosa] = ["5511988887777", "5511977776666", "5511966665555"];
const photo: Content = {
  ...{ kind: "image", caption: "este", fileName: "bolo.jpg", mimeType: "image/jpeg", size: 3 },
  ...{ width: null, height: null, seconds: null, isVoice: false, thumbnail: null, source: {} },
};
const saysHi = () => ({ messages: [{ text: "Oi!" }] });

/** A line whose conversations an n8n flow has from the start. */
const aLine = (more: Partial<QueueIntegrationBody> = {}) =>
  anIntegrationLine(fakeLineApp, { type: "n8n", name: "Pedidos", urlN8N: `${systems.url}/hook`, ...more });

/** Lets retries come due. */
async function passSeconds({ clock, app }: BotScenario, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    clock.advance({ seconds: 1 });
    await app.settle();
  }
}

const callsOf = async ({ admin, integrationId }: IntegrationLine) =>
  (await admin.call(queueIntegrations.calls, { params: { id: integrationId } })).body.calls;

test("an n8n flow is told all that was said, signed, with links to files, and its texts and pictures are sent (O-09)", async () => {
  const line = await aLine();
  systems.answer = (_, response) =>
    json(response, [
      { messages: [{ text: "Qual sabor?" }, { mediaUrl: `${systems.url}/files/moved.png`, text: "veja" }] },
    ]);
  const at = line.clock.now();
  await line.receive([messageFrom(maria, "quero um bolo", at), messageFrom(maria, photo, at)]);
  expect(await line.receivedTexts(maria)).toEqual(["Qual sabor?", "bolo de cenoura.png: veja"]);
  expect(systems.violations).toEqual([]);

  const [{ headers, text }, ...others] = systems.calls as [SystemCall, ...SystemCall[]];
  expect(others).toEqual([]);
  const id = String(headers["webhook-id"]);
  const signed = webhookHeaders({ id, at: line.clock.now(), body: text }, line.secret);
  expect(headers).toMatchObject(signed);
  const said = integrationCallBody.parse(JSON.parse(text));
  expect(said).toMatchObject({
    message: { text: "este", type: "image", mimeType: "image/jpeg", fileName: "bolo.jpg" },
    messages: [{ text: "quero um bolo", mediaUrl: null }, { type: "image" }],
    contact: { name: "Maria", number: maria },
    ticket: { queue: null },
    connection: { id: line.connection.id, number: "5511990000001" },
    integration: { id: line.integrationId, name: "Pedidos" },
  });
  const file = await line.app.as(undefined).get(new URL(said.message.mediaUrl!).pathname);
  expect(file.status).toBe(200);
  expect(await line.ticketOf(maria)).toMatchObject({
    status: "pending",
    chatbot: true,
    integrationId: line.integrationId,
  });
  expect(await callsOf(line)).toMatchObject([
    { deliveryId: id, state: "delivered", attempts: 1, status: 200, error: null },
  ]);
});

test("an answer in the letters of an older system is said as it was meant, by each type (O-09)", async () => {
  let phone = 5_511_977_000_000;
  for (const type of ["webhook", "typebot", "dialogflow"] as const) {
    const line = await aLine(fieldsOf(type, systems));
    const body = answerOf(type, "Olá, José: pão à vista");
    for (const odd of [inLatin1(body), inLatin1(body, "application/json; charset=iso-8859-1"), withMark(body)]) {
      systems.answer = (_, response) => odd(response);
      phone += 1;
      expect([type, await line.sendTexts(String(phone), "oi")]).toEqual([type, ["Olá, José: pão à vista"]]);
    }
  }
});

test("an empty answer is silence, and the conversation goes on (O-09)", async () => {
  const line = await aLine({ type: "webhook" });
  const answers = ["", "null", "{}", "[]", '{"message":"Workflow was started"}', '{"messages":[]}'];
  systems.answer = (_, response) =>
    response.writeHead(200).end(answers[systems.calls.length - 1] ?? '{"messages":[{"text":"fim"}]}');
  const texts = ["a", "b", "c", "d", "e", "f", "g"];
  for (const text of texts.slice(0, -1)) {
    expect(await line.sendTexts(maria, text)).toEqual([]);
  }
  expect(await line.sendTexts(maria, "g")).toEqual(["fim"]);
  expect(systems.calls.map(({ body }) => (body["messages"] as { text: string }[]).map(({ text }) => text))).toEqual(
    texts.map((text) => [text]),
  );
});

const faults: readonly [string, string, (response: Parameters<Systems["answer"]>[1]) => unknown][] = [
  ["HTTP 500", "500", (response) => json(response, { error: "x" }, 500)],
  ["HTTP 429", "429", (response) => response.writeHead(429).end()],
  ["HTTP 302", "a redirect", (response) => response.writeHead(302, { location: "http://127.0.0.1/" }).end()],
  ["no JSON", "a page", (response) => response.end("<html>")],
  [
    "bad answer: messages: Invalid input: expected array, received string",
    "garbage",
    (response) => json(response, { messages: "oi" }),
  ],
  [
    "bad answer: messages: Too many messages",
    "a flood",
    (response) => json(response, { messages: Array(21).fill({ text: "oi" }) }),
  ],
  ["answer too large", "a huge body", (response) => response.end(" ".repeat(300_000))],
  ["answer too large", "a flood", aFlood()],
  // in bytes, not in letters
  ["answer too large", "a huge body of accents", (response) => response.end("á".repeat(140_000))],
  ["no JSON", "a bomb", gzipBomb],
  ["ECONNRESET", "a body that is cut", cutAmid({ messages: [{ text: "oi" }] })],
  ["HTTP 302", "a redirect to the inside", toPrivate],
  ["bad answer: error: out of stock", "an error with status 200", anError("out of stock")],
  ['bad answer: error: {"code":7}', "an error that is an object", anError({ code: 7 })],
  ["no answer in time", "silence of the server", () => undefined],
  ["ECONNRESET", "a dropped connection", (response) => response.destroy()],
  [
    "no file: type unknown",
    "a page as a picture",
    (response) => json(response, { messages: [{ mediaUrl: `${systems.url}/files/x.jpg` }] }),
  ],
];

test("each fault is asked about again under the same id, then a person is called; the log says why (O-09, B-03)", async () => {
  const line = await aLine();
  for (const [index, [error, name, fail]] of faults.entries()) {
    const phone = `55119888800${String(index).padStart(2, "0")}`;
    systems.calls.length = 0;
    systems.answer = (_, response) => fail(response);
    await line.sendTexts(phone, "oi");
    await passSeconds(line, 5);
    expect([name, await line.receivedTexts(phone)]).toEqual([
      name,
      [expect.stringContaining("um atendente vai falar")],
    ]);
    expect(new Set(systems.calls.map(({ headers, text }) => `${String(headers["webhook-id"])} ${text}`)).size).toBe(1);
    expect(systems.calls).toHaveLength(3);
    const [call] = await callsOf(line);
    expect(call).toMatchObject({ state: "failed", attempts: 3, error });
    expect(await line.ticketOf(phone)).toMatchObject({ status: "pending", chatbot: false });
  }
}, 60_000);

test("a call that runs into the time of its job has failed, and one that nobody heard of again too (O-09, B-03)", async () => {
  const line = await aLine();
  jobMs = 200;
  systems.answer = () => undefined;
  await line.sendTexts(maria, "oi");
  await passSeconds(line, 5);
  expect(await line.receivedTexts(maria)).toEqual([expect.stringContaining("um atendente vai falar")]);
  const failed = { state: "failed", attempts: 3, status: null, error: "no answer in time" };
  expect(await callsOf(line)).toMatchObject([failed]);

  // as processes leave it that were killed, and whose conversations an agent took over
  const { app, clock, company } = line;
  const leave = () =>
    company.inside((ctx) =>
      sql`update integration_calls set state = 'waiting', error = null, answered_at = null`.execute(ctx.db),
    );
  await leave();
  await pruneCalls(app.db, clock.now());
  expect(await callsOf(line)).toMatchObject([{ state: "waiting" }]);
  clock.advance({ minutes: 61 });
  // sent again by hand, and on its way
  await company.inside(async (ctx) => resetCall(ctx, line.integrationId, (await callsOf(line))[0]!.id));
  await pruneCalls(app.db, clock.now());
  expect(await callsOf(line)).toMatchObject([{ state: "waiting" }]);
  await leave();
  await pruneCalls(app.db, clock.now());
  expect(await callsOf(line)).toMatchObject([{ ...failed, attempts: 4 }]);
});

test("nothing is signed with an empty key: one that never had a secret is given it by what comes first, its test (O-09, V-01)", async () => {
  const line = await aLine();
  const { company, integrationId, admin, app, clock } = line;
  await company.inside((ctx) => sql`update queue_integrations set secret = null`.execute(ctx.db));
  systems.answer = (_, response) => json(response, saysHi());
  expect((await admin.call(queueIntegrations.test, { body: { id: integrationId } })).status).toBe(200);
  await line.sendTexts(maria, "oi");
  const { rows } = await company.inside((ctx) =>
    sql<{ secret: Buffer }>`select secret from queue_integrations`.execute(ctx.db),
  );
  const secret = app.services.vault.open(rows[0]!.secret, secretContext(company.id, integrationId)).toString();
  expect(systems.calls).toHaveLength(2);
  for (const { headers, text } of systems.calls) {
    const id = String(headers["webhook-id"]);
    expect(headers).toMatchObject(webhookHeaders({ id, at: clock.now(), body: text }, secret));
  }
});

test("a queue or an agent of another company, or one who was only invited, fails it; its own get the conversation, and it may end it (O-09, N-06)", async () => {
  const line = await aLine();
  const other = await aCompany(line.app);
  const [foreignQueue, stranger] = [await aQueue(other), await aUser(other)];
  for (const [phone, target, error] of [
    [maria, { queueId: foreignQueue.id }, `unknown queue: ${foreignQueue.id}`],
    ["5511944443333", { userId: stranger.userId }, `unknown agent: ${stranger.userId}`],
  ] as const) {
    systems.answer = (_, response) => json(response, { messages: [{ text: "segredo" }], ...target });
    await line.sendTexts(phone, "oi");
    await passSeconds(line, 5);
    expect(await line.receivedTexts(phone)).toEqual([expect.stringContaining("um atendente vai falar")]);
    expect((await callsOf(line))[0]).toMatchObject({ state: "failed", error });
  }

  const invited = await anInvitedAgent(line);
  systems.answer = (_, response) => json(response, { messages: [{ text: "Vou passar" }], userId: invited });
  await line.sendTexts("5511933332222", "oi");
  await passSeconds(line, 5);
  expect(await line.receivedTexts("5511933332222")).toEqual([expect.stringContaining("um atendente vai falar")]);
  expect((await callsOf(line))[0]).toMatchObject({ state: "failed", error: `unknown agent: ${invited}` });

  systems.answer = (_, response) => json(response, { messages: [{ text: "Um momento" }], queueId: line.support.id });
  expect(await line.sendTexts(jose, "oi")).toEqual(["Um momento"]);
  expect(await line.ticketOf(jose)).toMatchObject({ status: "pending", queueId: line.support.id, chatbot: false });
  const ana = await aUser(line.company);
  systems.answer = (_, response) => json(response, { userId: ana.userId, queueId: line.sales.id });
  expect(await line.sendTexts("5511966665555", "oi")).toEqual([expect.stringContaining("um atendente vai falar")]);
  expect(await line.ticketOf("5511966665555")).toMatchObject({
    status: "open",
    userId: ana.userId,
    queueId: line.sales.id,
  });
  systems.answer = (_, response) => json(response, { messages: [{ text: "Tchau" }], close: true });
  expect(await line.sendTexts("5511955554444", "oi")).toEqual(["Tchau"]);
  expect(await line.ticketOf("5511955554444")).toMatchObject({ status: "closed", integrationId: null });
});

test("each fault at each type: asked about again, then a person is called, who sees why; one that is back answers once (O-09)", async () => {
  const back = "volta";
  const failing = new Map<string, (response: Parameters<Systems["answer"]>[1]) => unknown>([
    ["lento", () => undefined],
    ["429", (response) => response.writeHead(429).end()],
    ["500", (response) => json(response, { error: "x" }, 500)],
    ["lixo", (response) => json(response, { messages: "oi", queryResult: [] })],
    ["cortado", (response) => response.destroy()],
    [
      back,
      (response) => (countOf(back) < 3 ? response.writeHead(503).end() : json(response, answerOf(type, "Voltei"))),
    ],
  ]);
  const errors = [
    "no answer in time",
    "HTTP 429",
    "HTTP 500",
    expect.stringMatching(/^bad answer/),
    "ECONNRESET",
    null,
  ];
  const countOf = (text: string) => systems.calls.filter((call) => saidIn(call) === text).length;
  systems.answer = (call, response) => failing.get(saidIn(call))?.(response);
  let type: IntegrationType = "webhook";
  for (type of ["webhook", "typebot", "dialogflow"] as const) {
    systems.calls.length = 0;
    const line = await aLine(fieldsOf(type, systems));
    const at = line.clock.now();
    const phones = new Map([...failing.keys()].map((text, index) => [`551198777000${index}`, text]));
    await line.receive([...phones].map(([phone, text]) => messageFrom(phone, text, at)));
    await passSeconds(line, 5);
    const calls = await callsOf(line);
    for (const [index, [phone, text]] of [...phones].entries()) {
      const isBack = text === back;
      const { id, chatbot, status } = await line.ticketOf(phone);
      expect([type, text, countOf(text), status, chatbot]).toEqual([type, text, 3, "pending", isBack]);
      const said = isBack ? "Voltei" : expect.stringContaining("um atendente vai falar");
      expect([type, text, await line.receivedTexts(phone)]).toEqual([type, text, [said]]);
      const call = calls.find(({ ticketId }) => ticketId === id);
      const state = isBack ? "delivered" : "failed";
      expect([type, call]).toMatchObject([type, { state, attempts: 3, error: errors[index] }]);
    }
  }
  expect(systems.violations).toEqual([]);
}, 60_000);

test("a system that says when to come again is left in peace until then, if that is soon; else a person comes at once (O-09)", async () => {
  const refuses = (response: Parameters<Systems["answer"]>[1], seconds: number) =>
    response.writeHead(429, { "retry-after": String(seconds) }).end();
  for (const [index, type] of (["webhook", "typebot", "dialogflow"] as const).entries()) {
    const line = await aLine(fieldsOf(type, systems));
    const [patient, busy] = [`551198666000${index}`, `551198665000${index}`];
    /** Refused so often, from now on. */
    const refusing = (times: number) => {
      systems.calls.length = 0;
      systems.answer = (_, response) =>
        systems.calls.length > times ? json(response, answerOf(type, "Voltei")) : refuses(response, 5);
    };
    refusing(4);
    await line.sendTexts(patient, "oi");
    for (let second = 0; second < 30; second += 1) {
      expect(systems.calls.length).toBeLessThanOrEqual(1 + second / 5);
      await passSeconds(line, 1);
    }
    expect([type, await line.receivedTexts(patient), systems.calls.length]).toEqual([type, ["Voltei"], 5]);
    expect(await callsOf(line)).toMatchObject([{ state: "delivered", attempts: 5, status: 200 }]);

    // In a session that has begun, a refusal has not moved it: nothing is asked beside the words themselves.
    refusing(1);
    await line.sendTexts(patient, "e agora?");
    expect((await callsOf(line))[0]).toMatchObject({ state: "waiting", status: 429 });
    await passSeconds(line, 8);
    expect([type, await line.receivedTexts(patient), systems.calls.map(saidIn)]).toEqual([
      type,
      ["Voltei"],
      ["e agora?", "e agora?"],
    ]);

    systems.calls.length = 0;
    systems.answer = (_, response) => refuses(response, 3_600);
    const said = await line.sendTexts(busy, "oi");
    expect([type, said]).toEqual([type, [expect.stringContaining("um atendente vai falar")]]);
    expect([type, systems.calls.length]).toEqual([type, 1]);
    expect((await callsOf(line))[0]).toMatchObject({ state: "failed", error: "HTTP 429" });
  }
}, 60_000);

test("a flow of Typebot that has gone on in a turn is not begun anew by waiting: a person comes after the usual tries (O-09)", async () => {
  const line = await aLine(fieldsOf("typebot", systems));
  systems.answer = ({ path }, response) =>
    path.endsWith("startChat")
      ? json(response, {
          ...{ sessionId: "s1", messages: [], input: null },
          clientSideActions: [{ type: "wait", wait: { secondsToWaitFor: 1 }, expectsDedicatedReply: true }],
        })
      : response.writeHead(429, { "retry-after": "5" }).end();
  await line.sendTexts(maria, "oi");
  await passSeconds(line, 5);
  expect(await line.receivedTexts(maria)).toEqual([expect.stringContaining("um atendente vai falar")]);
  expect(systems.calls.filter(({ path }) => path.endsWith("startChat"))).toHaveLength(3);
});

/** As if the process of the job of a ticket had been killed: another one finds the lease expired. */
const killedJob = `update jobs set leased_by = 'gone', leased_until = now() - interval '1 minute' where task = 'bot.assistant'`;
const killJobOf = (text: string) =>
  sql`${sql.raw(killedJob)} and (payload ->> 'ticketId')::int = (select ticket_id from messages where body = ${text})`.execute(
    fakeLineApp.app.db.system,
  );

/** Kills the process of each job that has stored a reply to "… depois", at that moment. */
const killAfterAnswers = () =>
  asOwner(
    fakeLineApp.app.database.url,
    `create function kill_after_answer() returns trigger language plpgsql security definer as $$ begin
      ${killedJob} and (payload ->> 'ticketId')::int = new.ticket_id; return null; end $$;
    create trigger kill_after_answer after update on integration_calls for each row
      when (old.reply is null and new.reply is not null and new.request like '% depois"%') execute function kill_after_answer()`,
  );

test("killed during a call it is made again; killed after the answer it is not: each type says each answer once, and goes on (O-09)", async () => {
  const moments = new Map([
    [maria, "durante"],
    [jose, "depois"],
    [rosa, "logo depois"],
  ]);
  const callsFor = (text: string) => systems.calls.filter((call) => saidIn(call) === text);
  await killAfterAnswers();
  systems.answer = async (call, response) => {
    const text = saidIn(call);
    // Typebot is asked without a message whether it has gone on: it has not.
    const [type, moment] = (text || "typebot ?").split(" ") as [IntegrationType, string];
    if (moment === "durante" && callsFor(text).length === 1) {
      await killJobOf(text);
      return response.destroy();
    }
    return json(response, answerOf(type, `Ouvi ${text}`));
  };
  const lines = await Promise.all(
    integrationTypes.map(async (type) => ({ type, line: await aLine(fieldsOf(type, systems)) })),
  );
  for (const step of ["antes", "", "enfim"]) {
    for (const { type, line } of lines) {
      const at = line.clock.now();
      await line.receive([...moments].map(([phone, moment]) => messageFrom(phone, `${type} ${step || moment}`, at)));
    }
    await passSeconds(lines[0]!.line, 1);
    if (step === "") {
      // one more before another process finds the reply that was not said
      for (const { type, line } of lines) {
        await line.receive([messageFrom(rosa, `${type} mais`, line.clock.now())]);
      }
      await passSeconds(lines[0]!.line, 12);
    }
  }
  for (const { type, line } of lines) {
    for (const [phone, moment] of moments) {
      const steps = phone === rosa ? ["antes", moment, "mais", "enfim"] : ["antes", moment, "enfim"];
      const texts = steps.map((step) => `Ouvi ${type} ${step}`);
      expect(await line.receivedTexts(phone)).toEqual(texts);
    }
    const [first, second, ...more] = callsFor(`${type} durante`);
    // all the same, but for Dialogflow's state, which is put back
    const again = second?.text.replace(',"resetContexts":true,"contexts":[]', "");
    expect([type, again, second?.path, more]).toEqual([type, first?.text, first?.path, []]);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect([type, callsFor(`${type} depois`), callsFor(`${type} logo depois`)]).toMatchObject([type, [{}], [{}]]);
  }
  expect(systems.calls.filter(({ path }) => path.endsWith("/startChat"))).toHaveLength(moments.size);
  expect(systems.violations).toEqual([]);
}, 30_000);

test("killed after the other system went on: Typebot's question is not answered unseen, Dialogflow is put back to before it (O-09)", async () => {
  /** Which question each session is at: the words that answer it, and those of the next one. */
  const at = new Map<string, string>();
  const say = (path: string, text: string) => {
    const name = `${/projects.*(?=:)/u.exec(path)?.[0] ?? ""}/contexts/${at.get(path)}`;
    const counters = { name: name.replace(/[^/]*$/u, "__system_counters__"), lifespanCount: 1 };
    const messages = [{ id: "b", type: "text", content: { richText: [{ type: "p", children: [{ text }] }] } }];
    return path.includes("detectIntent")
      ? {
          queryResult: {
            fulfillmentText: text,
            outputContexts: [
              { name, lifespanCount: 5, parameters: { person: "Maria Silva" } },
              { name: `${name}0` },
              counters,
            ],
          },
        }
      : { sessionId: "s1", messages, input: { id: at.get(path), type: "text input" } };
  };
  systems.answer = async ({ path, body }, response) => {
    const key = path.endsWith("/startChat") ? "/api/v1/sessions/s1/continueChat" : path;
    const said = saidIn({ path, body, headers: {}, text: "" });
    const { resetContexts, contexts } = (body["queryParams"] ?? {}) as {
      readonly resetContexts?: boolean;
      readonly contexts?: readonly { readonly name: string }[];
    };
    if (resetContexts) {
      at.set(key, contexts?.[0]?.name.split("/").at(-1) ?? "");
    }
    const before = at.get(key) ?? "";
    if (said === "") {
      // Typebot: without a message it says that none was given, and stays
      return json(response, say(key, "Invalid message"));
    }
    const isFirst = path.endsWith("/startChat") || before === "";
    at.set(key, isFirst ? "sabor" : before === "sabor" ? "tamanho" : "fim");
    if (before === "sabor" && !resetContexts) {
      await killJobOf(said);
      return response.destroy();
    }
    return json(response, say(key, isFirst ? "Qual sabor?" : before === "sabor" ? "Qual tamanho?" : "Anotado"));
  };
  const interrupted = async (type: IntegrationType, text: string) => {
    const line = await aLine(fieldsOf(type, systems));
    expect(await line.sendTexts(maria, "oi")).toEqual(["Qual sabor?"]);
    await line.receive([messageFrom(maria, text, line.clock.now())]);
    await passSeconds(line, 12);
    return line;
  };
  const typebot = await interrupted("typebot", "cenoura t");
  expect(await typebot.receivedTexts(maria)).toEqual([expect.stringContaining("um atendente vai falar")]);
  expect((await callsOf(typebot))[0]).toMatchObject({ state: "failed", error: "answer lost" });
  expect(systems.calls.filter((call) => saidIn(call) === "cenoura t")).toHaveLength(1);
  const dialogflow = await interrupted("dialogflow", "cenoura d");
  expect(await dialogflow.receivedTexts(maria)).toEqual(["Qual tamanho?"]);
  expect(await dialogflow.sendTexts(maria, "grande")).toEqual(["Anotado"]);
  expect(systems.calls.at(-1)!.body["queryParams"]).not.toHaveProperty("resetContexts");

  // what the agent has learned of a person is forgotten when it is at Google, and a call that is made again begins from nothing
  const keptIn = async (line: IntegrationLine) => {
    const { rows } = await line.company.inside((ctx) =>
      sql<{ contexts: unknown }>`select contexts from typebot_sessions where company_id = ${line.company.id}`.execute(
        ctx.db,
      ),
    );
    return JSON.stringify(rows.map(({ contexts }) => contexts));
  };
  dialogflow.clock.advance({ minutes: 18 });
  await dialogflow.app.settle();
  expect(await keptIn(dialogflow)).toContain("Maria Silva");
  dialogflow.clock.advance({ minutes: 7 });
  await dialogflow.app.settle();
  expect(await keptIn(dialogflow)).toBe("[null]");
  at.set(
    [...at.keys()].find((key) => key.includes("detectIntent"))!,
    "sabor",
  );
  await dialogflow.receive([messageFrom(maria, "cenoura e", dialogflow.clock.now())]);
  await passSeconds(dialogflow, 12);
  expect(await dialogflow.receivedTexts(maria)).toEqual(["Qual sabor?"]);
  expect(systems.calls.at(-1)!.body["queryParams"]).toMatchObject({ resetContexts: true, contexts: [] });
  expect(systems.violations).toEqual([]);
}, 30_000);

test("the list says where each is used, when it last worked, and what fails since when; screens are told once (O-09, N-06)", async () => {
  const line = await aLine();
  const { admin, company, sales, support, connection, integrationId } = line;
  const other = await admin.call(queueIntegrations.create, {
    body: { ...fieldsOf("webhook", systems), name: "Sem uso" },
  });
  for (const queue of [support, sales]) {
    await admin.call(queues.update, { params: { id: queue.id }, body: { integrationId } });
  }
  const rows = async () => (await admin.call(queueIntegrations.list)).body.queueIntegrations;
  const [row, unused] = await rows();
  const named = ({ id, name }: { readonly id: number; readonly name: string }) => ({ id, name });
  const never = { lastWorkedAt: null, failure: null, remark: null };
  expect(row).toMatchObject({ queues: [named(support), named(sales)], connections: [named(connection)], ...never });
  expect(unused).toMatchObject({ id: other.body.id, queues: [], connections: [], ...never });

  const screen = await line.app.connect(company.admin);
  const told = async () => {
    await line.app.settle();
    await screen.flushed();
    return screen.packets.filter(({ event }) => event === `company-${company.id}-queueIntegration`).length;
  };
  systems.answer = (_, response) => json(response, saysHi());
  const worked = line.clock.now().toISOString();
  await line.sendTexts(maria, "um", "dois", "três");
  expect((await rows())[0]).toMatchObject({ lastWorkedAt: worked, failure: null, remark: null });
  expect(await told()).toBe(1);

  systems.answer = (_, response) => json(response, {}, 500);
  await line.receive([messageFrom(maria, "quatro", line.clock.now())]);
  const since = line.clock.now().toISOString();
  await passSeconds(line, 5);
  expect((await callsOf(line))[0]).toMatchObject({ state: "failed", attempts: 3 });
  expect((await rows())[0]).toMatchObject({ lastWorkedAt: worked, failure: { error: "HTTP 500" } });
  const failure = (await rows())[0]!.failure!;
  expect(failure.since >= since).toBe(true);
  expect(await told()).toBe(2);

  // a call that is sent again and answered ends it
  systems.answer = (_, response) => json(response, {});
  const [failed] = await callsOf(line);
  await admin.call(queueIntegrations.replay, { params: { id: integrationId, callId: failed!.id } });
  await line.app.settle();
  expect((await rows())[0]).toMatchObject({ failure: null, lastWorkedAt: line.clock.now().toISOString() });
  expect(await told()).toBe(3);
  screen.close();
  // nobody sees the neighbour's
  const neighbour = await aCompany(line.app);
  expect((await line.app.as(neighbour.admin).call(queueIntegrations.list)).body.queueIntegrations).toEqual([]);
});

test("a loop with another bot is cut, and an answer that a person overtook is dropped (O-09, B-04)", async () => {
  const line = await aLine();
  systems.answer = (_, response) => json(response, saysHi());
  expect(await line.sendTexts(maria, "menu x", "menu x", "menu x")).toContainEqual(
    expect.stringContaining("um atendente vai falar"),
  );
  systems.answer = async (_, response) => {
    const { id } = await line.ticketOf(jose);
    await line.admin.put(`/tickets/${id}`, { status: "open" });
    json(response, saysHi());
  };
  expect(await line.sendTexts(jose, "oi")).toEqual([]);
});

test("calls are listed and sent again under their id, to admins; a new secret signs from then on (O-09, N-06)", async () => {
  const line = await aLine();
  const params = { id: line.integrationId };
  systems.answer = (_, response) => json(response, {}, 500);
  await line.sendTexts(maria, "oi");
  await passSeconds(line, 5);
  const [failed] = await callsOf(line);
  const renewed = await line.admin.call(queueIntegrations.renewSecret, { params });
  expect(renewed.body.secret).toMatch(/^whsec_/);

  systems.answer = (_, response) => json(response, saysHi());
  const said = line.line.texts().length;
  const replay = { params: { ...params, callId: failed!.id } };
  expect((await line.admin.call(queueIntegrations.replay, replay)).body).toMatchObject({ state: "waiting" });
  await line.app.settle();
  expect((await callsOf(line))[0]).toMatchObject({
    id: failed!.id,
    state: "delivered",
    status: 200,
    error: null,
    attempts: 4,
  });
  const [first, last] = [systems.calls[0]!, systems.calls.at(-1)!];
  expect([last.text, last.headers["webhook-id"]]).toEqual([first.text, first.headers["webhook-id"]]);
  const id = String(last.headers["webhook-id"]);
  expect(last.headers).toMatchObject(
    webhookHeaders({ id, at: line.clock.now(), body: last.text }, renewed.body.secret!),
  );
  expect(line.line.texts()).toHaveLength(said);

  const foreign = line.app.as((await aCompany(line.app)).admin);
  expect((await foreign.call(queueIntegrations.calls, { params })).status).toBe(404);
  expect((await foreign.call(queueIntegrations.replay, replay)).status).toBe(404);
  const agent = line.app.as(await aUser(line.company));
  expect((await agent.call(queueIntegrations.calls, { params })).body).toMatchObject({ error: "ERR_NO_PERMISSION" });
});
