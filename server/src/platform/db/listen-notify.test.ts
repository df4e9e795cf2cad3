import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { expect, inject, onTestFinished, test } from "vitest";
import { testLog } from "#server/testing/database.ts";
import { inDatabase } from "#server/testing/server.ts";
import { createListenNotify } from "./listen-notify.ts";

const url = inDatabase(inject("templateUrl"), "postgres");

/** Stands before PostgreSQL; `swallow` lets the connections of now live and passes nothing on, as a firewall that forgot them. */
async function aFirewall() {
  let connections = 0;
  let forgetting: (() => void)[] = [];
  const { host, port } = new pg.Client({ connectionString: url });
  const server = createServer((client) => {
    connections += 1;
    const behind = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    client.pipe(behind).pipe(client);
    forgetting.push(() => {
      client.unpipe().resume();
      behind.unpipe().resume();
    });
    client.on("error", () => undefined).on("close", () => behind.destroy());
    behind.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const through = new URL(url);
  ["host", "port"].forEach((name) => through.searchParams.delete(name));
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: through.href,
    connections: () => connections,
    swallow() {
      forgetting.forEach((forget) => forget());
      forgetting = [];
    },
  };
}

test("a LISTEN connection that was dropped without a word is replaced, and hears again (N-05)", async () => {
  const firewall = await aFirewall();
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const heard: string[] = [];
  const listener = createListenNotify({ url: firewall.url, pool, log: testLog, checkMs: 300 });
  const other = createListenNotify({ url, pool, log: testLog });
  onTestFinished(async () => {
    await listener.close();
    await pool.end();
  });
  listener.onBroadcast((text) => heard.push(text));
  await listener.ready();
  await expect.poll(() => listener.isHeard()).toBe(true);
  await other.broadcast("before");
  await expect.poll(() => heard).toEqual(["before"]);

  firewall.swallow();
  await other.broadcast("lost");
  await expect.poll(firewall.connections, { interval: 20 }).toBeGreaterThan(1);
  await expect.poll(() => listener.isHeard()).toBe(true);
  await other.broadcast("after");
  await expect.poll(() => heard).toEqual(["before", "after"]);
});
