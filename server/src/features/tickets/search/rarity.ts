import type { RequestScope } from "#server/platform/http/index.ts";
import { isCompanyLarge, namesWithText, sampleNames } from "./name-sample.queries.ts";
import type { NamesWithText } from "./name-sample.queries.ts";
import { isRareText } from "./text-sample.queries.ts";

/** What samples of the company say of a search text, and of the company. They may be mistaken, so a search checks it. */
export interface Rarity {
  /** Are its words in few messages? */
  readonly isInFewMessages: boolean;
  readonly names: NamesWithText;
  /** Would the index read so much of a text which is not rare that its newest conversations should be scanned first? */
  readonly isCompanyLarge: boolean;
}

export async function rarityOf(
  reader: Pick<RequestScope, "cached">,
  companyId: number,
  searchParam: string,
): Promise<Rarity> {
  const [isInFewMessages, sample] = await Promise.all([
    isRareText(reader, companyId, searchParam),
    sampleNames(reader, companyId),
  ]);
  return { isInFewMessages, names: namesWithText(sample, searchParam), isCompanyLarge: isCompanyLarge(sample) };
}
