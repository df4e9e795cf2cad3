import type { ChatMessage } from "@prosa/contract/chats";
import type { Unsent } from "./sending.ts";

/** A line of the conversation: a day, a message, or one that is on its way. */
export type ChatRow =
  | { readonly kind: "day"; readonly key: string; readonly at: string }
  | {
      readonly kind: "message";
      readonly key: string;
      readonly message: ChatMessage;
      readonly isOwn: boolean;
      /** Begins a group of its author and minute, which shows the name. */
      readonly isFirst: boolean;
    }
  | { readonly kind: "unsent"; readonly key: string; readonly unsent: Unsent };

/** Pure: days, groups, and at the end what the server does not have yet. */
export function layOutChat(
  messages: readonly ChatMessage[],
  unsent: readonly Unsent[],
  { userId, dayOf }: { readonly userId: number; readonly dayOf: (at: string) => string },
): readonly ChatRow[] {
  const rows: ChatRow[] = [];
  let before: ChatMessage | undefined;
  for (const message of messages) {
    const isNewDay = before === undefined || dayOf(before.createdAt) !== dayOf(message.createdAt);
    if (isNewDay) {
      rows.push({ kind: "day", key: `day-${message.id}`, at: message.createdAt });
    }
    rows.push({
      kind: "message",
      // the same while it is on its way and after: the bubble stays
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
    ...unsent
      .filter(({ clientId }) => !stored.has(clientId))
      .map((each) => ({ kind: "unsent" as const, key: each.clientId, unsent: each })),
  ];
}

function isSameGroup(a: ChatMessage, b: ChatMessage): boolean {
  return (
    a.senderId === b.senderId &&
    a.sender.name === b.sender.name &&
    a.createdAt.slice(0, 16) === b.createdAt.slice(0, 16)
  );
}
