import type { Message } from "@prosa/contract/messages";

/** Name, address, coordinates and map URL of a location message. */
export function locationOf(message: Pick<Message, "data">) {
  const latitude = numberOf(message.data?.latitude);
  const longitude = numberOf(message.data?.longitude);
  return {
    name: textOf(message.data?.name),
    address: textOf(message.data?.address),
    coordinates: `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`,
    url: `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`,
  };
}

/** A person of a contact message. */
export interface SharedContact {
  readonly name: string;
  /** As written on the card; empty without any. */
  readonly number: string;
  /** Digits with country code; empty where the card has no number that could be one of WhatsApp's. */
  readonly digits: string;
}

/** The people of a contact message, in its order: one card, or an array of them. */
export function sharedContactsOf(message: Pick<Message, "data" | "body" | "contact">): SharedContact[] {
  const cards = Array.isArray(message.data?.cards) ? (message.data.cards as unknown[]).filter(isRecord) : [];
  const country = /^55\d{10,11}$/u.test(message.contact?.number ?? "") ? "55" : "";
  return (cards.length > 0 ? cards : [{ vcard: message.body }]).map((card) => sharedContact(card, country));
}

/** WhatsApp writes its own number as `waid`; a card may have others, of a landline or an office. */
function sharedContact(card: Record<string, unknown>, country: string): SharedContact {
  // a long line goes on below, after a space
  const vcard = textOf(card["vcard"]).replaceAll(/\r?\n[ \t]/gu, "");
  const phones = [...vcard.matchAll(/^(?:item\d+\.)?TEL([^:\r\n]*):(.+)$/gimu)].map(([, kind = "", written = ""]) => ({
    number: written.trim(),
    digits: /waid=(\d+)/iu.exec(kind)?.[1] ?? internationalDigits(written.trim(), country),
    isWhatsApp: /waid=\d/iu.test(kind),
  }));
  const best = phones.find(({ isWhatsApp }) => isWhatsApp) ?? phones.find(({ digits }) => digits !== "") ?? phones[0];
  return {
    name: textOf(card["name"]) || (/^FN[^:]*:(.+)$/imu.exec(vcard)?.[1]?.trim() ?? "").replaceAll(/\\(.)/gu, "$1"),
    number: best?.number ?? "",
    digits: best?.digits ?? "",
  };
}

/** A number without country code is of the sender's country, as in their phone's address book. Empty for no whole number. */
function internationalDigits(written: string, country: string): string {
  const isInternational = /^(\+|00)/u.test(written);
  const digits = written.replaceAll(/\D/gu, "").replace(/^0+/u, "");
  const isNational = !isInternational && (digits.length === 10 || digits.length === 11);
  const whole = isNational ? `${country}${digits}` : digits;
  return whole.length >= 8 && whole.length <= 15 ? whole : "";
}

function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
