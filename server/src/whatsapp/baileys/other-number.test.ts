import { afterEach, expect, test } from "vitest";
import { OWNER, anUnlinkedLine } from "#server/testing/sim-line.ts";
import type { SimLine } from "#server/testing/sim-line.ts";

const OTHER = "5511990000002";
let made: SimLine;

afterEach(async () => {
  await made.end();
});

/** A line that had OWNER's number is linked by another phone. */
async function linkedByAnother(): Promise<SimLine> {
  made = await anUnlinkedLine({ settings: { lastNumber: OWNER } });
  const { qr } = await made.host.untilState("qrcode");
  await made.sim.phone(OTHER, { name: "Outra loja" }).scan(qr);
  return made;
}

test("another number than before is not connected before somebody says so (W-03)", async () => {
  const { host, sim } = await linkedByAnother();
  expect(await host.untilState("DISCONNECTED")).toMatchObject({ reason: "otherNumber", detail: OTHER });
  await sim.person("5511988880001", { name: "Ana" }).says(OTHER, "oi");
  expect([sim.stats.logins, host.messages.length]).toEqual([0, 0]);

  const again = made.crash();
  expect(await again.host.untilState("DISCONNECTED")).toMatchObject({ reason: "otherNumber", detail: OTHER });
  expect(sim.stats.logins).toBe(0);
});

test("a number that is not wanted is unlinked on its phone, and nothing of it is taken in (W-04)", async () => {
  const { host, sim, line } = await linkedByAnother();
  await host.untilState("DISCONNECTED");
  await sim.person("5511988880001", { name: "Ana" }).says(OTHER, "isto não é para a linha");
  await line.logout();
  expect(sim.phone(OTHER).devices()).toEqual([]);
  expect([host.kept.creds, host.messages.length]).toEqual([null, 0]);
});

test("the same number again is connected without a question (W-05)", async () => {
  made = await anUnlinkedLine({ settings: { lastNumber: OWNER } });
  const { qr } = await made.host.untilState("qrcode");
  await made.phone.scan(qr);
  await made.host.untilState("CONNECTED");
});
