import { request as requestHttp } from "node:http";
import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { decodeText } from "./decode-text.ts";
import { isRefusedUrl, PrivateAddressError, publicLookup } from "./private-addresses.ts";

export interface GuardedFetchOptions {
  /** The operator allows addresses in private networks. */
  readonly mayBePrivate: boolean;
  /** A longer answer fails. */
  readonly maxBytes: number;
}

/**
 * A `fetch` for clients of services whose address a user wrote (SSRF): the IP address that was checked is the one that is
 * connected to, and redirects are not followed but answered as they are. It resolves with the whole body, so that the signal of
 * the request bounds the body as well. Texts are UTF-8, whatever the service wrote. Rejects with PrivateAddressError for private addresses.
 */
export function guardedFetch({ mayBePrivate, maxBytes }: GuardedFetchOptions): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (!/^https?:$/u.test(url.protocol) || (!mayBePrivate && isRefusedUrl(url))) {
      throw new PrivateAddressError(`${url.hostname} is not a public address`);
    }
    const body = Buffer.from(await request.arrayBuffer());
    const answer = await send(url, request, body, mayBePrivate);
    const bytes = asUtf8(await readAll(answer, maxBytes), answer.headers["content-type"]);
    const status = answer.statusCode ?? 500;
    return new Response(hasBody(status) ? new Uint8Array(bytes) : null, { status, headers: headersOf(answer) });
  };
}

function send(url: URL, { method, headers, signal }: Request, body: Buffer, mayBePrivate: boolean) {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise<IncomingMessage>((resolve, reject) => {
    request(
      url,
      {
        method,
        agent: false,
        signal,
        headers: {
          ...Object.fromEntries(headers),
          "accept-encoding": "identity",
          ...(body.length > 0 && { "content-length": String(body.length) }),
        },
        maxHeaderSize: 32 * 1024,
        ...(!mayBePrivate && { lookup: publicLookup }),
      },
      resolve,
    )
      .on("error", reject)
      .end(body);
  });
}

async function readAll(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > maxBytes) {
      answer.destroy();
      throw new Error("the answer is too large");
    }
  }
  return Buffer.concat(chunks);
}

/** A Response reads every text as UTF-8. */
function asUtf8(bytes: Buffer, contentType = ""): Buffer {
  return /json|text\//u.test(contentType) ? Buffer.from(decodeText(bytes, contentType)) : bytes;
}

/** Statuses that a Response may not have a body with. */
function hasBody(status: number): boolean {
  return ![204, 205, 304].includes(status);
}

function headersOf({ headers }: IncomingMessage): Headers {
  const plain = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    plain.set(name, [value].flat().join(", "));
  }
  return plain;
}
