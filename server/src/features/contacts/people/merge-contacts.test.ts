import { contactImports, contacts, tickets } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contactResolver } from "#server/features/inbound/index.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aContact, aUser } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";

let app: TestApp;
const clock = createMovedClock("2026-11-21T12:00:00Z");
beforeAll(async () => (app = await createTestApp({ clock })));
afterAll(() => app.close());

/** A contact with a conversation of two messages, a note and a running episode. */
async function aCustomer(company: TestCompany, connectionId: number, name: string, status: "pending" | "closed") {
  const contact = await aContact(company, { name });
  const ticketId = await company.inside(async ({ db }) => {
    const { rows } = await sql<{ id: number }>`
      with t as (insert into tickets (company_id, connection_id, contact_id, status, last_message)
          values (${company.id}, ${connectionId}, ${contact.id}, ${status}, ${`fim de ${name}`}) returning id),
        e as (insert into episodes (company_id, ticket_id, queued_at, finished_at)
          select ${company.id}, id, now(), ${status === "closed" ? clock.now() : null} from t),
        m as (insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, sent_at, body)
          select ${company.id}, t.id, ${contact.id}, ${connectionId}, ${name} || n, false, now(), ${name} || n
          from t, generate_series(1, 2) n),
        n as (insert into ticket_notes (company_id, ticket_id, contact_id, note)
          select ${company.id}, id, ${contact.id}, 'sobre ' || ${name} from t)
      select id from t`.execute(db);
    return rows[0]!.id;
  });
  return { ...contact, ticketId };
}

/** Everything that a merge may change, as the tables hold it. */
function snapshotOf(company: TestCompany) {
  return company.inside(async ({ db }) => {
    const { rows } = await sql<Record<string, unknown>>`select
      (select json_agg(json_build_array(id, name, number, email, is_blocked) order by id) from contacts
        where company_id = ${company.id}) as contacts,
      (select json_agg(json_build_array(connection_id, kind, value, contact_id) order by kind, value)
        from contact_identifiers where company_id = ${company.id}) as identifiers,
      (select json_agg(json_build_array(id, contact_id, status, last_message, unread_messages) order by id) from tickets
        where company_id = ${company.id}) as tickets,
      (select json_agg(json_build_array(id, ticket_id, finished_at) order by id) from episodes
        where company_id = ${company.id}) as episodes,
      (select json_agg(json_build_array(ticket_id, tag_id)) from (select ticket_id, tag_id
        from ticket_tags where company_id = ${company.id} order by 1, 2) x) as tags,
      (select json_agg(json_build_array(ticket_id, product_id)) from (select ticket_id, product_id
        from ticket_products where company_id = ${company.id} order by 1, 2) x) as products,
      (select json_agg(json_build_array(body, ticket_id, contact_id) order by id) from messages
        where company_id = ${company.id}) as messages,
      (select json_agg(json_build_array(note, ticket_id, contact_id) order by id) from ticket_notes
        where company_id = ${company.id}) as notes`.execute(db);
    return rows[0];
  });
}

describe("two contacts that are one person", () => {
  test("become one with all conversations and notes; undo restores everything (C-06)", async () => {
    const company = await aCompany(app);
    const one = await aConnection(company);
    const two = await aConnection(company);
    const kept = await aCustomer(company, one.id, "Maria", "closed");
    const gone = await aCustomer(company, one.id, "Maria nova", "pending");
    await company.inside(async ({ db }) => {
      // and a second conversation, on another line, which only changes hands
      await sql`insert into tickets (company_id, connection_id, contact_id, status)
        values (${company.id}, ${two.id}, ${gone.id}, 'closed')`.execute(db);
      await sql`insert into contact_identifiers (company_id, connection_id, kind, value, contact_id)
        values (${company.id}, ${one.id}, 'phone', ${gone.number}, ${gone.id})`.execute(db);
    });
    const before = await snapshotOf(company);
    const admin = app.as(company.admin);

    const merged = await admin.call(contacts.merge, { params: { id: kept.id }, body: { contactId: gone.id } });
    expect([merged.status, merged.body.contact.id]).toEqual([200, kept.id]);
    expect((await admin.call(contacts.get, { params: { id: gone.id } })).status).toBe(404);
    const during = await snapshotOf(company);
    expect(during).toMatchObject({
      contacts: [[kept.id, "Maria", kept.number, "", false]],
      messages: ["Maria1", "Maria2", "Maria nova1", "Maria nova2"].map((body) => [body, kept.ticketId, kept.id]),
      notes: [
        ["sobre Maria", kept.ticketId, kept.id],
        ["sobre Maria nova", kept.ticketId, kept.id],
      ],
    });
    // the kept ticket takes over the waiting state
    expect((await admin.call(tickets.get, { params: { id: kept.ticketId } })).body.status).toBe("pending");

    const undone = await admin.call(contacts.undoMerge, { params: { id: merged.body.id } });
    expect([undone.status, undone.body.restored.id, undone.body.contact.id]).toEqual([200, gone.id, kept.id]);
    expect(await snapshotOf(company)).toEqual(before);
    expect((await admin.call(contacts.undoMerge, { params: { id: merged.body.id } })).body).toMatchObject({
      error: "ERR_UNDO_TOO_LATE",
    });
  });

  test("keep the tags and products of both; after the undo each has its own (T-20)", async () => {
    const company = await aCompany(app);
    const line = await aConnection(company);
    const kept = await aCustomer(company, line.id, "Maria", "pending");
    const gone = await aCustomer(company, line.id, "Maria nova", "pending");
    await company.inside(async ({ db }) => {
      await sql`with t as (insert into tags (company_id, name, color)
          select ${company.id}::int, n, '#112233' from unnest(array['dela', 'das duas', 'da nova']) n returning id, name)
        insert into ticket_tags (company_id, ticket_id, tag_id)
        select ${company.id}::int, ${kept.ticketId}::int, id from t where name <> 'da nova'
        union all select ${company.id}::int, ${gone.ticketId}::int, id from t where name <> 'dela'`.execute(db);
      await sql`with p as (insert into products (company_id, name) values (${company.id}, 'plano') returning id)
        insert into ticket_products (company_id, ticket_id, product_id)
        select ${company.id}::int, ${gone.ticketId}::int, id from p`.execute(db);
    });
    const before = await snapshotOf(company);
    const admin = app.as(company.admin);
    const browser = await app.connect(company.admin);
    await browser.join("joinChatBox", kept.ticketId);

    const merged = await admin.call(contacts.merge, { params: { id: kept.id }, body: { contactId: gone.id } });
    const { body } = await admin.call(tickets.get, { params: { id: kept.ticketId } });
    expect(body.tags.map(({ name }) => name).toSorted()).toEqual(["da nova", "das duas", "dela"]);
    expect(body.products.map(({ name }) => name)).toEqual(["plano"]);
    await app.settle();
    await browser.flushed();
    expect(browser.packets.map(({ payload }) => payload)).toContainEqual({
      action: "reload",
      mergedId: gone.ticketId,
      ticket: expect.objectContaining({ id: kept.ticketId }),
    });
    browser.close();

    await admin.call(contacts.undoMerge, { params: { id: merged.body.id } });
    expect(await snapshotOf(company)).toEqual(before);
  });

  test("messages from the merged contact's number belong to the kept contact (C-06)", async () => {
    const company = await aCompany(app);
    const line = await aConnection(company);
    const kept = await aContact(company, { name: "Maria" });
    const gone = await aContact(company, { name: "Maria do trabalho" });
    await app.as(company.admin).call(contacts.merge, { params: { id: kept.id }, body: { contactId: gone.id } });

    const resolve = (phone: string, lid: string | null) =>
      company.inside((ctx) => contactResolver.resolvePerson(ctx, line.id, { phone, lid }, "push name"));
    for (const number of [gone.number, kept.number, gone.number, kept.number]) {
      expect(await resolve(number, null)).toBe(kept.id);
      expect(await resolve(number, `lid of ${number}`)).toBe(kept.id);
    }
    const { body } = await app.as(company.admin).call(contacts.get, { params: { id: kept.id } });
    expect([body.name, body.number]).toEqual(["Maria", kept.number]);
  });

  test("the merged contact's number leads to the kept one in either spelling, on later lines, in imports and in the form (C-06)", async () => {
    const company = await aCompany(app);
    const line = await aConnection(company);
    const kept = await aContact(company, { name: "Maria", number: "5511988887777" });
    const gone = await aContact(company, { name: "Maria do trabalho", number: "5511977776666" });
    const admin = app.as(company.admin);
    const before = await snapshotOf(company);
    const merged = await admin.call(contacts.merge, { params: { id: kept.id }, body: { contactId: gone.id } });
    const later = await aConnection(company);
    const resolve = (connectionId: number, phone: string) =>
      company.inside((ctx) => contactResolver.resolvePerson(ctx, connectionId, { phone, lid: null }, "push name"));
    for (const connectionId of [line.id, later.id]) {
      for (const phone of ["551177776666", "5511977776666", "5511988887777", "551177776666"]) {
        expect(await resolve(connectionId, phone)).toBe(kept.id);
      }
    }
    const { rows: addresses } = await company.inside(({ db }) =>
      sql<{ value: string }>`select distinct value, is_alias from contact_identifiers where contact_id = ${kept.id}
        order by value`.execute(db),
    );
    expect(addresses).toEqual([
      { value: "551177776666", is_alias: true },
      { value: "5511977776666", is_alias: true },
      { value: "5511988887777", is_alias: false },
    ]);

    const body = { name: "Maria", number: "551177776666" };
    const refused = await admin.call(contacts.create, { body });
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { error: "ERR_DUPLICATED_CONTACT", details: { contactId: kept.id } },
    ]);
    const other = await aContact(company, { number: "5511955554444" });
    const params = { id: other.id };
    expect((await admin.call(contacts.update, { params, body: { number: gone.number } })).status).toBe(409);
    const form = new FormData();
    form.append("file", new Blob(["nome;telefone\nMaria;551177776666\n;5511977776666"]), "agenda.csv");
    await admin.call(contactImports.start, { body: form });
    await app.settle();
    const { body: latest } = await admin.call(contactImports.latest);
    expect(latest.import).toMatchObject({ state: "finished", created: 0, known: 2, refused: 0 });

    expect((await admin.call(contacts.remove, { params })).status).toBe(200);
    expect((await admin.call(contacts.undoMerge, { params: { id: merged.body.id } })).status).toBe(200);
    expect(await snapshotOf(company)).toMatchObject({ contacts: before?.["contacts"] });
    expect(await resolve(later.id, "551177776666")).toBe(gone.id);
  });

  test("a contact known by its LID alone takes the number of the one merged into it, until the undo (C-06)", async () => {
    const company = await aCompany(app);
    const line = await aConnection(company);
    const resolve = (phone: string | null, lid: string | null) =>
      company.inside((ctx) => contactResolver.resolvePerson(ctx, line.id, { phone, lid }, ""));
    const keptId = await resolve(null, "777");
    const goneId = await resolve("5511977776666", null);
    const before = await snapshotOf(company);
    const admin = app.as(company.admin);
    const merged = await admin.call(contacts.merge, { params: { id: keptId }, body: { contactId: goneId } });
    expect(merged.body.contact).toMatchObject({ id: keptId, number: "5511977776666" });
    expect(await resolve("5511977776666", null)).toBe(keptId);
    expect(await resolve("551177776666", "777")).toBe(keptId);

    await admin.call(contacts.update, { params: { id: keptId }, body: { name: "Maria" } });
    expect((await admin.call(contacts.undoMerge, { params: { id: merged.body.id } })).status).toBe(200);
    expect(await snapshotOf(company)).toMatchObject({
      contacts: [
        [keptId, "Maria", null, "", false],
        [goneId, "5511977776666", "5511977776666", "", false],
      ],
      identifiers: before?.["identifiers"],
    });
  });

  test("what was written since stays with the kept contact (C-06)", async () => {
    const company = await aCompany(app);
    const line = await aConnection(company);
    const kept = await aCustomer(company, line.id, "Maria", "pending");
    const gone = await aCustomer(company, line.id, "Maria nova", "pending");
    const admin = app.as(company.admin);
    const { body } = await admin.call(contacts.merge, { params: { id: kept.id }, body: { contactId: gone.id } });
    await admin.call(tickets.update, { params: { id: kept.ticketId }, body: { status: "open" } });
    await admin.call(contacts.update, { params: { id: kept.id }, body: { name: "Maria Clara" } });

    expect((await admin.call(contacts.undoMerge, { params: { id: body.id } })).status).toBe(200);
    expect((await admin.call(tickets.get, { params: { id: kept.ticketId } })).body.status).toBe("open");
    expect((await admin.call(tickets.get, { params: { id: gone.ticketId } })).body.status).toBe("pending");
    expect((await admin.call(contacts.get, { params: { id: kept.id } })).body.name).toBe("Maria Clara");
  });

  test("a ticket that somebody has looked at since the merge tells nothing of the other contact's messages after the undo (C-06, T-22)", async () => {
    const company = await aCompany(app);
    const line = await aConnection(company);
    const kept = await aCustomer(company, line.id, "Maria", "pending");
    const gone = await aCustomer(company, line.id, "João", "pending");
    const [first, second] = ["2026-11-21T11:00:00Z", "2026-11-21T11:30:00Z"];
    // Maria has written at eleven and got an answer; João waits since half past
    await company.inside(async ({ db }) => {
      await sql`update messages set sent_at = ${first}, from_me = body = 'Maria2', is_read = true
        where ticket_id = ${kept.ticketId}`.execute(db);
      await sql`update messages set sent_at = ${second} where ticket_id = ${gone.ticketId}`.execute(db);
      await sql`update tickets set last_message_at = ${first}, last_message = 'Maria2', last_message_from_me = true
        where id = ${kept.ticketId}`.execute(db);
      await sql`update tickets set last_message_at = ${second}, waiting_since = ${second}, unread_messages = 2
        where id = ${gone.ticketId}`.execute(db);
    });
    const admin = app.as(company.admin);
    const ticketOf = async (id: number) => (await admin.call(tickets.get, { params: { id } })).body;
    const { body } = await admin.call(contacts.merge, { params: { id: kept.id }, body: { contactId: gone.id } });
    expect(await ticketOf(kept.ticketId)).toMatchObject({ lastMessage: "fim de João", unreadMessages: 2 });
    await admin.call(tickets.update, { params: { id: kept.ticketId }, body: { status: "open" } });
    const browser = await app.connect(company.admin);
    await browser.join("joinChatBox", kept.ticketId);

    expect((await admin.call(contacts.undoMerge, { params: { id: body.id } })).status).toBe(200);
    const own = { lastMessage: "Maria2", lastMessageFromMe: true, lastMessageAt: "2026-11-21T11:00:00.000Z" };
    expect(await ticketOf(kept.ticketId)).toMatchObject({ ...own, unreadMessages: 0, waitingSince: null });
    await app.settle();
    await browser.flushed();
    expect(browser.packets.map(({ payload }) => payload)).toContainEqual({
      action: "reload",
      mergedId: null,
      ticket: expect.objectContaining({ id: kept.ticketId, lastMessage: "Maria2" }),
    });
    browser.close();
  });

  test("what was written since into a ticket that only the other contact had goes back with it (C-06)", async () => {
    const company = await aCompany(app);
    const [one, two] = [await aConnection(company), await aConnection(company)];
    const kept = await aCustomer(company, one.id, "Maria", "pending");
    const gone = await aCustomer(company, two.id, "Maria nova", "pending");
    const admin = app.as(company.admin);
    const { body } = await admin.call(contacts.merge, { params: { id: kept.id }, body: { contactId: gone.id } });
    await company.inside(({ db }) =>
      sql`insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, sent_at, body)
        values (${company.id}, ${gone.ticketId}, ${kept.id}, ${two.id}, 'desde então', false, now(), 'desde então')`.execute(
        db,
      ),
    );
    expect((await admin.call(contacts.undoMerge, { params: { id: body.id } })).status).toBe(200);
    const { rows } = await company.inside(({ db }) =>
      sql<{ id: number }>`select distinct contact_id as id from messages where ticket_id = ${gone.ticketId}`.execute(
        db,
      ),
    );
    expect(rows).toEqual([{ id: gone.id }]);
  });

  test("a merge cannot be undone after ten minutes, or when the number has a new owner (C-06)", async () => {
    const company = await aCompany(app);
    const admin = app.as(company.admin);
    const merge = async () => {
      const [kept, gone] = [await aContact(company), await aContact(company)];
      const { body } = await admin.call(contacts.merge, { params: { id: kept.id }, body: { contactId: gone.id } });
      return { id: body.id, gone, keptId: kept.id };
    };
    const taken = await merge();
    await admin.call(contacts.update, { params: { id: taken.keptId }, body: { number: taken.gone.number } });
    const late = await merge();
    expect((await admin.call(contacts.undoMerge, { params: { id: taken.id } })).status).toBe(409);
    clock.advance({ seconds: 601 });
    const answer = await admin.call(contacts.undoMerge, { params: { id: late.id } });
    expect([answer.status, answer.body]).toMatchObject([409, { error: "ERR_UNDO_TOO_LATE" }]);
  });

  test.each(["went on into a third", "took in a third"])(
    "a merge whose kept contact %s is undone after that later merge, and restores everything (C-06)",
    async (then) => {
      const company = await aCompany(app);
      const [one, two] = [await aConnection(company), await aConnection(company)];
      const ana = await aCustomer(company, one.id, "Ana", "pending");
      const bia = await aCustomer(company, two.id, "Bia", "closed");
      const eva = await aCustomer(company, one.id, "Eva", "closed");
      const admin = app.as(company.admin);
      const merge = async (gone: { readonly id: number }, kept: { readonly id: number }) => {
        const { body } = await admin.call(contacts.merge, { params: { id: kept.id }, body: { contactId: gone.id } });
        return () => admin.call(contacts.undoMerge, { params: { id: body.id } });
      };
      const before = await snapshotOf(company);
      const undoFirst = await merge(ana, bia);
      const between = await snapshotOf(company);
      const undoSecond = then === "took in a third" ? await merge(eva, bia) : await merge(bia, eva);
      const after = await snapshotOf(company);

      const early = await undoFirst();
      expect([early.status, early.body]).toMatchObject([409, { error: "ERR_UNDO_LATER_FIRST" }]);
      expect(await snapshotOf(company)).toEqual(after);
      expect((await undoSecond()).status).toBe(200);
      expect(await snapshotOf(company)).toEqual(between);
      expect((await undoFirst()).status).toBe(200);
      expect(await snapshotOf(company)).toEqual(before);
    },
  );

  test("a merge whose kept contact was deleted cannot be undone (C-06)", async () => {
    const company = await aCompany(app);
    const [kept, gone] = [await aContact(company), await aContact(company)];
    const admin = app.as(company.admin);
    const { body } = await admin.call(contacts.merge, { params: { id: kept.id }, body: { contactId: gone.id } });
    await admin.call(contacts.remove, { params: { id: kept.id } });
    expect((await admin.call(contacts.undoMerge, { params: { id: body.id } })).status).toBe(404);
  });

  test("agents are refused, other companies and groups are not found, strangers sign in first (C-06)", async () => {
    const company = await aCompany(app);
    const [kept, gone] = [await aContact(company), await aContact(company)];
    const input = { params: { id: kept.id }, body: { contactId: gone.id } };
    const agent = app.as(await aUser(company));
    const foreign = await aCompany(app);
    expect((await agent.call(contacts.merge, input)).status).toBe(403);
    expect((await app.as(undefined).call(contacts.merge, input)).status).toBe(401);
    expect((await app.as(foreign.admin).call(contacts.merge, input)).status).toBe(404);
    const mixed = { params: { id: kept.id }, body: { contactId: (await aContact(foreign)).id } };
    expect((await app.as(company.admin).call(contacts.merge, mixed)).status).toBe(404);
    const itself = { params: { id: kept.id }, body: { contactId: kept.id } };
    expect((await app.as(company.admin).call(contacts.merge, itself)).status).toBe(400);

    const { body } = await app.as(company.admin).call(contacts.merge, input);
    const params = { id: body.id };
    expect((await agent.call(contacts.undoMerge, { params })).status).toBe(403);
    expect((await app.as(undefined).call(contacts.undoMerge, { params })).status).toBe(401);
    expect((await app.as(foreign.admin).call(contacts.undoMerge, { params })).status).toBe(404);
  });
});

test("a blocked contact is shown as blocked to everybody, until unblocked; strangers and other companies are refused (C-06)", async () => {
  const company = await aCompany(app);
  const { id } = await aContact(company);
  const agent = app.as(await aUser(company));
  const block = (blocked: boolean) => agent.call(contacts.block, { params: { id }, body: { blocked } });
  expect((await block(true)).body.isBlocked).toBe(true);
  expect((await agent.call(contacts.get, { params: { id } })).body.isBlocked).toBe(true);
  expect((await block(false)).body.isBlocked).toBe(false);
  const input = { params: { id }, body: { blocked: true } };
  expect((await app.as(undefined).call(contacts.block, input)).status).toBe(401);
  expect((await app.as((await aCompany(app)).admin).call(contacts.block, input)).status).toBe(404);
});
