import { randomBytes } from "node:crypto";
import { proto } from "baileys";
import type { Companion, KeyBundle, LineAccount, Network } from "../network/index.ts";
import { node, readBigEndian, SERVER } from "../protocol/index.ts";
import type { Connection } from "../protocol/index.ts";

// Refs for QR codes: one each; after the last one Baileys closes with 408.
const QR_CODES = 6;

/** A new device that waits for pairing. */
export interface Registration {
  connection: Connection;
  refs: string[];
  registrationId: number;
  identity: Buffer;
  signedPreKey: KeyBundle["signedPreKey"];
  platform: string;
  /** Set while it shows a pairing code. */
  code?: CodePairing;
}

interface CodePairing {
  number: string;
  ref: Buffer;
  wrappedEphemeral: Buffer;
  /** A typed code that is being verified: the phone's ephemeral key, and the promise to settle. */
  attempt?: { ephemeral: { private: Uint8Array }; companionEphemeral: Buffer; phone: LineAccount; settle: Settle };
}

interface Settle {
  resolve(companion: Companion): void;
  reject(error: Error): void;
}

const waiting = new WeakMap<Network, Map<Connection, Registration>>();

export function registrations(network: Network): Map<Connection, Registration> {
  const existing = waiting.get(network) ?? new Map<Connection, Registration>();
  waiting.set(network, existing);
  return existing;
}

/** Registers a client without credentials and sends it the refs for its QR codes. */
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
  connection.query(iq).catch(() => undefined); // the result is empty
}

export function dropRegistration(network: Network, connection: Connection): void {
  const registration = registrations(network).get(connection);
  registration?.code?.attempt?.settle.reject(new Error("the companion closed the connection"));
  registrations(network).delete(connection);
}
