import type { ResponseOf, SimMessage, simulator } from "@prosa/contract";
import type { ChatView, MessageView } from "@prosa/wa-sim";
import type { PersonRow } from "./people.queries.ts";

export type SimPerson = ResponseOf<typeof simulator.addPerson>;

const acks = { sent: 1, delivered: 2, read: 3, played: 4 } as const;

/** A message as its person sees it: `fromMe` is the person's own. */
export function messageView(message: MessageView, mediaUrl: string | null): SimMessage {
  const { content, revoked } = message;
  return {
    id: message.id,
    fromMe: message.isOwn,
    kind: kindOf(content),
    text: revoked ? "" : wordsOf(message),
    mediaUrl: revoked ? null : mediaUrl,
    fileName: "fileName" in content ? (content.fileName ?? null) : null,
    at: new Date(message.at).toISOString(),
    ack: acks[message.status],
    edited: message.edited,
    deleted: revoked,
    reaction: [...new Set(Object.values(message.reactions))].join(""),
  };
}

/** Who was added, and who has a conversation because the desk wrote to them; the latest conversation first. */
export function peopleView(people: readonly PersonRow[], chats: readonly ChatView[]): SimPerson[] {
  const names = new Map(people.map(({ number, name }) => [number, name]));
  const talking = chats.map(({ number, name, last, unread }) => ({
    number,
    name: names.get(number) ?? name,
    lastText: textOfMessage(last),
    lastAt: new Date(last.at).toISOString(),
    unread,
  }));
  const known = new Set(chats.map(({ number }) => number));
  const silent = people
    .filter(({ number }) => !known.has(number))
    .map(({ number, name }) => ({ number, name, lastText: "", lastAt: null, unread: 0 }));
  return [...talking.toSorted((a, b) => (a.lastAt < b.lastAt ? 1 : -1)), ...silent.toReversed()];
}

/** What a list of chats shows of its last message. */
export function textOfMessage(message: MessageView): string {
  return message.revoked ? "" : wordsOf(message);
}

function kindOf(content: MessageView["content"]): SimMessage["kind"] {
  switch (content.kind) {
    case "image":
    case "audio":
    case "video":
    case "document":
    case "sticker":
    case "location":
    case "contact":
      return content.kind;
    default:
      return "text";
  }
}

function wordsOf({ content, text }: MessageView): string {
  if (content.kind === "location" || content.kind === "contact") {
    return content.name ?? "";
  }
  return text;
}
