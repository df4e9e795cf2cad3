import type { Address, PersonRef } from "../port.ts";
import { isJidBroadcast, isJidStatusBroadcast, jidDecode } from "./library.ts";

/** The line's own account, under both addresses. */
export interface Self {
  readonly phone: string | null;
  readonly lid: string | null;
}

export const unknownPerson: PersonRef = { phone: null, lid: null };

/** The address of a JID, without its device suffix; null for status broadcasts, newsletters, servers and unknown JIDs. */
export function addressOf(jid: string | null | undefined): Address | null {
  const decoded = jidDecode(jid ?? undefined);
  switch (decoded?.server) {
    case "s.whatsapp.net":
    case "c.us":
    case "hosted":
      return { kind: "phone", value: decoded.user };
    case "lid":
    case "hosted.lid":
      return { kind: "lid", value: decoded.user };
    case "g.us":
      return { kind: "group", value: decoded.user };
    default:
      return null;
  }
}

/**
 * The JID of the chat that a message belongs to. A contact's broadcast list is none: what they send to it arrives in their own chat, as on
 * every phone.
 */
export function chatJidOf(
  from: string | null | undefined,
  participant: string | null | undefined,
): string | null | undefined {
  return from && isJidBroadcast(from) === true && !isJidStatusBroadcast(from) ? participant : from;
}

/** One person from several of their JIDs: the first phone number and the first LID among them. */
export function personOf(...jids: readonly (string | null | undefined)[]): PersonRef {
  const addresses = jids.map(addressOf);
  return {
    phone: addresses.find((address) => address?.kind === "phone")?.value ?? null,
    lid: addresses.find((address) => address?.kind === "lid")?.value ?? null,
  };
}

export function jidOf(address: Address): string {
  const servers = { phone: "s.whatsapp.net", lid: "lid", group: "g.us" } as const;
  return `${address.value}@${servers[address.kind]}`;
}

/** The JID of a person: the LID where it is known, as WhatsApp addresses people today. */
export function jidOfPerson({ phone, lid }: PersonRef): string | null {
  return lid ? jidOf({ kind: "lid", value: lid }) : phone ? jidOf({ kind: "phone", value: phone }) : null;
}

export function isSelf(person: PersonRef, self: Self): boolean {
  return (person.phone !== null && person.phone === self.phone) || (person.lid !== null && person.lid === self.lid);
}
