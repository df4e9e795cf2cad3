import type { FoundMessage, Ticket } from "@prosa/contract/tickets";
import type { Translate } from "#web/lib/text/i18n.ts";
import { stripFormatting, stripFormattingOfPieces } from "#web/lib/text/plain-text.ts";
import { withoutSignature } from "#web/lib/text/signature.ts";
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

type Last = Pick<Ticket, "lastMessage" | "lastMessageType"> & Partial<Pick<Ticket, "lastMessageAuthor">>;

/** The preview line of a list row: who of the company wrote the last message, if not the contact, and what. */
export function lastMessageLine(ticket: Last, myId: number, t: Texts): string {
  const author = authorName(ticket.lastMessageAuthor, myId, t);
  return `${author === undefined ? "" : `${author}: `}${lastMessagePreview(ticket, t)}`;
}

/** The excerpt of a found message, alternating unmatched and matched text; before it who wrote it, if not the contact. */
export function foundPieces(found: FoundMessage, myId: number, t: Texts): readonly string[] {
  const author = authorName(found.author, myId, t);
  const [first = "", ...more] = found.snippet;
  const signature = found.author?.kind === "user" ? `*${found.author.user?.name}* ` : "";
  const start = first.startsWith(signature) ? first.slice(signature.length) : first;
  const [unmarked = "", ...rest] = stripFormattingOfPieces([start, ...more]);
  return [author === undefined ? unmarked : `${author}: ${unmarked}`, ...rest];
}

/** The last message's text without marks, or the name of its kind. */
export function lastMessagePreview(ticket: Last, t: Texts): string {
  const type = ticket.lastMessageType;
  // the text of an audio is its file name
  const text = type === "audio" ? "" : stripFormatting(unsignedWords(ticket)).replace(/\s+/gu, " ").trim();
  if (!isKind(type)) {
    return text;
  }
  const [icon, label] = kinds[type];
  return `${icon} ${text === "" ? t(label) : text}`;
}

/** The line names the author already: the signature (M-11) would only repeat it. */
function unsignedWords({ lastMessage, lastMessageAuthor }: Last): string {
  const name = lastMessageAuthor?.kind === "user" ? lastMessageAuthor.user?.name : undefined;
  return name === undefined ? lastMessage : withoutSignature(lastMessage, name);
}

/** Undefined of the contact's words, and of those whose author a server of the release before does not name. */
function authorName(author: Last["lastMessageAuthor"], myId: number, t: Texts): string | undefined {
  switch (author?.kind) {
    case "bot":
    case "campaign":
    case "phone":
      return t(author.kind);
    case "user":
      return author.user?.id === myId ? t("you") : (firstNameOf(author.user) ?? t("team"));
    default:
      return undefined;
  }
}

function firstNameOf(user: { readonly name: string } | null): string | undefined {
  return user?.name.trim().split(/\s+/u)[0];
}

function isKind(type: string): type is keyof typeof kinds {
  return Object.hasOwn(kinds, type);
}
