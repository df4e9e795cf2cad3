import type { Content } from "../../port.ts";
import { PLACEHOLDER_MAX_AGE_SECONDS } from "../library.ts";
import type { BinaryNode } from "../library.ts";

/** What WhatsApp keeps from linked devices, by the word with which it says so. */
const FANOUTS: Readonly<Record<string, string>> = {
  view_once_unavailable_fanout: "viewOnce",
  bot_unavailable_fanout: "metaAi",
  hosted_unavailable_fanout: "hosted",
};

export interface Withheld {
  readonly waId: string;
  readonly content: Content;
}

/**
 * What a message stanza without content stands for (decision 0119); null for one that has content, and for those that the
 * library tells by itself. One that is recent is told twice: the library asks the phone for it, and raises the same stub.
 */
export function withheldOf({ attrs, content }: BinaryNode, now: Date): Withheld | null {
  const parts = Array.isArray(content) ? content : [];
  const { id: waId = "" } = attrs;
  if (parts.find(({ tag }) => tag === "enc")?.attrs.type === "msmsg") {
    // Meta's assistant writes bit by bit, each an edit of the first.
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
  const what = FANOUTS[kind ?? ""];
  if (what !== undefined) {
    return { waId, content: { kind: "unsupported", what } };
  }
  const isAbsent = now.getTime() / 1_000 - Number(attrs.t ?? 0) > PLACEHOLDER_MAX_AGE_SECONDS;
  return { waId, content: { kind: "undecryptable", ...(isAbsent && { isAbsent }) } };
}
