import type { Message } from "@prosa/contract/messages";
import type { Translate } from "#web/lib/text/i18n.ts";
import { stripFormatting } from "#web/lib/text/plain-text.ts";
import type { conversationMessages } from "../messages.i18n.ts";

type Texts = Translate<(typeof conversationMessages)["pt"]>;

const kindLabels = {
  image: "photo",
  video: "video",
  audio: "audio",
  application: "document",
  sticker: "sticker",
  locationMessage: "location",
  vcard: "contact",
} as const;

/** Who wrote the quoted message: in a group the participant, not the group. */
export function quotedAuthor(
  { fromMe, participant, contact }: Pick<Message, "fromMe" | "participant" | "contact">,
  t: Texts,
): string {
  return fromMe ? t("you") : participant?.name || participant?.number || (contact?.name ?? "");
}

/** The quoted message's text without marks, or the name of its kind. */
export function quotedText(message: Pick<Message, "body" | "mediaType">, t: Texts): string {
  // the body of an audio is its file name
  if (message.body !== "" && message.mediaType !== "vcard" && message.mediaType !== "audio") {
    return stripFormatting(message.body);
  }
  return message.mediaType in kindLabels ? t(kindLabels[message.mediaType as keyof typeof kindLabels]) : message.body;
}
