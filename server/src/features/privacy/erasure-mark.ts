import type { DataSubject } from "#server/platform/personal-data.ts";
import type { Signer } from "#server/platform/auth/index.ts";

const never = new Date("9999-01-01T00:00:00Z");

/**
 * Keyed hashes of a word, one for each secret, the current one's first: whoever has only the database learns nothing from them
 * (decision 0210). The first one is kept; all are looked up, because keys are rotated.
 */
export function erasureMarks(signer: Signer, companyId: number, word: string): string[] {
  return signer.signAll("erased person", `${companyId}:${word}`, never).map((text) => text.split(".").at(-1) ?? "");
}

/** The marks that are kept of a person. */
export function marksOf(signer: Signer, companyId: number, subject: DataSubject, rowKey: string): string[] {
  return markedWords(subject, rowKey).flatMap((word) => erasureMarks(signer, companyId, word)[0] ?? []);
}

/** What tells a person from others after a restore: numbers, LIDs, and the row itself, which stays the same when its number changes. */
export function markedWords({ numbers, lids }: DataSubject, rowKey: string): string[] {
  return [...numbers, ...lids, `row ${rowKey}`];
}
