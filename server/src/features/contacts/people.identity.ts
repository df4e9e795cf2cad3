import type { Match, Sighting } from "./people.queries.ts";

/**
 * What a sighting means (W-10). Pure.
 *
 * - `known`: nothing new.
 * - `new`: nobody has this number, LID or group yet.
 * - `note`: it is this contact, under an address or a spelling that must be written down.
 * - `join`: a number and a LID turned out to be one person: the LID's contact goes into the number's.
 */
export type Identity =
  | { readonly kind: "known" | "note"; readonly id: number }
  | { readonly kind: "new" }
  | { readonly kind: "join"; readonly id: number; readonly twin: number };

export function identify(seen: Sighting, match: Match): Identity {
  const { byNumber, byLid } = match;
  // A LID stays with its person when they change their number; so without the number's contact it decides alone.
  const id = byNumber ?? byLid;
  if (id === null) {
    return { kind: "new" };
  }
  // A LID's contact with a number of its own is somebody else: the LID only moved.
  if (byLid !== null && byLid !== id && match.lidNumber === null) {
    return { kind: "join", id, twin: byLid };
  }

  const isPhoneKnown = seen.phone === null || (match.byPhone === id && match.number === seen.phone);
  const isLidKnown = seen.lid === null || byLid === id;
  const isGroupKnown = seen.group === null || match.byGroup === id;
  return { kind: isPhoneKnown && isLidKnown && isGroupKnown ? "known" : "note", id };
}
