import { sql } from "kysely";
import type { RawBuilder } from "kysely";

/**
 * Whether a text names one of a person's words (V-02). A number or LID stands alone there: whoever has a longer number that
 * contains it is somebody else; zeros before it are how people dial. An e-mail is looked for as it is.
 */
export function namesOneOf(text: RawBuilder<unknown>, words: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`exists (select from unnest(${words}::text[]) word where strpos(${text}, word) > 0
    and (word ~ '[^0-9]' or ${text} ~ ('(^|[^0-9])0*' || word || '([^0-9]|$)')))`;
}
