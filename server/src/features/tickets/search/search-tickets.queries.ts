import { pageSize } from "@prosa/contract";
import type { TicketFilter } from "@prosa/contract";
import { authorJson } from "../tickets.view.queries.ts";
import { wordsOf } from "./search-words.ts";
import type { Words } from "./search-words.ts";
import { near, nearTexts, textsOf } from "./text-sample.queries.ts";

/** The trigram index gives at most so many messages and contacts; of what is in more, the person's own list is scanned. */
const indexAtMost = { messages: 50_000, contacts: 10_000 };
/** A text in the names of fewer contacts is not common: all of them are looked at, without a sample. */
const fewContacts = 200;
/** A scan reads so many of the newest messages of a conversation. */
const scannedMessages = 200;
/** A text is common when one in so many of these holds it: then scanning on finds a page sooner than the index. */
const commonOneIn = 20;
/** Most conversations that a search scans on to; and for a text of punctuation alone, which the index does not have. */
const scanAtMost = 16_384;
const scanWithoutIndex = 2_048;

/** The SQL that a search adds to the statement of the list. */
export interface Search {
  /** Common table expressions; the last is `found (id, message_id)`. */
  readonly ctes: string;
  /** SQL of a boolean: are there, or may there be, more matches than `found` has? */
  readonly isCut: string;
  /** JSON of a row of `found`: its message, until `withSnippets`. */
  readonly json: string;
}

interface Values {
  add(value: unknown): string;
}

/**
 * Full-text search of tickets: those whose contact's name or number contains the search text, and those with a message that
 * contains every word of it (T-03): words of three letters anywhere, shorter ones at the beginning of a word. `newest` is the
 * SQL of the list without the search, newest first, limited to so many rows.
 *
 * A scan alone is slow for rare texts, the index alone for common ones (decision 0173). So the newest conversations of the
 * person's list are sampled first. If enough of them match, a scan finds the page; if few do, the index returns few
 * messages, all of them, and the list's own conditions leave those that the person may see. If the index has more than it may
 * return, the person's list is scanned to its end.
 *
 * `isRare`: the text is known to be in few messages of the company (`isRareText`), so none is sampled for it.
 */
export function searchSql(
  values: Values,
  { searchParam, pageNumber, isRare = false }: Pick<TicketFilter, "searchParam" | "pageNumber"> & { isRare?: boolean },
  newest: (limit: number) => string,
): Search {
  const words = wordsOf(searchParam);
  const isIndexed = words.anywhere.length + words.beginnings.length > 0;
  const wanted = pageNumber * pageSize.tickets + 1;
  const scanLimit = isIndexed
    ? Math.min(scanAtMost, 2 ** Math.ceil(Math.log2(wanted * commonOneIn)))
    : scanWithoutIndex;
  const limit = `${values.add(wanted)}::int`;
  const terms = termsOf(searchParam).map((term) => `${values.add(term)}::text`);
  // Of fewer letters there is no index.
  const areNamesIndexed = termsOf(searchParam).every((term) => [...term].length >= 3);
  const list = (kind: keyof Words, pattern: string) =>
    `(select coalesce(array_agg(${pattern}), '{}') from unnest(${values.add(words[kind])}::text[]) word)`;
  const numbered = (limit: number) => `
      select id, row_number() over (order by last_message_at desc, id desc) as n from (
        select id, last_message_at from (${newest(limit)}) b
        order by last_message_at desc, id desc limit ${limit}) b`;
  const matching = `x.text like all ((select anywhere || others from patterns)::text[])
          and x.text ~ all ((select beginnings from patterns)::text[])`;
  const sampled = `lateral (
        select from (${nearTexts}) x
        where ${matching} limit 1) m`;
  const newestMessage = `lateral (
        select x.message_id from ${textsOf("desc", scannedMessages)} x
        where ${matching} limit 1) m`;
  const named = `lateral (
        select from tickets k join contacts c on c.id = k.contact_id
        where k.id = t.id and c.search_text like any ((select names from patterns)::text[]) offset 0) m`;
  // So many of the sample, and no more is looked for.
  const enoughOfSample = Math.ceil(near.tickets / commonOneIn);
  const sampleOf = (match: string) => `select t.id from first t cross join ${match} limit ${enoughOfSample}`;
  const isCommonIn = (matches: string) =>
    `(select count(*) from ${matches}) * ${commonOneIn} >= (select count(*) from first)`;
  // Until there are enough. In the order of the conversations as they are written: a sort would read all of them first.
  const scan = (conversations: string, match: string, column: string, condition: string) => `
      select t.id, ${column} as message_id from (${conversations}) t
      cross join ${match} where ${condition} limit ${limit}`;
  // What was sampled mostly has a page of a common text: the rest is not even read then.
  const onwards = `select id from first union all select id from newest where n > ${near.tickets}`;
  const scanTexts = (conversations: string, condition: string) =>
    scan(conversations, newestMessage, "m.message_id", condition);
  const scanNames = (conversations: string, condition: string) => scan(conversations, named, "null::bigint", condition);
  const isCutBy = (cut: string, scanned: string) => `
      case when (select is_cut from ${cut}) then true
        when (select is_common from ${scanned}_judged) then (select count(*) from ${scanned}_scanned) >= ${limit}
          or (select count(*) from newest) >= ${scanLimit}`;
  const contacts = (atMost: number) =>
    `select c.id from (${terms.map((term) => `select id from found_contacts(${term}, ${atMost})`).join(" union ")}) c`;

  // A scan reads the newest messages of a conversation alone.
  const isLong = `exists (select from newest t where t.id not in (select id from found)
            and exists (select from message_texts x where x.ticket_id = t.id offset ${scannedMessages}))`;
  const texts = isRare
    ? { judged: "", isForIndex: "true", scanned: "", isCut: "(select is_cut from texts_cut)" }
    : {
        judged: `
    near_texts as materialized (${sampleOf(sampled)}),
    texts_judged (is_common) as materialized (select ${isIndexed ? isCommonIn("near_texts") : "true"}),
    texts_scanned as materialized (${scanTexts(onwards, "(select is_common from texts_judged)")}),`,
        isForIndex: "not (select is_common from texts_judged)",
        scanned: "select id, message_id from texts_scanned union all",
        isCut: `${isCutBy("texts_cut", "texts")} or ${isLong} else false end`,
      };

  const ctes = `
    patterns as materialized (
      select ${list("anywhere", like)} as anywhere, ${list("others", like)} as others,
        ${list("beginnings", `${values.add(beginning)}::text || folded(word)`)} as beginnings,
        (select array_agg(${like}) from unnest(array[${terms.join()}]) word) as names),
    first as materialized (${numbered(near.tickets)}),
    newest as materialized (${numbered(scanLimit)}),
    far as materialized (${numbered(scanAtMost)}),
    ${texts.judged}
    texts_indexed as materialized (
      select m.ticket_id, max(m.message_id) as message_id, count(*) as matches
      from patterns p, found_messages(p.anywhere, p.beginnings, p.others, ${indexAtMost.messages}) m
      where ${texts.isForIndex} group by m.ticket_id),
    near_names as materialized (${sampleOf(named)}),
    names_few as materialized (${contacts(fewContacts)} where ${areNamesIndexed}),
    names_judged (is_few, is_common) as materialized (
      select f.is_few, case when f.is_few then false else ${isCommonIn("near_names")} end
      from (select ${areNamesIndexed} and count(*) < ${fewContacts} as is_few from names_few) f),
    names_scanned as materialized (${scanNames(onwards, "(select is_common from names_judged)")}),
    names_indexed as materialized (
      select id from names_few where (select is_few from names_judged)
      union all
      (${contacts(indexAtMost.contacts)} where (select not (is_few or is_common) from names_judged))),
    texts_cut (is_cut) as materialized (select coalesce(sum(matches), 0) >= ${indexAtMost.messages} from texts_indexed),
    names_cut (is_cut) as materialized (select count(*) >= ${indexAtMost.contacts} from names_indexed),
    found as materialized (
      select id, max(message_id) as message_id from (
        select id, message_id from names_scanned
        union all
        select t.id, null::bigint from tickets t where t.contact_id in (select id from names_indexed)
        union all
        (${scanNames("select id from far", "(select is_cut from names_cut)")})
        union all
        ${texts.scanned}
        select ticket_id, message_id from texts_indexed
        union all
        (${scanTexts("select id from far", "(select is_cut from texts_cut)")})) f
      group by id),`;
  const isCut = `(${isCutBy("names_cut", "names")} else false end or ${texts.isCut})`;
  return { ctes, isCut, json: matchJson };
}

/** LIKE pattern of a word, with the wildcards escaped. */
const like = `'%' || regexp_replace(folded(word), '([%_\\\\])', '\\\\\\1', 'g') || '%'`;

/** What names and numbers contain: the text, and a number as people write it without its spaces, brackets and dashes. */
function termsOf(searchParam: string): readonly string[] {
  const digits = searchParam.replaceAll(/[\s().+-]/g, "");
  return /^\d{3,}$/.test(digits) && digits !== searchParam ? [searchParam, digits] : [searchParam];
}

/** Pattern of the beginning of a word. The index can use it because it lists the characters before a word. */
const beginning = String.raw`(^|[\t\n -/:-@\[-\x60{-~])`;

/** JSON of the match in message `fm` for ticket `p`, its author by id until `fillNames`, its whole text until `withSnippets`. */
const matchJson = `json_build_object('ticketId', p.id, 'messageId', fm.id, 'author', case when fm.from_me then ${authorJson("fm")} end,
  'text', concat_ws(' ', nullif(fm.body, ''), fm.transcript))`;
