/** SQL of what every search asks the indexes for: the messages that hold its words, and the contacts whose name or number holds its text. */
import { areNamesIndexed, beforeWord, termsOf, wordsOf } from "./search-words.ts";
import type { Words } from "./search-words.ts";

/** The trigram index gives at most so many messages and contacts; of what is in more, the person's own list is scanned. */
export const indexAtMost = { messages: 50_000, contacts: 10_000 };

export interface Values {
  add(value: unknown): string;
}

export interface SearchParts {
  /** Has the search text words that the index of messages knows? */
  readonly isIndexed: boolean;
  /** Has the index of names the search text? */
  readonly areNamesIndexed: boolean;
  /** The common table expression `patterns (anywhere, others, beginnings, names)`. */
  readonly patterns: string;
  /** The common table expression `texts_indexed (ticket_id, message_id, matches)`, empty unless the condition holds. */
  textsIndexed(condition: string): string;
  /** SQL of a boolean: had the index more messages than it gave? */
  readonly areTextsCut: string;
  /** A query of the ids of contacts, of so many at most. */
  contacts(atMost: number): string;
  /** A query of the tickets, as `id` and `message_id`, of the contacts in a table of ids. */
  ofContacts(ids: string): string;
}

export function partsOf(values: Values, searchParam: string): SearchParts {
  const words = wordsOf(searchParam);
  const terms = termsOf(searchParam).map((term) => `${values.add(term)}::text`);
  const list = (kind: keyof Words, pattern: string) =>
    `(select coalesce(array_agg(${pattern}), '{}') from unnest(${values.add(words[kind])}::text[]) word)`;
  return {
    isIndexed: words.anywhere.length + words.beginnings.length > 0,
    areNamesIndexed: areNamesIndexed(searchParam),
    patterns: `
    patterns as materialized (
      select ${list("anywhere", like)} as anywhere, ${list("others", like)} as others,
        ${list("beginnings", `${values.add(beforeWord)}::text || folded(word)`)} as beginnings,
        (select array_agg(${like}) from unnest(array[${terms.join()}]) word) as names),`,
    textsIndexed: (condition) => `
    texts_indexed as materialized (
      select m.ticket_id, max(m.message_id) as message_id, count(*) as matches
      from patterns p, found_messages(p.anywhere, p.beginnings, p.others, ${indexAtMost.messages}) m
      where ${condition} group by m.ticket_id),`,
    areTextsCut: `(select coalesce(sum(matches), 0) >= ${indexAtMost.messages} from texts_indexed)`,
    contacts: (atMost) =>
      `select c.id from (${terms.map((term) => `select id from found_contacts(${term}, ${atMost})`).join(" union ")}) c`,
    ofContacts: (ids) =>
      `select t.id, null::bigint as message_id from tickets t where t.contact_id = any(array(select id from ${ids}))`,
  };
}

/** LIKE pattern of a word, with the wildcards escaped. */
const like = `'%' || regexp_replace(folded(word), '([%_\\\\])', '\\\\\\1', 'g') || '%'`;
