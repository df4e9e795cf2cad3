import type { Ticket } from "@prosa/contract/tickets";
import type { Translate } from "#web/lib/text/i18n.ts";
import { stripFormatting } from "#web/lib/text/plain-text.ts";
import type { ticketMessages } from "../tickets.i18n.ts";

const kinds = {
  image: ["📷", "bubble_image"],
  video: ["🎬", "bubble_video"],
  audio: ["🎤", "bubble_audio"],
  application: ["📄", "bubble_application"],
  sticker: ["🌟", "bubble_sticker"],
  locationMessage: ["📍", "bubble_locationMessage"],
  vcard: ["👤", "bubble_vcard"],
  call_log: ["📞", "bubble_call_log"],
  unsupported: ["❔", "bubble_unsupported"],
  deleted: ["🚫", "bubble_deleted"],
} as const;

type Texts = Translate<(typeof ticketMessages)["pt"]>;

type Author = Partial<Pick<Ticket, "lastMessageFromMe" | "user">>;

/** The preview line of a list row: the last message's text without marks, or the name of its kind. */
export function lastMessagePreview(ticket: Pick<Ticket, "lastMessage" | "lastMessageType"> & Author, t: Texts): string {
  const type = ticket.lastMessageType;
  // the text of an audio is its file name
  const text = type === "audio" ? "" : stripFormatting(withoutSignature(ticket)).replace(/\s+/gu, " ").trim();
  if (!isKind(type)) {
    return text;
  }
  const [icon, label] = kinds[type];
  return `${icon} ${text === "" ? t(label) : text}`;
}

/** The row names the author before the preview ("You", "Team"): the signature (M-11) would only repeat it. */
function withoutSignature({ lastMessage, lastMessageFromMe, user }: Pick<Ticket, "lastMessage"> & Author): string {
  const signature = `*${user?.name}*\n`;
  return lastMessageFromMe && user && lastMessage.startsWith(signature)
    ? lastMessage.slice(signature.length)
    : lastMessage;
}

/** Who of the company wrote the last message, as far as the row knows: its agent, the team, or the bot without an agent. */
export function lastMessageAuthor(
  ticket: Pick<Ticket, "lastMessageFromMe" | "user" | "chatbot">,
  myId: number,
): "you" | "team" | "bot" | undefined {
  if (!ticket.lastMessageFromMe) {
    return undefined;
  }
  if (ticket.user) {
    return ticket.user.id === myId ? "you" : "team";
  }
  return ticket.chatbot ? "bot" : "team";
}

function isKind(type: string): type is keyof typeof kinds {
  return Object.hasOwn(kinds, type);
}
