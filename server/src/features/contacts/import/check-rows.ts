import type { Signer } from "#server/platform/auth/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { checkRow } from "./import-rows.ts";
import type { CheckedRow, SheetRow } from "./import-rows.ts";
import { findExistingNumbers } from "./imports.queries.ts";
import { readNumber } from "./sheet-number.ts";

/**
 * Of these numbers those whose person was erased after `since`. Passed in by app: the feature that knows lies above those that import.
 */
export type FindErasedNumbers = (
  ctx: Ctx,
  signer: Signer,
  numbers: readonly string[],
  since: Date,
) => Promise<ReadonlySet<string>>;

/** How an import that began at `since` learns whom it must not bring back. */
export interface ErasedSince {
  readonly since: Date;
  readonly signer: Signer;
  readonly findErasedNumbers: FindErasedNumbers;
}

/**
 * Checks a batch of rows by the rules of the contact form. A number that a contact has just as it is written stays: only another gets
 * a country code that it seems to lack. Rows of people who were erased since the import began are left out, refused ones too (V-02).
 */
export async function checkRows(
  ctx: Ctx,
  rows: readonly SheetRow[],
  { since, signer, findErasedNumbers }: ErasedSince,
): Promise<CheckedRow[]> {
  const read = rows.map(({ number }) => readNumber(number));
  const digits = read.flatMap((each) => ("digits" in each ? [each.digits] : []));
  const guessed = read.flatMap((each) => ("digits" in each && each.written !== undefined ? [each.written] : []));
  const known = guessed.length === 0 ? new Set<string>() : await findExistingNumbers(ctx, guessed);
  const erased = await findErasedNumbers(ctx, signer, [...digits, ...guessed], since);
  return rows.flatMap((row, index) => {
    const number = read[index]!;
    const isErased = "digits" in number && (erased.has(number.digits) || erased.has(number.written ?? ""));
    return isErased ? [] : [checkRow(row, known)];
  });
}
