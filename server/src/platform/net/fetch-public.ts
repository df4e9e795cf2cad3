import { lookup as lookUpName } from "node:dns";
import { request as requestHttp } from "node:http";
import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { isRefusedUrl, PrivateAddressError, publicLookup } from "./private-addresses.ts";

export interface PublicFetch {
  /** Content types that are read; the connection is closed at any other. */
  readonly accepts: RegExp;
  readonly maxBytes: number;
  /** A longer body ends here instead of failing. */
  readonly isCut?: boolean;
  readonly signal: AbortSignal;
  /** Who asks, and for what. Default: a link preview. */
  readonly headers?: { readonly "user-agent": string; readonly accept: string };
  /** The operator allows addresses in private networks. Default: refused. */
  readonly mayBePrivate?: boolean;
  /** Default: the guard against private networks. */
  readonly guard?: FetchGuard;
}

export interface FetchGuard {
  readonly isRefused: (url: URL) => boolean;
  readonly lookup: LookupFunction;
}

export interface FetchedBody {
  /** After redirects. */
  readonly url: URL;
  readonly contentType: string;
  readonly body: Buffer;
}

const maxRedirects = 3;
const publicOnly: FetchGuard = { isRefused: isRefusedUrl, lookup: publicLookup };
const anywhere: FetchGuard = { isRefused: () => false, lookup: lookUpName };
const ofPreviews = { "user-agent": "Prosa (link preview)", accept: "text/html, image/*;q=0.8" };

/**
 * Gets a page or file whose address somebody else wrote (SSRF). Each redirect is checked like the first address, the checked
 * IP address is the one that is connected to, and neither cookies nor credentials are sent. Rejects for everything that is not
 * a 200 of an accepted type within the limits.
 */
export async function fetchPublic(address: string | URL, options: PublicFetch): Promise<FetchedBody> {
  const guard = options.guard ?? (options.mayBePrivate ? anywhere : publicOnly);
  let url = new URL(address);
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    if (!/^https?:$/u.test(url.protocol) || guard.isRefused(url)) {
      throw new PrivateAddressError(`${url.hostname} is not a public address`);
    }
    const answer = await get(url, options, guard.lookup);
    const status = answer.statusCode ?? 0;
    const { location } = answer.headers;
    if (status >= 300 && status < 400 && location !== undefined) {
      answer.destroy();
      url = new URL(location, url);
      continue;
    }
    const contentType = answer.headers["content-type"] ?? "";
    const encoding = answer.headers["content-encoding"] ?? "identity";
    if (status !== 200 || !options.accepts.test(contentType) || encoding !== "identity") {
      answer.destroy();
      throw new Error(`unusable answer: ${status} ${contentType} ${encoding}`);
    }
    return { url, contentType, body: await readBody(answer, options) };
  }
  throw new Error("too many redirects");
}

function get(
  url: URL,
  { signal, headers = ofPreviews }: PublicFetch,
  lookup: LookupFunction,
): Promise<IncomingMessage> {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    request(
      url,
      {
        agent: false,
        lookup,
        signal,
        headers: { ...headers, "accept-encoding": "identity" },
        maxHeaderSize: 32 * 1024,
      },
      resolve,
    )
      .on("error", reject)
      .end();
  });
}

async function readBody(answer: IncomingMessage, { maxBytes, isCut = false }: PublicFetch): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > maxBytes) {
      answer.destroy();
      if (!isCut) {
        throw new Error("the body is too large");
      }
      break;
    }
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}
