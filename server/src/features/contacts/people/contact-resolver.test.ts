import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Ctx } from "#server/platform/ctx.ts";
import { countStatements } from "#server/platform/db/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aContact } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";
import type { PersonRef } from "#server/whatsapp/port.ts";
import { createContactResolver } from "./contact-resolver.ts";

let app: TestApp;
let company: TestCompany;
let line: number;
beforeAll(async () => {
  app = await createTestApp();
  company = await aCompany(app);
  line = (await aConnection(company)).id;
});
afterAll(() => app.close());

const moved: [number, number][] = [];
const resolver = createContactResolver({
  move: async (_ctx, from, to) => void moved.push([from, to]),
  moveErasure: async () => undefined,
});
const observe = (person: PersonRef, pushName = "", connectionId = line) =>
  company.inside((ctx) => resolver.resolvePerson(ctx, connectionId, person, pushName));
const contact = (id: number) =>
  company.inside((ctx) =>
    ctx.db.selectFrom("contacts").select(["name", "number"]).where("id", "=", id).executeTakeFirst(),
  );
const identifiers = (id: number) =>
  company.inside(async (ctx: Ctx) => {
    const rows = await ctx.db
      .selectFrom("contact_identifiers")
      .select(["kind", "value"])
      .where("contact_id", "=", id)
      .execute();
    return rows.map(({ kind, value }) => `${kind} ${value}`).toSorted();
  });

describe("a person under a number and a LID is one contact (W-10)", () => {
  test("observed again under either, or on another line, it is the same contact (W-10)", async () => {
    const id = await observe({ phone: "5511911110001", lid: "9001" }, "Ana");
    const other = (await aConnection(company)).id;
    expect(await observe({ phone: null, lid: "9001" })).toBe(id);
    expect(await observe({ phone: "5511911110001", lid: null })).toBe(id);
    expect(await observe({ phone: "5511911110001", lid: "9001" }, "", other)).toBe(id);
    expect(await contact(id)).toEqual({ name: "Ana", number: "5511911110001" });
  });

  test("a contact that was added by hand gets its LID (W-10)", async () => {
    const { id } = await aContact(company, { number: "5511911110002", name: "By Hand" });
    expect(await observe({ phone: "5511911110002", lid: "9002" }, "Push")).toBe(id);
    expect(await observe({ phone: null, lid: "9002" }, "Push")).toBe(id);
    // a name that a user wrote stays
    expect(await contact(id)).toMatchObject({ name: "By Hand" });
  });

  test("a LID that shows its number gets it (W-10)", async () => {
    const id = await observe({ phone: null, lid: "9003" }, "Bia");
    expect(await contact(id)).toEqual({ name: "Bia", number: null });
    expect(await observe({ phone: "5511911110003", lid: "9003" })).toBe(id);
    expect(await contact(id)).toEqual({ name: "Bia", number: "5511911110003" });
  });

  test("two contacts that turn out to be one person are merged, with all their data (W-10)", async () => {
    const byPhone = await observe({ phone: "5511911110004", lid: null });
    const byLid = await observe({ phone: null, lid: "9004" }, "Caio");
    expect(byLid).not.toBe(byPhone);

    await company.inside((ctx) => resolver.linkPhoneAndLid(ctx, line, "5511911110004", "9004"));

    expect(moved).toContainEqual([byLid, byPhone]);
    expect(await contact(byLid)).toBeUndefined();
    expect(await observe({ phone: null, lid: "9004" }, "Caio")).toBe(byPhone);
    expect(await identifiers(byPhone)).toEqual(["lid 9004", "phone 5511911110004"]);
  });

  test("a LID that moved to another number does not merge the two contacts", async () => {
    const first = await observe({ phone: "5511911110005", lid: "9005" });
    const second = await observe({ phone: "5511911110006", lid: null });
    expect(await observe({ phone: "5511911110006", lid: "9005" })).toBe(second);
    expect(await observe({ phone: null, lid: "9005" })).toBe(second);
    expect(await observe({ phone: "5511911110005", lid: null })).toBe(first);
  });

  test("linking a phone number and a LID creates no contact (W-10)", async () => {
    await company.inside((ctx) => resolver.linkPhoneAndLid(ctx, line, "5511911110099", "9099"));
    expect(
      await company.inside((ctx) =>
        ctx.db.selectFrom("contacts").select("id").where("number", "=", "5511911110099").execute(),
      ),
    ).toEqual([]);
  });
});

describe("Brazil's ninth digit (W-10)", () => {
  test.each([
    ["5511987654321", "551187654321", true],
    ["551187654322", "5511987654322", true],
    ["5531987654323", "553187654323", true],
    // a land line is not the mobile with a nine before it
    ["551132145678", "5511932145678", false],
    // nor is anything of another country
    ["351187654321", "3511987654321", false],
  ])("%s and %s are one contact: %s", async (first, second, isOne) => {
    const id = await observe({ phone: first, lid: null });
    const again = await observe({ phone: second, lid: null });
    expect(again === id).toBe(isOne);
  });

  test("the contact has the number as WhatsApp spells it, and is written to there (W-10)", async () => {
    const { id } = await aContact(company, { number: "5511988880001" });
    await observe({ phone: "551188880001", lid: null });
    expect(await contact(id)).toMatchObject({ number: "551188880001" });
    expect(await identifiers(id)).toEqual(["phone 551188880001"]);
  });
});

test("twenty concurrent observations of one new person create one contact, on any address (W-10)", async () => {
  const addresses: PersonRef[] = [
    { phone: "5511977777777", lid: "9777" },
    { phone: "551177777777", lid: "9777" },
    { phone: "5511977777777", lid: null },
    { phone: "551177777777", lid: null },
  ];
  const people = Array.from({ length: 5 }, () => addresses).flat();
  const ids = await Promise.all(people.map((person) => observe(person, "Everybody")));
  expect(new Set(ids).size).toBe(1);
});

test("resolving a known contact costs one statement, a new push name one more", async () => {
  await observe({ phone: "5511911118888", lid: "9888" }, "Duda");
  const known = await countStatements(() => observe({ phone: "5511911118888", lid: "9888" }, "Duda"));
  const renamed = await countStatements(() => observe({ phone: "5511911118888", lid: "9888" }, "Duda ✨"));
  expect(known.statements.filter((text) => text.includes("contacts"))).toHaveLength(1);
  expect(renamed.statements.filter((text) => text.includes("contacts"))).toHaveLength(2);
});

test("a group is a contact by its id, named by its subject", async () => {
  const id = await company.inside((ctx) => resolver.resolveGroup(ctx, line, "120363000000000001"));
  await company.inside((ctx) => resolver.nameGroup(ctx, line, "120363000000000001", "Condomínio"));
  expect(await contact(id)).toMatchObject({ name: "Condomínio" });
  expect(await identifiers(id)).toEqual(["group 120363000000000001"]);
});

describe("a contact whose addresses lead to nobody is created at once", () => {
  const create = (phone: string | null, lid: string | null, pushName = "") =>
    company.inside((ctx) => resolver.createUnseen(ctx, line, { phone, lid, group: null }, pushName));
  const ofNumber = (number: string) =>
    company.inside((ctx) => ctx.db.selectFrom("contacts").select("id").where("number", "=", number).execute());

  test("with its name and addresses, in one statement (W-08)", async () => {
    const { result: id, statements } = await countStatements(() => create("5511911120001", "9101", "Nova"));
    expect(statements.filter((text) => !text.includes("event_log"))).toHaveLength(1);
    expect(await contact(id!)).toEqual({ name: "Nova", number: "5511911120001" });
    expect(await identifiers(id!)).toEqual(["lid 9101", "phone 5511911120001"]);
    expect(await observe({ phone: null, lid: "9101" })).toBe(id);
  });

  test("two lines at once create one contact, and the other resolves it (W-08)", async () => {
    const other = (await aConnection(company)).id;
    const person = { phone: "5511911120002", lid: null };
    const [first, second] = await Promise.all(
      [line, other].map((connectionId) =>
        company.inside(
          async (ctx) =>
            (await resolver.createUnseen(ctx, connectionId, { ...person, group: null }, "Duo")) ??
            resolver.resolvePerson(ctx, connectionId, person, "Duo"),
        ),
      ),
    );
    expect(second).toBe(first);
    expect(await ofNumber(person.phone)).toEqual([{ id: first }]);
  });

  test("a number that somebody has, with or without the ninth digit, is left to them (W-08)", async () => {
    const { id } = await aContact(company, { number: "551191112003", name: "By Hand" });
    expect(await create("5511991112003", null)).toBeNull();
    expect(await observe({ phone: "5511991112003", lid: null })).toBe(id);
  });

  test("a LID that has got a contact of its own meanwhile becomes one with it (W-10)", async () => {
    const byLid = await observe({ phone: null, lid: "9104" }, "Lia");
    expect(await create("5511911120004", "9104", "Lia")).toBeNull();
    const id = await observe({ phone: "5511911120004", lid: "9104" }, "Lia");
    expect(moved).toContainEqual([byLid, id]);
    expect(await ofNumber("5511911120004")).toEqual([{ id }]);
    expect(await identifiers(id)).toEqual(["lid 9104", "phone 5511911120004"]);
  });

  test("without a number nothing tells two of them apart: it is resolved (W-10)", async () => {
    expect(await create(null, "9105", "Oculta")).toBeNull();
  });
});
