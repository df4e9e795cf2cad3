import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { undoRun } from "#server/platform/db/index.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import { askAsOwner, asOwner } from "#server/testing/as-owner.ts";
import { copyFamily, createFamily, dropFamily } from "#server/testing/family/index.ts";
import { moveFamily } from "./index.ts";

/** Three people who wrote to one line: to one closed, one waiting and one open conversation. */
const rows = `
  insert into "Plans" (id, name, users, connections, queues, value) values (1, 'Família', 5, 2, 3, 97);
  insert into "Companies" (id, name, status, "dueDate", "planId", "createdAt") values (1, 'Casa Grande', true, '2099-01-31', 1, '2025-01-02');
  insert into "Whatsapps" (id, name, "companyId") values (1, 'Vendas', 1);
  insert into "Queues" (id, name, color, "companyId") values (1, 'Comercial', '#ff0000', 1), (2, 'Técnico', '#00ff00', 1);
  insert into "WhatsappQueues" values (1, 1, now(), now());
  insert into "Settings" (key, value, "companyId") values ('userRating', 'enabled', 1);
  insert into "Users" (id, name, email, "passwordHash", profile, "companyId", "createdAt") values
    (1, 'Ana', 'ana@casa.example', 'x', 'admin', 1, '2025-01-02'), (2, 'Bia', 'bia@casa.example', 'x', 'user', 1, '2025-01-03');
  insert into "Contacts" (id, name, number, "companyId", "isGroup") values
    (1, 'Um', '5511911110001', 1, false), (2, 'Dois', '5511911110002', 1, false), (3, 'Três', '5511911110003', 1, false);
  insert into "Tags" (id, name, color, "companyId") values (1, 'VIP', '#123456', 1);
  insert into "Tickets" (id, status, "unreadMessages", "userId", "contactId", "whatsappId", "queueId", "companyId", "createdAt", "updatedAt") values
    (1, 'closed', 0, 1, 1, 1, 1, 1, '2025-03-01', '2025-03-02'), (2, 'pending', 1, null, 2, 1, 1, 1, '2025-03-01', '2025-03-03'),
    (3, 'open', 0, 1, 3, 1, 1, 1, '2025-03-01', '2025-03-04');
  insert into "TicketTags" values (2, 1, now(), now());
  insert into "Messages" (id, ack, read, "fromMe", body, "mediaType", "ticketId", "contactId", "companyId", "createdAt") values
    ('M1', 0, true, false, 'um', 'conversation', 1, 1, 1, '2025-03-01 10:00Z'), ('M2', 0, false, false, 'dois', 'conversation', 2, 2, 1, '2025-03-03 10:00Z'),
    ('M3', 0, true, false, 'três', 'conversation', 3, 3, 1, '2025-03-04 10:00Z')`;

/** An installation of its own, and a source; `move` brings it, and `query` changes it. */
async function aMove() {
  const app = await createTestApp({ closeAfterTest: true });
  const from = await createFamily(app.database.url, rows);
  onTestFinished(() => dropFamily(from));
  const { storage } = app.services;
  const { url } = app.database;
  const move = (options: Partial<Parameters<typeof moveFamily>[0]> = {}) =>
    moveFamily({
      ...{ from, url, storage, mediaFolder: undefined, company: undefined, isDry: false, onProgress: () => undefined },
      ...options,
    });
  return {
    ...{ app, from, url, storage, move },
    undo: (runId?: number) => undoRun(url, runId, storage),
    ask: <Row>(statement: string) => askAsOwner<Row>(url, statement),
    change: (...statements: string[]) => asOwner(from, ...statements),
  };
}

test("a later run lets conversations stand as they do in the source, unless somebody has worked on them here (E-09)", async () => {
  const { app, url, move, ask, change } = await aMove();
  const stands = () =>
    ask(`select c.name, t.status, t.unread_messages as unread, q.name as queue, u.name as agent, t.last_message as last,
        (select count(*)::int from messages m where m.ticket_id = t.id and not m.is_read and not m.from_me) as "notRead",
        (select count(*)::int from episodes e where e.ticket_id = t.id and e.finished_at is null) as running,
        (select e.finished_at is null from episodes e where e.id = t.episode_id) as "isRunning"
      from tickets t join contacts c on c.id = t.contact_id left join queues q on q.id = t.queue_id left join users u on u.id = t.user_id order by c.id`);
  const first = await move();
  expect(await stands()).toMatchObject([
    { name: "Um", status: "closed", agent: "Ana", running: 0 },
    { name: "Dois", status: "pending", unread: 1, queue: "Comercial", running: 1, isRunning: true },
    { name: "Três", status: "open", agent: "Ana", running: 1 },
  ]);
  // the first one writes again, which is a ticket of its own there, and the two others were served
  await change(
    `insert into "Tickets" (id, status, "unreadMessages", "userId", "contactId", "whatsappId", "queueId", "companyId", "createdAt", "updatedAt") values
       (4, 'pending', 3, null, 1, 1, 2, 1, '2025-03-05', '2025-03-06')`,
    `insert into "Messages" (id, ack, read, "fromMe", body, "mediaType", "ticketId", "contactId", "companyId", "createdAt") values
       ('M4', 0, false, false, 'de novo', 'conversation', 4, 1, 1, '2025-03-06 10:00Z')`,
    `update "Tickets" set status = 'closed', "unreadMessages" = 0, "updatedAt" = '2025-03-07' where id in (2, 3)`,
  );
  // somebody here has taken the third one meanwhile
  await asOwner(
    url,
    `update tickets t set version = 2 from contacts c where c.id = t.contact_id and c.name = 'Três'`,
    // a queue that is gone is nobody's
    `delete from queues where name = 'Comercial'`,
  );
  const dry = await move({ isDry: true });
  expect(Object.entries(dry.report.notes)).toContainEqual([expect.stringContaining("worked on them here"), 1]);
  const { report, runId } = await move();
  expect(await stands()).toMatchObject([
    {
      ...{ name: "Um", status: "pending", unread: 3, queue: "Técnico", agent: null, last: "de novo" },
      ...{ notRead: 1, running: 1, isRunning: true },
    },
    { name: "Dois", status: "closed", unread: 0, queue: null, agent: null, running: 0 },
    { name: "Três", status: "open", agent: "Ana", running: 1 },
  ]);
  expect(Object.entries(report.notes)).toContainEqual([expect.stringContaining("worked on them here"), 1]);
  expect(await ask("select sum(open)::int as open, sum(pending)::int as pending from ticket_counts")).toEqual([
    { open: 1, pending: 1 },
  ]);
  // one more run changes nothing, and both are undone as if nobody had touched the conversations
  const before = await stands();
  await move();
  expect(await stands()).toEqual(before);
  await undoRun(url, runId, app.services.storage);
  await undoRun(url, first.runId, app.services.storage);
  expect(await ask("select c.name from tickets t join contacts c on c.id = t.contact_id")).toEqual([{ name: "Três" }]);
});

test("a source whose first user is gone is the same one when its run is named, and no new one by itself (E-09)", async () => {
  const { move, ask, change } = await aMove();
  const { runId } = await move();
  await change(
    `delete from "Users" where id = 1`,
    `insert into "Users" (id, name, email, "passwordHash", profile, "companyId", "createdAt") values (3, 'Nova', 'nova@casa.example', 'x', 'user', 1, '2025-06-01')`,
  );
  const names = () => ask<{ name: string }>("select name from companies union all select name from users order by 1");
  for (const isDry of [true, false]) {
    await expect(move({ isDry })).rejects.toThrow(new RegExp(`came with run ${runId} from .*--source ${runId}`, "u"));
  }
  expect((await names()).map(({ name }) => name)).toEqual(["Ana", "Bia", "Casa Grande"]);
  await expect(move({ source: 99 })).rejects.toThrow(/no run 99/u);
  await move({ source: runId });
  expect((await names()).map(({ name }) => name)).toEqual(["Ana", "Bia", "Casa Grande", "Nova"]);
});

test("another source from the same image does not write into the company of the first (E-09)", async () => {
  const { url, from, move, ask, change } = await aMove();
  const image = await copyFamily(from);
  onTestFinished(() => dropFamily(image));
  // one customer's people, in the company that the image came with
  await asOwner(image, `update "Contacts" set number = '55219222200' || lpad(id::text, 2, '0')`);
  const { runId } = await move();
  await expect(move({ from: image })).rejects.toThrow(
    new RegExp(`run ${runId} moved from .*no contact is the same.*--source new`, "u"),
  );
  expect(await ask("select from contacts")).toHaveLength(3);
  await asOwner(image, `update "Users" set email = 'outra-' || email`);
  await move({ from: image, source: "new" });
  expect(await ask("select name from companies order by id")).toEqual([
    { name: "Casa Grande" },
    { name: "Casa Grande (2)" },
  ]);
  // from then on it is known by itself, and so is the first one, whatever its people have changed
  await asOwner(
    image,
    `insert into "Contacts" (id, name, number, "companyId") values (4, 'Mais um', '5521922220099', 1)`,
  );
  await change(
    `update "Companies" set name = 'Casa Nova'`,
    `update "Users" set email = 'novo-' || email`,
    `update "Contacts" set number = '5511911119999' where id = 2`,
  );
  await move({ from: image });
  await move();
  const counts = await askAsOwner(
    url,
    "select count(*)::int as n from contacts group by company_id order by company_id",
  );
  expect(counts).toEqual([{ n: 3 }, { n: 4 }]);
});

test("a folder of files that cannot be read ends a move before it writes, and one such file is counted (E-09)", async () => {
  const { move, ask, change } = await aMove();
  const folder = await mkdtemp(join(tmpdir(), "prosa-public-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await expect(move({ mediaFolder: "/does/not/exist" })).rejects.toThrow(/--media: .*ENOENT/u);
  await expect(move({ mediaFolder: folder })).rejects.toThrow(/--media: .* is empty/u);
  expect(await ask("select from move_runs")).toEqual([]);
  await mkdir(join(folder, "company1"));
  await symlink("laco.txt", join(folder, "company1", "laco.txt"));
  await writeFile(join(folder, "company1", "ok.txt"), "texto");
  await change(
    `insert into "QuickMessages" (shortcode, message, "mediaPath", "companyId") values
       ('laco', '', 'laco.txt', 1), ('longo', '', repeat('a', 255) || '.txt', 1), ('zero', '', 'a%00.txt', 1), ('ok', '', 'ok.txt', 1)`,
  );
  const { report } = await move({ mediaFolder: folder });
  expect(report.notes).toMatchObject({
    "files that the source names cannot be opened": 1,
    "files that the source names are not in the folder": 2,
  });
  expect(await ask("select shortcode from quick_messages where media_path is not null")).toEqual([{ shortcode: "ok" }]);
});

test("the number of a contact that was merged here leads to the one that stayed, and brings no other (E-09, W-10)", async () => {
  const { url, move, ask, change } = await aMove();
  await move();
  await asOwner(
    url,
    `insert into contact_aliases (company_id, number_key, contact_id)
     select company_id, phone_key('5511988887777'), id from contacts where name = 'Um'`,
  );
  await change(
    `insert into "Contacts" (id, name, number, "companyId", "isGroup") values (4, 'Um, antes', '551188887777', 1, false)`,
  );
  await move();
  expect(await ask("select name from contacts order by id")).toEqual([
    { name: "Um" },
    { name: "Dois" },
    { name: "Três" },
  ]);
});

test("an undo leaves what stays as it is, and takes users that came alone (E-09)", async () => {
  const { url, move, ask, change, undo } = await aMove();
  await move();
  await change(
    `insert into "Users" (id, name, email, "passwordHash", profile, "companyId", "createdAt") values (3, 'Nova', 'nova@casa.example', 'x', 'user', 1, '2025-06-01')`,
  );
  await move();
  expect((await undo()).tables).toEqual([{ table: "users", removed: 1, kept: 0 }]);

  // the line is paired, and somebody works on the conversation with the tag
  await asOwner(
    url,
    "update connections set linked_at = now()",
    "update tickets set version = 2 where status = 'pending'",
    "update settings set value = 'disabled'",
  );
  const { companies } = await undo();
  expect(companies).toEqual([]);
  expect(
    await ask(`select (select count(*)::int from tickets) as tickets, (select string_agg(name, ',') from queues) as queues,
      (select count(*)::int from connection_queues) as "ofLine", (select count(*)::int from ticket_tags) as tags,
      (select string_agg(value, ',') from settings) as settings`),
  ).toEqual([{ tickets: 1, queues: "Comercial", ofLine: 1, tags: 1, settings: "disabled" }]);
});

test("an undo waits for no move but refuses beside one, and takes files of a company that it could not delete before (E-09)", async () => {
  const { url, storage, move, undo, ask } = await aMove();
  const { runId } = await move();
  const [company] = await ask<{ id: number }>("select id from companies");
  const key = storageKey(company!.id, "messages", "foto.png");
  await storage.put(key, Buffer.from("uma foto"), { contentType: "image/png" });

  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query("select pg_advisory_lock(7305084)");
  await expect(undo()).rejects.toThrow("Another move is running");
  await other.end();

  const deleteCompany = vi.spyOn(storage, "deleteCompany").mockRejectedValueOnce(new Error("503"));
  onTestFinished(() => deleteCompany.mockRestore());
  await expect(undo()).rejects.toThrow("503");
  expect([await ask("select from companies"), await storage.stat(key)]).toEqual([[], expect.anything()]);
  expect(await undo()).toMatchObject({ runId, companies: [company!.id] });
  expect(await storage.stat(key)).toBeUndefined();
});
