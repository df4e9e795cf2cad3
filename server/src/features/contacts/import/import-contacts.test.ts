import { contactImports, contacts } from "@prosa/contract";
import { utils, write } from "@e965/xlsx";
import type { BookType } from "@e965/xlsx";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asOwner } from "#server/testing/as-owner.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aContact, aUser } from "#server/testing/factories.ts";

let app: TestApp;
beforeAll(async () => (app = await createTestApp()));
afterAll(() => app.close());

function upload(content: string | Uint8Array<ArrayBuffer>, name: string): FormData {
  const form = new FormData();
  form.append("file", new Blob([content]), name);
  return form;
}

function aBook(bookType: BookType): Uint8Array<ArrayBuffer> {
  const sheet = utils.aoa_to_sheet([
    ["Nome", "Telefone", "E-mail"],
    ["Ana Luz", 5_521_987_650_001, "ana@example.com"],
    ["Bia Reis", "+55 21 98765-0002", ""],
  ]);
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, "Contatos");
  return new Uint8Array(write(book, { type: "buffer", bookType }) as Buffer<ArrayBuffer>);
}

describe("import from a file (C-03)", () => {
  test("creates new contacts, leaves existing ones unchanged, and reports each refused row (C-03)", async () => {
    const company = await aCompany(app);
    const agent = await aUser(company);
    await aContact(company, { name: "Já conhecida", number: "5511987650001" });
    const caller = app.as(agent);
    const socket = await app.connect(agent);
    const file = [
      "nome;telefone;email",
      "Nova Pessoa;+55 11 98765-0009;nova@example.com",
      // the same number without the ninth digit
      "Outro nome;551187650001;",
      "X;5511987650002;",
      "Sem número;;",
      "E-mail errado;5511987650003;ninguém",
    ].join("\r\n");
    const begun = await caller.call(contactImports.start, { body: upload(file, "agenda.csv") });
    expect([begun.status, begun.body.state, begun.body.fileName]).toEqual([200, "waiting", "agenda.csv"]);
    await app.settle();

    const { body } = await caller.call(contactImports.latest);
    expect(body.import).toMatchObject({ state: "finished", total: 5, done: 5, created: 1, known: 1, refused: 3 });
    expect(body.import?.refusedRows).toEqual([
      { line: 4, name: "X", number: "5511987650002", reason: "name" },
      { line: 5, name: "Sem número", number: "", reason: "number" },
      { line: 6, name: "E-mail errado", number: "5511987650003", reason: "email" },
    ]);
    const list = await caller.call(contacts.list);
    expect(list.body.contacts.map(({ name, email }) => [name, email])).toEqual([
      ["Já conhecida", ""],
      ["Nova Pessoa", "nova@example.com"],
    ]);
    const { payload } = await socket.next(`company-${company.id}-contactImport`);
    expect(payload).toMatchObject({ action: "changed", importId: begun.body.id });
    socket.close();
  });

  test.each(["xlsx", "biff8"] as const)("reads %s, numbers as numbers or as text (C-03)", async (bookType) => {
    const company = await aCompany(app);
    const caller = app.as(company.admin);
    const name = bookType === "xlsx" ? "agenda.xlsx" : "agenda.xls";
    await caller.call(contactImports.start, { body: upload(aBook(bookType), name) });
    await app.settle();
    expect((await caller.call(contactImports.latest)).body.import).toMatchObject({ state: "finished", created: 2 });
    const list = await caller.call(contacts.list);
    expect(list.body.contacts.map(({ name: called, number }) => [called, number])).toEqual([
      ["Ana Luz", "5521987650001"],
      ["Bia Reis", "5521987650002"],
    ]);
  });

  test("a cancelled import creates no more contacts; colleagues cannot cancel it (C-03)", async () => {
    const company = await aCompany(app);
    const caller = app.as(company.admin);
    const { body } = await caller.call(contactImports.start, { body: upload("nome;fone\nAna;5511987650009", "a.csv") });
    const params = { id: body.id };
    expect((await app.as(await aUser(company)).call(contactImports.cancel, { params })).status).toBe(404);
    expect((await app.as((await aCompany(app)).admin).call(contactImports.cancel, { params })).status).toBe(404);
    expect((await caller.call(contactImports.cancel, { params })).body.state).toBe("cancelled");
    await app.settle();
    expect((await caller.call(contactImports.latest)).body.import).toMatchObject({ state: "cancelled", created: 0 });
    expect((await caller.call(contacts.list)).body.count).toBe(0);
  });
});

test("an import whose user is deleted meanwhile creates all its contacts (C-03, U-05)", async () => {
  const company = await aCompany(app);
  const agent = await aUser(company);
  await app.as(agent).call(contactImports.start, { body: upload("nome;telefone\nRita;5511987650001", "agenda.csv") });
  expect((await app.as(company.admin).delete(`/users/${agent.userId}`)).status).toBe(200);
  const page = await app.connect(company.admin);
  await app.settle();

  const list = await app.as(company.admin).call(contacts.list);
  expect(list.body.contacts.map(({ name }) => name)).toEqual(["Rita"]);
  const { payload } = await page.next(`company-${company.id}-contactImport`);
  expect(payload).toMatchObject({ action: "changed", hasEnded: true });
  page.close();
});

test("without a file the participants of groups are imported, by their latest push name (C-03)", async () => {
  const company = await aCompany(app);
  const group = await aContact(company, { name: "Condomínio", number: "120363000000" });
  await company.inside(async ({ db }) => {
    await sql`update contacts set is_group = true where id = ${group.id}`.execute(db);
    await sql`with t as (insert into tickets (company_id, contact_id, status, is_group)
        values (${company.id}, ${group.id}, 'closed', true) returning id)
      insert into messages (company_id, ticket_id, contact_id, wa_id, from_me, sent_at, participant)
      select ${company.id}, t.id, ${group.id}, 'w' || n, false, now(), person::jsonb
      from t, (values (1, '{"phone":"5511987651111","lid":null,"name":"Rui"}'),
        (2, '{"phone":"5511987651111","lid":null,"name":"Rui Lima"}'),
        (3, '{"phone":null,"lid":"99","name":"Sem telefone"}')) as seen(n, person)`.execute(db);
  });
  const caller = app.as(company.admin);
  const begun = await caller.call(contactImports.start);
  expect(begun.body).toMatchObject({ source: "phone", fileName: null });
  await app.settle();
  expect((await caller.call(contactImports.latest)).body.import).toMatchObject({ state: "finished", created: 1 });
  const list = await caller.call(contacts.list, { query: { searchParam: "rui" } });
  expect(list.body.contacts.map(({ name, number }) => [name, number])).toEqual([["Rui Lima", "5511987651111"]]);
});

test("contacts of other countries come back from our own export as they were (C-03, C-04)", async () => {
  const company = await aCompany(app);
  await aContact(company, { name: "Lima", number: "51987654321" });
  const caller = app.as(company.admin);
  const { text } = await caller.get("/contacts/export");
  await caller.call(contactImports.start, { body: upload(text, "contatos.csv") });
  await app.settle();
  expect((await caller.call(contactImports.latest)).body.import).toMatchObject({ created: 0, known: 1 });
});

test("20,000 contacts are exported as a stream and imported again (C-03, C-04)", async () => {
  const company = await aCompany(app);
  // without the statement timeout of requests
  await asOwner(
    app.database.url,
    `insert into contacts (company_id, name, number) select ${company.id}, 'Pessoa ' || i, (5531900000000 + i)::text
      from generate_series(1, 20000) i`,
  );
  const { text } = await app.as(company.admin).get("/contacts/export");
  expect(text.split("\r\n")).toHaveLength(20_002);

  const other = app.as((await aCompany(app)).admin);
  await other.call(contactImports.start, { body: upload(text, "contatos.csv") });
  await app.settle();
  expect((await other.call(contactImports.latest)).body.import).toMatchObject({ total: 20_000, created: 20_000 });
});

test("after ten imports at once a company waits a minute for the next (C-03)", async () => {
  const [company, other] = [await aCompany(app), await aCompany(app)];
  const begin = ({ admin }: typeof company) =>
    app.as(admin).call(contactImports.start, { body: upload("nome;fone\nAna;1", "a.csv") });
  const first = performance.now();
  for (let begun = 0; begun < 10; begun += 1) {
    expect((await begin(company)).status).toBe(200);
  }
  const refused = await begin(company);
  expect(refused).toMatchObject({ status: 429, body: { error: "ERR_TOO_MANY_REQUESTS" } });
  const seconds = Math.ceil((performance.now() - first) / 1000);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(60 - seconds);
  expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(60);
  expect((await begin(other)).status).toBe(200);
});

test("a stranger cannot import (C-03)", async () => {
  const stranger = app.as(undefined);
  expect((await stranger.call(contactImports.start, { body: upload("a;1", "a.csv") })).status).toBe(401);
  expect((await stranger.call(contactImports.latest)).status).toBe(401);
  expect((await stranger.call(contactImports.cancel, { params: { id: 1 } })).status).toBe(401);
});
