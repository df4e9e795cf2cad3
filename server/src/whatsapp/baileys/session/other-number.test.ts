import { afterEach, expect, test } from "vitest";
import { MemoryHost } from "#server/testing/memory-host.ts";
import { OWNER, anUnlinkedLine, settingsOf } from "#server/testing/sim-line.ts";
import type { SimLine } from "#server/testing/sim-line.ts";
import { createBaileysDriver } from "../driver.ts";
import type { Timing } from "../timing.ts";

const OTHER = "5511990000002";
let made: SimLine;

afterEach(async () => {
  await made.end();
});

/** A line that had OWNER's number is linked by another phone. */
async function linkedByAnother(timing: Partial<Timing> = {}): Promise<SimLine> {
  made = await anUnlinkedLine({ settings: { lastNumber: OWNER }, timing });
  const { qr } = await made.host.waitForState("qrcode");
  await made.sim.phone(OTHER, { name: "Outra loja" }).scan(qr);
  return made;
}

test("another number than before is not connected until it is accepted (W-03)", async () => {
  const { host, sim } = await linkedByAnother();
  expect(await host.waitForState("DISCONNECTED")).toMatchObject({ reason: "otherNumber", detail: OTHER });
  await sim.person("5511988880001", { name: "Ana" }).sends(OTHER, "oi");
  expect([sim.stats.logins, host.messages.length]).toEqual([0, 0]);

  const again = made.crash();
  expect(await again.host.waitForState("DISCONNECTED")).toMatchObject({ reason: "otherNumber", detail: OTHER });
  expect(sim.stats.logins).toBe(0);
});

test("a refused number is unlinked on its phone, and no event of it is stored (W-04)", async () => {
  const { host, sim, line } = await linkedByAnother();
  await host.waitForState("DISCONNECTED");
  await sim.person("5511988880001", { name: "Ana" }).sends(OTHER, "isto não é para a linha");
  await line.logout();
  expect(sim.phone(OTHER).devices()).toEqual([]);
  expect([host.durable.creds, host.messages.length]).toEqual([null, 0]);
});

test("a phone that cannot be unlinked is left with no connection of this line (W-04)", async () => {
  const timing = { ackMs: 2_000, socket: { defaultQueryTimeoutMs: 60_000 } };
  const { host, sim, line } = await linkedByAnother(timing);
  await host.waitForState("DISCONNECTED");
  sim.faults.muteIq.add("passive");
  await line.logout();
  // It came that far, and no further.
  expect(sim.stats.logins).toBeGreaterThan(0);
  await expect.poll(() => sim.phone(OTHER).devices()[0]?.state).toBe("offline");
});

test("a line that was stopped while it loaded its credentials reports nothing more", async () => {
  const { host, sim } = await linkedByAnother();
  await host.waitForState("DISCONNECTED");
  const driver = createBaileysDriver();
  for (const answer of [() => host.loadCreds(), () => Promise.reject(new Error("away"))]) {
    const asked = Promise.withResolvers<void>();
    const next = new MemoryHost(1, host.durable);
    next.loadCreds = async () => {
      await asked.promise;
      return answer();
    };
    const line = driver.open(next, { ...settingsOf(sim), lastNumber: OWNER });
    await line.stop();
    asked.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(next.states).toEqual([{ status: "OPENING" }]);
  }
});

test("the same number again is connected without a question (W-05)", async () => {
  made = await anUnlinkedLine({ settings: { lastNumber: OWNER } });
  const { qr } = await made.host.waitForState("qrcode");
  await made.phone.scan(qr);
  await made.host.waitForState("CONNECTED");
});
