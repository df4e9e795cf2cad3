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

type Authored = Pick<Message, "fromMe" | "isAutomatic" | "clientId" | "user" | "participant" | "contact">;

/** Who wrote the quoted message: the bot, an agent or the phone of ours; in a group the participant, not the group. */
export function quotedAuthor(message: Authored, myId: number, t: Texts): string {
  const { fromMe, isAutomatic, clientId, user, participant, contact } = message;
  if (!fromMe) {
    return participant?.name || participant?.number || (contact?.name ?? "");
  }
  if (isAutomatic) {
    return t("bot");
  }
  // Only what this product sends has a client id. Without a user, the account of its author was deleted.
  if (clientId === null) {
    return t("phone");
  }
  return user?.id === myId ? t("you") : (user?.name ?? t("team"));
}

/** The quoted message's text without marks, or the name of its kind. */
export function quotedText(message: Pick<Message, "body" | "mediaType">, t: Texts): string {
  // the body of an audio is its file name
  if (message.body !== "" && message.mediaType !== "vcard" && message.mediaType !== "audio") {
    return stripFormatting(message.body);
  }
  return message.mediaType in kindLabels ? t(kindLabels[message.mediaType as keyof typeof kindLabels]) : message.body;
}
