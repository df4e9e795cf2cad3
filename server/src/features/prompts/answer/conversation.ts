import type { MediaType } from "@prosa/contract";
import type { ChatText, Picture } from "#server/platform/language-model/index.ts";
import { truncateText } from "#server/platform/truncate-text.ts";

/** A message of the conversation, as a model is told of it. */
export interface HistoryMessage {
  /** Absent in a conversation that is only played. */
  readonly id?: number;
  readonly fromMe: boolean;
  readonly mediaType: MediaType;
  /** The text, or the caption of media. */
  readonly body: string;
  readonly transcript: string | null;
  /** What it shows, where the model is to see it. */
  readonly picture?: Picture;
}

/** Letters of one message, and of all: a customer who pastes a book pays for no book. */
const mostLetters = { message: 4_000, all: 24_000 } as const;

/** Stands for what a model cannot see. */
const placeholders: Readonly<Record<MediaType, string>> = {
  chat: "",
  image: "[image]",
  audio: "[voice message]",
  video: "[video]",
  application: "[document]",
  sticker: "[sticker]",
  locationMessage: "[location]",
  vcard: "[contact card]",
  call_log: "[call]",
  unsupported: "[message that cannot be shown]",
};

/**
 * The messages of a conversation, oldest first, as texts with roles: the customer's are `user`, all others `assistant`. Several in
 * a row are one text, because some models want the roles to alternate. Of too much the newest is kept. Pure.
 */
export function chatTextsOf(messages: readonly HistoryMessage[]): ChatText[] {
  const texts: ChatText[] = [];
  let left: number = mostLetters.all;
  for (const message of messages.toReversed()) {
    const text = truncateText(textOf(message), Math.min(mostLetters.message, left));
    left -= text.length;
    if (text === "") {
      continue;
    }
    const role = message.fromMe ? "assistant" : "user";
    const [next] = texts;
    if (next?.role === role) {
      texts[0] = withPictures({ role, text: `${text}\n${next.text}` }, picturesOf(message, next));
    } else {
      texts.unshift(withPictures({ role, text }, picturesOf(message)));
    }
  }
  return texts;
}

function picturesOf({ picture }: HistoryMessage, next?: ChatText): readonly Picture[] {
  return [...(picture ? [picture] : []), ...(next?.pictures ?? [])];
}

function withPictures(text: ChatText, pictures: readonly Picture[]): ChatText {
  return pictures.length === 0 ? text : { ...text, pictures };
}

function textOf({ mediaType, body, transcript }: HistoryMessage): string {
  const words = (transcript ?? body).trim();
  const isHeard = mediaType === "audio" && transcript !== null && words !== "";
  return [isHeard ? "" : placeholders[mediaType], words].filter((part) => part !== "").join(" ");
}
