import { expect, test } from "vitest";
import { changesBody } from "./files.api.ts";

test("of a file list that exists only what was changed is sent: options that are left out would be deleted (O-07)", () => {
  expect(changesBody({ name: "Catálogo" })).toEqual({ name: "Catálogo" });
  const option = { key: "7", id: 7, name: "Frente", stored: null, file: null };
  expect(changesBody({ options: [option, { ...option, id: undefined, file: new File(["x"], "a.png") }] })).toEqual({
    options: [{ id: 7, name: "Frente", path: null }, { name: "Frente" }],
  });
});
