/** Ids of new records whose request was not answered, by what it carried. */
const unanswered = new Map<string, string>();

/**
 * Sends a new record under an id by which the server knows it again: where the answer was lost, the same content sent again is the
 * same record, and the first one is the answer (decision 0298). Other content, or the same after an answer, is a new record. Kept for
 * the page and not in a form, because drafts outlive their forms.
 */
export async function withClientId<T>(content: unknown, send: (clientId: string) => Promise<T>): Promise<T> {
  const key = JSON.stringify(content);
  const clientId = unanswered.get(key) ?? crypto.randomUUID();
  unanswered.set(key, clientId);
  const answer = await send(clientId);
  unanswered.delete(key);
  return answer;
}
