import { pageSize } from "@prosa/contract";
import type { TicketFilter } from "@prosa/contract";

/** A search looks at this many contacts, and at this many messages of a text that is rare, at most. */
const foundCap = { contacts: 2_000, messages: 20_000 };
/** So many of the newest conversations are read, the newest messages of each, whatever is looked for. */
const near = { tickets: 400, messages: 200 };
/** A text is common when it stands in one of so many of these: then reading on finds a page sooner than the index. */
const commonOneIn = 20;
/** The farthest that a search reads on; for signs alone, which no index has, at once. */
const readAtMost = 16_384;
const readWithoutIndex = 2_048;

/** What the search adds to the list's statement. */
export interface Search {
  /** Common table expressions; the last is `found (id, message_id)`. */
  readonly ctes: string;
  /** Of a row of `found`, as JSON: its message and why it was found. */
  readonly json: string;
}

interface Values {
  add(value: unknown): string;
}

/**
 * Tickets whose contact's name or number holds what was typed, and tickets with a message that holds every word of it
 * (T-03): words of three letters anywhere, shorter ones at the beginning of a word. `newest` is the list without the
 * search, cut after so many rows: what the person may see, newest first.
 *
 * One way alone is slow for either common or rare words (decision 0082). So the newest conversations are read first. If
 * enough of them hold the text, reading on finds the page; if few do, the index has few messages to give.
 */
export function searchOf(
  values: Values,
  filter: Pick<TicketFilter, "searchParam" | "pageNumber">,
  newest: (limit: number) => string,
): Search {
  const words = wordsOf(filter.searchParam);
  const isIndexed = words.anywhere.length + words.beginnings.length > 0;
  const wanted = filter.pageNumber * pageSize.tickets + 1;
  const farthest = isIndexed ? Math.min(readAtMost, 2 ** Math.ceil(Math.log2(wanted * commonOneIn))) : readWithoutIndex;
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
        select id, last_message_at from (${newest(farthest)}) b
        order by last_message_at desc, id desc limit ${farthest}) b),
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
        from patterns p, found_messages(p.anywhere, p.beginnings, p.others, ${foundCap.messages}) m
        where not (select is_common from judged)) f
      group by id),`;
  return { ctes, json: foundJson(values.add(patternOf(words))) };
}

/** Of a word, with the signs of LIKE taken for what they are. */
const like = `'%' || regexp_replace(folded(word), '([%_\\\\])', '\\\\\\1', 'g') || '%'`;

function contacts(values: Values, { searchParam }: Pick<TicketFilter, "searchParam">): string {
  const digits = searchParam.replaceAll(/[\s().+-]/g, "");
  const terms = /^\d{3,}$/.test(digits) && digits !== searchParam ? [searchParam, digits] : [searchParam];
  const matches = terms.map((term) => `select id from found_contacts(${values.add(term)}::text, ${foundCap.contacts})`);
  return matches.join(" union ");
}

/** The words of a search, by what the index, of three letters or digits in a row, can do for them. */
interface Words {
  readonly anywhere: readonly string[];
  /** One or two letters. */
  readonly beginnings: readonly string[];
  /** Signs, which the index leaves out. */
  readonly others: readonly string[];
}

/** Where a word begins. The index understands it because the signs before it are named. */
const beginning = String.raw`(^|[\t\n -/:-@\[-\x60{-~])`;

function wordsOf(searchParam: string): Words {
  const words = [...new Set(searchParam.normalize("NFC").split(/\s+/))];
  const isShort = (word: string) => /^[\p{L}\p{N}]{1,2}$/u.test(word);
  // three in a row, or fewer that begin or end within the word
  const isKnown = (word: string) =>
    /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(word);
  return {
    anywhere: words.filter((word) => !isShort(word) && isKnown(word)),
    beginnings: words.filter(isShort),
    others: words.filter((word) => !isShort(word) && !isKnown(word)),
  };
}

/** The piece of the message that is shown: this much before the match, and so much in all. */
const shown = { before: 20, length: 140 };

/**
 * Why the ticket of `p` was found, from `fm`, the message: a snippet as pieces that are by turns beside and inside of a
 * match. A control character, which nobody writes, stands between them until they are an array.
 */
function foundJson(pattern: string): string {
  return `(
    select json_build_object('ticketId', p.id, 'messageId', fm.id, 'snippet', to_json(string_to_array(
      case when at.first > ${shown.before + 1} then '…' else '' end ||
      regexp_replace(substr(line.body, greatest(at.first - ${shown.before}, 1), ${shown.length}), ${pattern}::text, E'\\x01\\\\&\\x01', 'gi') ||
      case when length(line.body) >= greatest(at.first - ${shown.before}, 1) + ${shown.length} then '…' else '' end, E'\\x01')))
    from (select regexp_replace(translate(fm.body, E'\\x01', ''), '\\s+', ' ', 'g') as body) line,
      lateral (select regexp_instr(line.body, ${pattern}::text, 1, 1, 0, 'i') as first) at)`;
}

/** A pattern that finds the words whatever their accents, as folded() ignores them; the case is left to its flag. */
function patternOf({ anywhere, beginnings, others }: Words): string {
  const loose = (word: string) => [...bare(word)].map((letter) => accented().get(letter) ?? escaped(letter)).join("");
  return [...[...anywhere, ...others].map(loose), ...beginnings.map((word) => `\\m${loose(word)}`)].join("|");
}

function bare(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

function escaped(letter: string): string {
  return /[\p{L}\p{N}]/u.test(letter) ? letter : letter.replace(/[^\p{L}\p{N}]/u, "\\$&");
}

/** For each letter that has any, the class of its forms with accents: those of the languages of Latin script. */
function accented(): ReadonlyMap<string, string> {
  if (classes.size === 0) {
    for (let code = 0xc0; code < 0x180; code += 1) {
      const form = String.fromCodePoint(code).toLowerCase();
      const letter = bare(form);
      if (/^[a-z]$/.test(letter) && letter !== form) {
        classes.set(letter, `${(classes.get(letter) ?? `[${letter}]`).slice(0, -1)}${form}]`);
      }
    }
  }
  return classes;
}

const classes = new Map<string, string>();
