import { createHash } from "node:crypto";
import type { ChatLine } from "./parse-chat.ts";

/** A message with the mark by which it is told again. */
export interface KnownLine extends ChatLine {
  readonly mark: string;
  /** A file belongs to the first message that names it: a crafted chat must not store one file a thousand times. */
  readonly isFirstOfFile: boolean;
}

/** A message is its time, its author, its words and its file, and which of several equal ones it is (decision 0235). Pure. */
export function withMarks(lines: readonly ChatLine[]): KnownLine[] {
  const seen = new Map<string, number>();
  const files = new Set<string>();
  return lines.map((line) => {
    const parts = [line.at, line.author, line.body, line.file ?? line.omitted ?? ""];
    const same = JSON.stringify(parts);
    const nth = seen.get(same) ?? 0;
    seen.set(same, nth + 1);
    const file = line.file?.normalize("NFC");
    const isFirstOfFile = file !== undefined && !files.has(file);
    if (file !== undefined) {
      files.add(file);
    }
    const mark = createHash("sha256")
      .update(JSON.stringify([...parts, nth]))
      .digest("hex")
      .slice(0, 32);
    return { ...line, mark, isFirstOfFile };
  });
}
