import { messageRules } from "@prosa/contract/messages";
import { expect, test } from "vitest";
import type { Draft } from "#web/lib/browser/draft-store.ts";
import { aMessage, aTicket } from "#web/features/testing.ts";
import type { MessagePages } from "#web/features/messages/messages.cache.ts";
import { referredNow } from "./reference.ts";

const now = Date.parse("2026-11-21T12:05:00.000Z");

test("a draft brings its quotation or edit back at the opening, from the newest page (M-09, M-10, Z-06)", () => {
  expect(referredNow(opened({ quotedMsgId: 4 }), pages([3, 4]), now)).toEqual(quoteOf(4));
  expect(referredNow(opened({ editedMsgId: 4 }), pages([3, 4]), now)).toEqual(editOf(4));
  expect(referredNow(opened({ text: "Sim" }), pages([3, 4]), now)).toBeUndefined();
  expect(referredNow(opened({ quotedMsgId: 4 }), undefined, now)).toBeUndefined();
});

test("also where a file that the draft had could not be kept: nothing was written (M-09, M-10, Z-06)", () => {
  const withFile = (reference: Partial<Draft>) => ({
    ...opened({ ...reference, text: "Segue", files: 1 }),
    draft: draftOf({ ...reference, text: "Segue" }),
  });
  expect(referredNow(withFile({ quotedMsgId: 4 }), pages([3, 4]), now)).toEqual(quoteOf(4));
  expect(referredNow(withFile({ editedMsgId: 4 }), pages([3, 4]), now)).toEqual(editOf(4));
});

test("an older page that lands brings nothing back: it would change what is being typed (M-09, M-10)", () => {
  for (const draft of [{ quotedMsgId: 1 }, { editedMsgId: 1 }]) {
    expect(referredNow(opened(draft), pages([3, 4], [1, 2]), now)).toBeUndefined();
  }
});

test("nor does a first answer that lands when something is written already, or what another tab chose since (M-09, M-10, Z-02)", () => {
  for (const reference of [{ quotedMsgId: 4 }, { editedMsgId: 4 }]) {
    const begun = { ...opened(reference), draft: draftOf({ ...reference, text: "Recebi tudo, ob" }) };
    const chosenElsewhere = { ...opened({ text: "Recebi" }), draft: draftOf({ text: "Recebi", ...reference }) };
    expect(referredNow(begun, pages([3, 4]), now)).toBeUndefined();
    expect(referredNow(chosenElsewhere, pages([3, 4]), now)).toBeUndefined();
  }
});

test("what is quoted or edited stays when a fetch brings pages without its message, and shows its words where they are loaded (M-09, M-10)", () => {
  for (const referred of [quoteOf(4), editOf(4)]) {
    const visit = { ...opened({ text: "Sim, pode" }), referred };
    expect(referredNow(visit, pages([24, 25]), now)).toBe(referred);
    expect(referredNow(visit, undefined, now)).toBe(referred);
    // also an hour later, and in an older page
    expect(referredNow(visit, pages([24, 25], [3, 4]), now + 3_600_000)).toEqual(referred);

    const message = aMessage({ id: 4, body: "São 95", version: 2 });
    const loaded = pages([24, 25], [3]);
    loaded.pages[1]?.messages.push(message);
    expect(referredNow(visit, loaded, now)).toEqual({ ...referred, message });
  }
});

test("a click in this tab holds, whatever another tab refers to by then (M-09, M-10, Z-02)", () => {
  const visit = { ...opened({}), referred: quoteOf(4), draft: draftOf({ editedMsgId: 3 }) };
  expect(referredNow(visit, pages([3, 4]), now)).toEqual(quoteOf(4));
});

test("a quotation goes with its draft when another tab sends that; an edit that is being written stays (M-09, M-10, Z-02)", () => {
  const sent = { opened: draftOf({ text: "Sim", quotedMsgId: 4 }), draft: draftOf({}) };
  expect(referredNow({ ...sent, referred: quoteOf(4) }, pages([3, 4]), now)).toBeUndefined();
  expect(referredNow({ ...sent, referred: editOf(4) }, pages([3, 4]), now)).toEqual(editOf(4));
  const half = { ...sent, draft: draftOf({ text: "Sim" }), referred: quoteOf(4) };
  expect(referredNow(half, pages([3, 4]), now)).toEqual(quoteOf(4));
});

test("an edit comes back while its message can be edited, also where the clock was wrong until the first answer (M-10)", () => {
  const visit = opened({ editedMsgId: 4 });
  const fast = now + messageRules.editWithinMs;
  expect(referredNow(visit, pages([3, 4]), fast)).toBeUndefined();
  expect(referredNow(visit, pages([3, 4]), now)).toEqual(editOf(4));
});

const quoteOf = (id: number) => ({ verb: "quote" as const, message: aMessage({ id }) });
const editOf = (id: number) => ({ verb: "edit" as const, message: aMessage({ id }) });

function draftOf(change: Partial<Draft>): Draft {
  return { text: "", files: 0, ...change };
}

/** A visit in which nothing was written yet. */
function opened(change: Partial<Draft>) {
  const draft = draftOf(change);
  return { referred: undefined, opened: draft, draft };
}

/** Pages by the ids of their messages, the newest first. */
function pages(...ids: number[][]) {
  return {
    pages: ids.map((those) => ({
      messages: those.map((id) => aMessage({ id })),
      episodes: [],
      ticket: aTicket(),
      count: 0,
      hasMore: true,
      unread: 0,
    })),
    pageParams: ids.map(() => undefined),
  } satisfies MessagePages;
}
