import type { AnyEndpoint, ResponseOf } from "@prosa/contract/endpoint";
import { idempotencyKey } from "@prosa/contract/idempotency-key";
import { newId } from "#web/lib/browser/random.ts";
import { call } from "#web/lib/session/session.ts";
import type { CallArguments, Client } from "./apiClient.ts";

/** So long after a request that was not answered, the same content is written on purpose and not sent again. */
const SENT_AGAIN_WITHIN_MS = 10 * 60_000;

/** Keys of requests that were not answered and when they were sent, by what they carried. */
const unanswered = new Map<string, { readonly key: string; readonly at: number }>();

/**
 * `call` for what makes a new record: under a key by which the server knows the request again. Where the answer was lost, the same
 * content sent again is the same record, and has the first answer (decision 0299). Other content, or the same after an answer or ten
 * minutes, is a new record. Kept for the page and not in a form, because drafts outlive their forms.
 */
export const callOnce: Client["call"] = async <E extends AnyEndpoint>(
  endpoint: E,
  ...[input]: CallArguments<E>
): Promise<ResponseOf<E>> => {
  const { params, body } = (input ?? {}) as { readonly params?: unknown; readonly body?: unknown };
  const content = JSON.stringify([endpoint.path, params, body]);
  const last = unanswered.get(content);
  const key = last && Date.now() - last.at < SENT_AGAIN_WITHIN_MS ? last.key : newId();
  unanswered.set(content, { key, at: Date.now() });
  const headers = { [idempotencyKey.header]: key };
  const answer = await call(endpoint, ...([{ ...input, headers }] as unknown as CallArguments<E>));
  unanswered.delete(content);
  return answer;
};
