import { messageRules } from "@prosa/contract/messages";
import type { QuickMessage } from "@prosa/contract/quick-messages";
import { foldForSearch } from "#web/lib/text/foldForSearch.ts";

const maxSuggestions = 30;

/**
 * The quick messages that match a text (M-12): it begins with "/" and is searched in "/shortcode - message", ignoring
 * accents and case. Shortcodes that begin with it come first; "/" alone gives none.
 */
export function suggestionsFor(text: string, all: readonly QuickMessage[]): readonly QuickMessage[] {
  if (!text.startsWith("/") || text.length <= 1 || text.includes("\n")) {
    return [];
  }
  const wanted = foldForSearch(text);
  const found = all.filter((one) => foldForSearch(lineOf(one)).includes(wanted.slice(1)));
  const isPrefixMatch = (one: QuickMessage) => foldForSearch(lineOf(one)).startsWith(wanted);
  return [...found.filter(isPrefixMatch), ...found.filter((one) => !isPrefixMatch(one))].slice(0, maxSuggestions);
}

/** "/shortcode - message", cut at 35 characters (specification 1 section 9). */
export function previewOf(one: Pick<QuickMessage, "shortcode" | "message">): string {
  const letters = [...lineOf(one).replace(/\s+/g, " ")];
  const { quickReplyPreview: limit } = messageRules;
  return letters.length > limit ? `${letters.slice(0, limit).join("")}…` : letters.join("");
}

/** The shortcode with one leading "/", whether it is stored with one or not. */
export function shortcodeOf({ shortcode }: Pick<QuickMessage, "shortcode">): string {
  return `/${shortcode.replace(/^\//, "")}`;
}

function lineOf(one: Pick<QuickMessage, "shortcode" | "message">): string {
  return `${shortcodeOf(one)} - ${one.message}`;
}
