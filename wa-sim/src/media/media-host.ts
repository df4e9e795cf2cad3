import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { decryptMedia, encryptMedia } from "./media-encryption.ts";
import type { MediaKind } from "./media-encryption.ts";

export interface StoredMedia {
  url: string;
  directPath: string;
  mediaKey: Buffer;
  fileSha256: Buffer;
  fileEncSha256: Buffer;
  fileLength: number;
}

/** The faults that concern files. */
export interface MediaFaults {
  dropMedia: boolean;
  tamperMedia: boolean;
  reuploadedStatus: number | undefined;
}

/** Stores encrypted files as WhatsApp's media servers do: upload by POST, download by GET with ranges, over https. */
export class MediaHost {
  origin = "";
  port = 0;

  readonly #folder: string | undefined;
  readonly #files = new Map<string, Buffer>();
  readonly #server: Server;
  readonly #faults: MediaFaults;

  constructor(tls: { cert: string; key: string }, faults: MediaFaults, folder?: string) {
    this.#faults = faults;
    this.#folder = folder;
    if (folder) {
      mkdirSync(folder, { recursive: true });
    }
    this.#server = createServer(tls, (request, response) => {
      this.#serve(request, response).catch(() => response.writeHead(500).end());
    });
  }

  async listen(port: number, host: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject).listen(port, host, resolve);
    });
    this.port = (this.#server.address() as AddressInfo).port;
    this.origin = `https://localhost:${this.port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Encrypts and stores a file, as a person's phone does before it sends a message. */
  store(kind: MediaKind, plain: Uint8Array): Promise<StoredMedia> {
    const mediaKey = randomBytes(32);
    const encrypted = encryptMedia(kind, mediaKey, plain);
    if (this.#faults.tamperMedia) {
      encrypted[0] = encrypted.readUInt8(0) ^ 1;
    }
    const fileEncSha256 = sha256(encrypted);
    const directPath = `/v/${fileEncSha256.toString("base64url")}`;
    this.#save(directPath, encrypted);
    return Promise.resolve({
      url: this.origin + directPath,
      directPath,
      mediaKey,
      fileSha256: sha256(plain),
      fileEncSha256,
      fileLength: plain.length,
    });
  }

  /** Stores a file unencrypted, such as a profile picture, and returns its path. */
  publish(bytes: Uint8Array): string {
    const path = `/p/${sha256(bytes).toString("base64url")}`;
    this.#save(path, Buffer.from(bytes));
    return path;
  }

  /** The decrypted file of a received message. */
  decrypt(kind: MediaKind, directPath: string, mediaKey: Uint8Array): Buffer {
    const encrypted = this.#find(directPath);
    if (!encrypted) {
      throw new Error(`no media at ${directPath}`);
    }
    return decryptMedia(kind, mediaKey, encrypted);
  }

  /** Copies a file to a new path, as the sender's phone does when a line requests an expired file again. */
  uploadAgain(directPath: string): string | undefined {
    const encrypted = this.#find(directPath);
    if (!encrypted) {
      return undefined;
    }
    const renewed = `/v/${sha256(encrypted).toString("base64url")}-${randomBytes(4).toString("hex")}`;
    this.#save(renewed, encrypted);
    return renewed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    if (request.method === "POST") {
      const chunks: Buffer[] = [];
      for await (const chunk of request) {
        chunks.push(chunk as Buffer);
      }
      const directPath = `/v/${decodeURIComponent(path.split("/").at(-1) ?? "")}`;
      this.#save(directPath, Buffer.concat(chunks));
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ url: this.origin + directPath, direct_path: directPath }));
      return;
    }
    const isReuploaded = /-[0-9a-f]{8}$/.test(path);
    const { reuploadedStatus } = this.#faults;
    if (isReuploaded && reuploadedStatus !== undefined) {
      response.writeHead(reuploadedStatus).end();
      return;
    }
    const isDropped = this.#faults.dropMedia && !isReuploaded;
    const file = isDropped ? undefined : this.#find(path);
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
    if (!range) {
      response.writeHead(200, { "content-length": file.length, "accept-ranges": "bytes" }).end(file);
      return;
    }
    const start = Number(range[1]);
    const end = range[2] ? Math.min(Number(range[2]), file.length - 1) : file.length - 1;
    response.writeHead(206, { "content-range": `bytes ${start}-${end}/${file.length}` });
    response.end(file.subarray(start, end + 1));
  }

  #save(path: string, encrypted: Buffer): void {
    if (this.#folder) {
      writeFileSync(join(this.#folder, fileName(path)), encrypted);
    } else {
      this.#files.set(path, encrypted);
    }
  }

  #find(path: string): Buffer | undefined {
    if (!this.#folder) {
      return this.#files.get(path);
    }
    const file = join(this.#folder, fileName(path));
    return existsSync(file) ? readFileSync(file) : undefined;
  }
}

const fileName = (path: string): string => path.replaceAll(/[^A-Za-z0-9_-]/g, "_");

const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();
