import { expect, onTestFinished, test, vi } from "vitest";
import { newId } from "./random.ts";

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u;

test("a new id is a UUID also where the page came over plain http, which takes randomUUID away (M-05)", () => {
  const { getRandomValues } = crypto;
  vi.stubGlobal("crypto", { getRandomValues: getRandomValues.bind(crypto) });
  onTestFinished(() => void vi.unstubAllGlobals());

  const ids = Array.from({ length: 200 }, newId);

  expect(ids.filter((id) => !uuid4.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(200);
});
