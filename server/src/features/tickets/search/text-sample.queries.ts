/** Is a search text so rare in a company that its index should be asked at once, before anything is sampled? */
import { ticketStatuses } from "@prosa/contract";
import { namedByText } from "#server/platform/db/index.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import { beforeWord, withoutAccents, wordsOf } from "./search-words.ts";

/**
 * A sample is of so many of the newest conversations, and of each of so many of the oldest and of the newest messages: a campaign has
 * just written the newest of many. A search may sample the person's list, and here the company is sampled.
 */
export const near = { tickets: 64, messages: 4 };

/** SQL of the first or last texts of the conversation `t`. */
export const textsOf = (order: "asc" | "desc", atMost: number) =>
  `(select message_id, text from message_texts where ticket_id = t.id order by message_id ${order} limit ${atMost})`;

/** SQL of the texts that a sample has of the conversation `t`. */
export const nearTexts = `${textsOf("desc", near.messages)} union all ${textsOf("asc", near.messages)}`;

/** So many letters of each: what stands behind them counts as rare. */
const letters = 1_000;
/** No text of PostgreSQL has it. */
const between = "\0";

/**
 * True when no message of a sample of the company holds the words of the text. The sample is a minute old at most: of a text that
 * has become common since, the index reads more than it had to, and no search finds less.
 */
export async function isRareText(
  reader: Pick<RequestScope, "cached">,
  companyId: number,
  searchParam: string,
): Promise<boolean> {
  const words = wordsOf(searchParam);
  const contained = [...words.anywhere, ...words.others].map(withoutAccents);
  const beginnings = words.beginnings.map((word) => new RegExp(beforeWord + withoutAccents(word)));
  if (words.anywhere.length + beginnings.length === 0) {
    return false;
  }
  const texts = await reader.cached({
    name: "sample of message texts",
    staleAfter: [],
    load: async (ctx) => (await ctx.raw(sampledTexts, [companyId])).map(({ text }) => text).join(between),
  });
  const contains = (text: string) => contained.every((word) => text.includes(word));
  return (
    !contains(texts) ||
    !texts.split(between).some((text) => contains(text) && beginnings.every((beginning) => beginning.test(text)))
  );
}

const sampledTexts = namedByText<{ text: string }>(
  "message_texts_sample",
  `
    select distinct x.message_id, left(x.text, ${letters}) as text
    from (
      select t.id from unnest('{${ticketStatuses.join()}}'::text[]) s(status) cross join lateral (
        select id, last_message_at from tickets t where t.company_id = $1::int and t.status = s.status
        order by t.last_message_at desc, t.id desc limit ${near.tickets}) t
      order by t.last_message_at desc, t.id desc limit ${near.tickets}) t
    cross join lateral (${nearTexts}) x`,
);
