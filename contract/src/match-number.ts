/**
 * The number that all spellings of one Brazilian mobile share: without the ninth digit, which WhatsApp leaves out of some and
 * people dial. Other numbers stay as they are. Takes and returns digits with the country code; the SQL function
 * `match_number` answers the same.
 */
export function matchNumber(digits: string): string {
  return digits.replace(/^55([1-9][0-9])9([6-9][0-9]{7})$/u, "55$1$2");
}
