import type { Chat, ChatMessage } from "@prosa/contract";
import type { ChatMessageRow, ChatRow } from "./chats.queries.ts";

export function chatView({ updatedAt, ...row }: ChatRow): Chat {
  return { ...row, updatedAt: updatedAt.toISOString() };
}

export function chatMessageView({ senderName, createdAt, ...row }: ChatMessageRow): ChatMessage {
  return { ...row, sender: { name: senderName }, createdAt: createdAt.toISOString() };
}
