import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { asOwner } from "#server/testing/as-owner.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { aFirewall } from "#server/testing/firewall.ts";
import { openPipeline } from "./pipeline.ts";
import { appPool, systemPool } from "./pools.ts";

test("no pool compiles its plans, also on a server of your own that has jit on", async () => {
  const { url, log } = await createTestDatabase({ closeAfterTest: true });
  await asOwner(url, `alter database ${new URL(url).pathname.slice(1)} set jit = on`);
  for (const open of [appPool, systemPool]) {
    const pool = open({ url, log, max: 1 });
    onTestFinished(() => pool.end());
    expect((await pool.query("select current_setting('jit') as jit")).rows).toEqual([{ jit: "off" }]);
  }
});

/** A pool behind a firewall, whose connections may be silent for this long. */
async function behindAFirewall(silenceMs: number) {
  const { url, log } = await createTestDatabase({ closeAfterTest: true });
  const firewall = await aFirewall(url);
  const pool = systemPool({ url: firewall.url, log, max: 1, silenceMs });
  onTestFinished(() => pool.end());
  return { firewall, pool };
}

test.each<[string, (pool: pg.Pool) => Promise<unknown>]>([
  ["statement", (pool) => pool.query("select 1")],
  [
    "pipeline",
    async (pool) => {
      const client = await pool.connect();
      const { query, rollback } = openPipeline(client);
      try {
        return await query({ text: "select 1" });
      } finally {
        await rollback().catch((error: Error) => client.release(error));
      }
    },
  ],
])("a %s on a connection that was dropped without a word rejects, and the next one gets another", async (_, ask) => {
  const { firewall, pool } = await behindAFirewall(200);
  await pool.query("select 1");
  firewall.swallow();
  await expect(ask(pool)).rejects.toThrow("Connection terminated");
  expect((await pool.query("select 2 as two")).rows).toEqual([{ two: 2 }]);
  expect(firewall.connections()).toBe(2);
});

test("a connection that answers now and then is kept however long it is in use, and so is one that nobody uses", async () => {
  const { firewall, pool } = await behindAFirewall(300);
  const client = await pool.connect();
  for (let statement = 0; statement < 6; statement += 1) {
    await client.query("select pg_sleep(0.1)");
  }
  client.release();
  await sleep(600);
  await pool.query("select 1");
  expect(firewall.connections()).toBe(1);
});
