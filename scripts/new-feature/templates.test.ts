import { expect, test } from "vitest";
import { namesOf } from "./names.ts";
import { filesOf } from "./templates.ts";

const files = filesOf(namesOf("call-notes"), "0042");

test("the form of a new feature saves what was changed in it, and not what others changed meanwhile", () => {
  const dialog = files["web/src/features/call-notes/CallNoteDialog.tsx"];
  expect(dialog).toContain("onSave={(whole, changed) =>");
  expect(dialog).toContain("body: callNote ? changed : whole");
});

test("the index of a new table has the order in which its list is read", () => {
  expect(files["server/migrations/0042_call_notes.ts"]).toContain("on call_notes (company_id, folded(name))");
  expect(files["server/src/features/call-notes/call-notes.queries.ts"]).toContain("searchByName(");
});
