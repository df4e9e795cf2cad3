import { request } from "node:https";
import { isRefusedUrl, PrivateAddressError, publicLookup } from "#server/platform/net/index.ts";

export interface PushRequest {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer | null;
}

/** Posts to a push service; resolves with its status. Rejects when it cannot be reached, or must not be. */
export type PostPush = (push: PushRequest, mayBePrivate: boolean) => Promise<number>;

const WITHIN_MS = 10_000;

/** Over https, without following redirects; a user named the address, so private networks are out of reach. */
export const postPush: PostPush = async ({ endpoint, headers, body }, mayBePrivate) => {
  const url = new URL(endpoint);
  if (url.protocol !== "https:" || (!mayBePrivate && isRefusedUrl(url))) {
    throw new PrivateAddressError(`${url.hostname} cannot be a push service`);
  }
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        method: "POST",
        headers,
        signal: AbortSignal.timeout(WITHIN_MS),
        ...(!mayBePrivate && { lookup: publicLookup }),
      },
      (answer) => {
        // What it says besides is not ours to read.
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    asked.on("error", reject);
    asked.end(body ?? undefined);
  });
};
