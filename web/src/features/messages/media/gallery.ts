import { compareMessages, type Message } from "@prosa/contract/messages";
import type { MessagePages } from "../messages.cache.ts";

/** The loaded pictures, videos and stickers of a conversation, oldest first; always with the one that was opened, its file come or not. */
export function galleryOf(opened: Message, pages: MessagePages | undefined): readonly Message[] {
  const all = pages?.pages.flatMap(({ messages }) => messages) ?? [];
  const withOpened = all.some(({ id }) => id === opened.id) ? all : [...all, opened];
  return withOpened
    .filter((each) => isVisual(each) && (each.mediaUrl !== null || each.id === opened.id))
    .sort(compareMessages);
}

function isVisual({ mediaType, isDeleted }: Message): boolean {
  return (mediaType === "image" || mediaType === "video" || mediaType === "sticker") && !isDeleted;
}
