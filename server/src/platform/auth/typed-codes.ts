import { createHash, randomBytes } from "node:crypto";
import type { Signer } from "./signer.ts";

/** Letters that nobody mistakes for another (Crockford's base 32): 50 bits in ten of them. */
const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const codeLength = 10;

/** A code to be typed, `7K2QX-M9TDA`. */
export function newTypedCode(): string {
  return typedCodeOf(randomBytes(codeLength));
}

/** The code that follows from a stored seed under the key of the installation: it can be shown again, and a stolen table has no code. */
export function deriveTypedCode(signer: Signer, purpose: string, seed: string): string {
  const signed = signer.sign(`${purpose} seed`, seed, new Date(0));
  return typedCodeOf(createHash("sha256").update(signed).digest().subarray(0, codeLength));
}

function typedCodeOf(bytes: Uint8Array): string {
  const code = [...bytes].map((byte) => letters[byte % letters.length]).join("");
  return `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`;
}

/** A code as it was made, however it was typed: without hyphens and spaces, in capitals, O read as 0, I and L as 1. */
function normalizeTypedCode(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/gu, "")
    .replaceAll("O", "0")
    .replace(/[IL]/gu, "1");
}

/** Under the key of the installation, because 50 bits alone could be found from a stolen table. `facts` are what it depends on. */
export function hashTypedCode(signer: Signer, purpose: string, facts: readonly unknown[], code: string): string {
  return createHash("sha256")
    .update(signer.sign(purpose, JSON.stringify([...facts, normalizeTypedCode(code)]), new Date(0)))
    .digest("base64url");
}
