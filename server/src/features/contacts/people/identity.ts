import type { IdentifierMatch, ObservedIdentifiers } from "./contact-resolver.queries.ts";

/**
 * What to do with observed identifiers (W-10).
 *
 * - `known`: all of them lead to this contact already.
 * - `new`: no contact has this number, LID or group; create one.
 * - `addIdentifier`: they are of this contact, and one of them or its spelling must be saved.
 * - `merge`: a number and a LID turned out to be one person; the LID's contact (`duplicateId`) goes into the number's.
 */
export type IdentityResolution =
  | { readonly kind: "known" | "addIdentifier"; readonly id: number }
  | { readonly kind: "new" }
  | { readonly kind: "merge"; readonly id: number; readonly duplicateId: number };

/** Decides what observed identifiers mean for the contacts that they match. Pure. */
export function resolveIdentity(observed: ObservedIdentifiers, match: IdentifierMatch): IdentityResolution {
  const { byNumber, byLid } = match;
  // A LID stays with its person when they change their number; so without the number's contact it decides alone.
  const id = byNumber ?? byLid;
  if (id === null) {
    return { kind: "new" };
  }
  // If the LID's contact has a number of its own, it is another person, and only the LID moved.
  if (byLid !== null && byLid !== id && match.lidNumber === null) {
    return { kind: "merge", id, duplicateId: byLid };
  }

  const isPhoneKnown = observed.phone === null || (match.byPhone === id && match.number === observed.phone);
  const isLidKnown = observed.lid === null || byLid === id;
  const isGroupKnown = observed.group === null || match.byGroup === id;
  return { kind: isPhoneKnown && isLidKnown && isGroupKnown ? "known" : "addIdentifier", id };
}
