import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { Curve, derivePairingCodeKey } from "baileys";
import type { Companion, LineAccount, Network } from "../network/index.ts";
import { attr, bytesOf, node, open, parseJid, SERVER } from "../protocol/index.ts";
import type { Connection, Node } from "../protocol/index.ts";
import { linkCompanion } from "./link-companion.ts";
import { registrations } from "./registrations.ts";
import type { Registration } from "./registrations.ts";

// The companion shows its code shortly before its IQ reaches the server.
const CODE_ARRIVES_WITHIN_MS = 2000;

const offers = new EventEmitter<{ offer: [] }>().setMaxListeners(0);

/** A device shows a pairing code for a number and waits until it is typed on that phone. */
export function offerPairingCode(network: Network, connection: Connection, iq: Node, request: Node): void {
  const registration = registrations(network).get(connection);
  if (!registration) {
    connection.sendError(iq, 400, "not registering");
    return;
  }
  if (network.faults.pairingCodeError !== undefined) {
    connection.sendError(iq, network.faults.pairingCodeError, "rate-overlimit");
    return;
  }
  const ref = randomBytes(12);
  registration.code = {
    number: parseJid(attr(request, "jid")).user,
    ref,
    wrappedEphemeral: bytesOf(request, "link_code_pairing_wrapped_companion_ephemeral_pub"),
  };
  connection.sendResult(iq, [
    node("link_code_companion_reg", { stage: "companion_hello" }, [node("link_code_pairing_ref", {}, ref)]),
  ]);
  offers.emit("offer");
}

/** The owner types the code on the phone. A wrong code is detected when the companion's answer cannot be decrypted. */
export async function linkByCode(network: Network, phone: LineAccount, typed: string): Promise<Companion> {
  const code = typed.replaceAll("-", "").toUpperCase();
  const registration = await findRegistrationWithCode(network, phone);
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

async function findRegistrationWithCode(network: Network, phone: LineAccount): Promise<Registration | undefined> {
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

/** The companion answers the typed code with its identity, encrypted under the shared key. */
export function finishPairingCode(network: Network, connection: Connection, iq: Node, request: Node): void {
  const registration = registrations(network).get(connection);
  const attempt = registration?.code?.attempt;
  if (!registration || !attempt) {
    connection.sendError(iq, 400, "no pairing code was typed");
    return;
  }
  connection.sendResult(iq);
  const { phone, ephemeral, companionEphemeral, settle } = attempt;
  let secret: Buffer;
  try {
    secret = decryptAdvSecret(request, phone, ephemeral.private, companionEphemeral);
  } catch {
    settle.reject(new Error("wrong pairing code"));
    return;
  }
  linkCompanion(network, phone, registration, secret).then(
    (companion) => {
      settle.resolve(companion);
    },
    (error: unknown) => {
      settle.reject(error instanceof Error ? error : new Error(String(error)));
    },
  );
}

/** Decrypts the companion's key bundle and derives the ADV secret. Throws if the code was wrong. */
function decryptAdvSecret(
  request: Node,
  phone: LineAccount,
  ephemeral: Uint8Array,
  companionEphemeral: Buffer,
): Buffer {
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
