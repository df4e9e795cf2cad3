/** What does a page say about itself? Pure: its HTML is somebody else's, so it is only read as text. */
import { truncateText } from "#server/platform/truncate-text.ts";

export interface PageMeta {
  readonly title: string;
  readonly description: string;
  /** Address of its picture as written, perhaps relative. */
  readonly picture: string | undefined;
}

const maxTitle = 200;
const maxDescription = 300;

/** Undefined for a page without a title. */
export function readPageMeta(body: Buffer, contentType: string): PageMeta | undefined {
  const html = decode(body, contentType);
  const metas = new Map<string, string>();
  // No tag reaches into the next one: that keeps this linear, however the page is written.
  for (const [tag] of html.matchAll(/<meta\s[^<>]{1,4000}>/giu)) {
    const attributes = attributesOf(tag);
    const name = (attributes.get("property") ?? attributes.get("name") ?? "").toLowerCase();
    const content = attributes.get("content") ?? "";
    if (name !== "" && content !== "" && !metas.has(name)) {
      metas.set(name, content);
    }
  }
  const first = (...names: string[]) => names.map((name) => metas.get(name)).find((text) => text !== undefined);
  const title = first("og:title", "twitter:title") ?? /<title[^<>]{0,500}>([^<]{1,2000})/iu.exec(html)?.[1] ?? "";
  const shown = readable(title, maxTitle);
  const picture = first("og:image:secure_url", "og:image:url", "og:image", "twitter:image");
  return shown === ""
    ? undefined
    : {
        title: shown,
        description: readable(first("og:description", "description", "twitter:description") ?? "", maxDescription),
        picture: picture && decodeEntities(picture).trim(),
      };
}

/** HTML text as people read it, in one line. */
export function readable(text: string, max: number): string {
  return oneLine(decodeEntities(text), max);
}

/** One line of text: without control characters, and without marks that turn its direction around. */
export function oneLine(text: string, max: number): string {
  const line = text
    .replaceAll(/[\u202A-\u202E\u2066-\u2069]/gu, "")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .toWellFormed()
    .trim();
  return line.length > max ? `${truncateText(line, max - 1).trimEnd()}…` : line;
}

function attributesOf(tag: string): ReadonlyMap<string, string> {
  // A name begins where none was before, so that a long one is tried once.
  const found = tag.matchAll(/(?<![\w:-])([\w:-]{1,50})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gu);
  return new Map(
    [...found].map(([, name = "", double, single, bare]) => [name.toLowerCase(), double ?? single ?? bare ?? ""]),
  );
}

function decode(body: Buffer, contentType: string): string {
  const declared =
    /charset=["']?([\w-]{1,40})/iu.exec(contentType)?.[1] ??
    /<meta[^>]{0,200}charset=["']?([\w-]{1,40})/iu.exec(body.subarray(0, 2_048).toString("latin1"))?.[1];
  try {
    return new TextDecoder(declared ?? "utf-8").decode(body);
  } catch {
    return body.toString("utf8"); // a charset that nobody knows
  }
}

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  rsquo: "’",
  lsquo: "‘",
  ldquo: "“",
  rdquo: "”",
};

function decodeEntities(text: string): string {
  return text.replaceAll(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,6});/giu, (whole, entity: string) => {
    if (!entity.startsWith("#")) {
      return named[entity.toLowerCase()] ?? whole;
    }
    const code = /^#x/iu.test(entity) ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1));
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : "";
  });
}
