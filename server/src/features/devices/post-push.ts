import { request } from "node:https";
import { isRefusedUrl, PrivateAddressError, publicLookup } from "#server/platform/net/index.ts";

export interface PushRequest {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer | null;
}

/** Posts to a push service and resolves with the HTTP status. Rejects if it is unreachable or its address is refused. */
export type PostPush = (push: PushRequest, mayBePrivate: boolean) => Promise<number>;

const TIMEOUT_MS = 10_000;

/** Posts over https and follows no redirects. The address comes from a user, so private networks are refused. */
export const postPush: PostPush = async ({ endpoint, headers, body }, mayBePrivate) => {
  const url = new URL(endpoint);
  if (url.protocol !== "https:" || (!mayBePrivate && isRefusedUrl(url))) {
    throw new PrivateAddressError(`${url.hostname} is not a public push service`);
  }
  return new Promise((resolve, reject) => {
    const posted = request(
      url,
      {
        method: "POST",
        headers,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(!mayBePrivate && { lookup: publicLookup }),
      },
      (answer) => {
        // The response body is discarded.
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    posted.on("error", reject);
    posted.end(body ?? undefined);
  });
};
