import type { DomainEvent } from "#server/platform/ctx.ts";

export function chatCreated(chatId: number): DomainEvent {
  return { type: "chat.created", payload: { chatId } };
}

/** The title or the members changed. */
export function chatUpdated(
  chatId: number,
  { added, removed }: { readonly added: readonly number[]; readonly removed: readonly number[] },
): DomainEvent {
  return { type: "chat.updated", payload: { chatId, added, removed } };
}

export function chatDeleted(chatId: number, memberIds: readonly number[]): DomainEvent {
  return { type: "chat.deleted", payload: { chatId, memberIds } };
}

export function chatWritten(chatId: number, messageId: number): DomainEvent {
  return { type: "chat.written", payload: { chatId, messageId } };
}

export function chatRead(chatId: number, userId: number): DomainEvent {
  return { type: "chat.read", payload: { chatId, userId } };
}
