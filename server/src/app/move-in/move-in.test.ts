import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashSync } from "@node-rs/bcrypt";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { undoRun } from "#server/platform/db/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { askAsOwner, asOwner } from "#server/testing/as-owner.ts";
import { aCompany } from "#server/testing/factories.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { createFamily, dropFamily, fillFamily } from "#server/testing/family/index.ts";
import { announceMove } from "../rows-moved.ts";
import { moveFamily } from "./index.ts";
import type { MoveReport } from "./index.ts";

let app: TestApp;
let folder: string;
let family: string;

/** A picture of one pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

beforeAll(async () => {
  app = await createTestApp();
  folder = await mkdtemp(join(tmpdir(), "prosa-family-"));
  await mkdir(join(folder, "company1"));
  await writeFile(join(folder, "company1", "foto.png"), png);
  await writeFile(join(folder, "company1", "boleto.pdf"), "<html><script>alert(1)</script></html>");
  for (const company of ["company1", "company2"]) {
    await mkdir(join(folder, company), { recursive: true });
    await writeFile(join(folder, company, "catalogo.txt"), `catálogo de ${company}`);
  }
  family = await createFamily(app.database.url, smallFamily);
});
afterAll(async () => {
  await dropFamily(family);
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const smallFamily = `
  insert into "Plans" (id, name, users, connections, queues, value, "useCampaigns") values (1, 'Família', 5, 2, 3, 97, false);
  insert into "Companies" (id, name, status, "dueDate", "planId", "createdAt") values (1, 'Casa Grande', true, '2099-01-31', 1, '2025-01-02'), (2, 'Outra', true, '2099-01-31', 1, '2025-01-03');
  insert into "Whatsapps" (id, name, "isDefault", "greetingMessage", "companyId", channel, "expiresTicket") values (1, 'Vendas', true, 'Olá!', 1, 'whatsapp', 24), (2, 'Insta', false, '', 1, 'instagram', 0);
  insert into "Queues" (id, name, color, "companyId") values (1, 'Comercial', '#ff0000', 1), (2, 'Técnico', '#00ff00', 1);
  insert into "QueueOptions" (id, title, option, "queueId", "parentId") values (1, 'Segunda via', '1', 1, null), (2, 'Boleto', '1', null, 1);
  insert into "Users" (id, name, email, "passwordHash", profile, super, "companyId", "createdAt") values
    (1, 'Ana', 'Ana@Familia.example', '${hashSync("segredo da ana", { cost: 8 })}', 'admin', true, 1, '2025-01-02'),
    (2, 'Sem', 'sem e-mail', '', 'user', false, 1, '2025-01-02');
  insert into "UserQueues" values (1, 1, now(), now());
  insert into "WhatsappQueues" values (1, 1, now(), now());
  insert into "Settings" (key, value, "companyId") values ('userRating', 'enabled', 1), ('viewgroups', 'x', 1), ('scheduleType', 'talvez', 1);
  insert into "Contacts" (id, name, number, "companyId", "isGroup") values (1, 'Bruno', '5511988887777', 1, false), (2, 'Bruno sem nono', '551188887777', 1, false),
    (3, 'Bruno por LID', '90000000001@lid', 1, false), (4, 'Grupo', '120363000000000001', 1, true), (5, 'De outra', '5521977776666', 2, false);
  insert into "WhatsappLidMaps" (lid, "companyId", "contactId") values ('90000000001', 1, 1);
  insert into "ContactCustomFields" (name, value, "contactId") values ('CPF', '123', 1);
  insert into "Tags" (id, name, color, kanban, "companyId") values (1, 'VIP', '#123456', 0, 1), (2, 'Negociação', '#654321', 1, 1);
  insert into "Tickets" (id, status, "unreadMessages", "userId", "contactId", "whatsappId", "queueId", "companyId", "createdAt", "updatedAt") values
    (1, 'closed', 0, 1, 1, 1, 1, 1, '2025-03-01', '2025-03-02'), (2, 'closed', 0, null, 2, 1, 1, 1, '2025-04-01', '2025-04-02'),
    (3, 'pending', 2, null, 3, 1, 2, 1, '2025-05-01', '2025-05-02'), (4, 'open', 0, 1, 4, 1, null, 1, '2025-05-01', '2025-05-03'),
    (5, 'open', 0, 1, null, 1, null, 1, '2025-05-01', '2025-05-04');
  insert into "TicketTraking" ("ticketId", "queuedAt", "startedAt", "finishedAt", "userId") values (1, '2025-03-01 10:00Z', '2025-03-01 10:10Z', '2025-03-01 11:00Z', 1);
  insert into "UserRatings" ("ticketId", "userId", rate, "createdAt") values (1, 1, 3, '2025-03-01 11:01Z');
  insert into "TicketTags" values (1, 1, now(), now()), (3, 2, now(), now());
  insert into "TicketNotes" (note, "userId", "contactId", "ticketId", "createdAt") values ('Paga sempre em dia', 1, 1, 1, '2025-03-01');
  insert into "Messages" (id, ack, read, "fromMe", body, "mediaUrl", "mediaType", "quotedMsgId", "ticketId", "contactId", "companyId", "createdAt") values
    ('A1', 0, true, false, 'Preciso da segunda via', null, 'conversation', null, 1, 1, 1, '2025-03-01 10:00Z'),
    ('A2', 0, true, true, 'Já envio', null, 'extendedTextMessage', 'A1', 1, 1, 1, '2025-03-01 10:11Z'),
    ('A3', 3, true, true, 'foto.png', 'foto.png', 'image', null, 2, 2, 1, '2025-04-01 10:00Z'),
    ('A4', 0, false, false, '', 'https://velho.example/public/company1/sumiu.ogg', 'audio', null, 3, 3, 1, '2025-05-01 10:00Z'),
    ('A5', 0, false, false, 'boleto.pdf', 'boleto.pdf', 'application', null, 3, 3, 1, '2025-05-01 10:01Z'),
    ('A6', 0, false, false, 'data:image/png;base64,x|https://maps.google.com/maps?q=-23.5%2C-46.6&z=17&hl=pt-BR|-23.5, -46.6', null, 'locationMessage', null, 3, 3, 1, '2025-05-01 10:02Z'),
    ('A7', 0, true, false, 'oi grupo', null, 'conversation', null, 4, 1, 1, '2025-05-03 10:00Z'),
    ('A8', 0, true, false, '👍', null, 'reactionMessage', 'A7', 4, 1, 1, '2025-05-03 10:01Z');
  insert into "QuickMessages" (shortcode, message, "userId", "companyId") values ('pix', 'A chave é…', 1, 1);
  insert into "Schedules" (body, "sendAt", "sentAt", "contactId", "userId", "companyId") values ('já foi', '2025-02-01', '2025-02-01', 1, 1, 1),
    ('ainda vai', '2099-02-01', null, 1, 1, 1), ('perdeu', '2025-02-02', null, 1, 1, 1);
  insert into "ContactLists" (id, name, "companyId") values (1, 'Clientes', 1);
  insert into "ContactListItems" (id, name, number, "isWhatsappValid", "contactListId", "companyId") values (1, 'Bruno', '5511988887777', true, 1, 1), (2, 'Outro Bruno', '551188887777', true, 1, 1);
  insert into "Campaigns" (id, name, message1, status, "scheduledAt", "contactListId", "companyId") values (1, 'Natal', 'Boas festas', 'FINALIZADA', '2025-12-20', 1, 1), (2, 'Páscoa', 'Feliz', 'PROGRAMADA', '2099-04-01', 1, 1), (3, 'Junho', 'x', 'EM_ANDAMENTO', '2025-06-01', 1, 1);
  insert into "CampaignShipping" (number, "contactId", "campaignId", "deliveredAt") values ('5511988887777', 1, 1, '2025-12-20'), ('5511988887777', 1, 3, null);
`;

async function move(
  options: { isDry?: boolean; company?: number } = {},
): Promise<{ report: MoveReport; runId: number }> {
  return moveFamily({
    from: family,
    url: app.database.url,
    storage: app.services.storage,
    mediaFolder: folder,
    company: options.company,
    isDry: options.isDry ?? false,
    onProgress: () => undefined,
  });
}

const undo = (runId: number | undefined) => undoRun(app.database.url, runId, app.services.storage);
const ask = <Row>(statement: string) => askAsOwner<Row>(app.database.url, statement);
const count = async (table: string) => (await ask<{ n: number }>(`select count(*)::int as n from ${table}`))[0]?.n;
const taken = (report: MoveReport) =>
  Object.fromEntries(
    report.companies.flatMap(({ kinds }) =>
      kinds.filter(({ read }) => read > 0).map(({ kind, taken: n }) => [kind, n]),
    ),
  );

test("a dry run counts what would come and writes nothing (E-09)", async () => {
  const { report } = await move({ isDry: true, company: 1 });
  expect(taken(report)).toMatchObject({
    users: 1,
    queues: 2,
    contacts: 2,
    tickets: 2,
    messages: 7,
    campaigns: 3,
    schedules: 2,
  });
  expect(report.companies.flatMap(({ kinds }) => kinds).find(({ kind }) => kind === "users")?.skipped).toEqual({
    "no e-mail address": { count: 1, ids: ["2"] },
  });
  for (const table of ["companies", "contacts", "messages", "move_runs", "moved_rows"]) {
    expect([table, await count(table)]).toEqual([table, 0]);
  }
});

test("a company of the family moves in with its people, conversations and files, and sends nothing (E-09)", async () => {
  const { report } = await move({ company: 1 });
  expect(
    await ask("select name, due_date::text, (select name from plans where id = plan_id) as plan from companies"),
  ).toEqual([{ name: "Casa Grande", due_date: "2099-01-31", plan: "Família" }]);
  // one person: with and without the ninth digit, and by the LID
  expect(await ask("select name, number, is_group, extra_info from contacts order by id")).toEqual([
    { name: "Bruno", number: "5511988887777", is_group: false, extra_info: [{ name: "CPF", value: "123" }] },
    { name: "Grupo", number: "120363000000000001", is_group: true, extra_info: [] },
  ]);
  expect(await ask("select kind, value from contact_identifiers")).toEqual([{ kind: "lid", value: "90000000001" }]);
  // one conversation with three episodes, which stands as its last ticket did
  expect(
    await ask(`select t.status, t.unread_messages, t.last_message_type, t.last_message_at::date::text as at, q.name as queue,
      (select count(*)::int from episodes e where e.ticket_id = t.id) as episodes, (select count(*)::int from messages m where m.ticket_id = t.id) as messages
      from tickets t left join queues q on q.id = t.queue_id order by t.status desc`),
  ).toEqual([
    {
      status: "pending",
      unread_messages: 2,
      last_message_type: "locationMessage",
      at: "2025-05-01",
      queue: "Técnico",
      episodes: 3,
      messages: 6,
    },
    {
      status: "open",
      unread_messages: 0,
      last_message_type: "chat",
      at: "2025-05-03",
      queue: null,
      episodes: 1,
      messages: 1,
    },
  ]);
  expect(await ask("select finished_at is null as runs, rating from episodes order by queued_at, rating")).toEqual([
    { runs: false, rating: 3 },
    { runs: false, rating: null },
    { runs: true, rating: null },
    { runs: true, rating: null },
  ]);
  expect(
    await ask(`select m.wa_id, m.ack, m.media_type, m.body, f.state, f.mime_type, m.participant ->> 'number' as author,
      (select q.wa_id from messages q where q.id = m.quoted_id) as quoted from messages m left join media f on f.message_id = m.id order by m.wa_id`),
  ).toMatchObject([
    { wa_id: "A1", ack: 0, media_type: "chat", body: "Preciso da segunda via", state: null },
    { wa_id: "A2", ack: 1, media_type: "chat", quoted: "A1" },
    { wa_id: "A3", ack: 3, media_type: "image", body: "", state: "ready", mime_type: "image/png" },
    { wa_id: "A4", media_type: "audio", state: "expired" },
    { wa_id: "A5", media_type: "application", state: "expired" },
    { wa_id: "A6", media_type: "locationMessage" },
    { wa_id: "A7", author: "5511988887777" },
  ]);
  expect(await ask("select status, scheduled_at is null as planned from campaigns order by id")).toEqual([
    { status: "FINALIZADA", planned: false },
    { status: "INATIVA", planned: true },
    { status: "CANCELADA", planned: false },
  ]);
  expect(await ask("select body, sent_at is null as waits, error from schedules order by body")).toEqual([
    { body: "ainda vai", waits: true, error: "ERR_SCHEDULE_MOVED_IN" },
    { body: "já foi", waits: false, error: null },
  ]);
  expect(await ask("select name, wanted, status, expires_ticket from connections")).toEqual([
    { name: "Vendas", wanted: "down", status: "DISCONNECTED", expires_ticket: 0 },
  ]);
  expect(
    await ask(
      "select o.title, p.title as above from queue_options o left join queue_options p on p.id = o.parent_id order by o.id",
    ),
  ).toEqual([
    { title: "Segunda via", above: null },
    { title: "Boleto", above: "Segunda via" },
  ]);
  expect(await ask("select key, value from settings")).toEqual([{ key: "userRating", value: "enabled" }]);
  expect(await ask("select contacts_count from contact_lists")).toEqual([{ contacts_count: 1 }]);
  for (const [table, n] of Object.entries({
    ticket_notes: 1,
    ticket_tags: 2,
    quick_messages: 1,
    user_queues: 1,
    connection_queues: 1,
  })) {
    expect([table, await count(table)]).toEqual([table, n]);
  }
  expect(Object.keys(report.notes)).toEqual(
    expect.arrayContaining([
      expect.stringContaining("pair each one again"),
      expect.stringContaining("not in the folder"),
    ]),
  );
  // each episode is known by the ticket that it came from, also where one before it was left out
  expect(
    await ask(`select m.old_id as ticket, e.queued_at::date::text as at from moved_rows m join episodes e on e.id = m.new_id
      where m.entity = 'episodes' order by m.old_id::int`),
  ).toEqual([
    { ticket: "1", at: "2025-03-01" },
    { ticket: "2", at: "2025-04-01" },
    { ticket: "3", at: "2025-05-01" },
    { ticket: "4", at: "2025-05-01" },
  ]);
  await app.settle();
  expect(await count("jobs where task not like 'pictures%'")).toBe(0);
});

test("who moved in signs in with the old password, whose hash is replaced by ours (A-11)", async () => {
  const hashOf = async () => (await ask<{ hash: string }>("select password_hash as hash from users"))[0]?.hash;
  const signIn = (password: string) =>
    app.as(undefined).post<{ token: string }>("/auth/login", { email: "ana@familia.example", password });
  expect(await hashOf()).toMatch(/^\$2/u);
  expect((await signIn("outra senha")).status).toBe(401);
  expect(await hashOf()).toMatch(/^\$2/u);
  const { status, body } = await signIn("segredo da ana");
  expect(status).toBe(200);
  expect(await hashOf()).toMatch(/^\$argon2id\$/u);
  expect((await signIn("segredo da ana")).status).toBe(200);

  // what was moved is found as if it had been written here
  const search = await app.as(undefined).get<{ count: number }>("/tickets?searchParam=segunda%20via&showAll=true", {
    authorization: `Bearer ${(await signIn("segredo da ana")).body.token}`,
  });
  expect([search.status, search.body.count, body.token.length > 0]).toEqual([200, 1, true]);
});

test("a second run adds nothing, and a later one only what is new (E-09)", async () => {
  const sizes = async () =>
    Promise.all(["contacts", "tickets", "episodes", "messages", "ticket_tags", "schedules", "users"].map(count));
  const before = await sizes();
  const again = await move({ company: 1 });
  expect(Object.values(taken(again.report)).reduce((sum, n) => sum + n, 0)).toBe(0);
  expect(await sizes()).toEqual(before);
  await asOwner(
    family,
    `insert into "Messages" (id, ack, read, "fromMe", body, "mediaType", "ticketId", "contactId", "companyId", "createdAt")
     values ('A9', 0, false, false, 'mais uma', 'conversation', 3, 3, 1, '2025-06-01 10:00Z')`,
  );
  const later = await move({ company: 1 });
  expect(taken(later.report)["messages"]).toBe(1);
  expect(await ask("select last_message from tickets where status = 'pending'")).toEqual([
    { last_message: "mais uma" },
  ]);
});

test("an undo removes what its run made and keeps what has been used since (E-09)", async () => {
  const last = await undo(undefined);
  expect(last.tables).toEqual([{ table: "messages", removed: 1, kept: 0 }]);
  // somebody writes on: that conversation, its contact and its line are in use
  await asOwner(
    app.database.url,
    `insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, body, sent_at)
     select company_id, id, contact_id, connection_id, 'NOVA', false, 'nova', now() from tickets where status = 'pending'`,
  );
  const first = await undo(undefined);
  expect(Object.fromEntries(first.tables.map(({ table, removed, kept }) => [table, [removed, kept]]))).toMatchObject({
    messages: [7, 0],
    tickets: [1, 1],
    contacts: [1, 1],
    connections: [0, 1],
    // who has signed in
    users: [0, 1],
    companies: [0, 1],
    campaigns: [3, 0],
    contact_lists: [1, 0],
  });
  expect(await ask("select body from messages")).toEqual([{ body: "nova" }]);
  await expect(undo(undefined)).rejects.toThrow("no run to undo");
  // what was removed can come again, and only that
  const { report } = await move({ company: 1 });
  expect(taken(report)).toMatchObject({ messages: 8, tickets: 1, contacts: 1, connections: 0, users: 0, campaigns: 3 });
});

test("a company takes the files of its own folder alone, and an undo keeps what was there before (E-09)", async () => {
  await asOwner(
    family,
    `insert into "QuickMessages" (shortcode, message, "mediaPath", "mediaName", "companyId") values
       ('seu', '', 'catalogo.txt', 'Catálogo.txt', 2), ('url', '', 'https://velho.example/public/company2/catalogo.txt', '', 2),
       ('alheio', '', 'company1/catalogo.txt', '', 2), ('alheio2', '', '../company1/foto.png', '', 2), ('alheio3', '', 'company2/../company1/foto.png', '', 2);
     insert into "Settings" (key, value, "companyId") values ('userRating', 'enabled', 2), ('scheduleType', 'company', 2);
     insert into "Whatsapps" (id, name, "companyId") values (8, 'Linha', 2); insert into "Queues" (id, name, color, "companyId") values (8, 'Fila', '#123123', 2);`,
  );
  await ask("select setval(pg_get_serial_sequence('companies', 'id'), 40)");
  await move({ company: 2 });
  const [moved] = await ask<{ id: number }>("select id from companies where name = 'Outra'");
  const id = moved?.id ?? 0;
  expect(id).not.toBe(2);
  const rows = await ask<{ shortcode: string; key: string | null }>(
    `select shortcode, media_path as key from quick_messages where company_id = ${id} order by shortcode`,
  );
  const texts = await Promise.all(
    rows.map(async ({ shortcode, key }) => [
      shortcode,
      key === null ? null : Buffer.concat(await (await app.services.storage.get(key)).toArray()).toString(),
    ]),
  );
  expect(texts).toEqual([
    ["alheio", null],
    ["alheio2", null],
    ["alheio3", null],
    ["seu", "catálogo de company2"],
    ["url", "catálogo de company2"],
  ]);

  // somebody changes a setting and links a queue here; then both come from the source as well
  await asOwner(
    app.database.url,
    `delete from moved_rows where company_id = ${id} and entity = 'settings'`,
    `delete from settings where company_id = ${id} and key = 'scheduleType'`,
    `insert into connection_queues (company_id, connection_id, queue_id) select ${id}, c.id, q.id from connections c, queues q
       where c.company_id = ${id} and q.company_id = ${id}`,
  );
  await asOwner(family, `insert into "WhatsappQueues" values (8, 8, now(), now())`);
  const { report, runId } = await move({ company: 2 });
  expect(taken(report)).toMatchObject({ settings: 1, connection_queues: 0 });
  await undo(runId);
  // nobody can tell whether a setting was chosen here since: those of a company that stays stay too
  expect(await ask(`select key from settings where company_id = ${id} order by key`)).toEqual([
    { key: "scheduleType" },
    { key: "userRating" },
  ]);
  expect(await count(`connection_queues where company_id = ${id}`)).toBe(1);
});

test("odd rows of an old version end in the report, each for its reason, and hold up nobody (E-09)", async () => {
  const big = "9007199254740993";
  const odd = await createFamily(
    app.database.url,
    // an old version: columns are missing, times have no zone, ids are large
    `alter table "Messages" drop column "isEdited", alter column "createdAt" type timestamp using "createdAt" at time zone 'UTC';
     alter table "Users" drop column "allTicket"; alter table "Companies" drop constraint "Companies_planId_fkey"; alter table "Contacts" drop constraint "Contacts_companyId_fkey", alter column name drop not null, alter column number drop not null;
     alter table "Contacts" alter column id type bigint; alter table "Tickets" alter column "contactId" type bigint, alter column "unreadMessages" type bigint;
     alter table "Messages" alter column "contactId" type bigint; alter table "Queues" alter column color type text;
     insert into "Companies" (id, name, status, "dueDate", "planId", recurrence, "createdAt") values (1, 'Esquisita', true, '2999-12-31', 77, 'SEMANAL', '2024-01-02');
     insert into "Users" (id, name, email, "passwordHash", profile, "companyId", "createdAt") values
       (1, 'Ana', 'ana@familia.example', 'x', 'chefe', 1, '2025-01-02'), (2, 'Bia', 'bia@odd.example', 'x', 'rei', 1, '2025-01-02');
     insert into "Queues" (id, name, color, "companyId") values (1, repeat('f', 90), 'cor de burro quando foge', 1);
     insert into "Whatsapps" (id, name, "companyId", channel) values (1, null, 1, null);
     insert into "Contacts" (id, name, number, "companyId", "isGroup") values (${big}, null, null, 1, false), (2, 'B', '5511911112222', 1, false), (3, 'B', '+55 11 91111-2222', 1, false), (4, 'Sem dono', '5511933334444', 99, false);
     insert into "Tickets" (id, status, "unreadMessages", "userId", "contactId", "whatsappId", "queueId", "companyId", "createdAt", "updatedAt") values
       (1, 'voando', 5000000000, 77, ${big}, 77, 77, 1, '2025-03-01', 'infinity'), (2, 'open', -3, 2, 3, 1, 1, 1, '0001-01-01', '2025-03-01'), (3, 'open', 0, 1, 555, 1, null, 1, '2025-03-01', '2025-03-01'),
       (4, 'open', 0, 1, 4, 1, null, null, '2025-03-01', '2025-03-01');
     insert into "Messages" (id, ack, read, "fromMe", body, "mediaUrl", "mediaType", "ticketId", "contactId", "companyId", "createdAt") values
       ('O1', 99, null, true, 'oi', '../../../etc/passwd', 'image', 2, 3, 1, '2025-03-01 10:00'), ('O2', 0, true, false, null, null, null, 1, ${big}, 1, '2025-03-01 11:00'),
       ('O3', 0, true, false, 'sem hora', null, 'chat', 2, 3, 1, 'infinity'), ('O4', 0, true, false, 'ano 20255', null, 'chat', 2, 3, 1, '20255-01-01'), ('O5', 0, true, false, 'sem conversa', null, 'chat', 3, 3, 1, '2025-03-01');
     insert into "Tags" (id, name, color, "companyId") values (1, 'Ok', '#123456', 1);
     insert into "Campaigns" (id, name, message1, status, "scheduledAt", "companyId") values (1, 'X', 'x', 'TALVEZ', '2025-01-01', 1);
     insert into "Schedules" (body, "sendAt", "contactId", "companyId") values ('longe', '2300-01-01', 2, 1)`,
  );
  onTestFinished(() => dropFamily(odd));
  // a rule of this database that the source knows nothing of
  await asOwner(app.database.url, `alter table tags add constraint odd_rule check (name <> 'Ok') not valid`);
  onTestFinished(() => asOwner(app.database.url, "alter table tags drop constraint odd_rule"));
  const run = () =>
    moveFamily({
      ...{ from: odd, url: app.database.url, storage: app.services.storage, mediaFolder: folder },
      // somebody works in this company and in the one that came before
      ...{ company: undefined, source: "new", isDry: false, onProgress: () => undefined },
    });
  const { report, runId } = await run();
  const left = Object.fromEntries(
    report.companies.flatMap(({ kinds }) =>
      kinds.flatMap(({ kind, skipped }) =>
        Object.entries(skipped).map(([reason, { ids }]) => [`${kind} ${ids.join()}`, reason]),
      ),
    ),
  );
  expect(left).toEqual({
    "users 1": "somebody else here has this e-mail",
    "tags 1": expect.stringContaining("the database does not take it: new row for relation"),
    "tickets 3": "its contact was not taken",
    "messages O5 3": "its conversation was not taken",
    "messages O4 2,O3 2": "it has no time, or one that cannot be",
    "schedules 1": "it has no time, or one that cannot be",
  });
  expect(report.notes).toMatchObject({
    'rows of "Contacts" belong to no company of the source and stay there': 1,
    'rows of "Tickets" belong to no company of the source and stay there': 1,
    "files that the source names are not in the folder": 1,
  });
  const id = (await ask<{ id: number }>("select id from companies where name = 'Esquisita'"))[0]?.id;
  expect(
    await ask(`select m.wa_id, m.ack, m.media_type, m.sent_at, t.status, t.unread_messages as unread, u.profile, c.number, f.state, k.due_date::text as due
      from messages m join tickets t on t.id = m.ticket_id join contacts c on c.id = m.contact_id join companies k on k.id = m.company_id
      left join users u on u.id = t.user_id left join media f on f.message_id = m.id where m.company_id = ${id} order by m.wa_id`),
  ).toMatchObject([
    {
      ...{ wa_id: "O1", ack: 5, media_type: "image", state: "expired", sent_at: new Date("2025-03-01T10:00:00Z") },
      ...{ status: "open", unread: 0, profile: "user", number: "5511911112222", due: "2199-12-31" },
    },
    { wa_id: "O2", media_type: "unsupported", status: "pending", unread: 9_999, number: null },
  ]);
  expect(await ask(`select color from queues where company_id = ${id}`)).toEqual([{ color: "#2576d2" }]);
  const again = await run();
  expect(Object.values(taken(again.report)).reduce((sum, n) => sum + n, 0)).toBe(0);
  const undone = await undo(runId);
  expect([undone.companies, undone.tables.filter(({ kept }) => kept > 0)]).toEqual([[id], []]);
});

test("a run that is killed is gone on with, and nothing comes twice (E-09)", async () => {
  const database = await createTestDatabase({ closeAfterTest: true });
  const large = await createFamily(app.database.url);
  onTestFinished(() => dropFamily(large));
  await fillFamily(large, { contacts: 100, messages: 12_000 });
  const dataDir = await mkdtemp(join(tmpdir(), "prosa-killed-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const main = join(import.meta.dirname, "../../main.ts");
  const env = {
    PATH: process.env["PATH"],
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRET_KEY: "k".repeat(32),
    LOG_LEVEL: "fatal",
  };
  const killed = spawn(process.execPath, [main, "move-in", "--from", large], { env, stdio: "ignore" });
  onTestFinished(() => void killed.kill("SIGKILL"));
  const moved = async () =>
    (await askAsOwner<{ n: number }>(database.url, "select count(*)::int as n from messages"))[0]?.n ?? 0;
  await expect.poll(moved, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0);
  killed.kill("SIGKILL");
  await once(killed, "exit");
  expect(await moved()).toBeLessThan(12_000);
  // its connection ends on its own
  await expect
    .poll(async () =>
      askAsOwner(
        database.url,
        "select from pg_stat_activity where application_name = 'prosa move' and datname = current_database()",
      ),
    )
    .toEqual([]);

  await moveFamily({
    from: large,
    url: database.url,
    storage: app.services.storage,
    mediaFolder: undefined,
    company: undefined,
    isDry: false,
    onProgress: () => undefined,
  });
  expect(await moved()).toBe(12_000);
  const [sums] = await askAsOwner(
    database.url,
    `select (select count(*)::int from contacts) as contacts, (select n from kept_counts where counted = 'contacts') as kept,
       (select count(*)::int from message_texts) as texts, (select count(*)::int from episodes) as episodes,
       (select sum(open)::int from ticket_counts) = (select count(*)::int from tickets where status = 'open') as "areOpen"`,
  );
  expect(sums).toEqual({ contacts: 100, kept: 100, texts: 12_000, episodes: 300, areOpen: true });
}, 120_000);

test("servers that run hear of a move: what they kept is forgotten, and browsers fetch again (E-09)", async () => {
  const command = await createTestApp({ sameDatabaseAs: app, closeAfterTest: true });
  const company = await aCompany(app);
  const socket = await app.connect(company.admin);
  await app.db.listenNotify.ready();
  let loads = 0;
  const value = { name: "move-in.test", staleAfter: [], load: async () => (loads += 1) };
  const kept = () => company.inside((ctx) => ctx.cached(value));
  expect([await kept(), await kept()]).toEqual([1, 1]);
  await announceMove(command.db, command.services.log);
  await socket.next("refetch");
  expect(await kept()).toBe(2);
  socket.close();
});

test("what is no database of the family is refused with a sentence", async () => {
  const options = {
    url: app.database.url,
    storage: app.services.storage,
    mediaFolder: undefined,
    company: undefined,
    isDry: true,
    onProgress: () => undefined,
  };
  await expect(moveFamily({ ...options, from: app.database.url })).rejects.toThrow(
    /not a database of the Whaticket family/u,
  );
  await expect(moveFamily({ ...options, from: family, company: 77 })).rejects.toThrow(/no company 77/u);
});
