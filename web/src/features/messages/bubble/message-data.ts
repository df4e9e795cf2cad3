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

/** Name and number of the first vCard of a contact message; the number as written and in digits. */
export function contactCardOf(message: Pick<Message, "data" | "body">) {
  const cards = Array.isArray(message.data?.cards) ? (message.data.cards as unknown[]) : [];
  const first = isRecord(cards[0]) ? cards[0] : {};
  const vcard = textOf(first.vcard) || message.body;
  const line = /^(?:item\d+\.)?TEL([^:\r\n]*):(.+)$/imu.exec(vcard);
  const number = line?.[2]?.trim() ?? "";
  return {
    name: textOf(first.name) || (/^FN[^:]*:(.+)$/imu.exec(vcard)?.[1]?.trim() ?? ""),
    number,
    digits: (/waid=(\d+)/iu.exec(line?.[1] ?? "")?.[1] ?? number).replace(/\D/gu, ""),
  };
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
