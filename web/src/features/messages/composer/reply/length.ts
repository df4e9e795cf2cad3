import { messageRules } from "@prosa/contract/messages";

/** Far below the limit, signature and values of variables included: not worth composing at each letter. */
const surelyFits = messageRules.maxBody / 2;

/** How many letters the longest message of a reply has over the limit; it is said before sending, and nothing is cut off. */
export function excessLetters(
  text: string,
  compose: () => readonly { readonly body: string }[],
): { readonly count: number; readonly limit: number } {
  const limit = messageRules.maxBody;
  const longest = text.length < surelyFits ? 0 : Math.max(0, ...compose().map(({ body }) => body.length));
  return { count: Math.max(0, longest - limit), limit };
}
