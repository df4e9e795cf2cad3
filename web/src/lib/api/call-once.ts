import type { AnyEndpoint, ResponseOf } from "@prosa/contract/endpoint";
import { idempotencyKey } from "@prosa/contract/idempotency-key";
import { newId } from "#web/lib/browser/random.ts";
import { call, onSignedOut } from "#web/lib/session/session.ts";
import type { CallArguments, Client } from "./apiClient.ts";
import { ApiError } from "./apiError.ts";
import { forget, unanswered } from "./unanswered.ts";

/** So long after a request that was not answered, the same content is written on purpose and not sent again. */
const SENT_AGAIN_WITHIN_MS = 10 * 60_000;

onSignedOut(() => unanswered.clear());

/**
 * `call` for what makes a new record: under a key by which the server knows the request again. Where the answer was lost, the same
 * content sent again is the same record, and has the first answer (decision 0299). Other content, or the same after an answer, ten
 * minutes or a change of such a record, is a new one. Kept for the page and not in a form, because drafts outlive their forms; of what
 * the server refused, which may be a password, nothing is kept.
 */
export const callOnce: Client["call"] = async <E extends AnyEndpoint>(
  endpoint: E,
  ...[input]: CallArguments<E>
): Promise<ResponseOf<E>> => {
  const { params, body } = (input ?? {}) as { readonly params?: unknown; readonly body?: unknown };
  const { path } = endpoint;
  const content = JSON.stringify([path, params, body]);
  const now = Date.now();
  forget(({ at }) => now - at >= SENT_AGAIN_WITHIN_MS);
  const last = unanswered.get(content);
  const key = last?.key ?? newId();
  unanswered.set(content, { key, at: now, path });
  const headers = { [idempotencyKey.header]: key };
  try {
    const answer = await call(endpoint, ...([{ ...input, headers }] as unknown as CallArguments<E>));
    unanswered.delete(content);
    return answer;
  } catch (error) {
    // A refused try has made nothing. One before it, whose answer was lost, may have.
    if (!last && error instanceof ApiError && error.status >= 400 && error.status < 500) {
      unanswered.delete(content);
    }
    throw error;
  }
};
