import { knowledge, knowledgeRules, prompts, quickMessages } from "@prosa/contract";
import type { BodyIn } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aQueue, aUser } from "#server/testing/factories.ts";
import { aDocx, aPdf, aZipBomb, encryptedPdf, pageOf, pdfBomb, scannedPdf } from "./files.fixture.ts";

let app: TestApp;
beforeAll(async () => (app = await createTestApp()));
afterAll(() => app.close());

async function aDesk() {
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const add = async (name: string, body: Partial<BodyIn<typeof knowledge.create>> = {}) =>
    (await admin.call(knowledge.create, { body: { name, ...body } })).body;
  return {
    ...{ company, admin, add },
    addPrompt: async (name: string) => {
      const queue = await aQueue(company);
      return (await admin.call(prompts.create, { body: { name, prompt: "Ajude.", queueId: queue.id } })).body.id;
    },
    /** The sources of what is found, and the texts. */
    find: async (question: string, promptId?: number) =>
      (await admin.call(knowledge.search, { body: { question, ...(promptId && { promptId }) } })).body.passages,
    upload: async (id: number, bytes: Uint8Array | string, name: string) => {
      const form = new FormData();
      form.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
      return admin.call(knowledge.upload, { params: { id }, body: form as never });
    },
    read: async (id: number) => (await admin.call(knowledge.get, { params: { id } })).body,
  };
}

const shop = `# Horários e endereço
Abrimos de segunda a sexta, das 8 h às 18 h; aos sábados até o meio-dia.

# Formas de pagamento
Aceitamos cartões de crédito, Pix e boletos. Não há parcelamento em boleto.

# Trocas e devoluções
A devolução de um produto é possível em até 7 dias, com a nota fiscal. Informações sobre garantia estão no manual.

# Papéis
Vendemos papel sulfite e papéis coloridos para impressão. As embalagens são recicláveis.`;

test("a question finds the passage that answers it: accents, plurals and words without meaning make no difference (O-08)", async () => {
  const { add, find, company } = await aDesk();
  const other = await aDesk();
  await other.add("Segredos da outra", { text: "Horário do sábado, cartão, devolução, papel: tudo secreto." });
  await add("Loja", { text: shop });
  const heading = async (question: string) => (await find(question))[0]?.heading;
  const asked = {
    "vcs abrem no sabado?": "Horários e endereço",
    "qual o horario de voces": "Horários e endereço",
    "posso pagar com cartao de credito?": "Formas de pagamento",
    "aceitam CARTÕES": "Formas de pagamento",
    "parcelam boleto": "Formas de pagamento",
    "quero devolver": "Trocas e devoluções",
    "como são as devolucoes": "Trocas e devoluções",
    "posso devolver? me ajuda": "Trocas e devoluções",
    "informacao da garantia": "Trocas e devoluções",
    "tem papel colorido?": "Papéis",
    "a embalagem é reciclavel?": "Papéis",
    // a letter was forgotten
    devlução: "Trocas e devoluções",
  };
  const found = Object.fromEntries(
    await Promise.all(Object.keys(asked).map(async (question) => [question, await heading(question)] as const)),
  );
  expect(found).toEqual(asked);
  expect((await find("informacao da garantia"))[0]).toMatchObject({ source: "Loja", page: null });
  for (const question of ["tem pneus de trator?", "oi, tudo bem por aí?", "%_\\'\"", "' | !) :*", "voces nao tem"]) {
    expect(await find(question), question).toEqual([]);
  }
  expect(JSON.stringify(await find("segredo secreto sábado papel cartão"))).not.toMatch(/secreto|outra/i);
  // not even by a plain statement under the other company's rights
  const rows = await company.inside((ctx) =>
    sql`select * from knowledge_passages where body like '%secreto%'`.execute(ctx.db),
  );
  expect(rows.rows).toEqual([]);
});

test("a source is read by the prompts that it names, or by all; general quick messages are read as they are now (O-08)", async () => {
  const { admin, add, addPrompt, find, read } = await aDesk();
  const [sales, support] = [await addPrompt("Vendas"), await addPrompt("Suporte")];
  const source = await add("Manual", {
    text: "O roteador reinicia em dois minutos.",
    isForAll: false,
    promptIds: [support],
  });
  expect(source).toMatchObject({
    isForAll: false,
    prompts: [{ id: support, name: "Suporte" }],
    passages: 1,
    state: "ready",
  });
  const question = "o roteador reinicia?";
  expect([await find(question, sales), (await find(question, support)).length]).toEqual([[], 1]);
  await admin.call(knowledge.update, { params: { id: source.id }, body: { isForAll: true, promptIds: [] } });
  expect((await find(question, sales)).length).toBe(1);
  await admin.call(knowledge.update, { params: { id: source.id }, body: { text: "O modem tem três luzes." } });
  expect([await find(question, sales), (await find("luz do modem")).length]).toEqual([[], 1]);

  const quick = (shortcode: string, message: string, geral: boolean) =>
    admin.call(quickMessages.create, { body: { shortcode, message, geral } });
  const { body: pix } = await quick("pix", "A chave Pix é financeiro@loja.example.", true);
  await quick("minha", "Chave Pix particular do vendedor.", false);
  expect(await find("qual a chave pix?")).toEqual([]);
  const replies = await add("Respostas", { kind: "quickMessages" });
  expect(await find("qual a chave pix?")).toEqual([
    {
      sourceId: 0,
      source: "/pix",
      heading: "",
      page: null,
      text: "A chave Pix é financeiro@loja.example.",
      foundBy: ["words"],
    },
  ]);
  expect((await read(replies.id)).passages).toBe(1);
  await admin.call(quickMessages.update, { params: { id: pix.id }, body: { status: false } });
  expect(await find("qual a chave pix?")).toEqual([]);

  // a prompt that is deleted reads nothing, and its sources stay
  await admin.call(knowledge.update, { params: { id: source.id }, body: { isForAll: false, promptIds: [support] } });
  await admin.call(prompts.remove, { params: { id: support } });
  expect(await read(source.id)).toMatchObject({ isForAll: false, prompts: [] });
});

test("pdf, docx and plain text are read by pages and headings (O-08)", async () => {
  const { add, find, read, upload, admin, company } = await aDesk();
  const screen = await app.connect(company.admin);
  const { id } = await add("Manual", { kind: "file" });
  expect(await read(id)).toMatchObject({ state: "empty", fileName: null, passages: 0 });
  const pages = [
    pageOf([20, 800, "Garantia"], [11, 770, "A garantia dos cartões é de 12 me-"], [11, 756, "ses, para todos."]),
    pageOf([20, 800, "Trocas"], [11, 770, "Trocamos em até 7 dias."]),
  ];
  const begun = await upload(id, aPdf(pages), "manual.pdf");
  expect([begun.status, begun.body]).toMatchObject([200, { state: "reading", fileName: "manual.pdf" }]);
  await app.settle();
  expect(await read(id)).toMatchObject({ state: "ready", pages: 2, passages: 2, failure: null });
  expect(await find("garantia do cartão")).toMatchObject([
    { source: "Manual", heading: "Garantia", page: 1, text: "A garantia dos cartões é de 12 meses, para todos." },
  ]);
  await screen.flushed();
  expect(
    screen.packets.filter(({ event }) => event === `company-${company.id}-knowledge`).at(-1)?.payload,
  ).toMatchObject({
    record: { id, state: "ready" },
  });
  screen.close();

  // another file in its place: what the first said is gone, and so is its file
  expect((await upload(id, await aDocx(), "tabela.docx")).status).toBe(200);
  await app.settle();
  expect(await read(id)).toMatchObject({ state: "ready", pages: null, fileName: "tabela.docx" });
  expect(await find("garantia do cartão")).toEqual([]);
  expect(await find("preço do plano ouro")).toMatchObject([
    { heading: "Preços", page: null, text: "Plano | Preço\nOuro | R$ 90" },
  ]);
  expect(await find("parágrafo apagado da caixa")).toMatchObject([{ text: "Uma caixa de texto, uma vez." }]);
  await upload(id, Buffer.from("Endere\xe7o: Rua da Praia, 10", "latin1"), "endereco.txt");
  await app.settle();
  expect(await find("qual o endereço")).toMatchObject([{ text: "Endereço: Rua da Praia, 10" }]);
  // as the editor of Windows saves "Unicode", in either order of bytes
  const wide = Buffer.from("\ufeffHorário: das 8 às 18 h", "utf16le");
  for (const [name, bytes] of [
    ["le.txt", wide],
    ["be.txt", Buffer.from(wide).swap16()],
  ] as const) {
    await upload(id, bytes, name);
    await app.settle();
    expect([name, await find("qual o horário")]).toMatchObject([name, [{ text: "Horário: das 8 às 18 h" }]]);
  }
  // what PostgreSQL refuses, and an emoji where a passage is cut
  await upload(id, `Sem\0acento\n\n${"a".repeat(1_199)}😀 fim`, "sinais.txt");
  await app.settle();
  expect(await read(id)).toMatchObject({ state: "ready", passages: 3 });
  expect((await admin.post("/knowledge", { name: "Meio", text: "meio \ud83d emoji" })).status).toBe(400);
  // a long price list
  await upload(id, await aDocx(20_000), "lista.docx");
  await app.settle();
  expect(await read(id)).toMatchObject({ state: "ready" });
  await upload(id, "Endereço: Rua da Praia, 10", "endereco.txt");
  await app.settle();
  expect(await keptFiles(company.id)).toHaveLength(1);
  await admin.call(knowledge.remove, { params: { id } });
  await app.settle();
  expect([await keptFiles(company.id), await find("qual o endereço")]).toEqual([[], []]);
});

test("files that are encrypted, damaged, empty, scanned, too long or bombs harm nothing, and say why (O-08)", async () => {
  const { add, read, upload } = await aDesk();
  const bad: [name: string, bytes: Uint8Array, failure: string][] = [
    ["protegido.pdf", encryptedPdf(), "encrypted"],
    ["digitalizado.pdf", scannedPdf(), "noText"],
    ["cortado.pdf", aPdf([pageOf([11, 770, "x"])]).subarray(0, 60), "unreadable"],
    ["bomba.pdf", pdfBomb(), "unreadable"],
    ["bomba.docx", aZipBomb({ isHonest: true }), "tooLong"],
    ["mentira.docx", aZipBomb({ isHonest: false }), "unreadable"],
    ["longo.txt", Buffer.alloc(knowledgeRules.maxFileText + 1, "palavra "), "tooLong"],
  ];
  const ids = new Map<string, number>();
  for (const [name, bytes] of bad) {
    const { id } = await add(name, { kind: "file" });
    ids.set(name, id);
    expect((await upload(id, bytes, name)).status, name).toBe(200);
  }
  await app.settle();
  const states = await Promise.all(
    bad.map(async ([name]) => [name, (await read(ids.get(name)!)).failure, (await read(ids.get(name)!)).state]),
  );
  expect(states).toEqual(bad.map(([name, , failure]) => [name, failure, "failed"]));

  const { id } = await add("Outro", { kind: "file" });
  const refused: [name: string, bytes: Uint8Array, status: number][] = [
    ["vazio.txt", new Uint8Array(), 400],
    ["foto.pdf", Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ", "base64"), 415],
    ["antigo.doc", Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(600)]), 415],
    ["grande.txt", Buffer.alloc(knowledgeRules.maxFileBytes + 1, "a"), 413],
  ];
  for (const [name, bytes, status] of refused) {
    expect((await upload(id, bytes, name)).status, name).toBe(status);
  }
  const page = await add("Texto");
  expect((await upload(page.id, "x", "x.txt")).status).toBe(404);
}, 60_000);

test("a text for a source that is none of text is refused, not dropped in silence (O-08)", async () => {
  const { admin, add } = await aDesk();
  for (const kind of ["file", "quickMessages"] as const) {
    const { id } = await add(`Fonte ${kind}`, { kind });
    const save = (body: object) => admin.call(knowledge.update, { params: { id }, body });
    expect(await save({ name: `Outra ${kind}`, text: "Abrimos às 8 h." })).toMatchObject({
      status: 400,
      body: { error: "ERR_VALIDATION", details: { fields: { text: expect.any(String) as string } } },
    });
    expect((await save({ name: `Outra ${kind}`, text: "" })).body).toMatchObject({ name: `Outra ${kind}`, text: "" });
  }
});

test("knowledge is for admins whose plan has AI, within the company and its limits (O-08, N-06)", async () => {
  const { company, admin, add } = await aDesk();
  const stranger = await aDesk();
  const { id } = await add("Loja", { text: shop });
  expect(await admin.call(knowledge.create, { body: { name: "Loja" } })).toMatchObject({
    status: 409,
    body: { error: "ERR_NAME_TAKEN" },
  });
  const theirs = await stranger.addPrompt("Deles");
  expect((await admin.call(knowledge.create, { body: { name: "X", promptIds: [theirs] } })).status).toBe(404);
  const search = { question: "Que horas abrem?", promptId: theirs };
  expect((await admin.call(knowledge.search, { body: search })).status).toBe(404);
  expect((await stranger.admin.call(knowledge.get, { params: { id } })).status).toBe(404);
  expect((await stranger.admin.call(knowledge.remove, { params: { id } })).status).toBe(404);
  expect((await app.as(await aUser(company)).call(knowledge.list)).body).toMatchObject({ error: "ERR_NO_PERMISSION" });
  const poor = await aCompany(app, { withoutFlags: ["useOpenAi"] });
  expect((await app.as(poor.admin).call(knowledge.list)).body).toMatchObject({ error: "ERR_PLAN_WITHOUT_FEATURE" });

  // no room for more passages: it is said, and nothing is kept of the text
  await company.inside((ctx) =>
    sql`update knowledge_sources set passages = ${knowledgeRules.maxPassages} where id = ${id}`.execute(ctx.db),
  );
  expect(await add("Demais", { text: shop })).toMatchObject({ state: "failed", failure: "full", passages: 0 });
  await company.inside((ctx) =>
    sql`insert into knowledge_sources (company_id, name, kind, state, is_for_all, created_at, updated_at)
      select ${company.id}, 'n' || n, 'file', 'empty', true, now(), now()
      from generate_series(1, ${knowledgeRules.maxSources - 2}) n`.execute(ctx.db),
  );
  expect((await admin.call(knowledge.create, { body: { name: "Mais uma" } })).body).toMatchObject({
    error: "ERR_PLAN_LIMIT",
  });
  const { body } = await admin.call(knowledge.list, { query: { pageNumber: 2, searchParam: "N1" } });
  expect([body.count, body.records.length, body.hasMore]).toEqual([110, 20, true]);
  expect(body.records[0]).not.toHaveProperty("text");
});

async function keptFiles(companyId: number): Promise<string[]> {
  const kept: string[] = [];
  for await (const key of app.services.storage.list(companyId, "knowledge")) {
    kept.push(key);
  }
  return kept;
}
