/** In how many names and numbers of a company is a search text? */
import { keptCountSql, namedByText } from "#server/platform/db/index.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import { areNamesIndexed, termsOf, withoutAccents } from "./search-words.ts";

/** A text in the names of fewer contacts is not common: the index has all of them. */
export const fewContacts = 200;
/** So many contacts, spread evenly: those that were imported together have like numbers. */
const sampled = 500;
/** Factor between what is expected of a sample and what is not taken for few, or many, any more. */
const margin = 2;

/** As few matches may be chance. */
const leastOfMany = 10;

/** A company with so many contacts mostly has a million messages or more; where it has not, a search takes longer. */
const contactsOfLarge = 40_000;

/** In how many names and numbers a text is: fewer than `fewContacts`, certainly more, or not known. */
export type NamesWithText = "few" | "many" | "unknown";

/** Some of the company's names and numbers, and how many there are, at most a minute old. */
export interface NameSample {
  readonly names: readonly string[];
  readonly contacts: number;
}

export function sampleNames(reader: Pick<RequestScope, "cached">, companyId: number): Promise<NameSample> {
  return reader.cached({
    name: "sample of contact names",
    staleAfter: [],
    load: async (ctx) => {
      const [row] = await ctx.raw(sample, [companyId]);
      return row ?? { names: [], contacts: 0 };
    },
  });
}

export const isCompanyLarge = ({ contacts }: NameSample): boolean => contacts >= contactsOfLarge;

/** What a sample says of a search text. */
export function namesWithText({ names, contacts }: NameSample, searchParam: string): NamesWithText {
  if (!areNamesIndexed(searchParam)) {
    return "unknown";
  }
  if (names.length < Math.min(contacts, sampled) / 2) {
    return "unknown"; // their ids have a gap into which most of the sample fell
  }
  const terms = termsOf(searchParam).map(withoutAccents);
  const share = Math.min(1, names.length / Math.max(1, contacts));
  const matches = names.filter((name) => terms.some((term) => name.includes(term))).length;
  const expected = fewContacts * share;
  return matches <= expected / margin ? "few" : matches > Math.max(expected * margin, leastOfMany) ? "many" : "unknown";
}

const sample = namedByText<NameSample>(
  "contact_names_sample",
  `
    select coalesce(array_agg(x.search_text), '{}') as names, ${keptCountSql("contacts", "0")} as contacts
    from (
      select distinct c.id, c.search_text
      from (select min(id) as first, max(id) as last from contacts where company_id = $1::int) ids
      cross join generate_series(0, ${sampled - 1}) n cross join lateral (
        select id, search_text from contacts
        where company_id = $1::int and id >= ids.first + (ids.last - ids.first)::bigint * n / ${sampled}
        order by id limit 1) c) x`,
);
