import type { Message } from "@prosa/contract/messages";
import type { Translate } from "#web/lib/text/i18n.ts";
import { stripFormatting } from "#web/lib/text/plain-text.ts";
import type { conversationMessages } from "../messages.i18n.ts";
import { unsignedText } from "../unsigned-text.ts";
import { campaignOf } from "./campaign-of.ts";

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

type Authored = Pick<Message, "fromMe" | "isAutomatic" | "clientId" | "user" | "participant" | "contact"> &
  Partial<Pick<Message, "data">>;

/** Who wrote a message: a campaign, the bot, an agent or the phone of ours; in a group the participant, not the group. */
export function authorName(message: Authored, t: Texts): string {
  const { fromMe, isAutomatic, clientId, user, participant, contact } = message;
  if (!fromMe) {
    return participant?.name || participant?.number || (contact?.name ?? "");
  }
  if (isAutomatic) {
    return t(campaignOf(message) ? "campaign" : "bot");
  }
  // Only what this product sends has a client id. Without a user, the account of its author was deleted.
  return clientId === null ? t("phone") : (user?.name ?? t("team"));
}

/** As `authorName`, and "you" for the reader's own words. */
export function quotedAuthor(message: Authored, myId: number, t: Texts): string {
  const isMine = message.fromMe && !message.isAutomatic && message.clientId !== null && message.user?.id === myId;
  return isMine ? t("you") : authorName(message, t);
}

/** The quoted message's text without marks, or the name of its kind; once deleted, that it is. */
export function quotedText(message: Pick<Message, "body" | "mediaType" | "user" | "isDeleted">, t: Texts): string {
  if (message.isDeleted) {
    return t("deleted");
  }
  // the body of an audio is its file name
  if (message.body !== "" && message.mediaType !== "vcard" && message.mediaType !== "audio") {
    return stripFormatting(unsignedText(message));
  }
  return message.mediaType in kindLabels ? t(kindLabels[message.mediaType as keyof typeof kindLabels]) : message.body;
}
