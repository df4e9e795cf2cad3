/** What stands in the field of a simulated phone, and what waits behind it. */
import type { SimMessage } from "@prosa/contract/simulator";

/** Words for a new message, or for one that is edited. */
export interface Draft {
  readonly text: string;
  readonly edits?: SimMessage;
}

/** The first stands in the field; the others come after it: what was begun before an edit, and what could not be sent. */
export type Drafts = readonly Draft[];

export const empty: Draft = { text: "" };

/** With other words in the field. Where it is emptied, what waits behind it comes. */
export function typed([shown = empty, ...others]: Drafts, text: string): Drafts {
  return [{ ...shown, text }, ...others].filter(isBegun);
}

/** With the message in the field, to be edited. */
export function edited(drafts: Drafts, message: SimMessage): Drafts {
  // In place of another one that was being edited.
  const begun = drafts[0]?.edits ? drafts.slice(1) : drafts;
  return [{ text: message.text, edits: message }, ...begun.filter(isBegun)];
}

/** Without what is in the field, which was sent or given up. */
export function removed(drafts: Drafts): Drafts {
  return drafts.slice(1);
}

/** With what could not be sent: behind what was written meanwhile, each a message of its own, in the order in which they were sent. */
export function returned(drafts: Drafts, refused: Draft): Drafts {
  return [...drafts.filter(isBegun), refused];
}

function isBegun({ text, edits }: Draft): boolean {
  return text !== "" || edits !== undefined;
}
