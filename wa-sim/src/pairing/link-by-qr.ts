import type { Companion, LineAccount, Network } from "../network/index.ts";
import { linkCompanion } from "./link-companion.ts";
import { registrations } from "./registrations.ts";

/** Scans a QR code: finds the registration that shows it and links its device. Throws for an unknown or used code. */
export async function linkByQr(network: Network, phone: LineAccount, qr: string): Promise<Companion> {
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
  return linkCompanion(network, phone, registration, Buffer.from(secret, "base64"));
}
