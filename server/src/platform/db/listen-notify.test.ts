import pg from "pg";
import { expect, inject, onTestFinished, test } from "vitest";
import { testLog } from "#server/testing/database.ts";
import { aFirewall } from "#server/testing/firewall.ts";
import { inDatabase } from "#server/testing/server.ts";
import { createListenNotify } from "./listen-notify.ts";

const url = inDatabase(inject("templateUrl"), "postgres");

test("a LISTEN connection that was dropped without a word is replaced, and hears again (N-05)", async () => {
  const firewall = await aFirewall(url);
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
  // On a busy machine an echo is late and the connection is replaced once more: what is told meanwhile may be lost.
  const tell = async () => {
    await other.broadcast("after");
    return heard.includes("after");
  };
  await expect.poll(tell, { interval: 200 }).toBe(true);
  expect(heard).not.toContain("lost");
});
