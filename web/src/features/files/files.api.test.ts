import { expect, test } from "vitest";
import { changesBody } from "./files.api.ts";

test("of a file list that exists only what was changed is sent, with the options that the form knows of (O-07)", () => {
  expect(changesBody({ name: "Catálogo" }, [7, 8])).toEqual({ name: "Catálogo" });
  const option = { key: "7", id: 7, name: "Frente", stored: null, file: null };
  expect(
    changesBody({ options: [option, { ...option, id: undefined, file: new File(["x"], "a.png") }] }, [7, 8]),
  ).toEqual({
    options: [{ id: 7, name: "Frente", path: null }, { name: "Frente" }],
    knownOptionIds: [7, 8],
  });
});
