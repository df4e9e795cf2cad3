import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { audit, contactImports, contactLists, contacts, privacy } from "@prosa/contract";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { backUp, restore } from "#server/app/backup/index.ts";
import { chainAudit, recordAudit, verifyAuditOf } from "#server/platform/audit/index.ts";
import { createTestApp, testSecret } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aContact, aUser } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";
import { createTestDatabase, testLog } from "#server/testing/database.ts";
import { onServer } from "#server/testing/server.ts";
import { contactResolver, createIngest } from "#server/features/inbound/index.ts";
import type { InboundMessage, PersonRef } from "#server/whatsapp/port.ts";
import { asOwner, askAsOwner } from "#server/testing/as-owner.ts";
import { resumeErasures } from "./erase-contact.jobs.ts";
import { erasureMarks } from "./erasure-mark.ts";
import { expireExports } from "./export/contact-export.ts";
import { reapplyErasures } from "./index.ts";

let app: TestApp;
let owner: pg.Client;
beforeAll(async () => {
  app = await createTestApp();
  owner = new pg.Client({ connectionString: app.database.url });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await app.close();
});

const signal = new AbortController().signal;

/** Every row of every table, as a dump would have it. */
async function dump(): Promise<string> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await owner.query<{ row: string }>(`select t::text as row from ${name} t`);
    parts.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  return parts.join("\n");
}

/** The bytes and the keys of every file of the company. */
async function files(companyId: number): Promise<string> {
  const parts: string[] = [];
  for (const folder of ["messages", "pictures", "schedules", "imports", "campaigns", "exports"]) {
    for await (const key of app.services.storage.list(companyId, folder)) {
      const chunks: Buffer[] = [];
      for await (const chunk of await app.services.storage.get(key)) {
        chunks.push(chunk as Buffer);
      }
      parts.push(key, Buffer.concat(chunks).toString("latin1"));
    }
  }
  return parts.join("\n");
}

/** The files of the only archive that lies, by its central directory. */
async function archive(companyId: number): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const key of app.services.storage.list(companyId, "exports")) {
    const chunks: Buffer[] = [];
    for await (const chunk of await app.services.storage.get(key)) {
      chunks.push(chunk as Buffer);
    }
    const zip = Buffer.concat(chunks);
    let at = zip.readUInt32LE(zip.length - 6);
    for (let entry = 0; entry < zip.readUInt16LE(zip.length - 12); entry += 1) {
      const nameLength = zip.readUInt16LE(at + 28);
      const name = zip.toString("utf8", at + 46, at + 46 + nameLength);
      const start = zip.readUInt32LE(at + 42) + 30 + nameLength;
      files[name] = inflateRawSync(zip.subarray(start, start + zip.readUInt32LE(at + 20))).toString("utf8");
      at += 46 + nameLength;
    }
  }
  return files;
}

const hex = (text: string) => Buffer.from(text).toString("hex");

/** A text of this person, as the line delivers it. */
async function receive(company: TestCompany, lineId: number, person: PersonRef, waId: string, at: Date): Promise<void> {
  const ingest = createIngest({ ...app.services, contacts: contactResolver, isSilent: true });
  const chat = person.phone === null ? { kind: "lid", value: person.lid! } : { kind: "phone", value: person.phone };
  const message = {
    waId,
    chat,
    person,
    fromMe: false,
    participant: null,
    pushName: "Maria",
    at,
    isOffline: true,
    quotedWaId: null,
    content: { kind: "text", text: "oi" },
  } as InboundMessage;
  await company.inside((ctx) => ingest(ctx, lineId, [{ type: "message", message }]));
}

test("after an erasure no byte of a dump or of the storage has one of the contact's marks, and the rest stands (V-02)", async () => {
  const company = await aCompany(app);
  const line = await aConnection(company, { number: "5511900000001" });
  const number = "5511976543210";
  const lid = "98765432101234";
  const m = Object.fromEntries(Array.from({ length: 45 }, (_, n) => [n, `zq${n}mark${n * 7919}x`])) as Record<
    number,
    string
  >;
  const contact = await aContact(company, {
    name: m[0]!,
    number,
    email: `${m[1]}@example.com`,
    extraInfo: [{ name: "Endereço", value: m[2]! }],
  });
  const other = await aContact(company, { name: "Outra Pessoa" });
  const c = company.id;
  const put = async (folder: string, mark: string) => {
    const key = `company/${c}/${folder}/${mark}.bin`;
    await app.services.storage.put(key, Buffer.from(`bytes ${mark}`), { contentType: "image/png" });
    return key;
  };
  const one = async (text: string, ...values: unknown[]) =>
    ((await owner.query(`${text} returning *`, values)).rows[0] as { id: number }).id;

  // the person
  await owner.query("update contacts set picture_path = $2 where id = $1", [contact.id, await put("pictures", m[3]!)]);
  await owner.query(
    "insert into contact_identifiers (company_id, connection_id, kind, value, contact_id) values ($1, $2, 'lid', $3, $4)",
    [c, line.id, lid, contact.id],
  );
  await owner.query(
    "insert into contact_merges (company_id, kept_id, gone_id, snapshot, merged_at) values ($1, $2, 999999, $3, now())",
    [c, other.id, JSON.stringify({ number, name: m[4] })],
  );
  await owner.query(
    "insert into contact_imports (company_id, user_id, source, state, refused_rows) values ($1, $2, 'file', 'finished', $3)",
    [
      c,
      company.admin.userId,
      JSON.stringify([
        { number, name: m[5] },
        { number: "1", name: "fica" },
      ]),
    ],
  );

  // the conversation
  const ticket = await one(
    "insert into tickets (company_id, connection_id, contact_id, status, last_message, bot_state) values ($1, $2, $3, 'pending', $4, $5)",
    c,
    line.id,
    contact.id,
    m[6],
    JSON.stringify({ said: m[7] }),
  );
  const message = async (
    of: { ticket: number; contact: number },
    body: string,
    more: { waId: string; data?: object; participant?: object },
  ) =>
    one(
      `insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, body, data, participant, sent_at)
       values ($1, $2, $3, $4, $5, false, $6, $7, $8, now())`,
      ...[c, of.ticket, of.contact, line.id, more.waId, body],
      more.data ? JSON.stringify(more.data) : null,
      more.participant ? JSON.stringify(more.participant) : null,
    );
  const own = { ticket, contact: contact.id };
  const first = await message(own, `bom dia ${m[6]}`, { waId: "WA1", data: { vcard: m[8] } });
  const withFile = await message(own, m[9]!, { waId: "WA2" });
  await owner.query("update messages set transcript = $1 where id = $2", [m[43], withFile]);
  await owner.query(
    "insert into media (message_id, company_id, state, storage_key, file_name, thumbnail) values ($1, $2, 'ready', $3, $4, $5)",
    [withFile, c, await put("messages", m[10]!), `${m[11]}.pdf`, Buffer.from(m[12]!)],
  );
  await owner.query("insert into message_edits (company_id, message_id, body) values ($1, $2, $3)", [c, first, m[13]]);
  await owner.query(
    "insert into link_previews (company_id, message_id, address, url, url_hash, title, picture, fetched_at) values ($1, $2, 'a', 'b', 'c', $3, $4, now())",
    [c, first, m[14], Buffer.from(m[15]!)],
  );
  await owner.query(
    "insert into sent_payloads (company_id, connection_id, wa_id, payload) values ($1, $2, 'WA1', $3)",
    [c, line.id, Buffer.from(m[16]!)],
  );
  await owner.query("insert into ticket_notes (company_id, ticket_id, contact_id, note) values ($1, $2, $3, $4)", [
    c,
    ticket,
    contact.id,
    m[17],
  ]);
  await owner.query(
    "insert into episodes (company_id, ticket_id, protocol, queued_at, finished_at) values ($1, $2, $3, now(), now())",
    [c, ticket, m[18]],
  );

  // a group in which the person writes
  const group = await one("insert into contacts (company_id, name, is_group) values ($1, 'Grupo', true)", c);
  const groupTicket = await one(
    "insert into tickets (company_id, connection_id, contact_id, status, is_group, last_message) values ($1, $2, $3, 'pending', true, $4)",
    c,
    line.id,
    group,
    m[19],
  );
  const inGroup = { ticket: groupTicket, contact: group };
  const kept = await message(inGroup, "fica a palavra bom", {
    waId: "G1",
    participant: { phone: "5511911112222", lid: null, number: "5511911112222", name: "Outro" },
  });
  await message(inGroup, m[19]!, { waId: "G2", participant: { phone: number, lid, number, name: m[20] } });
  const filed = await message(inGroup, "", { waId: "G3", participant: { phone: null, lid, number: null, name: "" } });
  await owner.query(
    "insert into media (message_id, company_id, state, storage_key, file_name) values ($1, $2, 'ready', $3, 'foto.png')",
    [filed, c, await put("messages", m[44]!)],
  );
  await owner.query(
    "insert into message_reactions (company_id, message_id, sender, sender_name, emoji, at) values ($1, $2, $3, $4, '👍', now())",
    [c, kept, `${lid}@lid`, m[21]],
  );
  await owner.query(
    "insert into message_changes_waiting (company_id, connection_id, wa_id, change) values ($1, $2, 'X', $3)",
    [c, line.id, JSON.stringify({ by: number, body: m[22] })],
  );

  // what was planned for the person
  await owner.query(
    "insert into schedules (company_id, contact_id, body, send_at, client_id, media_path) values ($1, $2, $3, now() + interval '1 day', 'cl', $4)",
    [c, contact.id, m[23], await put("schedules", m[24]!)],
  );
  const list = await one("insert into contact_lists (company_id, name) values ($1, 'Lista')", c);
  await owner.query(
    "insert into contact_list_items (company_id, contact_list_id, name, number, match_number, email) values ($1, $2, $3, $4, match_number($4), $5)",
    [c, list, m[25], number, `${m[26]}@x.com`],
  );
  const listImport = await one(
    "insert into contact_list_imports (company_id, contact_list_id, state) values ($1, $2, 'finished')",
    c,
    list,
  );
  await owner.query(
    "insert into contact_list_refused_rows (company_id, import_id, line, name, number, reason) values ($1, $2, 1, $3, $4, 'x')",
    [c, listImport, m[27], `+${number}`],
  );
  const campaign = await one("insert into campaigns (company_id, name) values ($1, 'Campanha')", c);
  await owner.query(
    "insert into campaign_recipients (company_id, campaign_id, position, name, number, match_number, email, state) values ($1, $2, 1, $3, $4, match_number($4), $5, 'read')",
    [c, campaign, m[28], number, m[29]],
  );
  await owner.query(
    "insert into opt_outs (company_id, contact_id, number_key, at, source, word, note) values ($1, $2, $3, now(), 'word', $4, $5)",
    [c, contact.id, number, m[30], m[31]],
  );

  // other software
  const hook = await one(
    "insert into webhooks (company_id, url, description, events, is_active, created_at) values ($1, 'https://a.b', '', '{}', false, now())",
    c,
  );
  await owner.query(
    "insert into webhook_deliveries (company_id, endpoint_id, webhook_id, type, subject, body, created_at) values ($1, $2, gen_random_uuid(), 'x', $3, $4, now())",
    [c, hook, `ticket:${ticket}`, m[40]],
  );
  const flow = await one(
    `insert into queue_integrations (company_id, type, name, project_name, language, url_n8n, typebot_slug, typebot_delay_message,
      typebot_expires, typebot_keyword_finish, typebot_keyword_restart, typebot_restart_message, typebot_unknown_message)
      values ($1, 'n8n', 'Fluxo', '', 'en', '', '', 0, 0, '', '', '', '')`,
    c,
  );
  await owner.query(
    "insert into integration_calls (company_id, integration_id, delivery_id, ticket_id, request, created_at) values ($1, $2, gen_random_uuid(), $3, $4, now())",
    [c, flow, ticket, m[42]],
  );
  await owner.query(
    "insert into api_messages (id, company_id, connection_id, fingerprint, number, body, options, state, created_at) values (gen_random_uuid(), $1, $2, 'x', $3, $4, '{}', 'stored', now())",
    [c, line.id, number, m[41]],
  );

  // the machinery
  await owner.query(
    "insert into wa_keys (company_id, connection_id, kind, id, value) values ($1, $2, 'session', $3, $4)",
    [c, line.id, `${number}.0`, Buffer.from(m[32]!)],
  );
  await owner.query("insert into line_answers (id, company_id, answer) values (gen_random_uuid(), $1, $2)", [
    c,
    JSON.stringify({ number, name: m[33] }),
  ]);
  await owner.query("insert into line_log (company_id, connection_id, event, detail) values ($1, $2, 'x', $3)", [
    c,
    line.id,
    `${number} ${m[34]}`,
  ]);
  await owner.query(
    "insert into jobs (company_id, task, payload, run_at, max_attempts, state, died_at) values ($1, 'x', $2, now(), 1, 'dead', now())",
    [c, JSON.stringify({ number, text: m[35] })],
  );
  await owner.query("insert into event_log (company_id, type, payload) values ($1, 'x.y', $2)", [
    c,
    JSON.stringify({ number, text: m[36] }),
  ]);
  await owner.query(
    "insert into sim_people (company_id, connection_id, number, name, created_at) values ($1, $2, $3, $4, now())",
    [c, line.id, number, m[37]],
  );
  await company.inside((ctx) =>
    recordAudit(ctx, {
      action: "ticket.deleted",
      target: { type: "contact", id: contact.id, name: m[38]! },
      contactId: contact.id,
      details: { number },
    }),
  );
  await company.inside((ctx) =>
    recordAudit(ctx, { action: "report.exported", details: { filter: `${lid} ${m[39]}` } }),
  );
  await chainAudit(app.services, signal);

  const marks = [...Object.values(m), number, lid];
  const before = (await dump()) + (await files(c));
  expect(marks.filter((mark) => !before.includes(mark) && !before.includes(hex(mark)))).toEqual([]);
  expect(marks.length).toBeGreaterThanOrEqual(30);

  const admin = app.as(company.admin);
  const asked = await admin.call(privacy.export, { params: { id: contact.id } });
  expect(asked.body).toMatchObject({ state: "waiting", contactId: contact.id });
  const uploads = vi.spyOn(app.services.storage, "put");
  await app.settle();
  expect(uploads.mock.calls.map(([, , { isHuge }]) => isHuge)).toEqual([true]);
  uploads.mockRestore();
  const exports = await admin.call(privacy.exports, { params: { id: contact.id } });
  expect(exports.body.records).toMatchObject([{ id: asked.body.id, state: "finished", size: expect.any(Number) }]);
  const stranger = (await aCompany(app)).admin;
  const params = { id: asked.body.id };
  expect((await app.as(stranger).call(privacy.download, { params })).status).toBe(404);
  const zip = await archive(c);
  expect(Object.keys(zip).sort()).toEqual(
    [`arquivos/${withFile}-${m[11]}.pdf`, `arquivos/${filed}-foto.png`, "dados.json", "pagina.html"].sort(),
  );
  expect(JSON.parse(zip["dados.json"]!)).toMatchObject({
    contact: { name: m[0], number },
    notes: [{ note: m[17] }],
    campaigns: [{ name: m[28] }],
    messages: [
      { body: `bom dia ${m[6]}` },
      { body: m[9], transcript: m[43], file: `arquivos/${withFile}-${m[11]}.pdf` },
    ],
    // what the person wrote and did in groups is theirs; what others wrote there is not
    groupMessages: [
      { group: "Grupo", body: m[19], file: null },
      { group: "Grupo", body: "", file: `arquivos/${filed}-foto.png` },
    ],
    reactions: [{ emoji: "👍", name: m[21], conversation: "Grupo" }],
  });
  expect(zip["pagina.html"]).toContain(`${m[9]}\n${m[43]}`);
  expect(zip["pagina.html"]).toMatch(new RegExp(`Reações.*👍.*Mensagens em grupos.*Grupo.*${m[19]}.*foto\\.png`, "su"));
  // it is a person who reads it: columns, moments and states in words (V-02)
  expect(zip["pagina.html"]).toMatch(/<th>Criação<\/th><td>\d\d\/\d\d\/\d{4}, \d\d:\d\d:\d\d<\/td>/u);
  expect(zip["pagina.html"]).not.toMatch(/createdAt|\dT\d\d:|&quot;|>(?:pending|open|closed)</u);
  expect(zip["dados.json"]! + zip["pagina.html"]!).not.toContain("fica a palavra");
  expect(zip[`arquivos/${withFile}-${m[11]}.pdf`]).toContain(m[10]);
  expect((await admin.call(privacy.download, { params })).status).toBe(200);

  const erase = (confirmation: string, as = admin) =>
    as.call(privacy.erase, { params: { id: contact.id }, body: { confirmation } });
  expect((await erase("123")).body).toMatchObject({ error: "ERR_VALIDATION" });
  expect((await erase(number, app.as(await aUser(company)))).status).toBe(403);
  expect((await erase(number, app.as((await aCompany(app)).admin))).status).toBe(404);
  expect((await erase("+55 (11) 97654-3210")).body).toMatchObject({ state: "waiting", contactId: contact.id });
  expect((await erase(number)).status).toBe(200);
  await app.settle();

  const { body } = await admin.call(privacy.erasures);
  expect(body).toMatchObject({ count: 1, records: [{ contactId: contact.id, state: "finished", userName: "Admin" }] });
  expect(body.records[0]!.erased).toBeGreaterThan(15);
  const after = (await dump()).split("\n");
  const stored = await files(c);
  const found = (mark: string) => after.filter((row) => row.includes(mark) || row.includes(hex(mark)));
  expect(marks.flatMap((mark) => [...found(mark), ...(stored.includes(mark) ? [mark] : [])])).toEqual([]);

  // what is of others stays, counts are adjusted, and the log says what was done and holds
  const { rows } = await owner.query(
    "select contacts_count, (select last_message from tickets where id = $2) as last, (select count(*)::int from messages where company_id = $1) as messages, (select refused_rows from contact_imports where company_id = $1) as refused from contact_lists where company_id = $1",
    [c, groupTicket],
  );
  expect(rows).toEqual([
    { contacts_count: 0, last: "fica a palavra bom", messages: 1, refused: [{ number: "1", name: "fica" }] },
  ]);
  const { rows: words } = await owner.query("select word from message_words where company_id = $1 order by 1", [c]);
  expect(words.map(({ word }) => word)).toEqual(["a", "bom", "fica", "palavra"]);
  await chainAudit(app.services, signal);
  expect(await verifyAuditOf(app.services, c)).toBeUndefined();
  const log = await admin.call(audit.list, { query: { targetType: "contact" } });
  expect(log.body.records.map(({ action, isErased }) => [action, isErased])).toEqual([
    ["privacy.erased", false],
    ["privacy.erasure-requested", false],
    ["privacy.export-downloaded", false],
    ["privacy.export-requested", false],
    ["ticket.deleted", true],
  ]);
});

test("history that WhatsApp sends again does not bring an erased person back (V-02)", async () => {
  const company = await aCompany(app);
  const line = await aConnection(company, { number: "5511900000003" });
  const number = "5511976540000";
  const contact = await aContact(company, { number });
  const admin = app.as(company.admin);
  const erase = () => admin.call(privacy.erase, { params: { id: contact.id }, body: { confirmation: number } });
  expect((await erase()).status).toBe(200);
  await app.settle();

  const write = (waId: string, at: Date) => receive(company, line.id, { phone: number, lid: null }, waId, at);
  const people = async () =>
    (await owner.query("select id from contacts where company_id = $1 and number = $2", [company.id, number])).rows;
  await write("OLD", new Date(Date.now() - 86_400_000));
  expect(await people()).toEqual([]);
  await write("NEW", new Date());
  expect(await people()).toHaveLength(1);
});

test("an import that began before brings no erased person back, neither as a contact, nor into a list, nor as refused (V-02)", async () => {
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const number = "5511976540077";
  const contact = await aContact(company, { number });
  const { body: list } = await admin.call(contactLists.create, { body: { name: "Clientes" } });
  const sheet = () => {
    const form = new FormData();
    const rows = [
      "nome;telefone;email",
      "Rosa Volta;551176540077;",
      `R;${number};`,
      "Rosa;11976540077;ninguém",
      "Nova;5511976540078;",
    ];
    form.append("file", new Blob([rows.join("\n")]), "agenda.csv");
    return form;
  };
  const begun = await admin.call(contactImports.start, { body: sheet() });
  expect([
    begun.status,
    (await admin.call(contactLists.upload, { params: { id: list.id }, body: sheet() })).status,
  ]).toEqual([200, 200]);
  await owner.query("update contact_imports set created_at = created_at - interval '1 minute'");
  await owner.query("update contact_list_imports set created_at = created_at - interval '1 minute'");
  // The erasure runs first, as beside an import of many rows.
  await owner.query("update jobs set run_at = now() + interval '1 hour' where task like '%import'");
  const request = { params: { id: contact.id }, body: { confirmation: number } };
  expect((await admin.call(privacy.erase, request)).status).toBe(200);
  await app.settle();
  await owner.query("update jobs set run_at = now() - interval '1 second' where task like '%import'");
  await app.settle();

  expect((await admin.call(contactImports.latest)).body.import).toMatchObject({
    state: "finished",
    done: 4,
    created: 1,
    refused: 0,
  });
  const names = await owner.query("select name from contacts where company_id = $1", [company.id]);
  const items = await owner.query("select name from contact_list_items where company_id = $1", [company.id]);
  expect([names.rows, items.rows]).toEqual([[{ name: "Nova" }], [{ name: "Nova" }]]);
  expect(await dump()).not.toMatch(/Rosa|76540077/u);
});

test("the conversations of an erased contact leave every desk (V-02, T-22)", async () => {
  const company = await aCompany(app);
  const line = await aConnection(company);
  const contact = await aContact(company);
  const ticket = `insert into tickets (company_id, connection_id, contact_id, status) values ($1, $2, $3, 'pending') returning id`;
  const { rows } = await owner.query<{ id: number }>(ticket, [company.id, line.id, contact.id]);
  const desk = await app.connect(company.admin);
  await desk.join("joinTickets", "pending");
  const request = { params: { id: contact.id }, body: { confirmation: contact.number } };
  expect((await app.as(company.admin).call(privacy.erase, request)).status).toBe(200);
  await app.settle();
  await desk.flushed();
  expect(desk.packets.map(({ payload }) => payload)).toContainEqual({ action: "delete", ticketId: rows[0]!.id });
  desk.close();
});

test("who is being erased is not merged by hand, and no merge of theirs is undone (V-02, C-06)", async () => {
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const [gone, erased, other] = [await aContact(company), await aContact(company), await aContact(company)];
  const merge = (keptId: number, goneId: number) =>
    admin.post<{ id: number; error: string }>(`/contacts/${keptId}/merge`, { contactId: goneId });
  const before = await merge(erased.id, gone.id);
  const request = { params: { id: erased.id }, body: { confirmation: erased.number } };
  expect((await admin.call(privacy.erase, request)).status).toBe(200);

  const refused = [
    await merge(other.id, erased.id),
    await merge(erased.id, other.id),
    await admin.post<{ error: string }>(`/contacts/merges/${before.body.id}/undo`),
  ];
  expect(refused.map(({ status, body }) => [status, body.error])).toEqual(
    refused.map(() => [409, "ERR_CONTACT_BEING_ERASED"]),
  );
  await app.settle();
  const { rows } = await owner.query("select id from contacts where company_id = $1", [company.id]);
  expect(rows).toEqual([{ id: other.id }]);
});

test("whom WhatsApp shows to be another contact before the erasure has run is erased under both (V-02, W-10)", async () => {
  const company = await aCompany(app);
  const { id: lineId } = await aConnection(company, { number: "5511900000004" });
  const admin = app.as(company.admin);
  const [lid, number] = ["88877766655544", "5511976542222"];
  const arrive = (waId: string, person: Partial<PersonRef>, at = new Date()) =>
    receive(company, lineId, { phone: null, lid: null, ...person }, waId, at);
  const left = async () =>
    (
      await owner.query<{ people: number; messages: number }>(
        `select (select count(*)::int from contacts where company_id = $1) as people,
           (select count(*)::int from messages where company_id = $1) as messages`,
        [company.id],
      )
    ).rows[0];
  await arrive("L1", { lid });
  const { rows } = await owner.query<{ id: number }>("select id from contacts where company_id = $1", [company.id]);
  const request = { params: { id: rows[0]!.id }, body: { confirmation: "Maria" } };
  expect((await admin.call(privacy.erase, request)).status).toBe(200);
  await arrive("P1", { phone: number });
  await arrive("P2", { phone: number, lid });
  expect(await left()).toEqual({ people: 1, messages: 3 });

  await app.settle();
  expect(await left()).toEqual({ people: 0, messages: 0 });
  const traces = (await dump()).split("\n").filter((row) => row.includes(number) || row.includes(lid));
  expect(traces).toEqual([]);
  // nor does what WhatsApp sends again under the number bring them back
  await arrive("OLD", { phone: number }, new Date(Date.now() - 86_400_000));
  expect(await left()).toEqual({ people: 0, messages: 0 });
  expect((await admin.call(privacy.erasures)).body).toMatchObject({ count: 1, records: [{ state: "finished" }] });
  await chainAudit(app.services, signal);
  expect(await verifyAuditOf(app.services, company.id)).toBeUndefined();
});

test("a LID that is learned before the erasure has run is erased too (V-02)", async () => {
  const company = await aCompany(app);
  const { id: lineId } = await aConnection(company, { number: "5511900000005" });
  const admin = app.as(company.admin);
  const [lid, number] = ["88877766655533", "5511976543333"];
  const contact = await aContact(company, { number });
  const request = { params: { id: contact.id }, body: { confirmation: number } };
  expect((await admin.call(privacy.erase, request)).status).toBe(200);
  await receive(company, lineId, { phone: number, lid }, "P1", new Date());
  await owner.query("insert into line_log (company_id, connection_id, event, detail) values ($1, $2, 'x', $3)", [
    ...[company.id, lineId, `from ${lid}`],
  ]);

  await app.settle();
  expect((await dump()).split("\n").filter((row) => row.includes(lid))).toEqual([]);
  await receive(company, lineId, { phone: null, lid }, "OLD", new Date(Date.now() - 86_400_000));
  const { rows } = await owner.query("select id from contacts where company_id = $1", [company.id]);
  expect(rows).toEqual([]);
});

test("no check of the log takes an erasure that it has not seen asked for yet for a fault (V-01, V-02)", async () => {
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const seqOfEntry = async (contactId: number) => {
    const target = { type: "contact", id: contactId, name: "Maria" } as const;
    await company.inside((ctx) => recordAudit(ctx, { action: "ticket.deleted", target, contactId }));
    await chainAudit(app.services, signal);
    const { rows } = await owner.query<{ seq: string }>("select seq from audit_log where contact_id = $1", [contactId]);
    return rows[0]!.seq;
  };
  const erase = async (contactId: number, confirmation: string) => {
    const request = { params: { id: contactId }, body: { confirmation } };
    expect((await admin.call(privacy.erase, request)).status).toBe(200);
    await app.settle();
  };
  const numbers = ["5511976545551", "5511976545552"] as const;
  const [fresh, during, never] = await Promise.all([
    aContact(company, { number: numbers[0] }),
    aContact(company, { number: numbers[1] }),
    aContact(company),
  ]);
  await seqOfEntry(fresh.id);
  await seqOfEntry(during.id);
  const tampered = await seqOfEntry(never.id);

  // asked for and done before the chain's next run
  await erase(fresh.id, numbers[0]);
  expect(await verifyAuditOf(app.services, company.id)).toBeUndefined();
  await chainAudit(app.services, signal);

  // asked for, done and chained while the check reads
  const systemTx = app.db.systemTx.bind(app.db);
  const head = vi.spyOn(app.services.db, "systemTx").mockImplementationOnce(async (work) => {
    const read = await systemTx(work);
    await erase(during.id, numbers[1]);
    await chainAudit(app.services, signal);
    return read;
  });
  expect(await verifyAuditOf(app.services, company.id)).toBeUndefined();
  head.mockRestore();
  expect(await verifyAuditOf(app.services, company.id)).toBeUndefined();

  // emptied by somebody else, while another erasure is fresh
  await erase((await aContact(company, { number: numbers[0] })).id, numbers[0]);
  await owner.query(
    `update audit_log set target_name = null, details = '{}', salt = null, erased_contact_id = $1 where contact_id = $1`,
    [never.id],
  );
  expect(await verifyAuditOf(app.services, company.id)).toMatchObject({ kind: "changed", seq: tampered });
});

test("the log says whom somebody deleted, until the person is erased, who may be back under another id (V-01, V-02)", async () => {
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const number = "5511976541111";
  const deleted = async ({ name, number: of }: { name: string; number?: string }) => {
    const { id } = await aContact(company, { name, ...(of && { number: of }) });
    if (!of) {
      await owner.query("update contacts set number = null where id = $1", [id]);
    }
    expect((await admin.call(contacts.remove, { params: { id } })).status).toBe(200);
    return id;
  };
  const log = async () =>
    (await admin.call(audit.list, { query: { action: "contact.deleted" } })).body.records.map(
      ({ targetId, targetName, details, isErased, userId }) => ({ targetId, targetName, details, isErased, userId }),
    );
  const maria = await deleted({ name: "Maria Teles", number });
  const other = await deleted({ name: "Outra Pessoa", number: `${number.slice(0, -1)}2` });
  const entry = { isErased: false, userId: company.admin.userId };
  const ofOther = { ...entry, targetId: `${other}`, targetName: "Outra Pessoa", details: { number: "5511976541112" } };
  const ofMaria = { ...entry, targetId: `${maria}`, targetName: "Maria Teles", details: { number } };
  expect(await log()).toEqual([ofOther, ofMaria]);
  // known by a LID alone: no erasure would find the name again
  const nameless = await deleted({ name: "Só LID" });
  const ofNameless = { ...entry, targetId: `${nameless}`, targetName: null, details: { number: null } };
  expect(await log()).toEqual([ofNameless, ofOther, ofMaria]);

  const { id } = await aContact(company, { name: "Mari", number });
  expect((await admin.call(privacy.erase, { params: { id }, body: { confirmation: number } })).status).toBe(200);
  await app.settle();
  expect(await log()).toEqual([ofNameless, ofOther, { ...ofMaria, targetName: null, details: {}, isErased: true }]);
  await chainAudit(app.services, signal);
  expect(await verifyAuditOf(app.services, company.id)).toBeUndefined();
});

test("a restore in whose time other people had the ids erases the person again under the present id, and nobody else (V-02)", async () => {
  const company = await aCompany(app);
  const { id: c, admin } = company;
  const line = await aConnection(company, { number: "5511900000009" });
  const foreign = await aCompany(app);
  const came = (name: string, number: string, of = company) => aContact(of, { name, number });
  const withoutNumber = async (name: string) => {
    const contact = await aContact(company, { name });
    await owner.query("update contacts set number = null where id = $1", [contact.id]);
    return contact;
  };
  const maria = await came("Maria", "5511977770001");
  const zoe = await came("Zoe", "5511977770005");
  const rita = await came("Rita", "5511977770003");
  const rosa = await came("Rosa", "5511977770004");
  const nameless = await withoutNumber("Sem número");
  const ana = await came("Ana", "5511977770002");
  const anasLid = await withoutNumber("Ana, só pelo LID");
  const theirs = await came("Ana de outra empresa", "5511977770002", foreign);
  const identify = (contactId: number) =>
    owner.query(
      "insert into contact_identifiers (company_id, connection_id, kind, value, contact_id) values ($1, $2, 'lid', '777000222', $3)",
      [c, line.id, contactId],
    );
  await identify(anasLid.id);
  const target = { type: "contact", id: ana.id, name: "Ana" } as const;
  await company.inside((ctx) => recordAudit(ctx, { action: "ticket.deleted", target, contactId: ana.id }));
  await chainAudit(app.services, signal);
  const folder = await mkdtemp(join(tmpdir(), "prosa-erasure-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const source = { url: app.database.url, storage: app.services.storage, keys: ["k"], passphrase: undefined };
  const { file } = await backUp(source, folder, new Date());

  // An older backup was restored instead: these ids were given anew, one of them even to another company.
  const others = [maria, zoe, ana, anasLid, theirs].map(({ id }) => id);
  await owner.query("delete from contacts where id = any($1)", [others]);
  await owner.query("update companies set created_at = created_at + interval '1 day' where id = $1", [foreign.id]);
  const get = (id: number, number: string, companyId = c) =>
    owner.query(
      "insert into contacts (id, company_id, name, number) overriding system value values ($1, $2, 'Veio', $3)",
      [id, companyId, number],
    );
  const erase = async (id: number, confirmation: string, by = app.as(admin)) => {
    const { status, body } = await by.call(privacy.erase, { params: { id }, body: { confirmation } });
    expect([status, body.contactId]).toEqual([200, id]);
  };
  const erased = async (id: number, number: string) => {
    await erase(id, number);
    await app.settle();
  };
  await get(maria.id, "5511977770002");
  await identify(maria.id);
  await erased(maria.id, "5511977770002");
  await get(maria.id, "5511977778888");
  await erased(maria.id, "5511977778888");
  await get(zoe.id, "5511977779999");
  await erased(zoe.id, "5511977779999");
  await owner.query("update contacts set number = '5511977776666' where id = $1", [rosa.id]);
  await erased(rosa.id, "5511977776666");
  await get(theirs.id, "5511977770002", foreign.id);
  await erase(theirs.id, "5511977770002", app.as(foreign.admin));
  await app.settle();
  // Rita wrote again since; and an erasure of a release that kept no mark of the row.
  await owner.query(
    `insert into contact_erasures (company_id, contact_id, requested_at, state, marks)
     values ($1, $2, '2026-01-01', 'finished', $3), ($1, $4, $5, 'finished', '{}')`,
    [c, rita.id, erasureMarks(app.services.signer, c, "5511977770003"), nameless.id, new Date()],
  );

  const database = await createTestDatabase({
    async fill(url) {
      const beforeSwap = async (restored: string) => {
        expect(await reapplyErasures(app.database.url, restored)).toBe(6);
        expect(await reapplyErasures(app.database.url, restored)).toBe(0);
      };
      const options = { file, passphrase: undefined, url, log: testLog, storage: undefined, beforeSwap };
      const { keptDatabase } = await restore({ ...options, acceptKeys: async () => undefined }, new Date());
      await onServer(url, (client) => client.query(`drop database ${keptDatabase}`));
    },
  });
  const env = { SECRET_KEY: `a secret of after the restore with 32 signs and more,${testSecret}` };
  const back = await createTestApp({ database, env, closeAfterTest: true });
  // What is asked for now is not taken for the one that waits under the same id.
  await erase(zoe.id, "5511977770005", back.as(admin));
  const clock = { ...back.services.clock, now: () => new Date(Date.now() + 3_600_000) };
  await resumeErasures.run({ ...back.services, clock, log: testLog, signal });
  await back.settle();

  const names = await askAsOwner<{ name: string }>(
    database.url,
    "select name from contacts where company_id = any($1) order by id",
    [[c, foreign.id]],
  );
  expect(names.map(({ name }) => name)).toEqual(["Maria", "Rita", "Ana de outra empresa"]);
  const { records } = (await back.as(admin).call(privacy.erasures)).body;
  expect(records.map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => "finished"));
  expect(new Set(records.map(({ contactId }) => contactId))).toEqual(
    new Set([maria, zoe, rita, rosa, nameless, ana, anasLid].map(({ id }) => id)),
  );
  // A newer backup, restored after this one, misses nothing but what was asked for here.
  expect(await reapplyErasures(database.url, app.database.url)).toBe(1);
  await chainAudit(back.services, signal);
  expect(await verifyAuditOf(back.services, c)).toBeUndefined();
  const log = await back.as(admin).call(audit.list, { query: { action: "ticket.deleted" } });
  expect(log.body.records).toMatchObject([{ isErased: true }]);
});

test("whoever has a longer number that contains the erased one keeps everything (V-02)", async () => {
  const company = await aCompany(app);
  const c = company.id;
  const line = await aConnection(company, { number: "5511900000008" });
  const number = "1202555017";
  const contact = await aContact(company, { number });
  const group = await aContact(company, { name: "Grupo" });
  const one = async (text: string, ...values: unknown[]) =>
    ((await owner.query(`${text} returning *`, values)).rows[0] as { id: number }).id;
  const ticket = await one(
    "insert into tickets (company_id, connection_id, contact_id, status) values ($1, $2, $3, 'pending')",
    ...[c, line.id, group.id],
  );
  const message = await one(
    `insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, body, sent_at)
     values ($1, $2, $3, $4, 'S1', false, 'oi', now())`,
    ...[c, ticket, group.id, line.id],
  );
  const hook = await one(
    "insert into webhooks (company_id, url, description, events, is_active, created_at) values ($1, 'https://a.b', '', '{}', false, now())",
    c,
  );
  /** What is kept of somebody under this number, in each place that is searched by text. */
  const plant = async (of: string) => {
    const named = JSON.stringify({ jid: `${of}:3@s.whatsapp.net` });
    const rows: [string, unknown[]][] = [
      [
        "message_reactions (message_id, sender, emoji, at) values ($2, $3, '👍', now())",
        [message, `${of}@s.whatsapp.net`],
      ],
      ["message_changes_waiting (connection_id, wa_id, change) values ($2, $3, $4)", [line.id, `X${of}`, named]],
      ["wa_keys (connection_id, kind, id, value) values ($2, 'session', $3, 'x')", [line.id, `${of}.0`]],
      ["line_answers (id, answer) values (gen_random_uuid(), $2)", [named]],
      ["line_log (connection_id, event, detail) values ($2, 'x', $3)", [line.id, `from ${of}`]],
      ["contact_merges (kept_id, gone_id, snapshot, merged_at) values ($2, 999999, $3, now())", [group.id, named]],
      [
        "webhook_deliveries (endpoint_id, webhook_id, type, subject, body, created_at) values ($2, gen_random_uuid(), 'x', 'x', $3, now())",
        [hook, named],
      ],
      ["jobs (task, payload, run_at, max_attempts, state, died_at) values ('x', $2, now(), 1, 'dead', now())", [named]],
      ["event_log (type, payload) values ('x.y', $2)", [named]],
    ];
    for (const [into, values] of rows) {
      await owner.query(`insert into ${into.replace("(", "(company_id, ").replace("values (", "values ($1, ")}`, [
        c,
        ...values,
      ]);
    }
    await company.inside((ctx) => recordAudit(ctx, { action: "report.exported", details: { filter: `de ${of}` } }));
    return rows.length + 1;
  };
  const places = await plant(number);
  await plant(`${number}9`);
  await plant(`4${number}`);
  const dialled = `00${number}`;
  await owner.query("insert into event_log (company_id, type, payload) values ($1, 'x.y', $2)", [c, { dialled }]);
  await app.as(company.admin).call(privacy.erase, { params: { id: contact.id }, body: { confirmation: number } });
  await app.settle();
  const rows = (await dump()).split("\n");
  const left = [number, `${number}9`, `4${number}`].map((of) =>
    rows.filter((row) => new RegExp(`(^|\\D)${of}(\\D|$)`, "u").test(row)).map((row) => row.split(" ")[0]),
  );
  expect(left[0]).toEqual([]);
  expect(rows.filter((row) => row.includes(dialled))).toEqual([]);
  expect([left[1]!.length, new Set(left[1]).size, left[2]]).toEqual([places, places, left[1]]);
});

test("an export whose job died with its process at each attempt ends within the hour, and can be asked for again (V-02)", async () => {
  const company = await aCompany(app);
  const contact = await aContact(company);
  const admin = app.as(company.admin);
  const params = { id: contact.id };
  const { id } = (await admin.call(privacy.export, { params })).body;
  const run = () => expireExports(app.services.storage).run({ ...app.services, signal } as never);
  const state = async () =>
    (await admin.call(privacy.exports, { params })).body.records.find((one) => one.id === id)?.state;
  await run();
  expect(await state()).toBe("waiting");
  await asOwner(app.database.url, `delete from jobs where company_id = ${company.id}`);
  await run();
  expect(await state()).toBe("failed");
  expect((await admin.call(privacy.export, { params })).body).toMatchObject({ state: "waiting" });
});
