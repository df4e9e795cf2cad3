import { expect, test } from "vitest";
import { initialState } from "../bot.script.ts";
import { readText } from "./hear.ts";
import { queue, script } from "./script.fixture.ts";

test("a word is a choice of a menu that answers, and words where a person or a timer ended it (P-02, B-02)", () => {
  const story = script({ queues: [queue(1, { name: "Cancelar" }), queue(2)] });
  const state = { ...initialState, place: "queues" } as const;
  expect(readText(story, state, "cancelar")).toBe("choice");
  expect(readText(story, { ...state, isOver: true }, "cancelar")).toBe("words");
});
