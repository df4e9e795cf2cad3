import type { PersonRef } from "#server/whatsapp/port.ts";

/** The author of a group message as its row stores it. Old rows store no addresses, only the displayed number. */
export type Author = Partial<PersonRef> & { readonly number?: string };

/** Compares two people by phone number and LID. False if they have no address in common: then nothing proves that they are one. */
export function isSamePerson(one: PersonRef | null, other: Author | null): boolean {
  if (!one || !other) {
    return false;
  }
  if (other.phone === undefined && other.lid === undefined) {
    return other.number !== undefined && (other.number === one.phone || other.number === one.lid);
  }
  const hasSameLid = !!one.lid && one.lid === other.lid;
  const hasSamePhone = !!one.phone && one.phone === other.phone;
  return hasSameLid || hasSamePhone;
}

/** The participant of a message key: set in groups, where the key names the author; absent in other chats. */
export function participantRef({ participant }: { readonly participant: PersonRef | null }): {
  participant?: PersonRef;
} {
  return participant ? { participant: { phone: participant.phone, lid: participant.lid } } : {};
}
