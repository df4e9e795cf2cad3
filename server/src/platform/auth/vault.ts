import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { deriveKey, keyIdOf } from "./keys.ts";

/**
 * Encryption at rest. `context` identifies the value (`wa-key:7:session:55119…`): the key is derived from it and it is
 * authenticated, so a ciphertext copied to another row or column does not decrypt. A call takes microseconds.
 */
export interface Vault {
  seal(plaintext: string | Uint8Array, context: string): Buffer;
  /** Throws VaultError when its key is unknown, DamagedValueError when the value was changed, cut off or belongs to another context. */
  open(sealed: Uint8Array, context: string): Buffer;
  /** The same for text columns, as base64url. */
  sealText(plaintext: string, context: string): string;
  openText(sealed: string, context: string): string;
  /** Key id of the first key, which follows the format byte of its ciphertexts. */
  readonly keyId: Uint8Array;
  /** Whether SECRET_KEY has older keys, which still decrypt. */
  readonly hasOlderKeys: boolean;
}

export class VaultError extends Error {
  override readonly name: string = "VaultError";
}

/** The value is not what was sealed in this place, or no sealed value at all: it was damaged, whatever SECRET_KEY says. */
export class DamagedValueError extends VaultError {
  override readonly name = "DamagedValueError";
}

/**
 * What `open` gives of a vault; undefined where that was sealed with a secret that is not known any more, or was damaged, of which
 * `onLost` is told. Throws any other error.
 */
export function openUnlessLost<T>(open: () => T, onLost?: (error: VaultError) => void): T | undefined {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof VaultError)) {
      throw error;
    }
    onLost?.(error);
    return undefined;
  }
}

const FORMAT = 1;
const KEY_ID_AT = 1;
const IV_AT = 5;
const TAG_AT = 17;
const BODY_AT = 33;

/**
 * AES-256-GCM. Layout: format (1), key id (4), iv (12), tag (16), ciphertext. The first secret encrypts, all decrypt. One
 * key per context keeps the number of random ivs under a key far below the limit of GCM (2³²).
 */
export function createVault(secrets: readonly string[]): Vault {
  const current = firstOf(secrets);
  const currentId = keyIdOf(current);
  const secretById = new Map(secrets.map((secret) => [keyIdOf(secret).toString("hex"), secret]));
  const keys = new LRUCache<string, Uint8Array>({ max: 5_000 });

  function keyFor(secret: string, id: string, context: string): Uint8Array {
    const name = `${id} ${context}`;
    const key = keys.get(name) ?? deriveKey(secret, `seal ${context}`);
    keys.set(name, key);
    return key;
  }

  function seal(plaintext: string | Uint8Array, context: string): Buffer {
    const iv = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", keyFor(current, currentId.toString("hex"), context), iv);
    cipher.setAAD(Buffer.from(context));
    const body = Buffer.concat([
      cipher.update(typeof plaintext === "string" ? Buffer.from(plaintext) : plaintext),
      cipher.final(),
    ]);
    return Buffer.concat([Buffer.of(FORMAT), currentId, iv, cipher.getAuthTag(), body]);
  }

  function open(sealed: Uint8Array, context: string): Buffer {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    if (bytes.length < BODY_AT || bytes[0] !== FORMAT) {
      throw new DamagedValueError("Sealed bytes were cut off, or not sealed by this product");
    }
    const id = bytes.toString("hex", KEY_ID_AT, IV_AT);
    const secret = secretById.get(id);
    if (secret === undefined) {
      throw new VaultError(`Sealed with an unknown key (${id}); is SECRET_KEY the right one?`);
    }
    const decipher = createDecipheriv("aes-256-gcm", keyFor(secret, id, context), bytes.subarray(IV_AT, TAG_AT));
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(TAG_AT, BODY_AT));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(BODY_AT)), decipher.final()]);
    } catch (cause) {
      throw new DamagedValueError("Sealed bytes were changed or belong to another place", { cause });
    }
  }

  return {
    seal,
    open,
    sealText: (plaintext, context) => seal(plaintext, context).toString("base64url"),
    openText: (sealed, context) => open(Buffer.from(sealed, "base64url"), context).toString("utf8"),
    keyId: currentId,
    hasOlderKeys: secretById.size > 1,
  };
}

function firstOf(secrets: readonly string[]): string {
  const [first] = secrets;
  if (first === undefined) {
    throw new Error("There is no secret to seal with");
  }
  return first;
}
