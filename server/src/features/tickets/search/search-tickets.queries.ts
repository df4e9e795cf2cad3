import { pageSize } from "@prosa/contract";
import type { TicketFilter } from "@prosa/contract";
import { authorJson } from "../tickets.view.queries.ts";

/** At most so many contacts, and so many messages of a rare text from the index, are searched. */
const searchCap = { contacts: 2_000, messages: 20_000 };
/** Every search first scans so many of the newest conversations, and so many of the newest messages of each. */
const near = { tickets: 400, messages: 200 };
/** A text is common when one in so many of these holds it: then scanning on finds a page sooner than the index. */
const commonOneIn = 20;
/** Most conversations that a search scans on to; and for a text of punctuation alone, which the index does not have. */
const scanAtMost = 16_384;
const scanWithoutIndex = 2_048;

/** The SQL that a search adds to the statement of the list. */
export interface Search {
  /** Common table expressions; the last is `found (id, message_id)`. */
  readonly ctes: string;
  /** JSON of a row of `found`: its message, and a snippet with the matches. Adds a value. */
  json(): string;
}

interface Values {
  add(value: unknown): string;
}

/**
 * Full-text search of tickets: those whose contact's name or number contains the search text, and those with a message that
 * contains every word of it (T-03): words of three letters anywhere, shorter ones at the beginning of a word. `newest` is the
 * SQL of the list without the search, newest first, limited to so many rows.
 *
 * A scan alone is slow for rare words, the index alone for common ones (decision 0082). So the newest conversations are
 * scanned first. If enough of them match, scanning on finds the page; if few do, the index returns few messages.
 */
export function searchSql(
  values: Values,
  filter: Pick<TicketFilter, "searchParam" | "pageNumber">,
  newest: (limit: number) => string,
): Search {
  const words = wordsOf(filter.searchParam);
  const isIndexed = words.anywhere.length + words.beginnings.length > 0;
  const wanted = filter.pageNumber * pageSize.tickets + 1;
  const scanLimit = isIndexed
    ? Math.min(scanAtMost, 2 ** Math.ceil(Math.log2(wanted * commonOneIn)))
    : scanWithoutIndex;
  const list = (kind: keyof Words, pattern: string) =>
    `(select coalesce(array_agg(${pattern}), '{}') from unnest(${values.add(words[kind])}::text[]) word)`;
  const newestMessage = `lateral (
        select x.message_id from (
          select message_id, text from message_texts where ticket_id = t.id
          order by message_id desc limit ${near.messages}) x
        where x.text like all ((select anywhere || others from patterns)::text[])
          and x.text ~ all ((select beginnings from patterns)::text[]) limit 1) m`;

  const ctes = `
    patterns as materialized (
      select ${list("anywhere", like)} as anywhere, ${list("others", like)} as others,
        ${list("beginnings", `${values.add(beginning)}::text || folded(word)`)} as beginnings),
    newest as materialized (
      select id, row_number() over (order by last_message_at desc, id desc) as n from (
        select id, last_message_at from (${newest(scanLimit)}) b
        order by last_message_at desc, id desc limit ${scanLimit}) b),
    near as materialized (
      select t.id, m.message_id from newest t cross join ${newestMessage} where t.n <= ${near.tickets}),
    judged (is_common) as materialized (
      select ${isIndexed ? `count(*) * ${commonOneIn} >= (select count(*) from newest where n <= ${near.tickets}) from near` : "true"}),
    found as materialized (
      select id, max(message_id) as message_id from (
        select t.id, null::bigint as message_id from tickets t where t.contact_id in (${contacts(values, filter)})
        union all
        select id, message_id from near
        union all
        (select t.id, m.message_id from (select id from newest where n > ${near.tickets} order by n) t
         cross join ${newestMessage} where (select is_common from judged) limit ${values.add(wanted)}::int)
        union all
        select m.ticket_id, m.message_id
        from patterns p, found_messages(p.anywhere, p.beginnings, p.others, ${searchCap.messages}) m
        where not (select is_common from judged)) f
      group by id),`;
  return { ctes, json: () => matchJson(values.add(patternOf(words))) };
}

/** LIKE pattern of a word, with the wildcards escaped. */
const like = `'%' || regexp_replace(folded(word), '([%_\\\\])', '\\\\\\1', 'g') || '%'`;

function contacts(values: Values, { searchParam }: Pick<TicketFilter, "searchParam">): string {
  const digits = searchParam.replaceAll(/[\s().+-]/g, "");
  const terms = /^\d{3,}$/.test(digits) && digits !== searchParam ? [searchParam, digits] : [searchParam];
  const matches = terms.map(
    (term) => `select id from found_contacts(${values.add(term)}::text, ${searchCap.contacts})`,
  );
  return matches.join(" union ");
}

/** The words of a search text, by how the trigram index can find them. */
interface Words {
  readonly anywhere: readonly string[];
  /** One or two letters. */
  readonly beginnings: readonly string[];
  /** Punctuation, which the index does not have. */
  readonly others: readonly string[];
}

/** Pattern of the beginning of a word. The index can use it because it lists the characters before a word. */
const beginning = String.raw`(^|[\t\n -/:-@\[-\x60{-~])`;

function wordsOf(searchParam: string): Words {
  const words = [...new Set(searchParam.normalize("NFC").split(/\s+/))];
  const isShort = (word: string) => /^[\p{L}\p{N}]{1,2}$/u.test(word);
  // three letters or digits in a row, or fewer beside punctuation inside the word
  const isWordIndexed = (word: string) =>
    /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(word);
  return {
    anywhere: words.filter((word) => !isShort(word) && isWordIndexed(word)),
    beginnings: words.filter(isShort),
    others: words.filter((word) => !isShort(word) && !isWordIndexed(word)),
  };
}

/** Snippet: characters before the first match, and in all. */
const snippet = { before: 20, length: 140 };

/**
 * JSON of the match in message `fm` for ticket `p`, its author by id until `fillNames`. The snippet is an array whose parts are alternately outside and inside of a
 * match; a control character, which no message has, separates them until they are split.
 */
function matchJson(pattern: string): string {
  return `(
    select json_build_object('ticketId', p.id, 'messageId', fm.id,
      'author', case when fm.from_me then ${authorJson("fm")} end, 'snippet', to_json(string_to_array(
      case when at.first > ${snippet.before + 1} then '…' else '' end ||
      regexp_replace(substr(line.body, greatest(at.first - ${snippet.before}, 1), ${snippet.length}), ${pattern}::text, E'\\x01\\\\&\\x01', 'gi') ||
      case when length(line.body) >= greatest(at.first - ${snippet.before}, 1) + ${snippet.length} then '…' else '' end, E'\\x01')))
    from (select regexp_replace(translate(fm.body, E'\\x01', ''), '\\s+', ' ', 'g') as body) line,
      lateral (select regexp_instr(line.body, ${pattern}::text, 1, 1, 0, 'i') as first) at)`;
}

/** A pattern that matches the words whatever their accents, as folded() does; its flag ignores the case. */
function patternOf({ anywhere, beginnings, others }: Words): string {
  const accentInsensitive = (word: string) =>
    [...withoutAccents(word)].map((letter) => accentClasses().get(letter) ?? escaped(letter)).join("");
  return [
    ...[...anywhere, ...others].map(accentInsensitive),
    ...beginnings.map((word) => `\\m${accentInsensitive(word)}`),
  ].join("|");
}

function withoutAccents(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

function escaped(letter: string): string {
  return /[\p{L}\p{N}]/u.test(letter) ? letter : letter.replace(/[^\p{L}\p{N}]/u, "\\$&");
}

/** Character class of each Latin letter with its accented forms. */
function accentClasses(): ReadonlyMap<string, string> {
  if (classes.size === 0) {
    for (let code = 0xc0; code < 0x180; code += 1) {
      const form = String.fromCodePoint(code).toLowerCase();
      const letter = withoutAccents(form);
      if (/^[a-z]$/.test(letter) && letter !== form) {
        classes.set(letter, `${(classes.get(letter) ?? `[${letter}]`).slice(0, -1)}${form}]`);
      }
    }
  }
  return classes;
}

const classes = new Map<string, string>();
