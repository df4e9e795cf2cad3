/** Which announcements has the user seen in this browser? Local storage keeps "user:announcement" pairs, the latest last. */
import { useState } from "react";
import { writeStored, readStored } from "#web/lib/session/storage.ts";

/** Pairs that are kept, more than any bell shows; older ones are dropped. */
const maxPairs = 400;

export function useSeenAnnouncements(userId: number) {
  const [text, setText] = useState(() => readStored("prosa.announcements"));

  function markSeen(ids: readonly number[]) {
    const next = withSeen(readStored("prosa.announcements"), userId, ids);
    writeStored("prosa.announcements", next);
    setText(next);
  }

  return { seen: seenIn(text, userId), markSeen };
}

/** Pure: the announcements that a user has seen, parsed from the stored text; invalid pairs are ignored. */
export function seenIn(text: string | undefined, userId: number): ReadonlySet<number> {
  const pairs = (text ?? "").split(",").map((pair) => pair.split(":").map(Number));
  const ids = pairs.flatMap(([user, id = 0]) => (user === userId ? [id] : []));
  return new Set(ids.filter((id) => Number.isInteger(id) && id > 0));
}

/** Pure: the stored text with these announcements added. */
export function withSeen(text: string | undefined, userId: number, ids: readonly number[]): string {
  const known = (text ?? "").split(",").filter((pair) => pair !== "");
  const added = ids.map((id) => `${userId}:${id}`).filter((pair) => !known.includes(pair));
  return [...known, ...added].slice(-maxPairs).join(",");
}
