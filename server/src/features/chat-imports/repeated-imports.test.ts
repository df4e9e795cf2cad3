import { mkdir, readdir, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { chatImports, privacy, tickets } from "@prosa/contract";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { askAsOwner } from "#server/testing/as-owner.ts";
import { exportedChat, importForm } from "#server/testing/exported-chat.ts";
import { aCompany, aConnection, aContact } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";

let app: TestApp;
beforeAll(async () => (app = await createTestApp()));
afterAll(() => app.close());

const ask = <Row>(statement: string) => askAsOwner<Row>(app.database.url, statement);

async function startImport(company: TestCompany, contactId: number, file: File, me = "Loja"): Promise<number> {
  const begun = await app
    .as(company.admin)
    .call(chatImports.start, { params: { id: contactId }, body: importForm(file, me) });
  expect(begun.status).toBe(200);
  return begun.body.id;
}

/** Imports it to its end; what the list says of it. */
async function importChat(
  company: TestCompany,
  contactId: number,
  text: string,
  files?: readonly string[],
  me = "Loja",
) {
  await startImport(company, contactId, await exportedChat(text, files ?? []), me);
  await app.settle();
  return (await app.as(company.admin).call(chatImports.list, { params: { id: contactId } })).body.records[0];
}

/** A conversation through the product, with one message of the contact where `body` is given. */
async function aTicket(company: TestCompany, contactId: number, at: string, body?: string): Promise<number> {
  const { id: lineId } = await aConnection(company);
  const [ticket] = await ask<{
    id: number;
  }>(`insert into tickets (company_id, connection_id, contact_id, last_message_at)
    values (${company.id}, ${lineId}, ${contactId}, '${at}') returning id`);
  if (body !== undefined) {
    await ask(`insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, body, sent_at)
      values (${company.id}, ${ticket!.id}, ${contactId}, ${lineId}, 'VIVA', false, '${body}', '${at}')`);
  }
  return ticket!.id;
}

const messagesOf = (company: TestCompany) =>
  ask<Record<string, unknown>>(
    `select m.id, m.ticket_id, m.from_me, m.body, m.media_type, m.sent_at, f.state, f.file_name, f.storage_key is not null as "hasFile"
     from messages m left join media f on f.message_id = m.id where m.company_id = ${company.id} order by m.sent_at, m.id`,
  );

test("what came through another conversation of the contact does not come again from an export (E-09)", async () => {
  const company = await aCompany(app);
  const { id } = await aContact(company);
  const sales = await aTicket(company, id, "2024-05-12T17:05:20Z", "Bom dia");
  await aTicket(company, id, "2024-06-01T12:00:00Z");
  expect(await importChat(company, id, "12/05/2024 14:05 - Bruno: Bom dia\n12/05/2024 14:05 - Loja: Oi")).toMatchObject(
    { created: 1, known: 1 },
  );
  expect(await messagesOf(company)).toMatchObject([{ body: "Oi" }, { body: "Bom dia", ticket_id: sales }]);
});

test("all of a chat goes into one conversation, also where the contact writes in another meanwhile (E-09)", async () => {
  const company = await aCompany(app);
  const { id } = await aContact(company);
  const first = await aTicket(company, id, "2024-06-01T12:00:00Z");
  const other = await aTicket(company, id, "2024-05-01T12:00:00Z");
  const lines = Array.from({ length: 260 }, (_, n) => `12/03/2024 10:${String(n % 60).padStart(2, "0")} - Bruno: ${n}`);
  // The contact writes in the other one after the first batch.
  await ask(`create function writes_elsewhere() returns trigger language plpgsql as $$ begin
      update tickets set last_message_at = '2024-07-01' where id = ${other}; return new; end $$`);
  await ask(`create trigger writes_elsewhere after update on chat_imports for each row
    when (new.done = 250) execute function writes_elsewhere()`);
  onTestFinished(async () => void (await ask("drop function writes_elsewhere cascade")));
  expect(await importChat(company, id, lines.join("\n"), [], "Bruno")).toMatchObject({ created: 260 });
  const [{ last } = { last: undefined }] = await ask<{ last: Date }>(
    `select last_message_at as last from tickets where id = ${other}`,
  );
  expect(last).toEqual(new Date("2024-07-01T00:00:00Z"));
  expect(await ask(`select distinct ticket_id from messages where company_id = ${company.id}`)).toEqual([
    { ticket_id: first },
  ]);
});

test("an import with its files fills in those that an import without them left out, and adds none twice (E-09)", async () => {
  const company = await aCompany(app);
  await aConnection(company, { isDefault: true });
  const { id } = await aContact(company);
  const without = ["12/03/2024 14:06 - Loja: <Mídia oculta>", "12/03/2024 14:06 - Loja: <Mídia oculta>"].join("\n");
  const whole = [
    "12/03/2024 14:06 - Loja: foto.png (arquivo anexado)",
    "12/03/2024 14:06 - Loja: contrato.pdf (arquivo anexado)",
  ].join("\n");
  expect(await importChat(company, id, without)).toMatchObject({ created: 2 });
  expect(await importChat(company, id, whole, ["foto.png"])).toMatchObject({ created: 0, known: 2 });
  const [picture, paper] = await messagesOf(company);
  expect([picture, paper]).toMatchObject([
    { media_type: "image", state: "ready", file_name: "foto.png", hasFile: true },
    { state: "expired", hasFile: false },
  ]);
  expect(await messagesOf(company)).toHaveLength(2);
  // The same archives again, in either order.
  expect(await importChat(company, id, without)).toMatchObject({ created: 0 });
  expect(await importChat(company, id, whole, ["foto.png"])).toMatchObject({ created: 0 });
  expect(await messagesOf(company)).toEqual([picture, paper]);
});

test("a file that an archive named and lacked comes with a later one, and an export without files adds nothing to it (E-09)", async () => {
  const company = await aCompany(app);
  await aConnection(company, { isDefault: true });
  const { id } = await aContact(company);
  const whole = "12/03/2024 14:06 - Loja: foto.png (arquivo anexado)";
  expect(await importChat(company, id, whole)).toMatchObject({ created: 1, withoutFile: 1 });
  expect(await importChat(company, id, whole, ["foto.png"])).toMatchObject({ created: 0, known: 1 });
  const filled = [{ media_type: "image", state: "ready", hasFile: true }];
  expect(await messagesOf(company)).toMatchObject(filled);
  const without = "12/03/2024 14:06 - Loja: <Mídia oculta>";
  expect(await importChat(company, id, without)).toMatchObject({ created: 0, known: 1 });
  expect(await messagesOf(company)).toMatchObject(filled);
});

test("what was deleted with its conversation can be imported again (E-09)", async () => {
  const company = await aCompany(app);
  await aConnection(company, { isDefault: true });
  const { id } = await aContact(company);
  const text = "12/03/2024 14:05 - Bruno: Bom dia\n12/03/2024 14:06 - Loja: Oi";
  // Who the company is was chosen wrongly.
  expect(await importChat(company, id, text, [], "Bruno")).toMatchObject({ created: 2 });
  const [message] = await messagesOf(company);
  await app.as(company.admin).call(tickets.remove, { params: { id: Number(message?.["ticket_id"]) } });
  expect(await importChat(company, id, text)).toMatchObject({ created: 2, known: 0 });
  expect(await messagesOf(company)).toMatchObject([{ from_me: false }, { from_me: true }]);
  expect(await importChat(company, id, text)).toMatchObject({ created: 0, known: 2 });
});

test("what a person wrote in an imported group is erased with them (E-09, V-02)", async () => {
  const company = await aCompany(app);
  await aConnection(company, { isDefault: true });
  const person = await aContact(company, { number: "551188887766" });
  const group = await aContact(company, { name: "Grupo" });
  await ask(`update contacts set is_group = true where id = ${group.id}`);
  const text = [
    "12/03/2024 14:05 - +55 11 98888\u20117766: meu endereço",
    "12/03/2024 14:06 - 2º turno: até amanhã",
    "12/03/2024 14:07 - Loja: Oi",
  ].join("\n");
  expect(await importChat(company, group.id, text)).toMatchObject({ created: 3 });
  expect(
    (
      await ask<{ participant: unknown }>(
        `select participant from messages where company_id = ${company.id} order by sent_at`,
      )
    ).map(({ participant }) => participant),
  ).toEqual([
    { number: "5511988887766", name: "+55 11 98888\u20117766", phone: "5511988887766", lid: null },
    { number: "", name: "2º turno", phone: null, lid: null },
    null,
  ]);
  const erasing = { params: { id: person.id }, body: { confirmation: "551188887766" } };
  expect((await app.as(company.admin).call(privacy.erase, erasing)).status).toBe(200);
  await app.settle();
  expect(await messagesOf(company)).toMatchObject([{ body: "até amanhã" }, { body: "Oi" }]);
});

test("what a killed import left of a chat is deleted by the next one (E-09)", async () => {
  const company = await aCompany(app);
  await aConnection(company, { isDefault: true });
  const { id } = await aContact(company);
  // Of a process that is gone: no system has so many.
  const left = `prosa-chat-${hostname()}.999999999.abcdef`;
  await mkdir(join(tmpdir(), left));
  onTestFinished(() => rm(join(tmpdir(), left), { recursive: true, force: true }));
  await importChat(company, id, "12/03/2024 14:05 - Loja: Oi");
  expect((await readdir(tmpdir())).filter((name) => name === left)).toEqual([]);
});
