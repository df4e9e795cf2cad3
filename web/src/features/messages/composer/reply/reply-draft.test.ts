import { afterEach, expect, test } from "vitest";
import { drafts } from "#web/lib/browser/drafts.ts";
import { replyBeganAt, writeReplyDraft } from "./reply-draft.ts";

const ticketId = 7;
const write = (text: string) => drafts.write("ticket", ticketId, { text });
afterEach(() => write(""));

/** What the composer of the conversation knows, hearing each change of the draft. */
function aComposer() {
  let beganAt: number | undefined;
  let now = 0;
  const stop = drafts.subscribe("ticket", ticketId, () => {
    beganAt = replyBeganAt(ticketId, beganAt, now);
  });
  return { at: (time: number) => (now = time), beganAt: () => beganAt, stop };
}

test("a typed text is being written since its first letter, and no more when it is gone (M-05)", () => {
  const { at, beganAt, stop } = aComposer();
  at(100);
  write("B");
  at(200);
  write("Bom dia");
  expect(beganAt()).toBe(100);
  write("");
  expect(beganAt()).toBeUndefined();
  stop();
});

test("a suggestion counts from when it was asked for: whoever answers while it is made and read is named (M-05)", () => {
  const { at, beganAt, stop } = aComposer();
  at(900);
  writeReplyDraft(ticketId, "Bom dia, em que posso ajudar?", 300);
  expect(beganAt()).toBe(300);
  // what is typed after it goes on with it; another text begins anew
  at(950);
  write("Bom dia!");
  expect(beganAt()).toBe(300);
  write("");
  at(990);
  write("Oi");
  expect(beganAt()).toBe(990);
  stop();
});

test("a suggestion that is added to a text is as old as the text (M-05)", () => {
  const { at, beganAt, stop } = aComposer();
  at(100);
  write("Olá");
  at(900);
  writeReplyDraft(ticketId, "Olá\nem que posso ajudar?", 300);
  expect(beganAt()).toBe(100);
  stop();
});
