import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { Curve, derivePairingCodeKey, proto } from "baileys";
import { verifySignature } from "./certificates.ts";
import { Companion } from "./companion.ts";
import type { Connection } from "./connection.ts";
import type { Network } from "./network.ts";
import { open } from "./noise.ts";
import type { Phone } from "./phone.ts";
import type { KeyBundle } from "./signal-identity.ts";
import { attr, bytesOf, child, lidJid, node, parseJid, pnJid, readBigEndian, SERVER } from "./wire.ts";
import type { Node } from "./wire.ts";

// Each QR code is made of one of these; when they are used up, Baileys closes with 408.
const QR_CODES = 6;
const ACCOUNT_SIGNATURE = Buffer.from([6, 0]);
const DEVICE_SIGNATURE = Buffer.from([6, 1]);

/** A new device that waits to be linked. */
export interface Registration {
  connection: Connection;
  refs: string[];
  registrationId: number;
  identity: Buffer;
  signedPreKey: KeyBundle["signedPreKey"];
  platform: string;
  /** Set while it waits for a pairing code to be typed. */
  code?: CodePairing;
}

interface CodePairing {
  number: string;
  ref: Buffer;
  wrappedEphemeral: Buffer;
  /** The typed code is being checked: the phone's ephemeral key and who waits for the outcome. */
  attempt?: { ephemeral: { private: Uint8Array }; companionEphemeral: Buffer; phone: Phone; settle: Settle };
}

interface Settle {
  resolve(companion: Companion): void;
  reject(error: Error): void;
}

// The companion shows its code a moment before the server has heard of it.
const CODE_ARRIVES_WITHIN_MS = 2000;

const waiting = new WeakMap<Network, Map<Connection, Registration>>();
const offers = new EventEmitter<{ offer: [] }>().setMaxListeners(0);

function registrations(network: Network): Map<Connection, Registration> {
  const existing = waiting.get(network) ?? new Map<Connection, Registration>();
  waiting.set(network, existing);
  return existing;
}

/** A client without an account: give it what its QR codes are made of. */
export function register(network: Network, connection: Connection, hello: proto.ClientPayload): void {
  const data = hello.devicePairingData;
  if (!data?.eRegid || !data.eIdent || !data.eSkeyId || !data.eSkeyVal || !data.eSkeySig) {
    connection.closeWith(node("failure", { reason: 400 }));
    return;
  }
  const props = data.deviceProps ? proto.DeviceProps.decode(data.deviceProps) : undefined;
  const registration: Registration = {
    connection,
    refs: Array.from({ length: QR_CODES }, () => `2@${randomBytes(40).toString("base64url")}`),
    registrationId: readBigEndian(data.eRegid),
    identity: Buffer.from(data.eIdent),
    signedPreKey: { id: readBigEndian(data.eSkeyId), public: data.eSkeyVal, signature: data.eSkeySig },
    platform: props?.os ?? "",
  };
  registrations(network).set(connection, registration);
  const refs = registration.refs.map((ref) => node("ref", {}, Buffer.from(ref)));
  const iq = node("iq", { from: SERVER, type: "set", xmlns: "md" }, [node("pair-device", {}, refs)]);
  connection.ask(iq).catch(() => undefined); // its only answer is "received"
}

export function forgetRegistration(network: Network, connection: Connection): void {
  const registration = registrations(network).get(connection);
  registration?.code?.attempt?.settle.reject(new Error("the companion closed the connection"));
  registrations(network).delete(connection);
}

/** The phone's camera: reads the four fields of the code, finds who shows it, and links it. */
export async function linkByQr(network: Network, phone: Phone, qr: string): Promise<Companion> {
  const [ref, noiseKey, identity, secret] = qr.slice(qr.indexOf("#") + 1).split(",");
  if (!ref || !noiseKey || !identity || !secret) {
    throw new Error("this is no WhatsApp QR code");
  }
  const registration = [...registrations(network).values()].find(({ refs }) => refs.includes(ref));
  if (!registration?.connection.isOpen) {
    throw new Error("this QR code is not waiting to be scanned: it is too old or was used");
  }
  if (noiseKey !== registration.connection.clientKey.toString("base64")) {
    throw new Error("the QR code does not belong to the connection that shows it");
  }
  if (identity !== registration.identity.toString("base64")) {
    throw new Error("the QR code shows another identity than the connection");
  }
  return link(network, phone, registration, Buffer.from(secret, "base64"));
}

/** Says who owns the device, signed by the phone, waits for the device's own signature, and asks it to start again. */
async function link(
  network: Network,
  phone: Phone,
  registration: Registration,
  advSecret: Uint8Array,
): Promise<Companion> {
  const { connection } = registration;
  registrations(network).delete(connection);
  const device = phone.takeDeviceNumber();
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
  const answer = await connection.ask(node("iq", attrs, [success]));
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

/** The companion shows a pairing code for a number and waits for somebody to type it there. */
export function offerCode(network: Network, connection: Connection, iq: Node, request: Node): void {
  const registration = registrations(network).get(connection);
  if (!registration) {
    connection.refuse(iq, 400, "not registering");
    return;
  }
  const ref = randomBytes(12);
  registration.code = {
    number: parseJid(attr(request, "jid")).user,
    ref,
    wrappedEphemeral: bytesOf(request, "link_code_pairing_wrapped_companion_ephemeral_pub"),
  };
  connection.answer(iq, [
    node("link_code_companion_reg", { stage: "companion_hello" }, [node("link_code_pairing_ref", {}, ref)]),
  ]);
  offers.emit("offer");
}

/** The owner types the code on the phone. A wrong code shows when the companion answers: nothing of it can be opened. */
export async function linkByCode(network: Network, phone: Phone, typed: string): Promise<Companion> {
  const code = typed.replaceAll("-", "").toUpperCase();
  const registration = await whoShowsCodeFor(network, phone);
  const pairing = registration?.code;
  if (!pairing) {
    throw new Error(`no companion shows a pairing code for ${phone.number}`);
  }
  const wrapped = pairing.wrappedEphemeral;
  const key = await derivePairingCodeKey(code, wrapped.subarray(0, 32));
  const companionEphemeral = createDecipheriv("aes-256-ctr", key, wrapped.subarray(32, 48)).update(
    wrapped.subarray(48),
  );

  const ephemeral = Curve.generateKeyPair();
  const salt = randomBytes(32);
  const iv = randomBytes(16);
  const sealed = createCipheriv("aes-256-ctr", await derivePairingCodeKey(code, salt), iv).update(ephemeral.public);
  const request = node("link_code_companion_reg", { stage: "primary_hello" }, [
    node("link_code_pairing_wrapped_primary_ephemeral_pub", {}, Buffer.concat([salt, iv, sealed])),
    node("primary_identity_pub", {}, phone.identity.identityKey.public),
    node("link_code_pairing_ref", {}, pairing.ref),
  ]);
  const attrs = { type: "link_code_companion_reg", from: SERVER, id: network.newId("N"), t: network.seconds() };
  return new Promise((resolve, reject) => {
    pairing.attempt = { ephemeral, companionEphemeral, phone, settle: { resolve, reject } };
    registration.connection.send(node("notification", attrs, [request]));
  });
}

async function whoShowsCodeFor(network: Network, phone: Phone): Promise<Registration | undefined> {
  const deadline = AbortSignal.timeout(CODE_ARRIVES_WITHIN_MS);
  for (;;) {
    const shown = [...registrations(network).values()].filter(
      ({ code }) => code && network.find(code.number) === phone,
    );
    if (shown.length > 0 || deadline.aborted) {
      return shown.at(-1);
    }
    await once(offers, "offer", { signal: deadline }).catch(() => undefined);
  }
}

/** The companion answers the typed code with its identity, sealed under the key that both sides now share. */
export function finishCode(network: Network, connection: Connection, iq: Node, request: Node): void {
  const registration = registrations(network).get(connection);
  const attempt = registration?.code?.attempt;
  if (!registration || !attempt) {
    connection.refuse(iq, 400, "no pairing code was typed");
    return;
  }
  connection.answer(iq);
  const { phone, ephemeral, companionEphemeral, settle } = attempt;
  let secret: Buffer;
  try {
    secret = openBundle(request, phone, ephemeral.private, companionEphemeral);
  } catch {
    settle.reject(new Error("wrong pairing code"));
    return;
  }
  link(network, phone, registration, secret).then(
    (companion) => {
      settle.resolve(companion);
    },
    (error: unknown) => {
      settle.reject(error instanceof Error ? error : new Error(String(error)));
    },
  );
}

/** Returns the secret that signs the pairing. */
function openBundle(request: Node, phone: Phone, ephemeral: Uint8Array, companionEphemeral: Buffer): Buffer {
  const wrapped = bytesOf(request, "link_code_pairing_wrapped_key_bundle");
  const shared = Curve.sharedKey(ephemeral, companionEphemeral);
  const info = "link_code_pairing_key_bundle_encryption_key";
  const key = Buffer.from(hkdfSync("sha256", shared, wrapped.subarray(0, 32), info, 32));
  const bundle = open(key, wrapped.subarray(32, 44), Buffer.alloc(0), wrapped.subarray(44));
  const companionIdentity = bundle.subarray(0, 32);
  const random = bundle.subarray(64, 96);
  const identityShared = Curve.sharedKey(phone.identity.identityKey.private, companionIdentity);
  const input = Buffer.concat([shared, identityShared, random]);
  return Buffer.from(hkdfSync("sha256", input, Buffer.alloc(32), "adv_secret", 32));
}
