import type { Ticket } from "@prosa/contract/tickets";
import type { Translate } from "#web/lib/i18n.ts";
import { withoutMarks } from "#web/lib/plain-text.ts";
import type { ticketMessages } from "./tickets.i18n.ts";

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

type Words = Translate<(typeof ticketMessages)["pt"]>;

type Signed = Partial<Pick<Ticket, "lastMessageFromMe" | "user">>;

/** The one line of a list row that says what came last: the text without marks, or what kind of thing it was. */
export function lastMessageText(ticket: Pick<Ticket, "lastMessage" | "lastMessageType"> & Signed, t: Words): string {
  const type = ticket.lastMessageType;
  // WhatsApp's audio carries no words: its text is the name of a file
  const text = type === "audio" ? "" : withoutMarks(unsigned(ticket)).replace(/\s+/gu, " ").trim();
  if (!isKind(type)) {
    return text;
  }
  const [icon, word] = kinds[type];
  return `${icon} ${text === "" ? t(word) : text}`;
}

/** The row says "You" or "Team" before it: the signature (M-11) would take the rest of the line to say it again. */
function unsigned({ lastMessage, lastMessageFromMe, user }: Pick<Ticket, "lastMessage"> & Signed): string {
  const signature = `*${user?.name}*\n`;
  return lastMessageFromMe && user && lastMessage.startsWith(signature)
    ? lastMessage.slice(signature.length)
    : lastMessage;
}

/** Who of ours said it, as near as a row knows: its agent, a colleague, or the bot where nobody has it yet. */
export function lastAuthor(
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
