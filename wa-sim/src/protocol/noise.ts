import { createCipheriv, createDecipheriv, createHash, createSecretKey, hkdfSync } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { Curve, proto } from "baileys";
import type { KeyPair } from "baileys";

const PROTOCOL_NAME = Buffer.from("Noise_XX_25519_AESGCM_SHA256\0\0\0\0");
const HEADER = Buffer.from([0x57, 0x41, 6, 3]);
const EMPTY = Buffer.alloc(0);
const TAG_BYTES = 16;

interface Transport {
  // KeyObjects: with a Buffer, Node 24 spends some 40 µs per call on checking its type
  read: KeyObject;
  write: KeyObject;
  reads: number;
  writes: number;
}

/**
 * The server's half of Noise XX as WhatsApp frames it: splits the byte stream into frames, answers the client's hello,
 * and afterwards encrypts and decrypts with the two transport keys.
 */
export class NoiseServer {
  /** The client's long-lived public key, once the handshake is finished. */
  clientKey: Buffer | undefined;

  readonly #staticKey: KeyPair;
  readonly #certificate: Uint8Array;
  readonly #ephemeral = Curve.generateKeyPair();
  #inbound: Buffer = EMPTY;
  #headerSeen = false;
  #hash: Buffer = PROTOCOL_NAME;
  #salt: Buffer = PROTOCOL_NAME;
  #key: Buffer = PROTOCOL_NAME;
  #counter = 0;
  #transport: Transport | undefined;

  constructor(staticKey: KeyPair, certificate: Uint8Array) {
    this.#staticKey = staticKey;
    this.#certificate = certificate;
  }

  /** Buffers received bytes and returns the complete frames, still encrypted. */
  readFrames(data: Buffer): Buffer[] {
    this.#inbound = this.#inbound.length === 0 ? data : Buffer.concat([this.#inbound, data]);
    if (!this.#headerSeen && !this.#readHeader()) {
      return [];
    }
    const frames: Buffer[] = [];
    while (this.#inbound.length >= 3) {
      const end = 3 + this.#inbound.readUIntBE(0, 3);
      if (this.#inbound.length < end) {
        break;
      }
      frames.push(this.#inbound.subarray(3, end));
      this.#inbound = this.#inbound.subarray(end);
    }
    return frames;
  }

  /** Handles the first handshake message and returns the second. */
  answerHello(frame: Buffer): Buffer {
    const ephemeral = proto.HandshakeMessage.decode(frame).clientHello?.ephemeral;
    if (!ephemeral) {
      throw new Error("the first frame is no client hello");
    }
    this.#authenticate(HEADER);
    this.#authenticate(ephemeral);
    this.#authenticate(this.#ephemeral.public);
    this.#mix(Curve.sharedKey(this.#ephemeral.private, ephemeral));
    const encryptedStatic = this.#seal(this.#staticKey.public);
    this.#mix(Curve.sharedKey(this.#staticKey.private, ephemeral));
    const payload = this.#seal(this.#certificate);
    const hello = { serverHello: { ephemeral: this.#ephemeral.public, static: encryptedStatic, payload } };
    return frameOf(Buffer.from(proto.HandshakeMessage.encode(hello).finish()));
  }

  /** Handles the third handshake message; returns the client payload. */
  finish(frame: Buffer): proto.ClientPayload {
    const finish = proto.HandshakeMessage.decode(frame).clientFinish;
    if (!finish?.static || !finish.payload) {
      throw new Error("the second frame is no client finish");
    }
    this.clientKey = this.#open(finish.static);
    this.#mix(Curve.sharedKey(this.#ephemeral.private, this.clientKey));
    const payload = proto.ClientPayload.decode(this.#open(finish.payload));
    const [read, write] = split(EMPTY, this.#salt);
    this.#transport = { read: createSecretKey(read), write: createSecretKey(write), reads: 0, writes: 0 };
    return payload;
  }

  encrypt(plain: Uint8Array): Buffer {
    const transport = this.#established();
    return frameOf(seal(transport.write, nonce(transport.writes++), EMPTY, plain));
  }

  decrypt(frame: Buffer): Buffer {
    const transport = this.#established();
    return open(transport.read, nonce(transport.reads++), EMPTY, frame);
  }

  #established(): Transport {
    if (!this.#transport) {
      throw new Error("the handshake is not finished");
    }
    return this.#transport;
  }

  /** A client with routing information sends it before the header; only the header is authenticated. */
  #readHeader(): boolean {
    let offset = 0;
    if (this.#inbound[0] === 0x45) {
      if (this.#inbound.length < 7) {
        return false;
      }
      offset = 7 + this.#inbound.readUIntBE(4, 3);
    }
    if (this.#inbound.length < offset + HEADER.length) {
      return false;
    }
    if (!this.#inbound.subarray(offset, offset + HEADER.length).equals(HEADER)) {
      throw new Error("not a WhatsApp client: wrong header");
    }
    this.#inbound = this.#inbound.subarray(offset + HEADER.length);
    this.#headerSeen = true;
    return true;
  }

  #authenticate(data: Uint8Array): void {
    this.#hash = createHash("sha256").update(this.#hash).update(data).digest();
  }

  #mix(secret: Uint8Array): void {
    [this.#salt, this.#key] = split(secret, this.#salt);
    this.#counter = 0;
  }

  #seal(plain: Uint8Array): Buffer {
    const sealed = seal(this.#key, nonce(this.#counter++), this.#hash, plain);
    this.#authenticate(sealed);
    return sealed;
  }

  #open(sealed: Uint8Array): Buffer {
    const plain = open(this.#key, nonce(this.#counter++), this.#hash, sealed);
    this.#authenticate(sealed);
    return plain;
  }
}

/** Every frame starts with its length in three bytes. */
function frameOf(payload: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(3 + payload.length);
  frame.writeUIntBE(payload.length, 0, 3);
  payload.copy(frame, 3);
  return frame;
}

function split(secret: Uint8Array, salt: Uint8Array): [Buffer, Buffer] {
  const keys = Buffer.from(hkdfSync("sha256", secret, salt, EMPTY, 64));
  return [keys.subarray(0, 32), keys.subarray(32)];
}

function nonce(counter: number): Buffer {
  const iv = Buffer.alloc(12);
  iv.writeUInt32BE(counter, 8);
  return iv;
}

/** AES-256-GCM with the tag at the end. */
export function seal(key: KeyObject | Uint8Array, iv: Uint8Array, aad: Uint8Array, plain: Uint8Array): Buffer {
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(aad);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

export function open(key: KeyObject | Uint8Array, iv: Uint8Array, aad: Uint8Array, sealed: Uint8Array): Buffer {
  const end = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, iv).setAAD(aad).setAuthTag(sealed.subarray(end));
  return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
}
