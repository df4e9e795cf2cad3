import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import type { TestDatabase } from "#server/testing/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  await sql`insert into companies (name) select 'c' || i from generate_series(1, 3) i`.execute(db.system);
  for (const companyId of [1, 2]) {
    await database.inCompany(companyId, (ctx) =>
      sql`insert into contacts (company_id, name, number)
        select ${companyId}, 'João Çedilha ' || i, '55119' || (80000000 + i) from generate_series(1, 5000) i`.execute(
        ctx.db,
      ),
    );
  }
});
afterAll(() => database.drop());

const found = (companyId: number, term: string, atMost = 10_000) =>
  database.inCompany(companyId, async (ctx) => {
    const { rows } = await sql<{ id: number }>`select id from found_contacts(${term}, ${atMost})`.execute(ctx.db);
    return rows.length;
  });

test("contacts are found by any part of name or number, accents ignored, in their own company only (C-01)", async () => {
  expect(await found(1, "joao cedilha 4999")).toBe(1);
  expect(await found(1, "JOÃO")).toBe(5000);
  expect(await found(2, "5511980000007")).toBe(1);
  expect(await found(3, "joao")).toBe(0);
  expect(await found(1, "100%")).toBe(0);
  expect(await found(1, "joao", 20)).toBe(20);
});

test("the search walks an index although row-level security is on", async () => {
  await sql`analyze contacts`.execute(database.db.system).catch(() => undefined);
  const began = performance.now();
  for (let i = 0; i < 50; i++) {
    await found(1, `cedilha 49${i}`);
  }
  console.log((performance.now() - began) / 50);
});
