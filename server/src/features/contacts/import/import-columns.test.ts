import { contactImports, contacts } from "@prosa/contract";
import type { ColumnRole, SheetPreview } from "@prosa/contract";
import { utils, write } from "@e965/xlsx";
import type { WorkSheet } from "@e965/xlsx";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aContact } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";

let app: TestApp;
beforeAll(async () => (app = await createTestApp()));
afterAll(() => app.close());

type Content = string | Uint8Array<ArrayBuffer>;

function upload(content: Content, name: string, columns?: unknown): FormData {
  const form = new FormData();
  if (columns !== undefined) {
    form.append("columns", typeof columns === "string" ? columns : JSON.stringify(columns));
  }
  form.append("file", new Blob([content]), name);
  return form;
}

function bookOf(...sheets: readonly WorkSheet[]): Uint8Array<ArrayBuffer> {
  const book = utils.book_new();
  sheets.forEach((sheet, index) => utils.book_append_sheet(book, sheet, `Plan${index}`));
  return new Uint8Array(write(book, { type: "buffer", bookType: "xlsx", compression: true }) as Buffer<ArrayBuffer>);
}

/** Posts only the file, as another client of the family does, and returns the contacts and the report. */
async function imported(company: TestCompany, content: Content, name = "a.csv", columns?: unknown) {
  const caller = app.as(company.admin);
  const begun = await caller.call(contactImports.start, { body: upload(content, name, columns) as never });
  expect(begun).toMatchObject({ status: 200 });
  await app.settle();
  const { body } = await caller.call(contacts.list);
  const report = (await caller.call(contactImports.latest)).body.import;
  return { report, list: body.contacts.map(({ name: called, number }) => [called, number]) };
}

const twoPeople = [
  ["Ana Luz", "5521987650001"],
  ["Bia Reis", "5521987650002"],
];

describe("files of real life, posted without a word about their columns (C-03)", () => {
  const lines = ["Nome Completo;CELULAR;Cidade", "Ana Luz;(21) 98765-0001;Rio", "Bia Reis;+55 21 98765-0002;Niterói"];
  const utf16 = (text: string) => new Uint8Array(Buffer.from(`\uFEFF${text}`, "utf16le"));
  test.each<[string, Content, string]>([
    ["semicolons", lines.join("\r\n"), "a.csv"],
    ["tabs", lines.join("\n").replaceAll(";", "\t"), "a.txt"],
    ["commas below a title", `Clientes da loja\n\n${lines.join("\n").replaceAll(";", ",")}`, "a.csv"],
    ["Unicode text of Excel", utf16(lines.join("\r\n").replaceAll(";", "\t")), "a.txt"],
    ["Latin-1", new Uint8Array(Buffer.from(lines.join("\n"), "latin1")), "a.csv"],
    ["text under the name of a spreadsheet", lines.join("\r\n"), "relatorio.xls"],
    ["Excel's line that names the separator", `sep=;\r\n${lines.join("\r\n")}`, "a.csv"],
  ])("%s (C-03)", async (_what, content, name) => {
    expect((await imported(await aCompany(app), content, name)).list).toEqual(twoPeople);
  });

  test("an address book of a phone, whose second number stays as a field (C-03)", async () => {
    const company = await aCompany(app);
    const cards = ["Ana Luz;TEL;CELL:(21) 98765-0001", "Bia Reis;TEL;waid=5521987650002:+55 21 98765-0002"].map(
      (line) => {
        const [name = "", ...tel] = line.split(";");
        return `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\n${tel.join(";")}\nTEL;HOME:2133334444\nEND:VCARD`;
      },
    );
    expect((await imported(company, cards.join("\n"), "contatos.vcf")).list).toEqual(twoPeople);
    const [ana] = (await app.as(company.admin).call(contacts.list)).body.contacts;
    const { body } = await app.as(company.admin).get<{ extraInfo: unknown }>(`/contacts/${ana?.id}`);
    expect(body.extraInfo).toEqual([{ name: "Outros números", value: "2133334444" }]);
    // a second time adds nothing
    expect((await imported(company, cards.join("\n"), "contatos.vcf")).report).toMatchObject({ created: 0, known: 2 });
  });

  test("a spreadsheet with a cover, a title and a table that begins in C5 (C-03)", async () => {
    const sheet = utils.aoa_to_sheet([["Relatório de telefones"]]);
    const table = [
      ["Cliente", "WhatsApp"],
      ["Ana Luz", 21_987_650_001],
      ["Bia Reis", "5521987650002"],
      ["", "21987650003"],
    ];
    utils.sheet_add_aoa(sheet, table, { origin: "C5" });
    const { list, report } = await imported(await aCompany(app), bookOf(utils.aoa_to_sheet([]), sheet), "a.xlsx");
    expect(list).toEqual(twoPeople);
    expect(report?.refusedRows).toMatchObject([{ line: 8, reason: "noName" }]);
  });
});

test("a row without a name is refused, unless its contact exists (C-03)", async () => {
  const company = await aCompany(app);
  await aContact(company, { name: "Já conhecida", number: "5511987650001" });
  const file = "nome;fone\n;11 98765-0001\n;11 98765-0002\nAna;11 98765-0003\n;11987650003";
  const { report, list } = await imported(company, file);
  expect(report).toMatchObject({ total: 4, created: 1, known: 2, refused: 1 });
  expect(report?.refusedRows).toEqual([{ line: 3, name: "", number: "11 98765-0002", reason: "noName" }]);
  expect(list.map(([name]) => name)).toEqual(["Ana", "Já conhecida"]);
});

describe("a file whose headings do not tell (C-03)", () => {
  const unclear = "Cliente;Fone;Celular;Cidade\nAna Luz;2133334444;21987650001;Rio\n";

  test("is refused with the columns that were seen, in the company's language, and imports nothing (C-03)", async () => {
    const company = await aCompany(app);
    const caller = app.as(company.admin);
    const refused = await caller.call(contactImports.start, { body: upload(unclear, "a.csv") as never });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        error: "ERR_VALIDATION",
        message: "Mais de uma coluna pode ser o número de telefone. Colunas vistas: Cliente, Fone, Celular, Cidade.",
        details: { unclear: "numbers", columns: ["Cliente", "Fone", "Celular", "Cidade"] },
      },
    });
    await app.settle();
    expect((await caller.call(contactImports.latest)).body.import).toBeNull();
    expect((await caller.call(contacts.list)).body.count).toBe(0);
  });

  test("shows its first rows and the likeliest columns before anything is taken in (C-03)", async () => {
    const company = await aCompany(app);
    const caller = app.as(company.admin);
    const { body } = await caller.call(contactImports.preview, { body: upload(unclear, "a.csv") as never });
    expect(body).toEqual({
      headingLine: 1,
      columns: [
        { index: 0, heading: "Cliente", role: "name" },
        { index: 1, heading: "Fone", role: "ignore" },
        { index: 2, heading: "Celular", role: "number" },
        { index: 3, heading: "Cidade", role: "ignore" },
      ],
      width: 4,
      rows: [
        { line: 1, cells: ["Cliente", "Fone", "Celular", "Cidade"] },
        { line: 2, cells: ["Ana Luz", "2133334444", "21987650001", "Rio"] },
      ],
      unclear: "numbers",
    } satisfies SheetPreview);
    expect((await caller.call(contactImports.latest)).body.import).toBeNull();
  });

  test("is imported by the columns that were chosen, further ones as extra information (C-03)", async () => {
    const company = await aCompany(app);
    const roles: ColumnRole[] = ["name", "ignore", "number", "extraInfo"];
    const { list } = await imported(company, unclear, "a.csv", { headingLine: 1, roles });
    expect(list).toEqual([["Ana Luz", "5521987650001"]]);
    const { body } = await app.as(company.admin).call(contacts.list);
    expect(body.contacts[0]?.extraInfo).toEqual([{ name: "Cidade", value: "Rio" }]);
  });

  test.each([
    ["not JSON", "Columns"],
    ["no column of the number", { headingLine: 1, roles: ["name"] }],
    ["a role that is none", { headingLine: 1, roles: ["name", "number", "age"] }],
  ])("chosen columns are checked: %s (C-03)", async (_what, columns) => {
    const { admin } = await aCompany(app);
    const answer = await app.as(admin).call(contactImports.start, { body: upload(unclear, "a.csv", columns) as never });
    expect(answer).toMatchObject({ status: 400, body: { error: "ERR_VALIDATION" } });
  });
});

describe("odd files get a clear refusal, before anything is stored (C-03)", () => {
  const broken = Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...Array<number>(600).fill(7)]);
  const fields = (count: number, cell = "campo") => Array.from({ length: count }, (_, at) => `${cell}${at}`);
  const wide = (cell: string) => fields(300, cell).join(";");
  const farRight = utils.aoa_to_sheet([
    ["nome", "fone"],
    ["Ana", "5521987650001"],
  ]);
  utils.sheet_add_aoa(farRight, [["nota"]], { origin: "ZZ1" });
  const unpacked100 = bookOf(utils.aoa_to_sheet(Array.from({ length: 4_000 }, () => ["x".repeat(25_000)])));
  test.each<[string, Content, string, string]>([
    ["a broken spreadsheet", broken, "a.xls", "unreadable"],
    ["bytes under the name of a text", broken.slice(8), "a.csv", "unreadable"],
    ["nothing", "", "a.csv", "empty"],
    ["headings alone", "nome;telefone\r\n", "a.csv", "empty"],
    ["an empty spreadsheet", bookOf(utils.aoa_to_sheet([])), "a.xlsx", "empty"],
    ["300 columns", `${wide("campo")}\n${wide("x")}`, "a.csv", "tooManyColumns"],
    ["a text of a million columns", `nome;fone${";a".repeat(1_000_000)}\nAna;5521987650001`, "a.csv", "tooManyColumns"],
    ["a spreadsheet of 16,000 columns", bookOf(utils.aoa_to_sheet([fields(16_000)])), "a.xlsx", "tooManyColumns"],
    ["a spreadsheet with a word far to the right", bookOf(farRight), "a.xlsx", "tooManyColumns"],
    ["a spreadsheet that unpacks to 100 MB", unpacked100, "a.xlsx", "tooMuchText"],
    ["50,001 rows", `nome;fone\n${"Ana;5521987650001\n".repeat(50_001)}`, "a.csv", "tooManyRows"],
  ])("%s (C-03)", async (_what, content, name, failure) => {
    const caller = app.as((await aCompany(app)).admin);
    for (const call of [contactImports.start, contactImports.preview]) {
      const { status, body } = await caller.call(call, { body: upload(content, name) as never });
      expect([status, body]).toMatchObject([400, { error: "ERR_VALIDATION", details: { failure } }]);
      expect((body as { message?: string }).message).toMatch(/^O arquivo .*\.$/u);
    }
  });

  test("one column is no address book, and a picture is no table (C-03)", async () => {
    const caller = app.as((await aCompany(app)).admin);
    const single = await caller.call(contactImports.start, {
      body: upload("Telefone\n5521987650001", "a.csv") as never,
    });
    expect(single).toMatchObject({ status: 400, body: { details: { columns: ["Telefone"] } } });
    const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 73, 72, 68, 82]);
    expect((await caller.call(contactImports.start, { body: upload(png, "agenda.png") as never })).status).toBe(415);
  });
});

test("a preview is for the signed in, and asks for its file (C-03)", async () => {
  const body = upload("nome;fone\nAna;1", "a.csv") as never;
  expect((await app.as(undefined).call(contactImports.preview, { body })).status).toBe(401);
  const { admin } = await aCompany(app);
  expect((await app.as(admin).call(contactImports.preview)).status).toBe(400);
});
