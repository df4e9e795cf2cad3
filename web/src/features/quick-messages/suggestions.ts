import { messageRules } from "@prosa/contract/messages";
import type { QuickMessage } from "@prosa/contract/quick-messages";

/** More than this is no choice. */
const atMost = 30;

/**
 * The quick messages that a text asks for (M-12): it begins with "/", is longer than that, and is looked for in
 * "/shortcode - message", accents and case ignored. Shortcodes that begin with it stand first.
 */
export function suggestionsFor(text: string, all: readonly QuickMessage[]): readonly QuickMessage[] {
  if (!text.startsWith("/") || text.length <= 1 || text.includes("\n")) {
    return [];
  }
  const wanted = fold(text);
  const found = all.filter((one) => fold(lineOf(one)).includes(wanted.slice(1)));
  const isBegun = (one: QuickMessage) => fold(lineOf(one)).startsWith(wanted);
  return [...found.filter(isBegun), ...found.filter((one) => !isBegun(one))].slice(0, atMost);
}

/** "/shortcode - message", cut at 35 characters (specification 1 section 9). */
export function previewOf(one: Pick<QuickMessage, "shortcode" | "message">): string {
  const letters = [...lineOf(one).replace(/\s+/g, " ")];
  const { quickReplyPreview: limit } = messageRules;
  return letters.length > limit ? `${letters.slice(0, limit).join("")}…` : letters.join("");
}

/** As it is typed: with one "/" before it, whether it was stored with one or not. */
export function shortcodeOf({ shortcode }: Pick<QuickMessage, "shortcode">): string {
  return `/${shortcode.replace(/^\//, "")}`;
}

function lineOf(one: Pick<QuickMessage, "shortcode" | "message">): string {
  return `${shortcodeOf(one)} - ${one.message}`;
}

function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
