import type { PersonRef } from "#server/whatsapp/port.ts";

/** Who wrote in a group, as a row keeps it; rows from before both addresses were kept have the shown one alone. */
export type Author = Partial<PersonRef> & { readonly number?: string };

/** Do these name one person? An address that both have must agree; with none in common nobody is proven the author. */
export function isSamePerson(one: PersonRef | null, other: Author | null): boolean {
  if (!one || !other) {
    return false;
  }
  if (other.phone === undefined && other.lid === undefined) {
    return other.number !== undefined && (other.number === one.phone || other.number === one.lid);
  }
  const isOneLid = !!one.lid && one.lid === other.lid;
  const isOnePhone = !!one.phone && one.phone === other.phone;
  return isOneLid || isOnePhone;
}

/** In a group a key names who wrote the message; elsewhere there is nobody to name. */
export function authorOf({ participant }: { readonly participant: PersonRef | null }): { participant?: PersonRef } {
  return participant ? { participant: { phone: participant.phone, lid: participant.lid } } : {};
}
