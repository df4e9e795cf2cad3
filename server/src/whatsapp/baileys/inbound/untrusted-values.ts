/**
 * Values that a contact's client writes as it likes. PostgreSQL refuses the statement of an odd one, and with it all that the line has
 * received meanwhile.
 */

/** WhatsApp's ids have 12 to 40 characters; an index refuses what is longer than a third of its page. */
const MAX_ID_LENGTH = 128;
const MAX_INT4 = 2 ** 31 - 1;

/** The id of a message or call; null where it is none: empty, longer than 128 characters, or with U+0000. */
export function idOf(value: string | null | undefined): string | null {
  return value && value.length <= MAX_ID_LENGTH && !value.includes("\0") && value.isWellFormed() ? value : null;
}

/** A count above 0 that fits the column it goes to (`int` where no limit is given); null for any other number. */
export function countOf(value: number | null | undefined, max = MAX_INT4): number | null {
  return value && value > 0 && value <= max ? value : null;
}
