import type { ResponseOf, SimMessage, simulator } from "@prosa/contract";
import type { LimitsView, MessageView } from "@prosa/wa-sim";

const acks = { sent: 1, delivered: 2, read: 3, played: 4 } as const;

/** A message as its customer sees it: `fromMe` marks the customer's own. */
export function messageView(message: MessageView, mediaUrl: string | null): SimMessage {
  const { content, revoked } = message;
  return {
    id: message.id,
    fromMe: message.isOwn,
    kind: kindOf(content),
    text: revoked ? "" : displayText(message),
    mediaUrl: revoked ? null : mediaUrl,
    fileName: "fileName" in content ? (content.fileName ?? null) : null,
    at: new Date(message.at).toISOString(),
    ack: acks[message.status],
    edited: message.edited,
    deleted: revoked,
    reaction: [...new Set(Object.values(message.reactions))].join(""),
  };
}

/** Undefined limits: the network was started by a release that knew none. */
export function limitsView(limits: LimitsView | undefined): ResponseOf<typeof simulator.people>["phone"]["limits"] {
  return limits
    ? {
        lockedUntil: limits.lockedUntil === null ? null : new Date(limits.lockedUntil).toISOString(),
        cap: limits.cap && { used: limits.cap.used, total: limits.cap.total },
      }
    : null;
}

/** The preview of a chat's last message. */
export function previewText(message: MessageView): string {
  return message.revoked ? "" : displayText(message);
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

function displayText({ content, text }: MessageView): string {
  if (content.kind === "location" || content.kind === "contact") {
    return content.name ?? "";
  }
  return text;
}
