import { pageSize } from "@prosa/contract";
import type { TicketFilter } from "@prosa/contract";
import { authorJson } from "../tickets.view.queries.ts";
import { fewContacts } from "./name-sample.queries.ts";
import type { Rarity } from "./rarity.ts";
import { indexAtMost, partsOf } from "./search-parts.queries.ts";
import type { SearchParts, Values } from "./search-parts.queries.ts";
import { near, nearTexts, textsOf } from "./text-sample.queries.ts";

/** A scan reads so many of the newest messages of a conversation. */
const scannedMessages = 200;
/**
 * A text is common when one in so many of these holds it: then scanning on finds a page sooner than the index, which is quicker for names. The
 * index reads all messages with the text, four times as many in a company four times as large, and a scan as many conversations in either.
 */
const commonOneIn = { texts: 40, textsOfLarge: 64, names: 20 };
/** Most conversations that a search scans on to; and for a text of punctuation alone, which the index does not have. */
const scanAtMost = 16_384;
const scanWithoutIndex = 2_048;
/** A scan for a page first goes to so many conversations for each match: to read and sort all that it may need takes longer than to look at these. */
const scannedFirst = 8;

/** The SQL that a search adds to the statement of the list. */
export interface Search {
  /** Common table expressions; the last is `found (id, message_id)`. */
  readonly ctes: string;
  /** SQL of a boolean: are there, or may there be, more matches than `found` has? */
  readonly isCut: string;
  /** SQL of a boolean: is the text not as rare as it was taken for, so that the search must be repeated without that? */
  readonly isMistaken: string;
  /** JSON of a row of `found`: its message, until `withSnippets`. */
  readonly json: string;
}

/**
 * Full-text search of tickets: those whose contact's name or number contains the search text, and those with a message that
 * contains every word of it (T-03): words of three letters anywhere, shorter ones at the beginning of a word. `newest` is the
 * SQL of the list without the search, newest first, limited to so many rows.
 *
 * A text that is rare in messages is not sampled there. One that is rare in names too is left to the indexes alone, in a statement a
 * third as long, because to start a plan of all ways takes its time (decision 0291).
 */
export function searchSql(
  values: Values,
  { searchParam, pageNumber, rarity }: Pick<TicketFilter, "searchParam" | "pageNumber"> & { rarity: Rarity },
  newest: (limit: number) => string,
): Search {
  const parts = partsOf(values, searchParam);
  return rarity.isInFewMessages && rarity.names === "few"
    ? rareSearch(parts)
    : thoroughSearch(values, parts, { pageNumber, rarity, newest });
}

/** Of a text that is in few messages and names the indexes have all. */
function rareSearch({ patterns, textsIndexed, areTextsCut, contacts, ofContacts }: SearchParts): Search {
  const ctes = `${patterns} ${textsIndexed("true")}
    names_few as materialized (${contacts(fewContacts)}),
    found as materialized (
      select id, max(message_id) as message_id from (
        ${ofContacts("names_few")} union all select ticket_id, message_id from texts_indexed) f
      group by id),`;
  const isMistaken = `(${areTextsCut} or (select count(*) from names_few) >= ${fewContacts})`;
  return { ctes, isCut: "false", isMistaken, json: matchJson };
}

/**
 * A search of all ways. A scan alone is slow for rare texts, the index alone for common ones (decision 0173). So the newest conversations of the
 * person's list are sampled first, but for the first page of a large company's texts. If enough of them match, the nearest are scanned, and as far as the page needs while
 * enough match; if few do, or the scan does not fill the page, the index returns all messages, and the list's own conditions leave those that the
 * person may see. If the index has more than it may return, the person's list is scanned to its end (decision 0268).
 */
function thoroughSearch(
  values: Values,
  { isIndexed, areNamesIndexed, patterns, textsIndexed, areTextsCut, contacts, ofContacts }: SearchParts,
  { pageNumber, rarity, newest }: { pageNumber: number; rarity: Rarity; newest: (limit: number) => string },
): Search {
  const wanted = pageNumber * pageSize.tickets + 1;
  const textsOneIn = rarity.isCompanyLarge ? commonOneIn.textsOfLarge : commonOneIn.texts;
  const scanLimit = isIndexed ? Math.min(scanAtMost, 2 ** Math.ceil(Math.log2(wanted * textsOneIn))) : scanWithoutIndex;
  const limit = `${values.add(wanted)}::int`;
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
  // So many of the sample as are enough, and no more is looked for.
  const sampleOf = (match: string, oneIn: number) =>
    `select t.id from first t cross join ${match} limit ${Math.ceil(near.tickets / oneIn)}`;
  const isCommonIn = ({ matches, of, oneIn }: { matches: string; of: string; oneIn: number }) =>
    `(select count(*) from ${matches}) * ${oneIn} >= (select count(*) from ${of})`;
  // Until there are enough. In the order of the conversations as they are written: a sort would read all of them first.
  const scan = (conversations: string, match: string, column: string, condition: string) => `
      select t.id, ${column} as message_id from (${conversations}) t
      cross join ${match} where ${condition} limit ${limit}`;
  // What was sampled mostly has a page of a common text: the rest is not even read then.
  const nextLimit = Math.min(scanLimit / 2, 2 ** Math.ceil(Math.log2(wanted * scannedFirst)));
  const nearest = `select id from first union all select id from next where n > ${near.tickets}`;
  const farther = `select id from newest where n > ${nextLimit}`;
  const scanTexts = (conversations: string, condition: string) =>
    scan(conversations, newestMessage, "m.message_id", condition);
  const scanNames = (conversations: string, condition: string) => scan(conversations, named, "null::bigint", condition);
  // What a scan left: it filled the page, or it ended before the list did, so that the index must be asked.
  const pageOf = (scanned: string, isCommon: string, isEarly: string) => `
      select is_full, not (${isCommon}) or (not is_full and (${isEarly}))
      from (select count(*) >= ${limit} as is_full from ${scanned}) s`;
  const isListLonger = `(select count(*) from newest) >= ${scanLimit}`;
  // A scan reads the newest messages of a conversation alone.
  const isLong = `exists (select from newest t where t.id not in (select id from texts_scanned)
            and exists (select from message_texts x where x.ticket_id = t.id offset ${scannedMessages}))`;
  // A sample may be chance: whether to scan farther is judged again by what the nearest had.
  const scannedTexts = (isCommon: string, isStillCommon: string) => `
    texts_nearest as materialized (${scanTexts(nearest, isCommon)}),
    texts_scanned as materialized (
      select * from texts_nearest union all
      (${scanTexts(farther, isStillCommon)}) limit ${limit}),
    texts_page (is_full, is_open) as materialized (${pageOf("texts_scanned", isStillCommon, `${isListLonger} or ${isLong}`)}),`;
  // Where the list has no more, it was read to its end.
  const isStillCommon = (isCommon: string) => `case when (select count(*) from texts_nearest) >= ${limit} then true
      when not (${isCommon}) then false when (select count(*) from next) < ${nextLimit} then true
      else ${isCommonIn({ matches: "texts_nearest", of: "next", oneIn: textsOneIn })} end`;
  // The index of a large company would read so much that the nearest are scanned at once; of later pages they are too many for that.
  const isSampled = !rarity.isCompanyLarge || pageNumber > 1;
  const isTextCommon = isSampled ? isCommonIn({ matches: "texts_sampled", of: "first", oneIn: textsOneIn }) : "true";
  const textsSampled = `texts_sampled as materialized (${sampleOf(sampled, textsOneIn)}),`;
  const foundByScan = "select id, message_id from texts_scanned union all";
  const texts = rarity.isInFewMessages
    ? { ctes: textsIndexed("true"), found: "", isCut: "false" }
    : isIndexed
      ? {
          ctes: `
    ${isSampled ? textsSampled : ""} ${scannedTexts(isTextCommon, isStillCommon(isTextCommon))} ${textsIndexed("(select is_open from texts_page)")}`,
          found: foundByScan,
          isCut: "(select is_full from texts_page)",
        }
      : {
          ctes: `${scannedTexts("true", "true")} ${textsIndexed("false")}`,
          found: foundByScan,
          isCut: "(select is_full or is_open from texts_page)",
        };

  // Few names are all looked at, also where the newest conversations are theirs. Many are not counted before they are scanned.
  const few =
    rarity.names === "many" || !areNamesIndexed
      ? { ctes: "", isFew: "false", ids: "" }
      : {
          ctes: `
    names_few as materialized (${contacts(fewContacts)}),
    names_judged (is_few) as materialized (select count(*) < ${fewContacts} from names_few),`,
          isFew: "(select is_few from names_judged)",
          ids: "select id from names_few where (select is_few from names_judged) union all",
        };
  const areNamesCommon = `case when ${few.isFew} then false else ${isCommonIn({ matches: "near_names", of: "first", oneIn: commonOneIn.names })} end`;
  const ctes = `${patterns}
    first as materialized (${numbered(near.tickets)}),
    next as materialized (${numbered(nextLimit)}),
    newest as materialized (${numbered(scanLimit)}),
    far as materialized (${numbered(scanAtMost)}),
    ${texts.ctes} ${few.ctes}
    near_names as materialized (${sampleOf(named, commonOneIn.names)}),
    names_scanned as materialized (
      ${scanNames(`${nearest} union all ${farther}`, areNamesCommon)}),
    names_page (is_full, is_open) as materialized (${pageOf("names_scanned", areNamesCommon, isListLonger)}),
    names_indexed as materialized (
      ${few.ids}
      (${contacts(indexAtMost.contacts)} where case when ${few.isFew} then false else (select is_open from names_page) end)),
    texts_cut (is_cut) as materialized (select ${areTextsCut}),
    names_cut (is_cut) as materialized (select count(*) >= ${indexAtMost.contacts} from names_indexed),
    found as materialized (
      select id, max(message_id) as message_id from (
        select id, message_id from names_scanned
        union all
        ${ofContacts("names_indexed")}
        union all
        (${scanNames("select id from far", "(select is_cut from names_cut)")})
        union all
        ${texts.found}
        select ticket_id, message_id from texts_indexed
        union all
        (${scanTexts("select id from far", "(select is_cut from texts_cut)")})) f
      group by id),`;
  const isCut = `((select is_full from names_page) or (select is_cut from names_cut) or ${texts.isCut} or (select is_cut from texts_cut))`;
  return { ctes, isCut, isMistaken: "false", json: matchJson };
}

/** JSON of the match in message `fm` for ticket `p`, its author by id until `fillNames`, its whole text until `withSnippets`. */
const matchJson = `json_build_object('ticketId', p.id, 'messageId', fm.id, 'author', case when fm.from_me then ${authorJson("fm")} end,
  'text', concat_ws(' ', nullif(fm.body, ''), fm.transcript))`;
