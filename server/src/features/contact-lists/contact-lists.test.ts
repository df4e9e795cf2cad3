import { contactListItems, contactLists, matchNumber } from "@prosa/contract";
import type { BodyIn, ContactList } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aContact, aUser } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";
import { touchedBy } from "#server/testing/touched-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** A company with a list, and its admin's calls. */
async function aList(name = "Clientes") {
  const company = await aCompany(app);
  const admin = app.as(company.admin);
  const { body: list } = await admin.call(contactLists.create, { body: { name } });
  const params = { id: list.id };
  return {
    ...{ company, admin, list, params },
    add: (fields: Partial<BodyIn<typeof contactListItems.create>> = {}) =>
      admin.call(contactListItems.create, {
        body: { name: "Ana Luz", number: "5511987650001", contactListId: list.id, ...fields },
      }),
    page: async (searchParam = "", pageNumber = 1) =>
      (await admin.call(contactListItems.list, { query: { contactListId: list.id, searchParam, pageNumber } })).body,
    read: async (): Promise<ContactList> => (await admin.call(contactLists.get, { params })).body,
  };
}

/** Inserts numbered items, of which every second is valid. */
function seedItems(company: TestCompany, listId: number, count: number) {
  return company.inside(({ db }) =>
    sql`insert into contact_list_items (company_id, contact_list_id, name, number, match_number, email, is_whatsapp_valid)
      select ${company.id}, ${listId}, 'Pessoa ' || lpad(i::text, 6, '0'), (5531900000000 + i)::text, match_number((5531900000000 + i)::text),
        'p' || i || '@example.com', case when i % 2 = 0 then true end
      from generate_series(1, ${count}) i`.execute(db),
  );
}

test("lists are made, renamed, searched and deleted; a name is there once (K-01)", async () => {
  const { admin, params } = await aList("Promoção de maio");
  await admin.call(contactLists.create, { body: { name: "Aniversariantes" } });
  const taken = await admin.post("/contact-lists", { name: "PROMOÇÃO de maio" });
  expect(taken).toMatchObject({ status: 409, body: { error: "ERR_NAME_TAKEN" } });

  const found = await admin.call(contactLists.list, { query: { searchParam: "promocao" } });
  expect(found.body.records.map(({ name }) => name)).toEqual(["Promoção de maio"]);
  const all = await admin.call(contactLists.lookup, { query: {} });
  expect(all.body.map(({ name }) => name)).toEqual(["Aniversariantes", "Promoção de maio"]);
  expect((await admin.call(contactLists.update, { params, body: { name: "Junho" } })).body.name).toBe("Junho");
  expect((await admin.call(contactLists.remove, { params })).status).toBe(200);
  expect((await admin.call(contactLists.get, { params })).status).toBe(404);
});

test("contacts are added, changed and taken off; the list counts them (K-01, K-02)", async () => {
  const { admin, add, page, read } = await aList();
  const { body: ana } = await add({ number: "+55 (11) 98765-0001", email: "ana@example.com" });
  expect(ana).toMatchObject({ number: "5511987650001", isWhatsappValid: null });
  await add({ name: "Bia Reis", number: "5511987650002" });
  expect(await read()).toMatchObject({ contactsCount: 2, validCount: 0 });
  expect((await page("ANA@EX")).contacts.map(({ name }) => name)).toEqual(["Ana Luz"]);
  expect((await page("98765-0002")).contacts.map(({ name }) => name)).toEqual(["Bia Reis"]);

  const params = { id: ana.id };
  expect(await admin.call(contactListItems.update, { params, body: { name: "Ana Lima" } })).toMatchObject({
    body: { name: "Ana Lima", number: "5511987650001", email: "ana@example.com" },
  });
  expect((await admin.call(contactListItems.remove, { params })).status).toBe(200);
  expect(await read()).toMatchObject({ contactsCount: 1 });
});

test("two spellings of a Brazilian mobile are one person (K-02)", async () => {
  const { admin, add } = await aList();
  await add({ number: "5511987650001" });
  const { body: other } = await add({ number: "5511987650009" });
  const refused = { status: 409, body: { error: "ERR_DUPLICATED_CONTACT" } };
  expect(await add({ number: "551187650001" })).toMatchObject(refused);
  const body = { number: "551187650001" };
  expect(await admin.call(contactListItems.update, { params: { id: other.id }, body })).toMatchObject(refused);
});

test.each([
  [{ name: "A" }, "name"],
  [{ number: "123" }, "number"],
  [{ email: "ninguém" }, "email"],
])("%j is refused at its field (K-02)", async (fields, field) => {
  const { add } = await aList();
  expect(await add(fields)).toMatchObject({
    status: 400,
    body: { details: { fields: { [field]: expect.any(String) } } },
  });
});

test("a list that a scheduled or running campaign writes to is not deleted (K-01)", async () => {
  const { admin, company, list, params } = await aList();
  const campaign = (status: string) =>
    company.inside(({ db }) =>
      sql`insert into campaigns (company_id, name, status, contact_list_id) values (${company.id}, 'C', ${status}, ${list.id})`.execute(
        db,
      ),
    );
  await campaign("EM_ANDAMENTO");
  expect(await admin.call(contactLists.remove, { params })).toMatchObject({
    status: 409,
    body: { error: "ERR_IN_USE" },
  });
  await company.inside(({ db }) => sql`update campaigns set status = 'FINALIZADA'`.execute(db));
  expect((await admin.call(contactLists.remove, { params })).status).toBe(200);
});

test("a list is filled from tags and from a search: no groups, no blocked ones, nobody twice (K-01)", async () => {
  const { admin, company, list, params, page } = await aList();
  const [ana, bia, caio, dora] = await Promise.all(
    ["Ana", "Bia", "Caio", "Dora"].map((name, n) => aContact(company, { name, number: `551198765010${n}` })),
  );
  await aContact(company, { name: "Eva", number: "5511987650109" });
  await company.inside(async ({ db }) => {
    await sql`insert into tags (company_id, name, color) values (${company.id}, 'VIP', '#112233')`.execute(db);
    for (const { id } of [ana!, bia!, caio!, dora!]) {
      await sql`with t as (insert into tickets (company_id, contact_id, status) values (${company.id}, ${id}, 'closed') returning id)
        insert into ticket_tags (company_id, ticket_id, tag_id)
        select ${company.id}, t.id, tags.id from t, tags`.execute(db);
    }
    await sql`update contacts set is_blocked = true where id = ${caio!.id}`.execute(db);
    await sql`update contacts set is_group = true where id = ${dora!.id}`.execute(db);
  });
  const { rows: tags } = await company.inside(({ db }) => sql<{ id: number }>`select id from tags`.execute(db));
  const tagIds = tags.map(({ id }) => id);
  const fill = (body: object) => admin.call(contactLists.fill, { params, body });
  expect((await fill({})).status).toBe(400);
  expect((await fill({ tagIds: [2_000_000_000] })).status).toBe(404);
  expect((await fill({ tagIds, searchParam: "bia" })).body).toMatchObject({ added: 1, known: 0 });
  expect((await fill({ tagIds })).body).toMatchObject({ added: 1, known: 1, contactList: { contactsCount: 2 } });
  expect((await fill({ searchParam: "eva" })).body).toMatchObject({ added: 1 });
  expect((await page()).contacts.map(({ name }) => name)).toEqual(["Ana", "Bia", "Eva"]);
  await app.settle();
  const socket = await app.connect(company.admin);
  await aContact(company, { name: "Dalva", number: "5511987650110" });
  await fill({ searchParam: "dalva" });
  await app.settle();
  const { payload } = await socket.next(`company-${company.id}-ContactListItem-${list.id}`);
  expect(payload).toMatchObject({
    action: "reload",
    records: [{ name: "Ana" }, { name: "Bia" }, { name: "Dalva" }, { name: "Eva" }],
  });
  socket.close();
});

test("the counts follow every change of many rows at once (K-01)", async () => {
  const { company, list, read } = await aList();
  await seedItems(company, list.id, 1_000);
  expect(await read()).toMatchObject({ contactsCount: 1_000, validCount: 500, invalidCount: 0 });
  const change = (text: string) => company.inside(({ db }) => sql`${sql.raw(text)}`.execute(db));
  await change("update contact_list_items set is_whatsapp_valid = false where is_whatsapp_valid is null");
  expect(await read()).toMatchObject({ validCount: 500, invalidCount: 500 });
  await change("update contact_list_items set is_whatsapp_valid = null where is_whatsapp_valid");
  await change("delete from contact_list_items where id % 2 = 0");
  const { contactsCount, validCount, invalidCount } = await read();
  const { rows } = await company.inside(({ db }) =>
    sql`select count(*)::int as "contactsCount", count(*) filter (where is_whatsapp_valid)::int as "validCount",
      count(*) filter (where not is_whatsapp_valid)::int as "invalidCount" from contact_list_items`.execute(db),
  );
  expect({ contactsCount, validCount, invalidCount }).toEqual(rows[0]);
});

test("match_number() of the database answers as matchNumber() of the contract (K-02)", async () => {
  const { company } = await aList();
  const numbers = ["5511987650001", "551187650001", "551133334444", "5511933334444", "351912345678", "55119876500010"];
  const { rows } = await company.inside(({ db }) =>
    sql<{ number: string; match: string }>`select number, match_number(number) as match
      from unnest(${numbers}::text[]) as given(number)`.execute(db),
  );
  expect(rows).toEqual(numbers.map((number) => ({ number, match: matchNumber(number) })));
});

test("pages of a list of 50,000 read their rows alone, in a few statements (K-01, K-02)", async () => {
  const { admin, company, list, page } = await aList();
  await seedItems(company, list.id, 50_000);
  await company.inside(({ db }) => sql`select 1`.execute(db));
  const at = { url: app.database.url, companyId: company.id };
  const sizeOf = async (work: () => Promise<unknown>) => {
    const touched = await touchedBy(at, work);
    const of = touched.filter(({ text }) => text.includes("contact_list"));
    return { statements: of.length, read: of.reduce((sum, { read }) => sum + read, 0) };
  };
  const lists = await sizeOf(() => admin.call(contactLists.list, { query: {} }));
  expect(lists).toEqual({ statements: 2, read: 2 });
  const first = await sizeOf(async () => expect((await page()).count).toBe(50_000));
  expect(first.statements).toBe(2);
  expect(first.read).toBeLessThan(30);
  // a common text ends at the end of the page
  const common = await sizeOf(async () => expect((await page("pessoa")).contacts).toHaveLength(20));
  expect(common.read).toBeLessThan(30);
  expect((await page("p49999@example.com")).contacts.map(({ name }) => name)).toEqual(["Pessoa 049999"]);
});

test("without campaigns in the plan, as an agent, a stranger or another company there is nothing (K-01, N-06)", async () => {
  const { company, list, add, params } = await aList();
  const { body: item } = await add();
  const poor = await aCompany(app, { withoutFlags: ["useCampaigns"] });
  const calls = (who: ReturnType<TestApp["as"]>) => [
    who.call(contactLists.get, { params }),
    who.call(contactLists.update, { params, body: { name: "Outra" } }),
    who.call(contactLists.remove, { params }),
    who.call(contactLists.check, { params, body: {} }),
    who.call(contactListItems.list, { query: { contactListId: list.id } }),
    who.call(contactListItems.get, { params: { id: item.id } }),
    who.call(contactListItems.remove, { params: { id: item.id } }),
  ];
  const statuses = async (who: ReturnType<TestApp["as"]>) =>
    new Set((await Promise.all(calls(who))).map(({ status }) => status));
  expect(await statuses(app.as(undefined))).toEqual(new Set([401]));
  expect(await statuses(app.as(await aUser(company)))).toEqual(new Set([403]));
  expect(await statuses(app.as(await aUser(company, { profile: "supervisor" })))).toEqual(new Set([403]));
  expect(await statuses(app.as(poor.admin))).toEqual(new Set([403]));
  expect(await statuses(app.as((await aCompany(app)).admin))).toEqual(new Set([404]));
});
