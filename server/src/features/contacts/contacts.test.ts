import { contacts } from "@prosa/contract";
import type { BodyIn, QueryIn } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { features } from "#server/app/features.ts";
import { countStatements } from "#server/platform/db/index.ts";
import type { RawQuery } from "#server/platform/db/index.ts";
import { asOwner } from "#server/testing/as-owner.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aContact, aUser } from "#server/testing/factories.ts";
import { contactMergeParticipants, contactResolver } from "#server/features/inbound/index.ts";
import { findErasedNumbers } from "#server/features/privacy/index.ts";
import { applyContactBlock, emitTicketsDeleted } from "#server/features/tickets/index.ts";
import { contactsFeature } from "./feature.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({
    // Only the line's answer is a fake: 5511900000000 is not on WhatsApp, other numbers are, without the ninth digit.
    features: features.map((feature) =>
      feature.name === "contacts"
        ? contactsFeature({
            mergeParticipants: contactMergeParticipants,
            onBlockChanged: applyContactBlock,
            onDeleted: emitTicketsDeleted,
            findErasedNumbers,
            checkNumber: async (_actor, _connectionId, number) =>
              number === "5511900000000" ? null : { phone: number.replace(/^55119(\d{8})$/, "5511$1"), lid: null },
          })
        : feature,
    ),
  });
});
afterAll(() => app.close());

const newContact = (number: string, more = {}) => ({ body: { name: "Maria Antônia", number, ...more } });

describe("the list (C-01)", () => {
  test("pages of a text that many contain follow each other by name, and so do those of a rare one (C-01)", async () => {
    const company = await aCompany(app);
    await app.database.inCompany(company.id, ({ db }) =>
      sql`
        insert into contacts (company_id, name)
        select ${company.id}, (array['Ana', 'Bia', 'Zoé'])[n % 3 + 1] || ' ' || lpad((n * 7 % 1500)::text, 4, '0')
        from generate_series(1, 1500) n`.execute(db),
    );
    const caller = app.as(await aUser(company));
    // Common among the first names; common at the end alone; rare.
    for (const [searchParam, isMatch] of [
      ["ana 0", /^Ana 0/],
      ["zoe 0", /^Zoé 0/],
      ["a 00", /a 00/],
    ] as const) {
      const all = await app.database.inCompany(company.id, ({ db }) =>
        db.selectFrom("contacts").select("name").where("company_id", "=", company.id).orderBy("search_text").execute(),
      );
      const wanted = all.map(({ name }) => name).filter((name) => isMatch.test(name));
      const found: string[] = [];
      for (let pageNumber = 1, hasMore = true; hasMore; pageNumber += 1) {
        const { body } = await caller.call(contacts.list, { query: { searchParam, pageNumber } });
        found.push(...body.contacts.map(({ name }) => name));
        ({ hasMore } = body);
      }
      expect(found, searchParam).toEqual(wanted);
    }
  });

  test("comes in pages of 30 by name, and is searched by any part of name or number, accents ignored (C-01)", async () => {
    const company = await aCompany(app);
    for (let n = 0; n < 32; n += 1) {
      await aContact(company, { name: `Cliente ${String(n).padStart(2, "0")}` });
    }
    await aContact(company, { name: "Ângela Gonçalves", number: "5521977776666" });
    const caller = app.as(await aUser(company));

    const first = await caller.call(contacts.list, { query: { pageNumber: 1 } });
    expect([first.body.contacts.length, first.body.count, first.body.hasMore]).toEqual([30, 33, true]);
    expect(first.body.contacts.map(({ name }) => name).slice(0, 2)).toEqual(["Ângela Gonçalves", "Cliente 00"]);
    const second = await caller.call(contacts.list, { query: { pageNumber: 2 } });
    expect([second.body.contacts.length, second.body.hasMore]).toEqual([3, false]);

    for (const searchParam of ["ANGELA GONCALVES", "gonç", "977776666", "(21) 97777-6666"]) {
      const { body } = await caller.call(contacts.list, { query: { searchParam } });
      expect([searchParam, body.contacts.map(({ name }) => name), body.count]).toEqual([
        searchParam,
        ["Ângela Gonçalves"],
        1,
      ]);
    }
    const picked = await caller.call(contacts.lookup, { query: { name: "cliente 3" } });
    expect(picked.body.map(({ name }) => name)).toEqual(["Cliente 30", "Cliente 31"]);
  });

  test("is filtered by the day of creation, or by a range of days, in the company's time zone (C-01)", async () => {
    const company = await aCompany(app);
    const added = { Ana: "2026-03-01T12:00:00Z", Bia: "2026-03-02T02:59:00Z", Caio: "2026-03-02T03:00:00Z" };
    for (const [name, at] of Object.entries(added)) {
      const { id } = await aContact(company, { name });
      const change = { name: "added_at", text: "update contacts set created_at = $2 where id = $1" };
      await company.inside((ctx) => ctx.raw(change, [id, at]));
    }
    const namesOf = async (query: { date?: string; dateStart?: string; dateEnd?: string; searchParam?: string }) => {
      const { body } = await app.as(company.admin).call(contacts.list, { query });
      return [...body.contacts.map(({ name }) => name), body.count];
    };
    expect(await namesOf({ date: "2026-03-01" })).toEqual(["Ana", "Bia", 2]);
    expect(await namesOf({ dateStart: "2026-03-02" })).toEqual(["Caio", 1]);
    expect(await namesOf({ dateStart: "2026-03-01", dateEnd: "2026-03-01", searchParam: "bia" })).toEqual(["Bia", 1]);
    expect(await namesOf({ date: "", dateStart: "", dateEnd: "2026-03-02" })).toEqual(["Ana", "Bia", "Caio", 3]);
    const wrong = await app.as(company.admin).get("/contacts?date=hoje");
    expect([wrong.status, wrong.body]).toMatchObject([400, { error: "ERR_VALIDATION" }]);
  });

  test("a far page of a long list costs as many statements as the first (C-01)", async () => {
    const company = await aCompany(app);
    // without the statement timeout of requests
    await asOwner(
      app.database.url,
      `insert into contacts (company_id, name, number)
        select ${company.id}, 'Pessoa ' || i, '5531' || (100000000 + i) from generate_series(1, 20000) i`,
    );
    const caller = app.as(company.admin);
    const page = (query: QueryIn<typeof contacts.list>) => countStatements(() => caller.call(contacts.list, { query }));
    await page({}); // loads the session into its cache
    const first = await page({});
    const last = await page({ pageNumber: 667 });
    const found = await page({ searchParam: "pessoa 19999" });
    expect([last.result.body.contacts.length, found.result.body.count]).toEqual([20, 1]);
    expect(first.statements.length).toBeGreaterThan(0);
    expect([last.statements.length, found.statements.length]).toEqual(Array(2).fill(first.statements.length));
  });

  test("the search walks an index although row-level security is on, and stays in its company (C-01)", async () => {
    const [own, other] = [await aCompany(app), await aCompany(app)];
    await aContact(own, { name: "Zoroastro Único" });
    const search = { query: { searchParam: "zoroastro" } };
    expect((await app.as(own.admin).call(contacts.list, search)).body.count).toBe(1);
    expect((await app.as(other.admin).call(contacts.list, search)).body.count).toBe(0);

    // The same condition as the role of found_contacts() and as the role of requests. In a table this small a
    // sequential scan may be as cheap, so sequential scans are off: the plans show which indexes can serve at all.
    const prefer = { name: "prefer_indexes", text: "select set_config('enable_seqscan', 'off', true)" };
    const explain = {
      name: "explain_search",
      text: `explain (costs off) select id from contacts where contact_piece_keys(company_id, search_text) @> contact_piece_keys(1, 'zoroastro') limit 20`,
    };
    const planOf = async (raw: RawQuery) => {
      await raw(prefer, []);
      return raw<object>(explain, []);
    };
    const asMachinery = await app.db.systemTx((tx) => planOf(tx.raw));
    const asRequest = await own.inside((ctx) => planOf(ctx.raw));
    expect(JSON.stringify(asMachinery)).toContain("contacts_pieces");
    expect(JSON.stringify(asRequest)).not.toContain("contacts_pieces");
  });
});

describe("creating and updating (C-02)", () => {
  test("without a connected line the number is stored as written, digits only (C-02)", async () => {
    const company = await aCompany(app);
    const extraInfo = [{ name: "CPF", value: "123" }];
    const made = await app
      .as(company.admin)
      .call(contacts.create, newContact("+55 (11) 91234-5678", { extraInfo, email: "" }));
    expect([made.status, made.body]).toMatchObject([
      200,
      { name: "Maria Antônia", number: "5511912345678", extraInfo },
    ]);
  });

  test("with one the number is WhatsApp's own spelling, and one that WhatsApp does not know is refused (C-02)", async () => {
    const company = await aCompany(app);
    await aConnection(company, { number: "5511955550000" });
    const caller = app.as(await aUser(company));
    const made = await caller.call(contacts.create, newContact("5511987651234"));
    expect(made.body.number).toBe("551187651234");
    const unknown = await caller.call(contacts.create, newContact("5511900000000"));
    expect([unknown.status, unknown.body]).toMatchObject([400, { error: "ERR_WAPP_INVALID_CONTACT" }]);
    const changed = await caller.call(contacts.update, {
      params: { id: made.body.id },
      body: { number: "5511900000000" },
    });
    expect(changed.body).toMatchObject({ error: "ERR_WAPP_INVALID_CONTACT" });
  });

  test("a number is one contact, with or without the ninth digit, also at once (C-02)", async () => {
    const company = await aCompany(app);
    const caller = app.as(company.admin);
    const both = await Promise.all([
      caller.call(contacts.create, newContact("5511998761234")),
      caller.call(contacts.create, newContact("551198761234")),
    ]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body).toMatchObject({ error: "ERR_DUPLICATED_CONTACT" });
  });

  test("extra information that a colleague added meanwhile stays beside one's own, within what a contact may have (C-02)", async () => {
    const company = await aCompany(app);
    const caller = app.as(company.admin);
    const pair = (name: string) => ({ name, value: "1" });
    const [cpf, birthday, city] = [pair("CPF"), pair("Aniversário"), pair("Cidade")];
    const { id } = (await caller.call(contacts.create, newContact("5511912340001", { extraInfo: [cpf] }))).body;
    const save = (body: BodyIn<typeof contacts.update>) => caller.call(contacts.update, { params: { id }, body });
    const knownExtraInfo = [cpf];
    await Promise.all([
      save({ extraInfo: [cpf, birthday], knownExtraInfo }),
      save({ extraInfo: [cpf, city], knownExtraInfo }),
    ]);
    const { extraInfo } = (await caller.call(contacts.get, { params: { id } })).body;
    expect(extraInfo.map(({ name }) => name).toSorted()).toEqual(["Aniversário", "CPF", "Cidade"]);
    const many = Array.from({ length: 49 }, (_, n) => pair(`Campo ${n}`));
    expect((await save({ extraInfo: many, knownExtraInfo })).status).toBe(400);
    expect((await save({ extraInfo: many, knownExtraInfo: extraInfo })).body.extraInfo).toEqual(many);
    // who names nothing speaks of all
    expect((await save({ extraInfo: [city] })).body.extraInfo).toEqual([city]);
  });

  test("a change of one field leaves the others, and everybody of the company is notified (C-01, C-02)", async () => {
    const company = await aCompany(app);
    const agent = await aUser(company);
    const contact = await aContact(company, { email: "maria@example.com" });
    const socket = await app.connect(agent);
    const params = { id: contact.id };
    const changed = await app.as(agent).call(contacts.update, { params, body: { name: "Novo Nome" } });
    expect(changed.body).toMatchObject({ name: "Novo Nome", email: "maria@example.com", number: contact.number });
    await app.settle();
    const { payload } = await socket.next(`company-${company.id}-contact`);
    expect(payload).toMatchObject({ action: "update", contact: { id: contact.id, name: "Novo Nome" } });
    socket.close();
  });

  test("only another number deletes the addresses of a contact: not its first one, nor another spelling (C-02, W-10)", async () => {
    const company = await aCompany(app);
    const line = await aConnection(company);
    const resolve = () =>
      company.inside((ctx) => contactResolver.resolvePerson(ctx, line.id, { phone: null, lid: "778" }, "Rui"));
    const id = await resolve();
    const caller = app.as(company.admin);
    const save = (body: BodyIn<typeof contacts.update>) => caller.call(contacts.update, { params: { id }, body });
    expect((await save({ name: "Rui Reis", number: "" })).body).toMatchObject({ name: "Rui Reis", number: "" });
    for (const number of ["5511987654321", "551187654321"]) {
      expect((await save({ number })).body.number).toBe(number);
      expect(await resolve()).toBe(id);
    }
    expect((await save({ number: "" })).body).toMatchObject({ error: "ERR_VALIDATION" });
    expect((await save({ number: "5511987650000" })).status).toBe(200);
    expect(await resolve()).not.toBe(id);
  });

  test("a group takes no number of a person (C-02)", async () => {
    const company = await aCompany(app);
    const { id, number } = await aContact(company, { name: "Grupo", number: "120363000000009" });
    await company.inside(({ db }) => sql`update contacts set is_group = true where id = ${id}`.execute(db));
    const save = (body: BodyIn<typeof contacts.update>) =>
      app.as(company.admin).call(contacts.update, { params: { id }, body });
    const refused = await save({ number: "5511987654321" });
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { details: { fields: { number: expect.any(String) } } },
    ]);
    expect((await save({ name: "Condomínio", number })).body).toMatchObject({ name: "Condomínio", number });
  });

  test.each([
    [{ name: "M" }, "name"],
    [{ number: "123" }, "number"],
    [{ email: "nobody" }, "email"],
  ])("%o is refused by the rules of the form (C-02, E-03)", async (wrong, field) => {
    const company = await aCompany(app);
    const body = { name: "Maria", number: "5511987650000", email: "", ...wrong };
    const answer = await app.as(company.admin).call(contacts.create, { body });
    expect([answer.status, answer.body]).toMatchObject([400, { details: { fields: { [field]: expect.any(String) } } }]);
  });
});

test("only users with the permission delete; another company and a stranger find nothing (C-05)", async () => {
  const company = await aCompany(app);
  const { id } = await aContact(company);
  const agent = app.as(await aUser(company));
  const foreign = app.as((await aCompany(app)).admin);
  const params = { id };
  expect((await agent.call(contacts.remove, { params })).status).toBe(403);
  expect((await foreign.call(contacts.remove, { params })).status).toBe(404);
  expect((await foreign.call(contacts.get, { params })).status).toBe(404);
  expect((await foreign.call(contacts.update, { params, body: { name: "Mine" } })).status).toBe(404);
  expect((await app.as(undefined).call(contacts.list)).status).toBe(401);
  expect((await app.as(company.admin).call(contacts.remove, { params })).status).toBe(200);
  const gone = await agent.call(contacts.get, { params });
  expect([gone.status, gone.body]).toMatchObject([404, { error: "ERR_NO_CONTACT_FOUND" }]);
});

test("a contact asked for by its id names the connection of its last conversation (C-02)", async () => {
  const company = await aCompany(app);
  const older = await aConnection(company);
  const newer = await aConnection(company);
  const { id } = await aContact(company);
  const whatsapp = async () => (await app.as(company.admin).call(contacts.get, { params: { id } })).body.whatsapp;
  expect(await whatsapp()).toBeNull();

  await company.inside(({ db }) =>
    sql`insert into tickets (company_id, connection_id, contact_id, status, last_message_at)
      values (${company.id}, ${newer.id}, ${id}, 'closed', now()),
        (${company.id}, ${older.id}, ${id}, 'closed', now() - interval '1 day')`.execute(db),
  );
  expect(await whatsapp()).toEqual({ id: newer.id, name: newer.name });

  await asOwner(app.database.url, `update connections set deleted_at = now() where id = ${newer.id}`);
  expect(await whatsapp()).toEqual({ id: older.id, name: older.name });
});

test("the conversations of a deleted contact leave every desk (C-05, T-22)", async () => {
  const company = await aCompany(app);
  const line = await aConnection(company);
  const { id } = await aContact(company);
  const { rows } = await company.inside(({ db }) =>
    sql<{ id: number }>`insert into tickets (company_id, connection_id, contact_id, status)
      values (${company.id}, ${line.id}, ${id}, 'pending') returning id`.execute(db),
  );
  const desk = await app.connect(company.admin);
  await desk.join("joinTickets", "pending");
  expect((await app.as(company.admin).call(contacts.remove, { params: { id } })).status).toBe(200);
  await app.settle();
  await desk.flushed();
  expect(desk.packets.map(({ payload }) => payload)).toContainEqual({ action: "delete", ticketId: rows[0]!.id });
  desk.close();
});
