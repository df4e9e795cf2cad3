import { basename } from "node:path";
import type { MediaType } from "@prosa/contract";
import { textOf } from "../values.ts";
import type { SourceRow } from "./family.queries.ts";

const kinds: Readonly<Record<string, MediaType>> = {
  image: "image",
  imageMessage: "image",
  video: "video",
  videoMessage: "video",
  audio: "audio",
  audioMessage: "audio",
  ptt: "audio",
  voice: "audio",
  sticker: "sticker",
  stickerMessage: "sticker",
  document: "application",
  documentMessage: "application",
  documentWithCaptionMessage: "application",
  application: "application",
  location: "locationMessage",
  locationMessage: "locationMessage",
  liveLocationMessage: "locationMessage",
  vcard: "vcard",
  contactMessage: "vcard",
  contactsArrayMessage: "vcard",
  multi_vcard: "vcard",
};

/** Kinds that have a file. */
export const withFile: ReadonlySet<MediaType> = new Set(["image", "video", "audio", "sticker", "application"]);

export interface MessageContent {
  readonly mediaType: MediaType;
  readonly body: string;
  readonly data: Readonly<Record<string, unknown>> | null;
  /** As the person sees it; empty: as the file is named in the folder. */
  readonly fileName: string;
}

/** What a message of the family says here. `type`: of its file, by the bytes; undefined where there is none. Pure. */
export function contentOf(row: SourceRow, type: string | undefined): MessageContent {
  const [given, body, url] = [textOf(row["mediaType"]), textOf(row["body"], 65_536), textOf(row["mediaUrl"])];
  const kind =
    kinds[given] ??
    (url === "" ? undefined : kinds[given.split("/")[0] ?? ""]) ??
    (url === "" ? "chat" : "application");
  const plain = { body, data: null, fileName: "" };
  if (withFile.has(kind)) {
    if (url === "") {
      return body === "" ? { ...plain, mediaType: "unsupported" } : { ...plain, mediaType: "chat" };
    }
    const file = basename(url.split("?")[0] ?? "");
    // Without a caption the family repeats the name of the file.
    const isName = body === file || file.endsWith(body) || /^[^\n]{1,200}\.[A-Za-z0-9]{2,5}$/u.test(body);
    const mediaType = kindOfFile(kind, type);
    return {
      mediaType,
      data: null,
      body: isName ? "" : body,
      fileName: isName && mediaType === "application" ? body : "",
    };
  }
  if (kind === "locationMessage") {
    return { ...plain, ...locationOf(body) };
  }
  if (kind === "vcard") {
    return { ...plain, ...cardsOf(body) };
  }
  return { ...plain, mediaType: body === "" ? "unsupported" : "chat" };
}

/** What the bytes are: a browser would show a document that is called a picture as a broken one. */
function kindOfFile(kind: MediaType, type: string | undefined): MediaType {
  const family = type?.split("/")[0];
  if (type === undefined || kind === "application") {
    return kind;
  }
  const fits = kind === "sticker" ? family === "image" : kind === "video" ? family === "video" : family === kind;
  const isSound = kind === "audio" && ["video/mp4", "application/ogg", "video/webm", "video/ogg"].includes(type);
  return fits || isSound ? kind : "application";
}

/** `data:image/png;base64,… | https://maps.google.com/maps?q=-23.5%2C-46.6&z=17 | name` */
function locationOf(body: string): Omit<MessageContent, "fileName"> {
  const found = /[?&](?:q|query|ll|mlat)=(-?\d+(?:\.\d+)?)(?:%2C|,|&mlon=)\s*(-?\d+(?:\.\d+)?)/iu.exec(body);
  const name = (body.split("|").at(-1) ?? "").trim();
  const isName = name !== "" && !/^(?:data:|https?:)/u.test(name) && !/^-?\d/u.test(name);
  if (!found) {
    return { mediaType: "chat", body: body.startsWith("data:") ? "" : body, data: null };
  }
  const place = { latitude: Number(found[1]), longitude: Number(found[2]), name: isName ? name : "", address: "" };
  return { mediaType: "locationMessage", body: place.name, data: place };
}

function cardsOf(body: string): Omit<MessageContent, "fileName"> {
  const cards = [...body.matchAll(/BEGIN:VCARD[^]*?END:VCARD/giu)].map(([vcard]) => ({
    name: /^FN[^:\n]*:(.*)$/imu.exec(vcard)?.[1]?.trim() ?? "",
    vcard,
  }));
  return cards.length === 0
    ? { mediaType: body === "" ? "unsupported" : "chat", body, data: null }
    : { mediaType: "vcard", body: cards.map(({ name }) => name).join(", "), data: { cards } };
}
