/** Which announcements has this person seen here? The browser remembers them as "user:announcement", the latest last. */
import { useState } from "react";
import { remember, remembered } from "#web/lib/storage.ts";

/** More than any bell shows; older ones are forgotten. */
const most = 400;

export function useSeenAnnouncements(userId: number) {
  const [text, setText] = useState(() => remembered("prosa.announcements"));

  function markSeen(ids: readonly number[]) {
    const next = withSeen(remembered("prosa.announcements"), userId, ids);
    remember("prosa.announcements", next);
    setText(next);
  }

  return { seen: seenIn(text, userId), markSeen };
}

/** Pure: what a stored text says of one user; nonsense says nothing. */
export function seenIn(text: string | undefined, userId: number): ReadonlySet<number> {
  const pairs = (text ?? "").split(",").map((pair) => pair.split(":").map(Number));
  const ids = pairs.flatMap(([user, id = 0]) => (user === userId ? [id] : []));
  return new Set(ids.filter((id) => Number.isInteger(id) && id > 0));
}

/** Pure: the text with these added. */
export function withSeen(text: string | undefined, userId: number, ids: readonly number[]): string {
  const known = (text ?? "").split(",").filter((pair) => pair !== "");
  const added = ids.map((id) => `${userId}:${id}`).filter((pair) => !known.includes(pair));
  return [...known, ...added].slice(-most).join(",");
}
