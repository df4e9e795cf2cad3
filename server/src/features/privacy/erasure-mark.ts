import type { Signer } from "#server/platform/auth/index.ts";

const never = new Date("9999-01-01T00:00:00Z");

/** A keyed hash of a number or LID: whoever has only the database learns nothing from it (decision 0210). */
export function erasureMark(signer: Signer, companyId: number, word: string): string {
  return signer.sign("erased person", `${companyId}:${word}`, never).split(".").at(-1) ?? "";
}
