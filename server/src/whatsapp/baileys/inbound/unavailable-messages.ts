import type { Content } from "../../port.ts";
import { PLACEHOLDER_MAX_AGE_SECONDS } from "../library.ts";
import type { BinaryNode } from "../library.ts";

/** Messages that WhatsApp withholds from linked devices, by the type of their `unavailable` node. */
const UNAVAILABLE_TYPES: Readonly<Record<string, string>> = {
  view_once_unavailable_fanout: "viewOnce",
  bot_unavailable_fanout: "metaAi",
  hosted_unavailable_fanout: "hosted",
};

export interface UnavailableMessage {
  readonly waId: string;
  readonly content: Content;
}

/**
 * The message that a stanza without content stands for (decision 0119); null for a stanza with content, and for those that
 * the library raises itself. A recent one arrives twice: the library requests it from the phone, and raises the same
 * placeholder.
 */
export function unavailableMessageOf({ attrs, content }: BinaryNode, now: Date): UnavailableMessage | null {
  const parts = Array.isArray(content) ? content : [];
  const { id: waId = "" } = attrs;
  if (parts.find(({ tag }) => tag === "enc")?.attrs.type === "msmsg") {
    // Meta AI streams its answer: each part edits the first message.
    const first = parts.find(({ tag }) => tag === "bot")?.attrs.edit_target_id;
    return { waId: first ?? waId, content: { kind: "unsupported", what: "metaAi" } };
  }
  if (parts.some(({ tag, content: bytes }) => (tag === "enc" || tag === "plaintext") && bytes instanceof Uint8Array)) {
    return null;
  }
  const kind = parts.find(({ tag }) => tag === "unavailable")?.attrs.type;
  if (kind === "view_once") {
    return null;
  }
  const what = UNAVAILABLE_TYPES[kind ?? ""];
  if (what !== undefined) {
    return { waId, content: { kind: "unsupported", what } };
  }
  const isAbsent = now.getTime() / 1_000 - Number(attrs.t ?? 0) > PLACEHOLDER_MAX_AGE_SECONDS;
  return { waId, content: { kind: "undecryptable", ...(isAbsent && { isAbsent }) } };
}
