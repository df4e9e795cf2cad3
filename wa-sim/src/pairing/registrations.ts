import { randomBytes } from "node:crypto";
import { proto } from "baileys";
import type { Companion, KeyBundle, LineAccount, Network } from "../network/index.ts";
import { node, readBigEndian, SERVER } from "../protocol/index.ts";
import type { Connection } from "../protocol/index.ts";

// Each QR code is made of one of these; when they are used up, Baileys closes with 408.
const QR_CODES = 6;

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
  connection.query(iq).catch(() => undefined); // its only answer is "received"
}

export function dropRegistration(network: Network, connection: Connection): void {
  const registration = registrations(network).get(connection);
  registration?.code?.attempt?.settle.reject(new Error("the companion closed the connection"));
  registrations(network).delete(connection);
}
