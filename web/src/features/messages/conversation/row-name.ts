/** What a screen reader calls the rows of a conversation, and the messages that come while it is open. */
import type { Message } from "@prosa/contract/messages";
import type { Format } from "#web/lib/text/format.ts";
import type { Translate } from "#web/lib/text/i18n.ts";
import { authorName, quotedText } from "../bubble/index.ts";
import type { conversationMessages } from "../messages.i18n.ts";
import { messagesOf } from "./timeline.ts";
import type { Row } from "./useRows.ts";

type Texts = Translate<(typeof conversationMessages)["pt"]>;

/** Rows that take the focus have a name: who, when and what. */
export function rowName(row: Row, t: Texts, format: Format): string | undefined {
  const [first] = messagesOf(row);
  if (first) {
    const count = row.kind === "album" && !first.isDeleted ? row.messages.length : 1;
    return messageName(first, t, format, count > 1 ? t("album", { count }) : undefined);
  }
  if (row.kind === "pending") {
    const text = row.text || (row.entry.file?.name ?? "");
    return t("bubbleName", { author: t("you"), at: format.listTime(row.entry.writtenAt), text: shortened(text) });
  }
  return row.kind === "note" ? `${t("noteOfTeam")}: ${shortened(row.note.note)}` : undefined;
}

/** The same of one message. */
export function messageName(message: Message, t: Texts, format: Format, what = quotedText(message, t)): string {
  return t("bubbleName", {
    author: authorName(message, t),
    at: format.listTime(message.createdAt),
    text: shortened(what),
  });
}

function shortened(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
