import { WaSim } from "@prosa/wa-sim";
import { afterEach, expect, test, vi } from "vitest";
import { OWNER, aConnectedLine, anUnlinkedLine } from "#server/testing/sim-line.ts";

import type { SimLine } from "#server/testing/sim-line.ts";
import { libraryVersion } from "../library.ts";

let made: SimLine;

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await made.end();
});

test("a new line shows a QR, and is connected once it is scanned (W-05, W-06)", async () => {
  made = await anUnlinkedLine();
  const { qr } = await made.host.waitForState("qrcode");
  await made.phone.scan(qr);

  expect(await made.host.waitForState("CONNECTED")).toEqual({
    status: "CONNECTED",
    number: OWNER,
    lid: made.phone.lid,
  });
  expect(made.host.states.map(({ status }) => status)).toEqual(["OPENING", "qrcode", "OPENING", "CONNECTED"]);
  expect(made.sim.unknownStanzas).toEqual([]);
});

test("each QR replaces the one before; after the last the line stops with notScanned (W-05)", async () => {
  made = await anUnlinkedLine({ timing: { socket: { qrTimeout: 60 } } });
  const { reason } = await made.host.waitForState("DISCONNECTED");

  expect(reason).toBe("notScanned");
  const codes = made.host.states.flatMap((state) => (state.status === "qrcode" ? [state.qr] : []));
  expect(new Set(codes).size).toBe(6);
});

test("a line can be linked by a code typed on the phone (W-03)", async () => {
  made = await anUnlinkedLine({ settings: { pairingNumber: OWNER } });
  const { pairingCode, expiresAt } = await made.host.waitForState("PAIRING");
  expect(pairingCode).toMatch(/^[0-9A-Z]{8}$/);
  expect(expiresAt.getTime()).toBeGreaterThan(made.host.clock.now().getTime());

  await made.phone.enterPairingCode(pairingCode);
  await made.host.waitForState("CONNECTED");
});

test("a pairing code that WhatsApp refuses is not shown for longer: the line ends with the reason (W-03)", async () => {
  const sim = await WaSim.start();
  sim.faults.pairingCodeError = 429;
  made = await anUnlinkedLine({ sim, settings: { pairingNumber: OWNER } });
  expect(await made.host.waitForState("DISCONNECTED")).toEqual({
    status: "DISCONNECTED",
    reason: "codeRefused",
    detail: "429 rate-overlimit",
  });
  expect(made.host.durable.creds).toBeNull();
});

test("a connected line that is logged out is unlinked on the phone, and leaves no note that it was not (W-04)", async () => {
  made = await aConnectedLine();
  await made.line.logout();
  expect([made.phone.devices(), made.host.durable.creds]).toEqual([[], null]);
  expect(made.host.notes.filter((note) => note.startsWith("notUnlinked"))).toEqual([]);
});

test("a line that is logged out while it reconnects is unlinked on the phone (W-04)", async () => {
  made = await aConnectedLine({ timing: { backOffFactor: 60 } });
  made.sim.refuseConnections = true;
  made.phone.kick("drop");
  await made.host.waitForState("OPENING");
  made.sim.refuseConnections = false;
  await made.line.logout();
  expect([made.phone.devices(), made.host.durable.creds]).toEqual([[], null]);
  expect(made.host.notes.filter((note) => note.startsWith("notUnlinked"))).toEqual([]);
});

test("a line that cannot log in to be unlinked says so in its log (W-04)", async () => {
  made = await aConnectedLine({ timing: { backOffFactor: 60 } });
  made.sim.refuseConnections = true;
  made.phone.kick("drop");
  await made.host.waitForState("OPENING");
  await made.line.logout();
  expect(made.phone.devices()).toHaveLength(1);
  expect([made.host.notes.at(-1), made.host.durable.creds]).toEqual(["notUnlinked: ", null]);
});

test("a pairing that was never finished is thrown away, and the line shows a QR again (W-05)", async () => {
  made = await anUnlinkedLine({ settings: { pairingNumber: OWNER } });
  await made.host.waitForState("PAIRING");
  await made.host.waitUntil(() => made.host.durable.creds?.includes(OWNER));

  const { host } = made.crash();
  const { pairingCode } = await host.waitForState("PAIRING");
  await made.phone.enterPairingCode(pairingCode);
  await host.waitForState("CONNECTED");
});

for (const how of ["drop", "closeFrame", "streamEnd", "restart", { failure: 503 }, { streamError: 503 }] as const) {
  test(`a line that ends with ${JSON.stringify(how)} reconnects by itself (W-05)`, async () => {
    made = await aConnectedLine();
    const before = made.sim.stats.logins;
    const seen = made.host.states.length;
    made.phone.kick(how);

    await made.host.waitUntil(() => made.host.states.length > seen);
    await made.host.waitForState("CONNECTED");
    expect(made.sim.stats.logins).toBe(before + 1);
    expect(made.host.states.slice(seen).map(({ status }) => status)).toEqual(["OPENING", "CONNECTED"]);
  });
}

test("a server that falls silent is noticed by the keep-alive (W-05)", async () => {
  made = await aConnectedLine({ timing: { socket: { keepAliveIntervalMs: 300 } } });
  made.phone.kick("silence");
  await made.host.waitUntil(() => made.host.states.filter(({ status }) => status === "CONNECTED").length === 2, 12_000);
  expect(made.host.notes).toContain("closed: 408 Connection was lost");
});

test("a lasting disconnect is shown as TIMEOUT, until the network is back (W-05)", async () => {
  made = await aConnectedLine({ timing: { timeoutShownAfterMs: 150 } });
  made.sim.refuseConnections = true;
  made.phone.kick("drop");
  expect(await made.host.waitForState("TIMEOUT")).toMatchObject({ reason: "network" });

  made.sim.refuseConnections = false;
  await made.host.waitForState("CONNECTED");
});

test("replaced by another client, the line stops and does not reconnect (W-05)", async () => {
  made = await aConnectedLine();
  made.phone.kick("replaced");
  expect(await made.host.waitForState("DISCONNECTED")).toMatchObject({ reason: "replaced" });
  expect(made.host.durable.creds).not.toBeNull();
});

test("logged out on the phone: credentials are deleted, the next start shows a QR (W-05)", async () => {
  made = await aConnectedLine();
  made.phone.kick("loggedOut");
  expect(await made.host.waitForState("DISCONNECTED")).toMatchObject({ reason: "loggedOut" });
  expect(made.host.durable.creds).toBeNull();
  expect(made.host.durable.keys.size).toBe(0);

  const { host } = made.crash();
  await host.waitForState("qrcode");
});

test("a login that WhatsApp refuses with 403 means banned: the line stops (W-05)", async () => {
  made = await aConnectedLine();
  made.phone.kick({ failure: 403 });
  expect(await made.host.waitForState("DISCONNECTED")).toMatchObject({ reason: "banned" });
});

test("a refused client version is followed by the next one of the settings (W-05)", async () => {
  made = await aConnectedLine({
    settings: {
      versions: [
        [2, 3000, 3],
        [2, 3000, 2],
      ],
    },
  });
  made.phone.kick({ failure: 405 });
  await made.host.waitUntil(() => made.host.states.filter(({ status }) => status === "CONNECTED").length === 2);

  made.phone.kick({ failure: 405 });
  expect(await made.host.waitForState("DISCONNECTED")).toMatchObject({ reason: "versionRefused" });
});

test("a version that was refused for one line is not tried by others that reconnect (W-05)", async () => {
  made = await aConnectedLine();
  const { sim, host, phone } = made;
  const second = made.openAnother(sim.phone("5511990000002", { name: "Filial" }));
  const { qr } = await second.host.waitForState("qrcode");
  await second.phone.scan(qr);
  await second.host.waitForState("CONNECTED");

  sim.faults.refusedVersions = [libraryVersion];
  phone.kick("drop");
  expect(await host.waitForState("DISCONNECTED")).toMatchObject({ reason: "versionRefused" });
  second.phone.kick("drop");
  expect(await second.host.waitForState("DISCONNECTED")).toMatchObject({ reason: "versionRefused", isHearsay: true });
  expect(sim.stats.refusedLogins).toBe(1);
  expect(second.host.durable.creds).not.toBeNull();
});

test("a refusal of a minute ago does not stop a line that is disconnected now (W-05)", async () => {
  made = await aConnectedLine();
  const { sim, host, phone } = made;
  const second = made.openAnother(sim.phone("5511990000002", { name: "Filial" }));
  const { qr } = await second.host.waitForState("qrcode");
  await second.phone.scan(qr);
  await second.host.waitForState("CONNECTED");

  sim.faults.refusedVersions = [libraryVersion];
  phone.kick("drop");
  expect(await host.waitForState("DISCONNECTED")).not.toHaveProperty("isHearsay");
  sim.faults.clear();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
  second.phone.kick("drop");
  await second.host.waitForState("OPENING");
  await second.host.waitUntil(() => ["CONNECTED", "DISCONNECTED"].includes(second.host.states.at(-1)?.status ?? ""));
  expect(second.host.states.at(-1)?.status).toBe("CONNECTED");
});

test("a line reports that it was logged out even where its credentials cannot be deleted (W-05)", async () => {
  made = await aConnectedLine();
  made.host.forget = () => Promise.reject(new Error("away"));
  made.phone.unlink();
  expect(await made.host.waitForState("DISCONNECTED")).toMatchObject({ reason: "loggedOut" });
});

test("a failed request for a pairing code is repeated, and its reason is logged (W-03)", async () => {
  vi.spyOn(globalThis.crypto.subtle, "deriveBits").mockRejectedValueOnce(new Error("no key"));
  made = await anUnlinkedLine({ settings: { pairingNumber: OWNER } });
  const { pairingCode } = await made.host.waitForState("PAIRING");
  expect(made.host.notes).toContain("closed: 428 No pairing code: no key");
  await made.phone.enterPairingCode(pairingCode);
  await made.host.waitForState("CONNECTED");
});

test("a session that WhatsApp calls broken three times in a row stops, and keeps its keys (W-05)", async () => {
  made = await aConnectedLine();
  made.phone.loginFailure = 500;
  made.phone.kick({ streamError: 500 });
  expect(await made.host.waitForState("DISCONNECTED")).toMatchObject({ reason: "badSession" });
  expect(made.host.durable.keys.size).toBeGreaterThan(0);
});

test("one broken session after two drops does not stop the line: only those in a row count (W-05)", async () => {
  made = await aConnectedLine();
  const { phone, sim, host } = made;
  const before = sim.stats.logins;
  for (const code of [503, 503, 500] as const) {
    phone.kick({ failure: code });
    await host.waitUntil(() => host.states.at(-1)?.status !== "CONNECTED");
    await host.waitUntil(() => ["CONNECTED", "DISCONNECTED"].includes(host.states.at(-1)?.status ?? ""));
  }
  expect(host.states.at(-1)?.status).toBe("CONNECTED");
  expect(sim.stats.logins).toBe(before + 3);
});

test("a restarted process reconnects without a QR (W-05)", async () => {
  made = await aConnectedLine();
  await made.line.stop();
  const { host } = made.crash();
  await host.waitForState("CONNECTED");
  expect(host.states.map(({ status }) => status)).toEqual(["OPENING", "CONNECTED"]);
});

test("logging out unlinks the device on the phone", async () => {
  made = await aConnectedLine();
  expect(made.phone.devices()).toHaveLength(1);
  await made.line.logout();
  expect(made.phone.devices()).toHaveLength(0);
  expect(made.host.durable.creds).toBeNull();
});
