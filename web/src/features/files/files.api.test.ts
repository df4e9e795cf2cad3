import { expect, test } from "vitest";
import { changesBody } from "./files.api.ts";

test("of a file list that exists only what was changed is sent, with the options that the form knows of (O-07)", () => {
  const known = { knownOptionIds: [7, 8], knownClientIds: [] };
  expect(changesBody({ name: "Catálogo" }, known)).toEqual({ name: "Catálogo" });
  const option = { key: "7", id: 7, name: "Frente", stored: null, file: null };
  const added = { ...option, key: "0d7c", id: undefined, file: new File(["x"], "a.png") };
  expect(changesBody({ options: [option, added] }, known)).toEqual({
    options: [
      { id: 7, name: "Frente", path: null },
      { clientId: "0d7c", name: "Frente" },
    ],
    ...known,
  });
  // taken off after an answer that was lost
  expect(changesBody({ options: [option] }, { ...known, knownClientIds: ["0d7c"] })).toMatchObject({
    options: [{ id: 7 }],
    knownClientIds: ["0d7c"],
  });
});
