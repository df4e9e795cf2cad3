import type { Match, Sighting } from "./people.queries.ts";

/**
 * What a sighting means (W-10). Pure.
 *
 * - `known`: nothing new.
 * - `new`: nobody has this number or LID yet.
 * - `link`: the number's contact showed its LID (or the group its id): remember the identifier.
 * - `reveal`: the LID's contact showed its number: it gets it, in WhatsApp's own spelling.
 * - `spell`: WhatsApp spells the number differently (the ninth digit).
 * - `join`: a number and a LID turned out to be one person: the LID's contact goes into the number's.
 */
export type Identity =
  | { readonly kind: "known"; readonly id: number }
  | { readonly kind: "new" }
  | { readonly kind: "link"; readonly id: number }
  | { readonly kind: "reveal"; readonly id: number }
  | { readonly kind: "spell"; readonly id: number }
  | { readonly kind: "join"; readonly id: number; readonly twin: number };

export function identify(seen: Sighting, match: Match): Identity {
  const { byNumber, byLid } = match;
  if (byNumber === null) {
    if (byLid === null) {
      return { kind: "new" };
    }
    // A LID stays with its person when they change their number, so the new number is theirs.
    return seen.phone === null ? { kind: "known", id: byLid } : { kind: "reveal", id: byLid };
  }
  if (byLid !== null && byLid !== byNumber) {
    // A contact with a number of its own is somebody: the LID was given to another number since.
    return match.lidNumber === null ? { kind: "join", id: byNumber, twin: byLid } : { kind: "link", id: byNumber };
  }
  if ((seen.lid !== null && byLid === null) || (seen.group !== null && !match.hasGroup)) {
    return { kind: "link", id: byNumber };
  }
  return seen.phone !== null && seen.phone !== match.number
    ? { kind: "spell", id: byNumber }
    : { kind: "known", id: byNumber };
}
