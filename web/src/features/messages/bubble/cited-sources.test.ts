import { expect, test } from "vitest";
import { citedSourcesOf } from "./cited-sources.ts";

test("the sources of an assistant's answer are read, and nothing else is taken for some (O-08)", () => {
  const source = { source: "Manual", heading: "", page: 3 };
  expect(citedSourcesOf({ sources: [source, null, { source: 1 }] })).toEqual([source]);
  expect([null, {}, { sources: "Manual" }, { campaign: {} }].flatMap(citedSourcesOf)).toEqual([]);
});
