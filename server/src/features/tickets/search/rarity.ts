import type { RequestScope } from "#server/platform/http/index.ts";
import { namesWithText } from "./name-sample.queries.ts";
import type { NamesWithText } from "./name-sample.queries.ts";
import { isRareText } from "./text-sample.queries.ts";

/** What samples of the company say of a search text. They may be mistaken, so a search checks it. */
export interface Rarity {
  /** Are its words in few messages? */
  readonly isInFewMessages: boolean;
  readonly names: NamesWithText;
}

export async function rarityOf(
  reader: Pick<RequestScope, "cached">,
  companyId: number,
  searchParam: string,
): Promise<Rarity> {
  const [isInFewMessages, names] = await Promise.all([
    isRareText(reader, companyId, searchParam),
    namesWithText(reader, companyId, searchParam),
  ]);
  return { isInFewMessages, names };
}
