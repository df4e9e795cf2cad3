import { createHmac, randomBytes } from "node:crypto";
import { Curve, proto } from "baileys";
import { Companion } from "../network/index.ts";
import type { LineAccount, Network } from "../network/index.ts";
import { bytesOf, child, lidJid, node, pnJid, readBigEndian, SERVER, verifySignature } from "../protocol/index.ts";
import type { Node } from "../protocol/index.ts";
import { registrations } from "./registrations.ts";
import type { Registration } from "./registrations.ts";

const ACCOUNT_SIGNATURE = Buffer.from([6, 0]);
const DEVICE_SIGNATURE = Buffer.from([6, 1]);

/** Links the device: sends the identity signed by the phone, verifies the device's signature, restarts it with 515. */
export async function linkCompanion(
  network: Network,
  phone: LineAccount,
  registration: Registration,
  advSecret: Uint8Array,
): Promise<Companion> {
  const { connection } = registration;
  registrations(network).delete(connection);
  const device = phone.allocateDeviceNumber();
  const { identityKey } = phone.identity;
  const details = proto.ADVDeviceIdentity.encode({
    rawId: readBigEndian(randomBytes(4)),
    timestamp: network.seconds(),
    keyIndex: device,
    accountType: 0,
    deviceType: 0,
  }).finish();
  const accountMessage = Buffer.concat([ACCOUNT_SIGNATURE, details, registration.identity]);
  const signed = proto.ADVSignedDeviceIdentity.encode({
    details,
    accountSignatureKey: identityKey.public,
    accountSignature: Curve.sign(identityKey.private, accountMessage),
  }).finish();
  const hmac = createHmac("sha256", advSecret).update(signed).digest();
  const success = node("pair-success", {}, [
    node("device-identity", {}, proto.ADVSignedDeviceIdentityHMAC.encode({ details: signed, hmac }).finish()),
    node("device", { jid: pnJid(phone.number, device), lid: lidJid(phone.lid, device) }),
    node("platform", { name: "android" }),
    node("biz", { name: phone.name }),
  ]);
  const attrs = { from: SERVER, type: "set", xmlns: "md", t: network.seconds() };
  const answer = await connection.query(node("iq", attrs, [success]));
  checkDeviceSignature(answer, registration.identity, identityKey.public);

  const companion = new Companion(network, phone, {
    phone: phone.number,
    device,
    noiseKey: connection.clientKey,
    identity: registration.identity,
    registrationId: registration.registrationId,
    signedPreKey: registration.signedPreKey,
    platform: registration.platform,
    linkedAt: network.clock(),
    hasLoggedIn: false,
  });
  phone.link(companion);
  companion.save();
  network.stats.pairings++;
  connection.closeWith(node("stream:error", { code: 515 }));
  return companion;
}

function checkDeviceSignature(answer: Node, identity: Buffer, accountKey: Uint8Array): void {
  const encoded = bytesOf(child(answer, "pair-device-sign"), "device-identity");
  const { details, deviceSignature } = proto.ADVSignedDeviceIdentity.decode(encoded);
  if (!details || !deviceSignature) {
    throw new Error("the companion did not sign");
  }
  const message = Buffer.concat([DEVICE_SIGNATURE, details, identity, accountKey]);
  if (!verifySignature(identity, message, deviceSignature)) {
    throw new Error("the companion's signature is wrong");
  }
}
