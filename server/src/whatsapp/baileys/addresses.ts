import type { Address, PersonRef } from "../port.ts";
import { jidDecode } from "./library.ts";

/** Who the line itself is, under both addresses. */
export interface Self {
  readonly phone: string | null;
  readonly lid: string | null;
}

export const nobody: PersonRef = { phone: null, lid: null };

/** A JID without device suffix as an address; null for status, newsletters, servers and what we do not know. */
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

/** The same person under each address that any of these JIDs shows. */
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

/** A person by LID where it is known, as WhatsApp does today. */
export function jidOfPerson({ phone, lid }: PersonRef): string | null {
  return lid ? jidOf({ kind: "lid", value: lid }) : phone ? jidOf({ kind: "phone", value: phone }) : null;
}

export function isSelf(person: PersonRef, self: Self): boolean {
  return (person.phone !== null && person.phone === self.phone) || (person.lid !== null && person.lid === self.lid);
}
