import type { MediaType } from "@prosa/contract";
import type { ImportedFile, SaidHere } from "./chat-imports.queries.ts";
import type { KnownLine } from "./chat-marks.ts";
import type { ChatLine } from "./parse-chat.ts";

export interface TimedLine {
  readonly line: KnownLine;
  readonly at: Date;
}

const minuteOf = (at: Date) => Math.floor(at.getTime() / 60_000);

/** Without what came through the product itself: most exports know a message by its minute, its words and who said it. Pure. */
export function withoutSaidHere(lines: readonly TimedLine[], me: string, said: readonly SaidHere[]): TimedLine[] {
  const count = new Map<string, number>();
  const keyOf = (fromMe: boolean, at: Date, what: string) => `${fromMe} ${minuteOf(at)} ${what}`;
  for (const { fromMe, mediaType, body, sentAt } of said) {
    const key = keyOf(fromMe, sentAt, mediaType === "chat" ? body.trim() : `file ${body.trim()}`);
    count.set(key, (count.get(key) ?? 0) + 1);
  }
  return lines.filter(({ line, at }) => {
    const what = line.file === null && line.omitted === null ? line.body.trim() : `file ${line.body.trim()}`;
    const key = keyOf(line.author === me, at, what);
    const left = count.get(key) ?? 0;
    count.set(key, left - 1);
    return left <= 0;
  });
}

/**
 * The messages of lines whose file another export left out, or that leave out a file which another one named: of the same minute, author
 * and kind, in their order. Returns them by the lines' marks. Pure.
 */
export function pairWithImported(
  lines: readonly TimedLine[],
  me: string,
  imported: readonly ImportedFile[],
  kind: (line: KnownLine) => MediaType,
): ReadonlyMap<string, number> {
  const byMinute = Map.groupBy(imported, ({ sentAt }) => minuteOf(sentAt));
  const taken = new Set<number>();
  const pairs = new Map<string, number>();
  for (const { line, at } of lines.filter(({ line: { file, omitted } }) => file !== null || omitted !== null)) {
    const fromMe = line.author === me;
    const alike = (byMinute.get(minuteOf(at)) ?? []).filter(
      (each) =>
        !taken.has(each.id) &&
        each.isNamed === (line.file === null) &&
        each.fromMe === fromMe &&
        (each.author === "" || each.author === line.author),
    );
    // Android leaves out every file in the same words, which are taken for a picture.
    const isOfAnyKind = (each: ImportedFile) =>
      line.omitted === "image" || (!each.isNamed && each.mediaType === "image");
    const found = alike.find(({ mediaType }) => mediaType === kind(line)) ?? alike.find(isOfAnyKind);
    if (found) {
      taken.add(found.id);
      pairs.set(line.mark, found.id);
    }
  }
  return pairs;
}

/** What kind of message a line becomes; `type`: of its file, where the archive has it. Pure. */
export function kindOf({ file, omitted }: ChatLine, type = ""): MediaType {
  if (omitted !== null) {
    return omitted;
  }
  if (file === null) {
    return "chat";
  }
  if (/sticker.*\.webp$|^STK-/iu.test(file)) {
    return "sticker";
  }
  const [family] = type.split("/");
  const isSound = /\.(?:opus|ogg|m4a|aac|amr|mp3)$/iu.test(file);
  if (isSound) {
    return "audio";
  }
  return family === "image" || family === "video" || family === "audio" ? family : "application";
}

/** A voice message, and no other sound. */
export function isVoice({ file }: ChatLine): boolean {
  return /\.opus$/iu.test(file ?? "");
}

/** The digits of an author whom the phone has no name for; null for a name. Pure. */
export function phoneOf(author: string): string | null {
  const digits = author.replaceAll(/\D/gu, "");
  // WhatsApp writes "+55 11 98888-7766", with spaces and hyphens of several kinds.
  return /^\+[\d\s().\p{Pd}\p{Cf}]+$/u.test(author) && digits.length >= 8 && digits.length <= 15 ? digits : null;
}
