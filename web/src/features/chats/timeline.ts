import type { ChatMessage } from "@prosa/contract/chats";
import type { PendingChatMessage } from "./chat-outbox.ts";

/** A row of the conversation: a day separator, a stored message or a pending one. */
export type ChatTimelineRow =
  | { readonly kind: "day"; readonly key: string; readonly at: string }
  | {
      readonly kind: "message";
      readonly key: string;
      readonly message: ChatMessage;
      readonly isOwn: boolean;
      /** First of a run by one author within a minute: has the name. */
      readonly isFirst: boolean;
    }
  | { readonly kind: "pending"; readonly key: string; readonly pending: PendingChatMessage };

/** Pure: the stored messages with day separators, oldest first, and at the end the pending ones. */
export function buildChatTimeline(
  messages: readonly ChatMessage[],
  pending: readonly PendingChatMessage[],
  { userId, dayOf }: { readonly userId: number; readonly dayOf: (at: string) => string },
): readonly ChatTimelineRow[] {
  const rows: ChatTimelineRow[] = [];
  let before: ChatMessage | undefined;
  for (const message of messages) {
    const isNewDay = before === undefined || dayOf(before.createdAt) !== dayOf(message.createdAt);
    if (isNewDay) {
      rows.push({ kind: "day", key: `day-${message.id}`, at: message.createdAt });
    }
    rows.push({
      kind: "message",
      // the client id is the same for the pending and for the stored message: the row is not mounted again
      key: message.clientId ?? String(message.id),
      message,
      isOwn: message.senderId === userId,
      isFirst: isNewDay || before === undefined || !isSameGroup(before, message),
    });
    before = message;
  }
  const stored = new Set(messages.map(({ clientId }) => clientId));
  return [
    ...rows,
    ...pending
      .filter(({ clientId }) => !stored.has(clientId))
      .map((each) => ({ kind: "pending" as const, key: each.clientId, pending: each })),
  ];
}

function isSameGroup(a: ChatMessage, b: ChatMessage): boolean {
  return (
    a.senderId === b.senderId &&
    a.sender.name === b.sender.name &&
    a.createdAt.slice(0, 16) === b.createdAt.slice(0, 16)
  );
}
