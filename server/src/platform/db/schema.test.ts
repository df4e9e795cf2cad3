import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import type { TestDatabase } from "#server/testing/database.ts";

import { appPool } from "./pools/pools.ts";
import { brokenConstraint } from "./violations.ts";

let database: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

const HAS_COMPANY = "exists (select from pg_attribute c where c.attrelid = $t and c.attname = 'company_id')";

test("no foreign key leads from one company to another: each between their tables carries the company", async () => {
  const { rows } = await owner.query(`
    select f.conrelid::regclass::text || '.' || f.conname as key, f.convalidated from pg_constraint f
    where f.contype = 'f'
      and ${HAS_COMPANY.replace("$t", "f.conrelid")} and ${HAS_COMPANY.replace("$t", "f.confrelid")}
      and (not f.convalidated or not exists (
        select from unnest(f.conkey, f.confkey) as pair(source, target)
          join pg_attribute s on s.attrelid = f.conrelid and s.attnum = pair.source
          join pg_attribute t on t.attrelid = f.confrelid and t.attnum = pair.target
        where s.attname = 'company_id' and t.attname = 'company_id'))
    order by 1`);
  expect(rows).toEqual([]);
});

test("no foreign key takes the company away from a row whose target goes", async () => {
  const { rows } = await owner.query(`
    select f.conrelid::regclass::text || '.' || f.conname as key from pg_constraint f
    where f.contype = 'f' and f.confdeltype = 'n' and cardinality(f.conkey) > 1
      and (f.confdelsetcols is null or exists (
        select from pg_attribute a
        where a.attrelid = f.conrelid and a.attnum = any (f.confdelsetcols) and a.attname = 'company_id'))`);
  expect(rows).toEqual([]);
});

describe("a row of one company that names one of another", () => {
  test("is refused by the database, whoever writes it", async () => {
    const [mine, theirs] = [await company(), await company()];
    const tag = { text: "insert into tags (company_id, name, color, user_id) values ($1, 'x', '#000000', $2)" };
    const foreigner = await user(theirs);
    const refused = await owner.query({ ...tag, values: [mine, foreigner] }).catch(brokenConstraint);
    expect(refused).toBe("tags_user_id_fkey");
    await owner.query({ ...tag, values: [theirs, foreigner] });
  });

  test("loses what it named and keeps its company", async () => {
    const mine = await company();
    const me = await user(mine);
    await owner.query("insert into tags (company_id, name, color, user_id) values ($1, 'mine', '#000000', $2)", [
      mine,
      me,
    ]);
    await owner.query("delete from users where id = $1", [me]);
    const { rows } = await owner.query("select company_id, user_id from tags where name = 'mine'");
    expect(rows).toEqual([{ company_id: mine, user_id: null }]);
  });
});

describe("requests", () => {
  /** As a request does whose code forgot to ask who it is. */
  async function asRequest(companyId: number, text: string): Promise<string> {
    const pool = appPool({ url: database.url, log: database.log, max: 1 });
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query("select set_config('app.company_id', $1, true)", [String(companyId)]);
      return await client.query(text).then(
        ({ rowCount }) => `${rowCount} rows`,
        (error: Error) => error.message,
      );
    } finally {
      await client.query("rollback");
      client.release();
      await pool.end();
    }
  }

  test.each([
    "update users set is_super = true",
    "update users set company_id = 1",
    "insert into users (company_id, name, email, password_hash, is_super) values ($company, 'a', 'a@b.c', 'x', true)",
    "update companies set due_date = '2099-01-01'",
    "update companies set is_active = true",
    "update companies set plan_id = null",
    "insert into companies (name) values ('mine too')",
    "delete from companies",
    "update plans set users = 1000",
    "update sessions set user_id = 1",
    "insert into sessions (company_id, user_id, refresh_hash, expires_at) values ($company, 1, 'x', now())",
    "delete from audit_log",
    "update line_leases set owner = 'me'",
    "select * from database_sign_in",
  ])("may not: %s", async (text) => {
    const mine = await company();
    await user(mine);
    expect(await asRequest(mine, text.replace("$company", String(mine)))).toMatch(/^permission denied for table /);
  });

  test.each([
    "update users set name = 'new', password_hash = 'new'",
    "insert into users (company_id, name, email, password_hash) values ($company, 'a', 'a@b.c', 'x')",
    "update companies set time_zone = 'UTC', language = 'en', schedules = null",
    "select id from companies for update",
  ])("may: %s", async (text) => {
    const mine = await company();
    await user(mine);
    expect(await asRequest(mine, text.replace("$company", String(mine)))).toBe("1 rows");
  });
});

test("a request may end a session and cannot bring it back", async () => {
  const mine = await company();
  const session = (hash: string, end: string) =>
    owner.query(
      `insert into sessions (company_id, user_id, refresh_hash, expires_at, ended_at)
       values ($1, $2, $3, now() + interval '1 day', ${end})`,
      [mine, me, hash],
    );
  const me = await user(mine);
  await session(randomBytes(6).toString("hex"), "null");
  await session(randomBytes(6).toString("hex"), "now()");
  const change = (to: string) =>
    database.inCompany(mine, async (ctx) => {
      const { numAffectedRows } = await sql`update sessions set ended_at = ${sql.raw(to)}`.execute(ctx.db);
      return numAffectedRows;
    });
  expect(await change("now()")).toBe(1n);
  expect(await change("null")).toBe(0n);
});

async function company(): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into companies (name) values (${randomBytes(6).toString("hex")}) returning id`.execute(database.db.system);
  return rows[0]?.id ?? 0;
}

async function user(companyId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into users (company_id, name, email, password_hash)
    values (${companyId}, 'somebody', ${randomBytes(6).toString("hex")}, 'x') returning id`.execute(database.db.system);
  return rows[0]?.id ?? 0;
}
