import { chatImports, contacts, privacy } from "@prosa/contract";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { askAsOwner, asOwner } from "#server/testing/as-owner.ts";
import { exportedChat, importForm, png } from "#server/testing/exported-chat.ts";
import { aCompany, aConnection, aContact, aUser } from "#server/testing/factories.ts";
import { endAbandonedImports } from "./chat-imports.jobs.ts";

let app: TestApp;
beforeAll(async () => (app = await createTestApp()));
afterAll(() => app.close());

const chat = [
  "12/03/2024 14:05 - As mensagens são protegidas com a criptografia de ponta a ponta.",
  "12/03/2024 14:05 - Bruno Cliente: Bom dia",
  "tudo bem?",
  "12/03/2024 14:06 - Loja: Tudo! Veja:",
  "12/03/2024 14:06 - Loja: foto.png (arquivo anexado)",
  "12/03/2024 14:07 - Bruno Cliente: sumiu.pdf (arquivo anexado)",
  "13/03/2024 09:00 - Bruno Cliente: ok",
  "13/03/2024 09:00 - Bruno Cliente: ok",
].join("\n");

const ask = <Row>(statement: string) => askAsOwner<Row>(app.database.url, statement);

test("an exported chat becomes the contact's history, once, and nobody is told of it (E-09)", async () => {
  const company = await aCompany(app);
  await aConnection(company, { isDefault: true });
  const contact = await aContact(company, { name: "Bruno" });
  const admin = app.as(company.admin);
  const params = { id: contact.id };
  await app.settle();
  const [before] = await ask<{ id: string }>("select coalesce(max(id), 0) as id from event_log");

  const preview = await admin.call(chatImports.preview, { params, body: importForm(await exportedChat(chat)) });
  expect(preview.body).toEqual({
    authors: [
      { name: "Bruno Cliente", messages: 4 },
      { name: "Loja", messages: 2 },
    ],
    messages: 6,
    files: 1,
    misdated: 0,
    first: "2024-03-12T14:05:00",
    last: "2024-03-13T09:00:00",
  });
  const importChat = async (text: string) => {
    const begun = await admin.call(chatImports.start, { params, body: importForm(await exportedChat(text), "Loja") });
    expect(begun.status).toBe(200);
    await app.settle();
    return (await admin.call(chatImports.list, { params })).body.records[0];
  };
  expect(await importChat(chat)).toMatchObject({ state: "finished", created: 6, known: 0, withoutFile: 1 });
  expect(
    await ask(`select m.from_me, m.body, m.media_type, m.is_read, m.data, m.sent_at, f.state, f.mime_type
      from messages m left join media f on f.message_id = m.id order by m.sent_at, m.id`),
  ).toMatchObject([
    // 14:05 in São Paulo
    {
      from_me: false,
      body: "Bom dia\ntudo bem?",
      is_read: true,
      data: { imported: true },
      sent_at: new Date("2024-03-12T17:05:00Z"),
    },
    { from_me: true, body: "Tudo! Veja:" },
    { from_me: true, body: "", media_type: "image", state: "ready", mime_type: "image/png" },
    { from_me: false, body: "", media_type: "application", state: "expired" },
    { body: "ok" },
    { body: "ok" },
  ]);
  expect(await ask("select status, unread_messages, last_message, last_message_at from tickets")).toEqual([
    { status: "closed", unread_messages: 0, last_message: "ok", last_message_at: new Date("2024-03-13T12:00:00Z") },
  ]);
  // open conversations are read again; no other event, so no bot, no notification and no webhook
  expect(await ask(`select type from event_log where id > ${before?.id ?? 0} and type not like 'audit%'`)).toEqual([
    { type: "ticket.reloaded" },
  ]);

  // the same export again, and a later one of the same chat
  expect(await importChat(chat)).toMatchObject({ created: 0, known: 6 });
  expect(await importChat(`${chat}\n14/03/2024 10:00 - Loja: novidade`)).toMatchObject({ created: 1, known: 6 });
  expect(await ask("select count(*)::int as n from messages")).toEqual([{ n: 7 }]);
  expect(await ask("select me, storage_key from chat_imports")).toEqual(Array(3).fill({ me: "", storage_key: null }));
});

test("what came through the product itself does not come again from an export (E-09)", async () => {
  const company = await aCompany(app);
  const connection = await aConnection(company, { isDefault: true });
  const contact = await aContact(company);
  const [ticket] = await ask<{ id: number }>(
    `insert into tickets (company_id, connection_id, contact_id, last_message_at) values (${company.id}, ${connection.id}, ${contact.id}, '2024-03-12T17:05:20Z') returning id`,
  );
  await ask(`insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, body, sent_at)
    values (${company.id}, ${ticket?.id}, ${contact.id}, ${connection.id}, 'VIVA', false, 'Bom dia', '2024-03-12T17:05:20Z')`);
  const params = { id: contact.id };
  const text = "12/03/2024 14:05 - Bruno: Bom dia\n12/03/2024 14:05 - Bruno: Bom dia\n12/03/2024 14:04 - Loja: Oi";
  await app
    .as(company.admin)
    .call(chatImports.start, { params, body: importForm(new File([text], "chat.txt"), "Loja") });
  await app.settle();
  const bodies = await ask<{ body: string }>(
    `select body from messages where company_id = ${company.id} order by sent_at, id`,
  );
  expect(bodies.map(({ body }) => body)).toEqual(["Oi", "Bom dia", "Bom dia"]);
});

test("a merge while a chat is taken in leads it to the contact that stays, and a phone from the future is left out (E-09)", async () => {
  const company = await aCompany(app);
  await aConnection(company, { isDefault: true });
  const [gone, stays] = [await aContact(company), await aContact(company)];
  const text = Array.from(
    { length: 600 },
    (_, n) =>
      `12/03/2024 ${String(10 + Math.floor(n / 60))}:${String(n % 60).padStart(2, "0")} - Bruno: linha\u2028${n}`,
  );
  const file = new File([[...text, "01/01/2099 10:00 - Bruno: amanhã"].join("\n")], "chat.txt");
  const admin = app.as(company.admin);
  const begun = await admin.call(chatImports.start, { params: { id: gone.id }, body: importForm(file, "Bruno") });
  expect(begun.body).toMatchObject({ total: 600, misdated: 1 });
  // as if the process had died after the first batch
  await ask(`update chat_imports set state = 'running', done = 250 where id = ${begun.body.id}`);
  const merged = await admin.call(contacts.merge, { params: { id: stays.id }, body: { contactId: gone.id } });
  expect(merged.status).toBe(200);
  await app.settle();
  const { records } = (await admin.call(chatImports.list, { params: { id: stays.id } })).body;
  expect(records).toMatchObject([{ state: "finished", done: 600, created: 350 }]);
  expect(
    await ask(`select count(*)::int as n, count(distinct contact_id)::int as contacts, max(sent_at) < '2025-01-01' as past
      from messages where company_id = ${company.id} and contact_id = ${stays.id}`),
  ).toEqual([{ n: 350, contacts: 1, past: true }]);

  const undone = await admin.call(contacts.undoMerge, { params: { id: merged.body.id } });
  expect(undone.status).toBe(200);
  const importsOf = async (id: number) => (await admin.call(chatImports.list, { params: { id } })).body.records;
  expect([await importsOf(undone.body.restored.id), await importsOf(stays.id)]).toMatchObject([[{ done: 600 }], []]);
});

test("a chat that was taken in is erased with its contact (E-09, V-02)", async () => {
  const company = await aCompany(app);
  await aConnection(company, { isDefault: true });
  const contact = await aContact(company, { number: "5511988887766" });
  const [admin, params] = [app.as(company.admin), { id: contact.id }];
  await admin.call(chatImports.start, { params, body: importForm(await exportedChat(chat), "Loja") });
  await app.settle();
  expect((await admin.call(privacy.erase, { params, body: { confirmation: "5511988887766" } })).status).toBe(200);
  await app.settle();
  expect((await admin.call(privacy.erasures, { query: { pageNumber: 1 } })).body.records).toMatchObject([
    { state: "finished" },
  ]);
  expect(
    await ask(`select (select count(*)::int from messages where company_id = ${company.id}) as messages,
      (select count(*)::int from chat_imports where company_id = ${company.id}) as imports,
      (select count(*)::int from moved_rows where company_id = ${company.id}) as moved`),
  ).toEqual([{ messages: 0, imports: 0, moved: 0 }]);
});

test("an import whose job died with its process at each attempt ends within the hour, and its archive goes (E-09)", async () => {
  const company = await aCompany(app);
  await aConnection(company, { isDefault: true });
  const contact = await aContact(company, { name: "Bruno Cliente" });
  const params = { id: contact.id };
  const started = await app
    .as(company.admin)
    .call(chatImports.start, { params, body: importForm(await exportedChat(chat), "Loja") });
  expect(started.status).toBe(200);
  const row = async () =>
    (
      await ask<{ state: string; failure: string | null; storage_key: string | null }>(
        `select state, failure, storage_key from chat_imports where company_id = ${company.id}`,
      )
    )[0]!;
  const { storage_key: key } = await row();
  const cron = endAbandonedImports(app.services);
  const run = () => cron.run({ ...app.services, signal: AbortSignal.timeout(10_000) } as never);
  await run();
  expect((await row()).storage_key).toBe(key);
  await asOwner(app.database.url, `delete from jobs where company_id = ${company.id}`);
  await run();
  expect(await row()).toEqual({ state: "failed", failure: "interrupted", storage_key: null });
  expect(await app.services.storage.stat(key!)).toBeUndefined();
});

test("a fault of the storage ends no import: its job takes the chat in later, with its file (E-09)", async () => {
  const company = await aCompany(app);
  await aConnection(company, { isDefault: true });
  const contact = await aContact(company, { name: "Bruno Cliente" });
  const params = { id: contact.id };
  const admin = app.as(company.admin);
  await admin.call(chatImports.start, { params, body: importForm(await exportedChat(chat), "Loja") });
  const latest = async () => (await admin.call(chatImports.list, { params })).body.records[0];
  // What a bucket says that is asked too much; its name is no code of a network or a disk.
  const slowDown = Object.assign(new Error("Please reduce your request rate."), { name: "SlowDown" });
  const put = vi.spyOn(app.services.storage, "put").mockRejectedValueOnce(slowDown);
  try {
    await app.settle();
    expect(put).toHaveBeenCalledOnce();
    expect(await latest()).toMatchObject({ failure: null, finishedAt: null, created: 0 });
    await asOwner(app.database.url, `update jobs set run_at = now() - interval '1 s' where company_id = ${company.id}`);
    await app.settle();
    expect(await latest()).toMatchObject({ state: "finished", created: 6, withoutFile: 1 });
  } finally {
    put.mockRestore();
  }
});

test("other files, other companies and other roles are refused (E-09)", async () => {
  const [company, other] = [await aCompany(app), await aCompany(app)];
  const contact = await aContact(company);
  const params = { id: contact.id };
  const start = (caller: Parameters<TestApp["as"]>[0], file: File, me = "Loja") =>
    app.as(caller).call(chatImports.start, { params, body: importForm(file, me) });
  const good = new File([chat], "chat.txt");
  expect((await start(other.admin, good)).status).toBe(404);
  expect((await start(await aUser(company), good)).status).toBe(403);
  expect((await start(undefined, good)).status).toBe(401);
  expect((await start(company.admin, good)).body).toMatchObject({ error: "ERR_NO_DEF_WAPP_FOUND" });
  await aConnection(company, { isDefault: true });
  expect((await start(company.admin, good, "Ninguém")).body).toMatchObject({ error: "ERR_VALIDATION" });
  expect((await start(company.admin, new File(["uma lista\nde compras"], "lista.txt"))).body).toMatchObject({
    error: "ERR_VALIDATION",
    details: { failure: "unreadable" },
  });
  expect((await start(company.admin, new File([png], "foto.png"))).body).toMatchObject({ error: "ERR_FILE_TYPE" });
  expect(await ask(`select id from chat_imports where company_id = ${company.id}`)).toEqual([]);
});
