import { expect, test } from "vitest";
import { parseCursor } from "./cursor.ts";

test.each(["e.1~5:5:", "e~5:9:5,6,8", "e~5:9:6,7"])("%s is a position", (text) => {
  expect(parseCursor(text)).toMatchObject({ snapshot: text.split("~")[1] });
});

test.each([
  ...[
    "",
    "e",
    "e~",
    "e~5:4:",
    "e~0:4:",
    "e~05:9:",
    "e~5:9:06",
    "e~5:9:,",
    "e~5:9:,,,",
    "e~5:9:6,",
    "e~5:9:7,6",
    "e~5:9:6,6",
  ],
  ...["e~5:9:4", "e~5:9:9", "e~1500:1600:1599,1501,1500", "e~5:99999999999999999999:", "e~-5:9:", "e f~5:9:"],
])("“%s” is none, and a browser that has it fetches anew (N-05)", (text) => {
  expect(parseCursor(text)).toBeUndefined();
});
