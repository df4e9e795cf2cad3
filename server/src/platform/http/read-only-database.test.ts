import { expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import { aCompany } from "#server/testing/factories.ts";
import { onServer } from "#server/testing/server.ts";

test("while the database takes no writes, as after a failover, they are 503, reads go on, and /ready says it until it is over (E-03)", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  const { admin } = await aCompany(app);
  const name = new URL(app.database.url).pathname.slice(1);
  const write = async (tag: string) => app.as(admin).post("/tags", { name: tag, color: "#102030" });
  const read = async () => (await app.as(admin).get("/tags/list")).status;
  const ready = async () => app.as(undefined).get<{ checks: unknown }>("/ready");
  expect([(await write("before")).status, (await ready()).status]).toEqual([200, 200]);

  const url = new URL(app.database.url);
  url.pathname = "/postgres";
  await onServer(url.href, async (client) => {
    await client.query(`alter database ${name} set default_transaction_read_only = on`);
    // The setting is that of new sessions.
    await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
  });
  await expect.poll(read).toBe(200);
  const refused = await write("meanwhile");
  expect(refused).toMatchObject({ status: 503, body: { error: "ERR_UNAVAILABLE" } });
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect(await ready()).toMatchObject({ status: 503, body: { checks: { database: false } } });
  expect(await read()).toBe(200);

  // Sessions that were opened meanwhile stay read only: they are replaced.
  await onServer(url.href, (client) => client.query(`alter database ${name} reset default_transaction_read_only`));
  await expect.poll(async () => (await ready()).status).toBe(200);
  await expect.poll(async () => (await write("after")).status, { interval: 20 }).toBe(200);
});
