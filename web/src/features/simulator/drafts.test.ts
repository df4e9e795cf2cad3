import type { SimMessage } from "@prosa/contract/simulator";
import { expect, test } from "vitest";
import { edited, removed, returned, typed, type Drafts } from "./drafts.ts";

const message = { id: "A", text: "Quero duas" } as SimMessage;
const other = { id: "B", text: "Para sexta" } as SimMessage;

test("each of two messages that could not be sent comes back, in the order sent (W-07)", () => {
  const afterBoth = returned(returned(typed([], ""), { text: "um" }), { text: "dois" });
  expect(afterBoth).toEqual([{ text: "um" }, { text: "dois" }]);
  expect(removed(afterBoth)).toEqual([{ text: "dois" }]);
  expect(typed(afterBoth, "")).toEqual([{ text: "dois" }]);
});

test("what could not be sent leaves what is written by then in the field, a new message or an edit (W-07)", () => {
  const refusedEdit = { text: "Quero três", edits: message };
  expect(returned(typed([], "E um la"), refusedEdit)).toEqual([{ text: "E um la" }, refusedEdit]);
  expect(returned(edited([], other), { text: "um" })).toEqual([{ text: "Para sexta", edits: other }, { text: "um" }]);
});

test("an edit stands before the words that were begun, in place of another edit (W-07)", () => {
  const editing = edited(typed([], "E um la"), message);
  expect(editing).toEqual([{ text: "Quero duas", edits: message }, { text: "E um la" }]);
  expect(edited(editing, other)).toEqual([{ text: "Para sexta", edits: other }, { text: "E um la" }]);
  expect(removed(editing)).toEqual([{ text: "E um la" }]);
  expect(edited(typed([], ""), message)).toEqual<Drafts>([{ text: "Quero duas", edits: message }]);
});
