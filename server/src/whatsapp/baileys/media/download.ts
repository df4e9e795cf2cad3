import { createDecipheriv, createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Agent, request } from "undici";
import type { LineSettings } from "../../port.ts";
import { MediaError } from "../../port.ts";
import { getMediaKeys } from "../library.ts";
import type { ParsedMediaSource } from "./media-source.ts";
import { secureContextFor } from "./tls-context.ts";

const DEFAULT_HOST = "mmg.whatsapp.net";
/** WhatsApp's hosts that serve the files of messages: the default one, and its caches. */
const FILE_HOSTS = /^(?:mmg|.+\.(?:cdn|fna))\.whatsapp\.net$/;
const DEFAULT_MAX_BYTES = 2 * 1024 ** 3;
/** A file ends with the first bytes of its HMAC. */
const MAC_BYTES = 10;
/** WhatsApp keeps files for some weeks; then its servers answer with one of these. */
const GONE_STATUSES: ReadonlySet<number> = new Set([404, 410]);

/** The file is not on the media server any more: a re-upload by the phone may help. */
export class FileGone extends Error {}

/**
 * The URL of a file, checked against SSRF: it comes from the sender, who may write anything into it. Only https, and only
 * WhatsApp's hosts or those of the settings (whatsapp.md section 3.6). Throws MediaError.
 */
export function mediaUrl(
  { url, directPath }: Pick<ParsedMediaSource, "url" | "directPath">,
  settings: LineSettings,
): URL {
  const base = url ?? `https://${DEFAULT_HOST}`;
  const address = URL.canParse(directPath ?? "", base) ? new URL(directPath ?? "", base) : null;
  if (!address || address.protocol !== "https:" || address.username !== "" || !isTrusted(address, settings)) {
    throw new MediaError("failed", `Files are not fetched from ${address?.host ?? "an address that is none"}`);
  }
  if (directPath !== null && !FILE_HOSTS.test(address.hostname) && !isOfSettings(address, settings)) {
    // Stickers from WhatsApp Web name https://web.whatsapp.net, a name that does not resolve.
    address.hostname = DEFAULT_HOST;
  }
  return address;
}

function isTrusted(address: URL, settings: LineSettings): boolean {
  const isWhatsApp = address.hostname.endsWith(".whatsapp.net") && address.port === "";
  return isWhatsApp || isOfSettings(address, settings);
}

function isOfSettings({ host, hostname }: URL, { mediaHosts = [] }: LineSettings): boolean {
  return mediaHosts.includes(host) || mediaHosts.includes(hostname);
}

const dispatchers = new Map<string, Agent>();

function dispatcherFor({ mediaCa }: LineSettings): Agent | undefined {
  if (mediaCa === undefined) {
    return undefined;
  }
  const dispatcher = dispatchers.get(mediaCa) ?? new Agent({ connect: { secureContext: secureContextFor(mediaCa) } });
  dispatchers.set(mediaCa, dispatcher);
  return dispatcher;
}

/**
 * Downloads and decrypts a file to `path`, as a stream. Baileys checks neither the MAC nor a hash (whatsapp.md section
 * 3.5): here the MAC and the hashes that the sender gave must match before the file is renamed to `path`. Throws FileGone,
 * MediaError, and network errors of the request.
 */
export async function downloadMedia(
  path: string,
  source: ParsedMediaSource,
  settings: LineSettings,
): Promise<{ readonly size: number }> {
  const limit = settings.maxMediaBytes ?? DEFAULT_MAX_BYTES;
  const body = await open(mediaUrl(source, settings), settings, limit);
  const part = `${path}.part`;
  try {
    const checks = await decrypter(source, limit);
    await pipeline(body, checks.decrypt, createWriteStream(part));
    checks.verify();
    await rename(part, path);
    return { size: checks.size() };
  } catch (error) {
    await rm(part, { force: true });
    throw error instanceof MediaError
      ? error
      : new MediaError("failed", "The file could not be fetched", { cause: error });
  }
}

/** Downloads a file that is not encrypted, such as a profile picture. Throws FileGone, MediaError and network errors. */
export async function downloadPlain(path: string, url: string, settings: LineSettings, limit: number): Promise<void> {
  const body = await open(mediaUrl({ url, directPath: null }, settings), settings, limit);
  let received = 0;
  await pipeline(
    body,
    async function* bounded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        received += chunk.length;
        if (received > limit) {
          throw tooLarge(limit);
        }
        yield chunk;
      }
    },
    createWriteStream(path),
  );
}

async function open(address: URL, settings: LineSettings, limit: number): Promise<Readable> {
  const dispatcher = dispatcherFor(settings);
  const answer = await request(address, {
    ...(dispatcher && { dispatcher }),
    headers: { origin: "https://web.whatsapp.com" },
    headersTimeout: 30_000,
    bodyTimeout: 60_000,
  });
  if (answer.statusCode !== 200) {
    await answer.body.dump();
    if (GONE_STATUSES.has(answer.statusCode)) {
      throw new FileGone(`The file is gone (${answer.statusCode})`);
    }
    throw new MediaError("failed", `The media server answered ${answer.statusCode}`);
  }
  if (Number(answer.headers["content-length"] ?? 0) > limit) {
    answer.body.destroy();
    throw tooLarge(limit);
  }
  return answer.body;
}

async function decrypter(source: ParsedMediaSource, limit: number) {
  const { iv, cipherKey, macKey } = await getMediaKeys(Buffer.from(source.mediaKey, "base64"), source.kind);
  if (!macKey) {
    throw new MediaError("failed", "The file has no key");
  }
  const decipher = createDecipheriv("aes-256-cbc", cipherKey, iv);
  const plain = createHash("sha256");
  const encrypted = createHash("sha256");
  const mac = createHmac("sha256", macKey).update(iv);
  let tail = Buffer.alloc(0);
  let received = 0;
  let size = 0;

  const pass = (bytes: Buffer): Buffer => {
    plain.update(bytes);
    size += bytes.length;
    return bytes;
  };

  async function* decrypt(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      received += chunk.length;
      if (received > limit) {
        throw tooLarge(limit);
      }
      encrypted.update(chunk);
      const held = Buffer.concat([tail, chunk]);
      const body = held.subarray(0, Math.max(0, held.length - MAC_BYTES));
      tail = held.subarray(body.length);
      mac.update(body);
      yield pass(decipher.update(body));
    }
    yield pass(decipher.final());
  }

  function verify(): void {
    const isIntact =
      matches(source.fileEncSha256, encrypted.digest()) &&
      matches(source.fileSha256, plain.digest()) &&
      timingSafeEqual(mac.digest().subarray(0, MAC_BYTES), tail);
    if (!isIntact) {
      throw new MediaError("failed", "The file is not the one that was sent");
    }
  }

  return { decrypt, verify, size: () => size };
}

/** A hash that the sender did not give is not checked; the MAC always is. */
function matches(expected: string | null, actual: Buffer): boolean {
  return expected === null || Buffer.from(expected, "base64").equals(actual);
}

function tooLarge(limit: number): MediaError {
  return new MediaError("failed", `The file is larger than ${limit} bytes`);
}
