import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { undoRun } from "#server/platform/db/index.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { askAsOwner, asOwner } from "#server/testing/as-owner.ts";
import { aCompany, aConnection, aContact, aQueue, aUser, testPassword } from "#server/testing/factories.ts";
import { archiveTables, movedColumns, tablesThatStay } from "./archive-tables.ts";
import { openCompany } from "./archive.queries.ts";
import { streamCompany } from "./export-company.ts";
import { exportCompany, importCompany } from "../index.ts";

let here: TestApp;
let there: TestApp;
let folder: string;
beforeAll(async () => {
  [here, there] = [await createTestApp(), await createTestApp()];
  folder = await mkdtemp(join(tmpdir(), "prosa-company-"));
});
afterAll(async () => {
  await here.close();
  await there.close();
  await rm(folder, { recursive: true, force: true });
});

test("a company goes to another installation as one archive, and comes once (E-09)", async () => {
  // ids differ there
  await aContact(await aCompany(there));
  const other = await aCompany(here);
  await aContact(other, { name: "Não é desta empresa" });
  const company = await aCompany(here);
  const queue = await aQueue(company, { name: "Vendas" });
  const agent = await aUser(company, { name: "Ana", queues: [queue] });
  const connection = await aConnection(company, { isDefault: true });
  const contact = await aContact(company, { name: "Bruno", number: "5511988887777" });
  const key = storageKey(company.id, "messages", "foto.png");
  await here.services.storage.put(key, Buffer.from("uma foto"), { contentType: "image/png" });
  const c = company.id;
  await asOwner(
    here.database.url,
    `update connections set status = 'CONNECTED', wanted = 'up', token_hash = 'segredo-da-conexao' where id = ${connection.id}`,
    `insert into tickets (id, company_id, connection_id, contact_id, status, user_id, queue_id, episode_id) overriding system value
       values (7001, ${c}, ${connection.id}, ${contact.id}, 'open', ${agent.userId}, ${queue.id}, 7002)`,
    `insert into episodes (id, company_id, ticket_id, queued_at, user_id) overriding system value values (7002, ${c}, 7001, now(), ${agent.userId})`,
    `insert into messages (id, company_id, ticket_id, contact_id, connection_id, user_id, wa_id, from_me, ack, body, sent_at, quoted_id) overriding system value values
       (7003, ${c}, 7001, ${contact.id}, ${connection.id}, null, 'A', false, 0, 'Tem pão?', '2026-01-01', null),
       (7004, ${c}, 7001, ${contact.id}, ${connection.id}, ${agent.userId}, 'B', true, 0, 'Tem sim', '2026-01-02', 7003)`,
    `insert into media (message_id, company_id, state, storage_key, thumbnail, source) values (7004, ${c}, 'ready', '${key}', '\\xcafe', '\\xdeadbeef')`,
    // keys of another company, as in a crafted archive
    `insert into media (message_id, company_id, state, storage_key) values (7003, ${c}, 'ready', 'company/${other.id}/messages/alheia.png')`,
    `update contacts set picture_path = 'company/${other.id}/contacts/alheia.jpg' where id = ${contact.id}`,
    `insert into knowledge_sources (id, company_id, name, kind, state, passages, is_for_all, created_at, updated_at) overriding system value
       values (7005, ${c}, 'Preços', 'text', 'ready', 1, true, now(), now())`,
    `insert into knowledge_passages (company_id, source_id, position, heading, body) values (${c}, 7005, 1, 'Pães', 'O pão custa 2 reais')`,
    `insert into knowledge_words (company_id, source_id, word) values (${c}, 7005, 'pao')`,
    `insert into webhooks (company_id, url, description, events, secret, created_at)
       values (${c}, 'https://hooks.example.com/T0/segredo', 'loja', '{message.created}', '\\xdeadbeef', now())`,
    `insert into link_previews (message_id, company_id, address, url, url_hash, title, fetched_at)
       values (7003, ${c}, 'example.com', 'https://example.com', '\\xcafe', 'Página', now())`,
    `insert into schedules (company_id, contact_id, body, send_at, client_id) values (${c}, ${contact.id}, 'depois', '2099-01-01', 'x')`,
  );
  const file = join(folder, "empresa.tar.zst.age");
  const passphrase = "uma frase longa";
  const from = { db: here.db, storage: here.services.storage, companyId: c };
  expect(await exportCompany({ ...from, file, passphrase })).toMatchObject({ files: 1 });

  const to = { url: there.database.url, storage: there.services.storage, file, onProgress: () => undefined };
  await expect(importCompany({ ...to, passphrase: "outra frase", isDry: false })).rejects.toThrow(/does not open/u);
  const ask = <Row>(statement: string) => askAsOwner<Row>(there.database.url, statement);
  const counts = () =>
    ask(`select (select count(*)::int from companies) as companies, (select count(*)::int from messages) as messages,
    (select count(*)::int from contacts) as contacts, (select count(*)::int from users) as users`);
  const before = await counts();
  await importCompany({ ...to, passphrase, isDry: true });
  expect(await counts()).toEqual(before);

  const put = vi.spyOn(there.services.storage, "put");
  const { runId } = await importCompany({ ...to, passphrase, isDry: false });
  expect(put.mock.calls.map(([, , { isHuge }]) => isHuge)).toEqual([true]);
  put.mockRestore();
  const after = await counts();
  expect(
    await ask(`select m.body, m.ack, q.body as quoted, u.name as author, t.status, c.number, e.ticket_id = t.id as "hasEpisode", w.status as line, w.wanted,
        w.token_hash, f.state, c.picture_path, f.storage_key, f.storage_key = 'company/' || m.company_id || '/messages/foto.png' as "isMoved", encode(f.thumbnail, 'hex') as thumbnail, f.source,
        (select text from message_texts x where x.message_id = m.id) as searched
      from messages m join tickets t on t.id = m.ticket_id join contacts c on c.id = m.contact_id join episodes e on e.id = t.episode_id
      join connections w on w.id = m.connection_id left join users u on u.id = m.user_id left join messages q on q.id = m.quoted_id
      left join media f on f.message_id = m.id order by m.sent_at`),
  ).toMatchObject([
    {
      body: "Tem pão?",
      ack: 0,
      author: null,
      status: "open",
      number: "5511988887777",
      hasEpisode: true,
      searched: "tem pao?",
      state: "expired",
      storage_key: null,
      picture_path: null,
    },
    {
      ...{
        body: "Tem sim",
        ack: 1,
        quoted: "Tem pão?",
        author: "Ana",
        line: "DISCONNECTED",
        wanted: "down",
        token_hash: null,
      },
      ...{ state: "ready", isMoved: true, thumbnail: "cafe", source: null },
    },
  ]);
  const knowledge = `select s.name, p.body, w.word, h.url, h.is_active, h.secret, l.title from knowledge_sources s
    join knowledge_passages p on p.source_id = s.id join knowledge_words w on w.source_id = s.id
    join webhooks h on h.company_id = s.company_id join link_previews l on l.company_id = s.company_id`;
  expect(await ask(knowledge)).toEqual([
    {
      ...{ name: "Preços", body: "O pão custa 2 reais", word: "pao", title: "Página" },
      ...{ url: "https://hooks.example.com/T0/segredo", is_active: false, secret: null },
    },
  ]);
  expect(await ask("select error from schedules")).toEqual([{ error: "ERR_SCHEDULE_MOVED_IN" }]);
  expect(await ask("select name from contacts where name = 'Não é desta empresa'")).toEqual([]);
  const signIn = await there.as(undefined).post("/auth/login", { email: agent.email, password: testPassword });
  expect(signIn.status).toBe(200);

  const again = await importCompany({ ...to, passphrase, isDry: false });
  expect(again.report.companies.flatMap(({ kinds }) => kinds).reduce((sum, { taken }) => sum + taken, 0)).toBe(0);
  expect(await counts()).toEqual(after);

  // and the run is undone whole, so that it may come again; who has signed in would stay
  await asOwner(there.database.url, "delete from sessions");
  const undone = await undoRun(there.database.url, runId, there.services.storage);
  expect(undone.tables.filter(({ kept }) => kept > 0)).toEqual([]);
  expect(undone.companies).toHaveLength(1);
  expect(await counts()).toEqual(before);
  expect(await ask(knowledge)).toEqual([]);
  await importCompany({ ...to, passphrase, isDry: false });
  expect(await counts()).toEqual(after);
});

test("every table with rows of a company is in the archive, or stays for a reason (E-09)", async () => {
  const tables = await askAsOwner<{ name: string }>(
    here.database.url,
    `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  const named: string[] = [...archiveTables, ...Object.keys(tablesThatStay)];
  expect(tables.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([]);
  expect(new Set(named).size).toBe(named.length);
});

test("an archive without a passphrase has no secret, and other files are refused (E-09)", async () => {
  const company = await aCompany(here);
  const agent = await aUser(company);
  const file = join(folder, "aberta.tar.zst");
  await exportCompany({
    db: here.db,
    storage: here.services.storage,
    companyId: company.id,
    file,
    passphrase: undefined,
  });
  const to = {
    url: there.database.url,
    storage: there.services.storage,
    passphrase: undefined,
    isDry: false,
    onProgress: () => undefined,
  };
  const { report } = await importCompany({ ...to, file });
  expect(Object.keys(report.notes).join()).toContain("reset their passwords");
  expect((await there.as(undefined).post("/auth/login", { email: agent.email, password: testPassword })).status).toBe(
    401,
  );
  await writeFile(join(folder, "nada.tar.zst"), "nada");
  await expect(importCompany({ ...to, file: join(folder, "nada.tar.zst") })).rejects.toThrow(
    /not an archive of a company/u,
  );
  await expect(
    exportCompany({
      db: here.db,
      storage: here.services.storage,
      companyId: 999_999,
      file,
      passphrase: undefined,
    }),
  ).rejects.toThrow(/no company 999999/u);
});

test("secrets neither leave nor come in, whatever an archive holds (E-09)", () => {
  const columns = ["id text", "token text", "token_hash text", "qrcode text", "api_key bytea", "thumbnail bytea"].map(
    (column) => ({ name: column.split(" ")[0]!, type: column.split(" ")[1]! }),
  );
  expect(movedColumns({ name: "connections", columns })).toEqual(["id"]);
  expect(movedColumns({ name: "media", columns })).toEqual(["id", "thumbnail"]);
});

/** A company with two messages that share one file, as those of a campaign do, and one whose text begins like a file's key. */
async function aCompanyWithOneFile() {
  const company = await aCompany(here);
  const contact = await aContact(company);
  const key = storageKey(company.id, "messages", "video.mp4");
  await here.services.storage.put(key, Buffer.from("um vídeo"), { contentType: "video/mp4" });
  await asOwner(
    here.database.url,
    `with ticket as (insert into tickets (company_id, contact_id) values (${company.id}, ${contact.id}) returning id),
       sent as (insert into messages (company_id, ticket_id, contact_id, wa_id, from_me, body, sent_at)
         select ${company.id}, id, ${contact.id}, n, true, case n when 'C' then 'company/${company.id}/' || repeat('a', 300) else '' end, now()
         from ticket, unnest('{A,B,C}'::text[]) n returning id, body)
     insert into media (message_id, company_id, state, storage_key, size) select id, ${company.id}, 'ready', '${key}', 9 from sent where body = ''`,
  );
  return company;
}

test("a file that many messages share is measured once (E-09)", async () => {
  const company = await aCompanyWithOneFile();
  const snapshot = await openCompany(here.db, company.id, archiveTables);
  onTestFinished(() => snapshot.close());
  expect(await snapshot.measure()).toMatchObject({ files: 1, bytes: 9 });
});

test("a fault of the storage ends an archive, and no file without its files is left (E-09)", async () => {
  const company = await aCompanyWithOneFile();
  const { storage } = here.services;
  const file = join(folder, "falha.tar.zst");
  const order = { db: here.db, storage, companyId: company.id, file, passphrase: undefined };
  const stat = vi.spyOn(storage, "stat").mockRejectedValueOnce(new Error("503"));
  onTestFinished(() => stat.mockRestore());
  await expect(exportCompany(order)).rejects.toThrow("503");
  expect((await readdir(folder)).filter((name) => name.startsWith("falha"))).toEqual([]);
  stat.mockRejectedValueOnce(new Error("503"));
  const streamed = streamCompany({
    ...{ services: here.services, companyId: company.id },
    ...{ onPlan: async () => undefined, onThing: () => undefined },
  });
  await expect(streamed.toArray()).rejects.toThrow("503");
  expect(await exportCompany(order)).toMatchObject({ files: 1 });
});
