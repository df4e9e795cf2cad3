import type { Retention, RetentionChanges } from "@prosa/contract/privacy";

/** What was changed in the form. What is not named keeps its days, as colleagues and the queues' own dialogs have saved them. */
export type RetentionDraft = Partial<RetentionChanges>;

/** Pure: what to send of a draft. Days of a queue that was deleted meanwhile would be refused together with all others. */
export function savableChanges(draft: RetentionDraft, { queues }: Retention): RetentionDraft {
  return {
    ...draft,
    ...(draft.queues && { queues: draft.queues.filter(({ id }) => queues.some((queue) => queue.id === id)) }),
  };
}
