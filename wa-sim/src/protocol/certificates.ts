import { createPublicKey, verify } from "node:crypto";
import { Curve, proto } from "baileys";
import type { KeyPair } from "baileys";
import { generate } from "selfsigned";

const FIELD_PRIME = 2n ** 255n - 19n;
const ED25519_DER_PREFIX = Buffer.from("302a300506032b6570032100", "hex");
const TEN_YEARS_MS = 10 * 365 * 24 * 60 * 60 * 1000;

/** The server's keys. They are stored in the state file, so clients keep trusting it after a restart. */
export interface ServerKeys {
  root: KeyPair;
  staticKey: KeyPair;
  /** Encoded CertChain that ties the static key to the root. */
  chain: Uint8Array;
  tls: { cert: string; key: string };
}

export async function makeServerKeys(): Promise<ServerKeys> {
  const root = Curve.generateKeyPair();
  const staticKey = Curve.generateKeyPair();
  return { root, staticKey, chain: makeChain(root, staticKey), tls: await makeTlsCertificate() };
}

/** Root signs the intermediate, the intermediate signs the static key. The intermediate's issuer serial must be an explicit 0. */
function makeChain(root: KeyPair, staticKey: KeyPair): Uint8Array {
  const intermediate = Curve.generateKeyPair();
  const now = Math.floor(Date.now() / 1000);
  const validity = { notBefore: now - 3600, notAfter: now + 10 * 365 * 86_400 };
  const details = (serial: number, issuerSerial: number, key: Uint8Array): Uint8Array =>
    proto.CertChain.NoiseCertificate.Details.encode({ serial, issuerSerial, key, ...validity }).finish();
  const signed = (issuer: KeyPair, bytes: Uint8Array): proto.CertChain.INoiseCertificate => ({
    details: bytes,
    signature: Curve.sign(issuer.private, bytes),
  });
  return proto.CertChain.encode({
    intermediate: signed(root, details(1, 0, intermediate.public)),
    leaf: signed(intermediate, details(2, 1, staticKey.public)),
  }).finish();
}

/** A self-signed CA certificate for localhost. */
async function makeTlsCertificate(): Promise<{ cert: string; key: string }> {
  const made = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    algorithm: "sha256",
    notAfterDate: new Date(Date.now() + TEN_YEARS_MS),
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", digitalSignature: true, keyCertSign: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "localhost" },
          { type: 7, ip: "127.0.0.1" },
        ],
      },
    ],
  });
  return { cert: made.cert, key: made.private };
}

/**
 * Verifies an XEdDSA signature. `Curve.verify` of Baileys rc14 never returns false, so pairing would accept any signature.
 * The Montgomery key u maps to the Edwards key y = (u - 1) / (u + 1); its sign travels in the signature's last bit.
 */
export function verifySignature(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== 64 || publicKey.length !== 32) {
    return false;
  }
  const u = littleEndianToInt(publicKey) & (2n ** 255n - 1n);
  const y = (mod(u - 1n) * inverse(mod(u + 1n))) % FIELD_PRIME;
  const edwards = Buffer.from(y.toString(16).padStart(64, "0"), "hex").reverse();
  const plainSignature = Buffer.from(signature);
  edwards[31] = edwards.readUInt8(31) | (plainSignature.readUInt8(63) & 0x80);
  plainSignature[63] = plainSignature.readUInt8(63) & 0x7f;
  const key = createPublicKey({ key: Buffer.concat([ED25519_DER_PREFIX, edwards]), format: "der", type: "spki" });
  return verify(null, message, key, plainSignature);
}

const littleEndianToInt = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);

const mod = (value: bigint): bigint => ((value % FIELD_PRIME) + FIELD_PRIME) % FIELD_PRIME;

/** Fermat: value^(p-2). */
function inverse(value: bigint): bigint {
  let result = 1n;
  let base = value;
  for (let exponent = FIELD_PRIME - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) {
      result = (result * base) % FIELD_PRIME;
    }
    base = (base * base) % FIELD_PRIME;
  }
  return result;
}
