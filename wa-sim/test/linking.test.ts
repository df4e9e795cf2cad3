import { proto } from "baileys";
import { expect, test } from "vitest";
import { makeServerKeys, verifySignature } from "../src/protocol/certificates.ts";
import { aClient, aDesk, aServer, LINE } from "./desk.ts";

test("a line shows a QR, is scanned, restarts with 515 and opens", async () => {
  const { sim, phone, line } = await aDesk();
  expect(line.disconnects.map(({ code }) => code)).toEqual([515]);
  expect(line.credentials.me?.id).toBe(`${LINE}:1@s.whatsapp.net`);
  expect(line.credentials.me?.lid).toBe(`${phone.lid}:1@lid`);
  expect(line.credentials.me?.name).toBe("Loja Aurora");
  expect(phone.devices()).toMatchObject([{ device: 1, state: "connected" }]);
  expect(sim.unknownStanzas).toEqual([]);
});

test("six different QR codes, then 408", async () => {
  const sim = await aServer();
  const line = aClient(sim, { qrTimeout: 15 });
  line.reconnects = false;
  const end = await line.waitForDisconnect();
  expect(new Set(line.qrs).size).toBe(6);
  expect(end).toEqual({ code: 408, message: "QR refs attempts ended" });
});

test("a code that is no QR, or is not waiting, is not linked", async () => {
  const sim = await aServer();
  const phone = sim.phone(LINE);
  await expect(phone.scan("https://example.com")).rejects.toThrow("no WhatsApp QR code");
  const line = aClient(sim);
  const qr = await line.qr();
  await expect(phone.scan(qr.replace(/#[^,]+/, "#2@old"))).rejects.toThrow("not waiting");
  await phone.scan(qr);
  await expect(phone.scan(qr)).rejects.toThrow("not waiting");
});

test("a line is linked by typing its pairing code", async () => {
  const sim = await aServer();
  const phone = sim.phone(LINE, { name: "Loja" });
  const line = aClient(sim);
  await line.qr();
  const code = await line.socket.requestPairingCode(LINE);
  await phone.enterPairingCode(code);
  await line.waitUntilOpen();
  expect(line.credentials.registered).toBe(true);
  expect(phone.devices()).toHaveLength(1);
});

test("a wrong pairing code is refused", async () => {
  const sim = await aServer();
  const phone = sim.phone(LINE);
  const line = aClient(sim);
  await line.qr();
  await line.socket.requestPairingCode(LINE, "ABCDEFGH");
  await expect(phone.enterPairingCode("HGFEDCBA")).rejects.toThrow("wrong pairing code");
});

test("a client whose key is not the linked device's is turned away with 401", async () => {
  const { phone, line } = await aDesk();
  line.reconnects = false;
  phone.unlink();
  expect((await line.waitForDisconnect(2)).code).toBe(401);
  line.connect();
  expect((await line.waitForDisconnect(3)).code).toBe(401);
});

test("the server's certificates are really signed, root to leaf", async () => {
  const { root, staticKey, chain } = await makeServerKeys();
  const { intermediate, leaf } = proto.CertChain.decode(chain);
  const details = proto.CertChain.NoiseCertificate.Details.decode(intermediate?.details ?? new Uint8Array());
  const leafDetails = proto.CertChain.NoiseCertificate.Details.decode(leaf?.details ?? new Uint8Array());
  const holds = (key: Uint8Array, signed: proto.CertChain.INoiseCertificate | null | undefined): boolean =>
    verifySignature(key, signed?.details ?? new Uint8Array(), signed?.signature ?? new Uint8Array());
  expect(holds(root.public, intermediate)).toBe(true);
  expect(holds(details.key ?? new Uint8Array(), leaf)).toBe(true);
  expect(holds(root.public, leaf)).toBe(false);
  expect(Buffer.from(leafDetails.key ?? [])).toEqual(Buffer.from(staticKey.public));
});

test("with all its keys asked for, a new device uploads 812 of them", async () => {
  const { sim, phone } = await aDesk({ uploadAllPreKeys: true });
  expect(phone.companions()[0]?.preKeys.size).toBe(812 - 1); // one went into the history's session
  expect(sim.unknownStanzas).toEqual([]);
});

test("strangers use up the one-time keys, and the device uploads more", async () => {
  const { sim, phone, line } = await aDesk();
  for (let index = 0; index < 12; index++) {
    await sim.person(`5511900000${String(100 + index)}`).sends(LINE, `oi ${index}`);
    await line.receivesText(`oi ${index}`);
  }
  await sim.settled(LINE);
  expect(phone.companions()[0]?.preKeys.size).toBeGreaterThan(0);
});
