import { request as requestHttp } from "node:http";
import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { decodeText } from "./decode-text.ts";
import { isRefusedUrl, PrivateAddressError, publicLookup } from "./private-addresses.ts";

export interface PublicPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** The operator allows addresses in private networks. Default: refused. */
  readonly mayBePrivate?: boolean;
  /** Bytes of the answer that are read; the rest is left. */
  readonly answerBytes: number;
}

export interface PostAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The beginning of the body. */
  readonly text: string;
  /** There is more of it. */
  readonly isCut: boolean;
}

/**
 * Posts to an address that a user wrote (SSRF): the IP address that was checked is the one that is connected to, and redirects
 * are not followed. Answers with any status; rejects where there is no answer, and with PrivateAddressError for private ones.
 */
export async function postPublic(address: string | URL, options: PublicPost): Promise<PostAnswer> {
  const url = new URL(address);
  const isWeb = /^https?:$/u.test(url.protocol);
  if (!isWeb || (!options.mayBePrivate && isRefusedUrl(url))) {
    throw new PrivateAddressError(`${url.hostname} is not a public address`);
  }
  const answer = await post(url, options);
  return {
    status: answer.statusCode ?? 0,
    retryAfter: answer.headers["retry-after"],
    ...(await beginningOf(answer, options.answerBytes)),
  };
}

function post(url: URL, { headers, body, signal, mayBePrivate }: PublicPost): Promise<IncomingMessage> {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    request(
      url,
      {
        method: "POST",
        agent: false,
        signal,
        headers: { ...headers, "content-length": Buffer.byteLength(body), "accept-encoding": "identity" },
        maxHeaderSize: 32 * 1024,
        ...(!mayBePrivate && { lookup: publicLookup }),
      },
      resolve,
    )
      .on("error", reject)
      .end(body);
  });
}

async function beginningOf(answer: IncomingMessage, most: number): Promise<Pick<PostAnswer, "text" | "isCut">> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > most) {
      answer.destroy();
      break;
    }
  }
  // What cannot be stored as text is nobody's message.
  const text = decodeText(Buffer.concat(chunks).subarray(0, most), answer.headers["content-type"]);
  return { text: text.replaceAll("\0", "").toWellFormed(), isCut: size > most };
}
