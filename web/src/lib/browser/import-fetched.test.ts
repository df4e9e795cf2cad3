import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { importFetched } from "./import-fetched.ts";

let fetched: string[];
/** What is answered by path; 200 where nothing is said, undefined for a network that is away. */
let answers: Record<string, number | undefined>;
const load = vi.fn<() => Promise<string>>(() => Promise.resolve("code"));

beforeEach(() => {
  [fetched, answers] = [[], {}];
  load.mockClear();
  vi.stubGlobal("document", { createElement: () => ({}), head: { append: () => {} } });
  vi.stubGlobal("fetch", (path: string) => {
    fetched.push(path);
    const status = path in answers ? answers[path] : 200;
    return status === undefined
      ? Promise.reject(new TypeError("Load failed"))
      : Promise.resolve(new Response("", { status }));
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each([
  ["a network that is away", undefined],
  ["a proxy whose server is away", 502],
])("code is imported when all its files are there: after %s what was lost is fetched again (N-05)", async (_, lost) => {
  const files = [`assets/dialog-${lost}.js`, `assets/fields-${lost}.js`];
  answers[`/assets/fields-${lost}.js`] = lost;
  await expect(importFetched(load, files)).rejects.toThrow("Failed to fetch dynamically imported module");
  // A failed import would be remembered by the browser.
  expect(load).not.toHaveBeenCalled();

  answers = {};
  await expect(importFetched(load, files)).resolves.toBe("code");
  expect(fetched).toEqual([`/${files[0]}`, `/${files[1]}`, `/${files[1]}`]);
});

test("a file that two screens need is fetched once, and code without files is imported at once (N-05)", async () => {
  await Promise.all([importFetched(load, ["assets/shared.js"]), importFetched(load, ["assets/shared.js"])]);
  await importFetched(load, ["assets/shared.js"]);
  await importFetched(load);
  expect([fetched, load.mock.calls.length]).toEqual([["/assets/shared.js"], 4]);
});
