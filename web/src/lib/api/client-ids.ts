/** So long after a request that was not answered, the same content is written on purpose and not sent again. */
const SENT_AGAIN_WITHIN_MS = 10 * 60_000;

/** Ids of new records whose request was not answered and when it was made, by what it carried. */
const unanswered = new Map<string, { readonly id: string; readonly at: number }>();

/**
 * Sends a new record under an id by which the server knows it again: where the answer was lost, the same content sent again is the
 * same record, and the first one is the answer (decision 0298). Other content, or the same after an answer or ten minutes, is a new
 * record. Kept for the page and not in a form, because drafts outlive their forms.
 */
export async function withClientId<T>(content: unknown, send: (clientId: string) => Promise<T>): Promise<T> {
  const key = JSON.stringify(content);
  const last = unanswered.get(key);
  const clientId = last && Date.now() - last.at < SENT_AGAIN_WITHIN_MS ? last.id : crypto.randomUUID();
  unanswered.set(key, { id: clientId, at: Date.now() });
  const answer = await send(clientId);
  unanswered.delete(key);
  return answer;
}
