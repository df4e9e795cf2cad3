import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { asOwner } from "#server/testing/as-owner.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { openPipeline } from "./pipeline.ts";
import { appPool, endsHangingTransactions, systemPool } from "./pools.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase({ closeAfterTest: false });
  await asOwner(
    database.url,
    "create table pairs (id int primary key, twin int references pairs deferrable initially deferred)",
    "grant all on pairs to prosa_app",
  );
  return () => database.drop();
});

async function aConnection(open = appPool): Promise<pg.PoolClient> {
  const pool = open({ url: database.url, log: database.log, max: 1 });
  const client = await pool.connect();
  onTestFinished(async () => {
    client.release();
    await pool.end();
  });
  return client;
}

const insert = (id: number, twin: number | null = null) => ({
  name: "insert_pair",
  text: "insert into pairs values ($1, $2)",
  values: [id, twin],
});
const count = (id: number) => ({
  name: "count_pairs",
  text: "select count(*) as found, now() as at from pairs where id = $1",
  values: [id],
});

async function foundBy(client: pg.PoolClient, id: number): Promise<number> {
  const pipeline = openPipeline(client);
  const { rows } = await pipeline.query(count(id));
  await pipeline.commit();
  return (rows as { found: number }[])[0]!.found;
}

test("statements see those before them, in one transaction, which nobody else sees before its end", async () => {
  const [mine, another] = [await aConnection(), await aConnection()];
  const pipeline = openPipeline(mine);
  const [written, seen] = await Promise.all([pipeline.query(insert(1)), pipeline.query(count(1))]);
  expect(written).toMatchObject({ command: "INSERT", rowCount: 1, rows: [] });
  expect(seen.rows).toMatchObject([{ found: 1 }]);
  await sleep(5);
  const [later] = (await pipeline.query(count(1))).rows as { at: Date }[];
  expect(later?.at).toEqual((seen.rows as { at: Date }[])[0]?.at);

  expect(await foundBy(another, 1)).toBe(0);
  await pipeline.commit();
  expect(await foundBy(another, 1)).toBe(1);
});

test("what is rolled back is gone, and PostgreSQL warns of nothing", async () => {
  const client = await aConnection();
  const notices: unknown[] = [];
  client.on("notice", (notice) => notices.push(notice));
  const pipeline = openPipeline(client);
  await pipeline.query(insert(2));
  await pipeline.rollback();
  expect(await foundBy(client, 2)).toBe(0);
  expect(notices).toEqual([]);
});

test("after an error nothing more runs, nothing is saved, and the connection serves the next transaction", async () => {
  const client = await aConnection();
  const pipeline = openPipeline(client);
  await pipeline.query(insert(3));
  const outcomes = await Promise.allSettled([
    pipeline.query({ name: "broken", text: "select 1 / $1::int as broken", values: [0] }),
    pipeline.query({ name: "behind", text: "insert into pairs values ($1)", values: [4] }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect(pipeline.query(count(3))).rejects.toThrow("division by zero");
  await expect(pipeline.commit()).rejects.toThrow("division by zero");
  await pipeline.rollback();

  expect(await foundBy(client, 3)).toBe(0);
  expect(await foundBy(client, 4)).toBe(0);
  // Statements that PostgreSQL never parsed are parsed now.
  const next = openPipeline(client);
  await next.query({ name: "behind", text: "insert into pairs values ($1)", values: [4] });
  expect((await next.query({ name: "broken", text: "select 1 / $1::int as broken", values: [1] })).rows).toEqual([
    { broken: 1 },
  ]);
  await next.commit();
  expect(await foundBy(client, 4)).toBe(1);
});

test("a value that cannot be sent fails its statement alone", async () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const client = await aConnection();
  const pipeline = openPipeline(client);
  await expect(pipeline.query({ ...count(5), values: [circular] })).rejects.toThrow(/circular/);
  await pipeline.query(insert(5));
  await pipeline.commit();
  expect(await foundBy(client, 5)).toBe(1);
});

test("a constraint that is checked at the commit fails the commit", async () => {
  const client = await aConnection();
  const pipeline = openPipeline(client);
  await pipeline.query(insert(6, 66));
  await expect(pipeline.commit()).rejects.toMatchObject({ code: "23503" });
  expect(await foundBy(client, 6)).toBe(0);
});

test("a transaction that hangs is ended by PostgreSQL, and its locks go", async () => {
  const [hanging, waiting] = [await aConnection(), await aConnection()];
  expect([hanging, await aConnection(systemPool)].map(endsHangingTransactions)).toEqual([true, false]);
  // The seconds of production, shortened.
  await hanging.query("set transaction_timeout = '200ms'");
  const pipeline = openPipeline(hanging);
  await pipeline.query(insert(7));
  const other = openPipeline(waiting);
  await other.query(insert(7)); // waits for the row of the first
  await other.commit();
  await expect(pipeline.query(count(7))).rejects.toThrow();
  await expect(pipeline.rollback()).rejects.toThrow();
});

test("a named statement keeps the text that it was parsed with", async () => {
  const client = await aConnection();
  const pipeline = openPipeline(client);
  await pipeline.query(count(8));
  await expect(pipeline.query({ ...count(8), text: "select 8" })).rejects.toThrow(/another text/);
  await pipeline.rollback();
});
