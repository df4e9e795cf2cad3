import { compareMessages, type Message } from "@prosa/contract/messages";
import type { MessagePages } from "./messages.cache.ts";

/** The pictures and videos of what is loaded of a conversation, oldest first, and always the one that was opened. */
export function picturesAround(opened: Message, pages: MessagePages | undefined): readonly Message[] {
  const all = pages?.pages.flatMap(({ messages }) => messages) ?? [];
  const known = all.some(({ id }) => id === opened.id) ? all : [...all, opened];
  return known.filter(isPicture).sort(compareMessages);
}

function isPicture({ mediaType, mediaUrl, isDeleted }: Message): boolean {
  return (mediaType === "image" || mediaType === "video" || mediaType === "sticker") && mediaUrl !== null && !isDeleted;
}
