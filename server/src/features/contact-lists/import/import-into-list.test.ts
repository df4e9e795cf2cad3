import { contactListItems, contactLists } from "@prosa/contract";
import type { ContactListImport } from "@prosa/contract";
import { utils, write } from "@e965/xlsx";
import type { BookType } from "@e965/xlsx";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { asOwner } from "#server/testing/as-owner.ts";
import { aCompany } from "#server/testing/factories.ts";

let app: TestApp;
beforeAll(async () => (app = await createTestApp()));
afterAll(() => app.close());

function upload(content: string | Uint8Array<ArrayBuffer>, name: string, columns?: object): FormData {
  const form = new FormData();
  if (columns) {
    form.append("columns", JSON.stringify(columns));
  }
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

async function aList() {
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const { body: list } = await admin.call(contactLists.create, { body: { name: "Clientes" } });
  const params = { id: list.id };
  return {
    ...{ company, admin, list, params },
    send: (body: FormData) => admin.call(contactLists.upload, { params, body }),
    latest: async (): Promise<ContactListImport | null> =>
      (await admin.call(contactLists.latestImport, { params })).body.import,
    read: async () => (await admin.call(contactLists.get, { params })).body,
    names: async () =>
      (await admin.call(contactListItems.list, { query: { contactListId: list.id } })).body.contacts.map(
        ({ name, number }) => [name, number],
      ),
  };
}

test("rows are taken in, the same person once, and each refused one is reported with its line and reason (K-02)", async () => {
  const { admin, company, list, params, send, latest, names } = await aList();
  const socket = await app.connect(company.admin);
  const file = [
    "nome;telefone;email",
    "Nova Pessoa;+55 11 98765-0009;nova@example.com",
    // the same number without the ninth digit
    "Outro nome;551187650009;",
    "X;5511987650002;",
    "=cmd|' /C calc'!A0;12;",
    "E-mail errado;5511987650003;ninguém",
  ].join("\r\n");
  const begun = await send(upload(file, "agenda.csv"));
  expect([begun.status, begun.body.state, begun.body.fileName]).toEqual([200, "waiting", "agenda.csv"]);
  await app.settle();

  expect(await latest()).toMatchObject({
    ...{ state: "finished", total: 5, done: 5, created: 1, known: 1, refused: 3 },
    refusedRows: [
      { line: 4, name: "X", reason: "name" },
      { line: 5, reason: "number" },
      { line: 6, name: "E-mail errado", reason: "email" },
    ],
  });
  expect(await names()).toEqual([["Nova Pessoa", "5511987650009"]]);
  const { text } = await admin.get(`/contact-lists/${list.id}/import/refused`);
  expect(text.replace("\uFEFF", "").split("\r\n")).toEqual([
    "linha;nome;número;motivo",
    "4;X;5511987650002;O nome precisa ter de 2 a 50 caracteres",
    "5;'=cmd|' /C calc'!A0;12;O número não é um telefone",
    "6;E-mail errado;5511987650003;O e-mail é inválido",
    "",
  ]);
  const { payload } = await socket.next(`company-${company.id}-contactListImport`);
  expect(payload).toMatchObject({ action: "changed", contactListId: list.id });
  socket.close();
  // the file is not kept
  const kept: string[] = [];
  for await (const key of app.services.storage.list(company.id, "contact-list-imports")) {
    kept.push(key);
  }
  expect([kept, (await admin.call(contactLists.remove, { params })).status]).toEqual([[], 200]);
});

test.each(["xlsx", "biff8"] as const)("reads %s, numbers as numbers or as text (K-02)", async (bookType) => {
  const { send, names } = await aList();
  await send(upload(aBook(bookType), bookType === "xlsx" ? "agenda.xlsx" : "agenda.xls"));
  await app.settle();
  expect(await names()).toEqual([
    ["Ana Luz", "5521987650001"],
    ["Bia Reis", "5521987650002"],
  ]);
});

test("a sheet without headings is taken in by the columns that a person chose (K-02)", async () => {
  const { send, names } = await aList();
  const sheet = "Campinas,21 98765-0001,Ana Luz";
  const unclear = await send(upload(sheet, "a.csv"));
  expect(unclear).toMatchObject({ status: 400, body: { details: { unclear: "headings" } } });
  await send(upload(sheet, "a.csv", { headingLine: null, roles: ["ignore", "number", "name"] }));
  await app.settle();
  expect(await names()).toEqual([["Ana Luz", "5521987650001"]]);
});

test("what is no table, is too large or holds no rows is refused in a sentence (K-02, E-01)", async () => {
  const { send, latest } = await aList();
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  expect((await send(upload(new Uint8Array(png), "foto.png"))).status).toBe(415);
  expect((await send(upload(new Uint8Array(20_000_001).fill(65), "a.csv"))).status).toBe(413);
  expect(await send(upload("", "a.csv"))).toMatchObject({ status: 400, body: { details: { failure: "empty" } } });
  const zeros = new Uint8Array(4_000).fill(1);
  expect(await send(upload(zeros, "a.xlsx"))).toMatchObject({
    status: 400,
    body: { details: { failure: "unreadable" } },
  });
  expect(await latest()).toBeNull();
});

test("50,000 rows are taken in, in batches (K-02)", async () => {
  const { send, latest, read } = await aList();
  const rows = Array.from({ length: 50_000 }, (_, n) => `Pessoa ${n};${5_531_900_000_000 + n};p${n}@example.com`);
  await send(upload(["nome;numero;email", ...rows].join("\n"), "grande.csv"));
  await app.settle();
  expect(await latest()).toMatchObject({ state: "finished", total: 50_000, done: 50_000, created: 50_000 });
  expect(await read()).toMatchObject({ contactsCount: 50_000, validCount: 0, checkState: "waiting" });
  const more = await send(upload(["nome;numero", ...rows, "Mais uma;5511987650001"].join("\n"), "demais.csv"));
  expect(more).toMatchObject({ status: 400, body: { details: { failure: "tooManyRows" } } });
}, 120_000);

test("after a crash an import goes on behind its last committed batch; nothing is taken in or refused twice (K-02)", async () => {
  const { send, latest, read } = await aList();
  const rows = Array.from({ length: 1_400 }, (_, n) =>
    n % 7 === 0 ? `X;${n}` : `Pessoa ${n};${5_531_900_000_000 + n}`,
  );
  // the third batch breaks before it is committed
  await asOwner(
    app.database.url,
    `create function break_off() returns trigger language plpgsql as $$
      begin if new.name = 'Pessoa 1100' then raise exception 'killed'; end if; return new; end $$;
    create trigger break_off before insert on contact_list_items for each row execute function break_off()`,
  );
  await send(upload(["nome;numero", ...rows].join("\n"), "a.csv"));
  await app.settle();
  const stopped = (await latest())!;
  expect(stopped).toMatchObject({ state: "running", done: 1_000, total: 1_400 });
  await asOwner(app.database.url, "drop function break_off cascade");

  await app.db.systemTx((tx) =>
    sql`update jobs set run_at = now() - interval '1 s' where state = 'live'`.execute(tx.db),
  );
  await app.settle();
  expect(await latest()).toMatchObject({
    id: stopped.id,
    state: "finished",
    done: 1_400,
    created: 1_200,
    refused: 200,
  });
  expect(await read()).toMatchObject({ contactsCount: 1_200 });
});

test("a cancelled import takes in no more, and another one may start (K-02)", async () => {
  const { admin, params, send, latest, read } = await aList();
  await send(upload("nome;fone\nAna;5511987650009", "a.csv"));
  expect(await send(upload("nome;fone\nBia;5511987650008", "b.csv"))).toMatchObject({
    status: 409,
    body: { error: "ERR_IN_USE" },
  });
  expect((await admin.call(contactLists.cancelImport, { params })).body.import).toMatchObject({ state: "cancelled" });
  await app.settle();
  expect([(await latest())?.state, (await read()).contactsCount]).toEqual(["cancelled", 0]);
  await send(upload("nome;fone\nBia Reis;5511987650008", "b.csv"));
  await app.settle();
  expect(await latest()).toMatchObject({ state: "finished", created: 1 });
});

test("a list that is deleted while its import waits leaves no file and no failing job (K-02)", async () => {
  const { admin, company, params, send } = await aList();
  await send(upload("nome;fone\nAna;5511987650009", "a.csv"));
  expect((await admin.call(contactLists.remove, { params })).status).toBe(200);
  await app.settle();
  const kept: string[] = [];
  for await (const key of app.services.storage.list(company.id, "contact-list-imports")) {
    kept.push(key);
  }
  const { rows } = await app.db.systemTx((tx) =>
    sql`select from jobs where state = 'dead' and task like 'contact-lists.%'`.execute(tx.db),
  );
  expect([kept, rows]).toEqual([[], []]);
});
