import { connections, knowledge, prompts, quickMessages } from "@prosa/contract";
import type { PromptBody } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { botFeature } from "#server/features/bot/feature.ts";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { createBotScenario, createFakeLineApp } from "#server/testing/bot-scenario.ts";
import type { FakeLineApp } from "#server/testing/bot-scenario.ts";
import { createModelService } from "#server/testing/model-service.ts";
import type { ModelFault, ModelService } from "#server/testing/model-service.ts";
import { createPromptDriver } from "./index.ts";

let service: ModelService;
let fakeLineApp: FakeLineApp;
beforeAll(async () => {
  service = await createModelService();
  const feature = botFeature({ prompt: createPromptDriver({ answerMs: 5_000 }) });
  const env = { LANGUAGE_MODEL_PRIVATE_HOSTS: "on" };
  fakeLineApp = await createFakeLineApp(createMessagesFeature, { feature, assistants: ["prompt"] }, env);
});
beforeEach(() => service.reset());
afterAll(async () => {
  await fakeLineApp.app.close();
  await service.close();
});

const maria = "5511988887777";
const manual = `# Política comercial
O cliente pode desistir da compra em até sete dias e recebe o valor de volta.

# Expediente
Atendemos das oito às dezoito.`;
/** Shares no word with the manual. */
const asked = "vocês aceitam devoluções? me arrependi";

async function aShop(more: Partial<PromptBody> = {}) {
  const scenario = await createBotScenario(fakeLineApp);
  const { admin, sales, app } = scenario;
  const fields = { name: "Lia", prompt: "Seja gentil.", queueId: sales.id, apiKey: "sk-9", baseUrl: service.url };
  const { id } = (await admin.call(prompts.create, { body: { ...fields, ...more } })).body;
  await admin.call(connections.update, { params: { id: scenario.connection.id }, body: { promptId: id } });
  await app.settle();
  return {
    ...scenario,
    promptId: id,
    prompt: async () => (await admin.call(prompts.get, { params: { id } })).body,
    learn: async (text: string, name = "Manual") => {
      const { body } = await admin.call(knowledge.create, { body: { name, text } });
      await app.settle();
      return body.id;
    },
    source: async (sourceId: number) => (await admin.call(knowledge.get, { params: { id: sourceId } })).body,
    find: async (question: string) =>
      (await admin.call(knowledge.search, { body: { question } })).body.passages.map(({ heading, foundBy }) => [
        heading,
        foundBy,
      ]),
    vectors: async () =>
      (
        await scenario.company.inside((ctx) =>
          sql<{
            vectors: number;
            spaces: number;
          }>`select count(*)::int as vectors, (select count(*)::int from knowledge_spaces) as spaces
            from knowledge_vectors`.execute(ctx.db),
        )
      ).rows[0],
    /** As the next hour's job does. */
    embedAgain: async (sourceId: number) => {
      const body = { name: `Manual ${service.embedded.length}` };
      await admin.call(knowledge.update, { params: { id: sourceId }, body });
      await app.settle();
    },
    /** Lets retries of the job become due. */
    wait: async (seconds = 600) => {
      scenario.clock.advance({ seconds });
      await app.settle();
    },
  };
}

test("a question is answered from a text that means the same in other words; what nothing means is not known (O-08)", async () => {
  const stranger = await aShop({ name: "Outra" });
  await stranger.learn("# Segredo\nDevolução, troca e reembolso da outra empresa.");
  service.reset();
  const shop = await aShop();
  const id = await shop.learn(manual);
  expect(await shop.source(id)).toMatchObject({ passages: 2, embedded: 2 });
  expect(await shop.find(asked)).toEqual([["Política comercial", ["meaning"]]]);
  expect(await shop.find("o cliente pode desistir da compra?")).toEqual([["Política comercial", ["words", "meaning"]]]);
  expect(await shop.find("tem pneus de trator?")).toEqual([]);
  service.answer = () => "Sim, em sete dias [1].";
  expect(await shop.sendTexts(maria, asked)).toEqual(["Sim, em sete dias."]);
  expect(service.chats[0]!.messages[0]!.content).toContain("recebe o valor de volta");
  expect(JSON.stringify(service.chats)).not.toContain("outra empresa");
  expect((await shop.messagesOf(maria)).at(-1)?.data).toEqual({
    sources: [{ source: "Manual", heading: "Política comercial", page: null }],
  });
  expect(await shop.sendTexts(maria, "vocês vendem pneus de trator importados da Alemanha?")).toEqual([
    expect.stringContaining("Não sei"),
  ]);
  expect(service.chats).toHaveLength(1);
  // the model measured, the texts, and each question: all counted
  expect(service.embedded).toHaveLength(7);
  expect((await shop.prompt()).usage).toEqual({ requests: 8, tokens: 7 * 7 + 50, cost: null });

  // the same text is not paid for again; what is gone leaves nothing behind
  const calls = service.embedded.length;
  await shop.admin.call(knowledge.update, {
    params: { id },
    body: { text: `${manual}\n\n# Vagas\nEnvie seu currículo.` },
  });
  await shop.app.settle();
  expect(service.embedded.slice(calls).map(({ input }) => input)).toEqual([["Vagas\nEnvie seu currículo."]]);
  const quick = { shortcode: "senha", message: "Para redefinir o acesso, clique em recuperar.", geral: true };
  await shop.admin.call(quickMessages.create, { body: quick });
  await shop.admin.call(knowledge.create, { body: { name: "Respostas", kind: "quickMessages" } });
  await shop.app.settle();
  expect(
    (await shop.admin.call(knowledge.search, { body: { question: "esqueci como entrar" } })).body.passages,
  ).toMatchObject([{ source: "/senha", foundBy: ["meaning"] }]);
  expect(await shop.vectors()).toEqual({ vectors: 4, spaces: 1 });
  await shop.admin.call(knowledge.remove, { params: { id } });
  await shop.app.settle();
  expect(await shop.vectors()).toEqual({ vectors: 1, spaces: 1 });
  await shop.admin.call(prompts.update, { params: { id: shop.promptId }, body: { embeddingModel: "" } });
  await shop.app.settle();
  expect(await shop.vectors()).toEqual({ vectors: 0, spaces: 0 });
});

test.each<[string, ModelFault, string | null]>([
  ["a service that has no embeddings is left in peace for an hour", { status: 404 }, "address"],
  ["a model that takes no such request likewise", { status: 400 }, "request"],
  ["too many requests are tried again", { status: 429 }, null],
  ["garbage is tried again", "garbage", null],
  ["a connection that drops is tried again", "drop", null],
])("%s, and words find meanwhile (O-08)", async (_, fault, lasting) => {
  const shop = await aShop();
  service.embeddingFaults = [fault];
  const id = await shop.learn(manual);
  expect(await shop.source(id)).toMatchObject({ state: "ready", embedded: 0 });
  expect(await shop.find("cliente desistir")).toEqual([["Política comercial", ["words"]]]);
  expect(await shop.find(asked)).toEqual([]);
  const calls = service.embedded.length;
  await shop.wait();
  expect((await shop.prompt()).embeddingFault).toBe(lasting);
  expect([service.embedded.length > calls, (await shop.source(id)).embedded]).toEqual(
    lasting === null ? [true, 2] : [false, 0],
  );
  if (lasting !== null) {
    // another address or model is asked at once
    await shop.admin.call(prompts.update, { params: { id: shop.promptId }, body: { embeddingModel: "m2" } });
    await shop.app.settle();
    expect([(await shop.source(id)).embedded, (await shop.prompt()).embeddingFault]).toEqual([2, null]);
  }
});

test("an answer waits for no vector: a slow service is asked once a minute, and the words decide (O-08)", async () => {
  const shop = await aShop();
  await shop.learn(manual);
  service.answer = () => "Sim [1].";
  service.embeddingFaults = ["hang"];
  const calls = service.embedded.length;
  expect(await shop.sendTexts(maria, "o cliente pode desistir da compra?")).toEqual(["Sim."]);
  expect(await shop.sendTexts(maria, "o cliente pode desistir da compra?")).toEqual(["Sim."]);
  expect(service.embedded.length).toBe(calls + 1);
  expect((await shop.prompt()).embeddingFault).toBe("timeout");

  // a chat that hangs is ended and asked again, and the conversation goes on
  const chats = service.chats.length;
  service.faults = ["hang"];
  const said = await shop.sendTexts(maria, "e o boleto, aceita?");
  shop.clock.advance({ seconds: 2 });
  expect([...said, ...(await shop.receivedTexts(maria))]).toEqual(["Sim."]);
  expect([service.chats.length - chats, (await shop.prompt()).fault]).toEqual([2, null]);
}, 20_000);

test("a job whose connection drops between batches goes on where it was; a model that tells nothing apart finds nothing (O-08)", async () => {
  const shop = await aShop();
  const long = Array.from({ length: 40 }, (_, index) => `# Parte ${index}\nTroca número ${index}.`).join("\n\n");
  service.embeddingFaults = [];
  const vectorOf = service.embed;
  let texts = 0;
  service.embed = (text) => {
    texts += 1;
    // in the second batch: nothing of it is stored
    service.embeddingFaults = texts === 16 + 33 ? ["drop"] : service.embeddingFaults;
    return vectorOf(text);
  };
  const id = await shop.learn(long);
  expect((await shop.source(id)).embedded).toBe(32);
  await shop.wait();
  expect((await shop.source(id)).embedded).toBe(40);
  const sent = service.embedded.flatMap(({ input }) => input).filter((text) => text.startsWith("Parte"));
  expect([sent.length, new Set(sent).size]).toEqual([48, 40]);

  const same = await aShop({ name: "Igual" });
  service.embed = () => [1, 1, 1];
  const other = await same.learn(manual);
  expect([(await same.source(other)).embedded, await same.find(asked)]).toEqual([0, []]);
  expect((await same.prompt()).embeddingFault).toBe("alike");
  // the month's tokens are used: not even vectors are asked for
  const poor = await aShop({ name: "Sem", monthlyTokens: 0 });
  const before = service.embedded.length;
  await poor.learn(manual);
  expect(service.embedded.length).toBe(before);
});

test("a text that the service refuses keeps no other from its vector, and is not asked for again; one that fails is (O-08)", async () => {
  const shop = await aShop();
  service.faultOfText = (text) =>
    text.includes("proibido")
      ? { status: 400 }
      : text.includes("pesado") && text.length > 400
        ? { status: 500 }
        : text.includes("torto")
          ? "garbage"
          : undefined;
  const plain = Array.from({ length: 36 }, (_, index) => `# Parte ${index}\nTroca número ${index}.`);
  const odd = ["# X\nproibido", `# Y\npesado ${"reembolso ".repeat(60)}`, "# Z\ntorto"];
  const id = await shop.learn([...plain, ...odd].join("\n\n"));
  expect(await shop.source(id)).toMatchObject({ passages: 39, embedded: 37, refused: 1 });
  expect((await shop.prompt()).embeddingFault).toBeNull();
  const before = service.embedded.length;
  service.faultOfText = () => undefined;
  await shop.embedAgain(id);
  expect(await shop.source(id)).toMatchObject({ embedded: 38, refused: 1 });
  expect(service.embedded.slice(before).map(({ input }) => input)).toEqual([["Z\ntorto"]]);

  // one that takes nothing any more is left after a few calls, and nothing is taken for refused
  const more = service.embedded.length;
  service.faultOfText = () => ({ status: 400 });
  const other = await shop.learn(
    Array.from({ length: 30 }, (_, index) => `# Outra ${index}\nVolta.`).join("\n\n"),
    "B",
  );
  expect([service.embedded.length - more, (await shop.prompt()).embeddingFault]).toEqual([2, "request"]);
  service.faultOfText = () => undefined;
  await shop.wait(3_700);
  await shop.embedAgain(id);
  expect(await shop.source(other)).toMatchObject({ embedded: 30 });
});

test("an outage of any length leaves no dead job, and a long question neither switches meaning off nor is sent whole (O-08)", async () => {
  const shop = await aShop();
  const id = await shop.learn(manual);
  service.faultOfText = () => ({ status: 503 });
  await shop.learn("# Garantia\nConserto em um ano.", "B");
  for (let attempt = 0; attempt < 9; attempt += 1) {
    await shop.wait(3_600);
  }
  const jobs = await shop.app.db.systemTx((tx) =>
    sql<{ state: string; attempts: number }>`select state, attempts from jobs
      where task = 'knowledge.embed' and company_id = ${shop.company.id}`.execute(tx.db),
  );
  expect(jobs.rows.filter(({ state }) => state === "dead")).toEqual([]);
  service.faultOfText = (text) => (text.length > 1_000 ? { status: 413 } : undefined);
  await shop.embedAgain(id);
  expect([(await shop.prompt()).embeddingFault, (await shop.source(id)).embedded]).toEqual([null, 2]);

  service.answer = () => "Certo.";
  const calls = service.embedded.length;
  expect(await shop.sendTexts(maria, `${"яa".repeat(32_000)}`)).toHaveLength(1);
  expect(service.embedded[calls]!.input.map(({ length }) => length)).toEqual([2_000]);
  expect(service.chats.at(-1)!.messages.at(-1)!.content).toHaveLength(4_000);
  expect((await shop.prompt()).embeddingFault).toBeNull();
  expect(await shop.find(asked)).toEqual([["Política comercial", ["meaning"]]]);
});

test("a quick message that changes is found by what it says now; other dimensions have all embedded anew, and a fourth service is said (O-08)", async () => {
  const shop = await aShop();
  const params = async () => (await shop.admin.call(quickMessages.list, { query: {} })).body.records[0]!;
  await shop.admin.call(knowledge.create, { body: { name: "Respostas", kind: "quickMessages" } });
  const quick = { shortcode: "aviso", message: "Boas festas a todos os amigos.", geral: true };
  await shop.admin.call(quickMessages.create, { body: quick });
  await shop.app.settle();
  expect(await shop.find("esqueci como entrar")).toEqual([]);
  const { id } = await params();
  const message = "Para redefinir o acesso, clique em recuperar.";
  await shop.admin.call(quickMessages.update, { params: { id }, body: { message } });
  await shop.app.settle();
  expect(await shop.find("esqueci como entrar")).toEqual([["", ["meaning"]]]);

  // the model behind the name is another one
  const vectorOf = service.embed;
  service.embed = (text) => vectorOf(text).slice(0, 100);
  expect(await shop.find("esqueci a senha")).toEqual([]);
  expect((await shop.prompt()).embeddingFault).toBe("answer");
  await shop.wait(3_700);
  expect(await shop.find("esqueci a senha de entrar")).toEqual([]);
  await shop.wait(60);
  expect([await shop.find("esqueci a senha de entrar"), (await shop.prompt()).embeddingFault]).toEqual([
    [["", ["meaning"]]],
    null,
  ]);

  // three services are worked for; the sources say what the prompts that read them find
  const added: number[] = [];
  for (const name of ["m2", "m3", "m4"]) {
    const body = { name, prompt: "x", queueId: shop.sales.id, apiKey: "k", baseUrl: service.url, embeddingModel: name };
    added.push((await shop.admin.call(prompts.create, { body })).body.id);
    await shop.app.settle();
  }
  const faults = (await shop.admin.call(prompts.list)).body.prompts.map(({ embeddingFault }) => embeddingFault);
  expect(faults.filter((fault) => fault !== null)).toEqual(["spaces"]);
  const body = { name: "Só m4", text: "# Troca\nReembolso.", isForAll: false, promptIds: [added[2]!] };
  const { id: sourceId } = (await shop.admin.call(knowledge.create, { body })).body;
  await shop.admin.call(knowledge.create, { body: { ...body, name: "Todos", isForAll: true, promptIds: [] } });
  await shop.app.settle();
  expect(await shop.source(sourceId)).toMatchObject({ passages: 1, embedded: 0 });
  await shop.admin.call(prompts.remove, { params: { id: added[0]! } });
  await shop.app.settle();
  expect(await shop.source(sourceId)).toMatchObject({ embedded: 1 });
});

test("vectors of another length now and then have nothing embedded again within the hour (O-08)", async () => {
  const shop = await aShop();
  const id = await shop.learn(manual);
  const vectorOf = service.embed;
  service.embed = (text) => (text.includes("currículo") ? vectorOf(text).slice(0, 100) : vectorOf(text));
  const other = await shop.learn("# Vagas\nEnvie seu currículo.", "Vagas");
  await shop.wait();
  expect([(await shop.source(id)).embedded, (await shop.source(other)).embedded]).toEqual([2, 0]);
  expect(service.embedded.flatMap(({ input }) => input).filter((text) => text.startsWith("Expediente"))).toHaveLength(
    1,
  );
  expect((await shop.prompt()).embeddingFault).toBe("answer");

  // it answers with the model of before again
  service.embed = vectorOf;
  await shop.wait(3_600);
  await shop.embedAgain(other);
  expect([(await shop.source(other)).embedded, (await shop.prompt()).embeddingFault]).toEqual([1, null]);
});

test("quick messages that two sources name are found once each, in their place (O-08)", async () => {
  const shop = await aShop();
  await shop.learn(manual);
  const quick = { shortcode: "aviso", message: "Trocamos só com a nota.", geral: true };
  await shop.admin.call(quickMessages.create, { body: quick });
  const found = [
    ["Política comercial", ["meaning"]],
    ["", ["meaning"]],
  ];
  for (const name of ["Respostas", "Respostas de novo"]) {
    await shop.admin.call(knowledge.create, { body: { name, kind: "quickMessages" } });
    await shop.app.settle();
    expect(await shop.find(asked)).toEqual(found);
  }
});
