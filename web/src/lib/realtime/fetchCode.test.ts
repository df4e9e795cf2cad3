import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { codeFetcher } from "./fetchCode.ts";

/** What /build.txt is answered; undefined without a network. */
let answered: number | undefined;
let isLost: boolean;
let asked: number;
let told: boolean[];

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  vi.stubGlobal("fetch", () =>
    answered === undefined
      ? Promise.reject(new TypeError("Failed to fetch"))
      : Promise.resolve(new Response("", { status: answered })),
  );
  [answered, isLost, asked, told] = [undefined, true, 0, []];
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("code that does not arrive is fetched again after 0.5 s, then ever later and at least every 15 s, until it is there (N-05)", async () => {
  aFetcher().fetchNow();
  const at = [500, 1_500, 3_500, 7_500, 15_500, 30_500];
  let passed = 0;
  for (const [index, ms] of at.entries()) {
    await vi.advanceTimersByTimeAsync(ms - 1 - passed);
    expect(asked).toBe(index + 1);
    isLost = index < at.length - 1;
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toBe(index + 2);
    passed = ms;
  }
  await vi.advanceTimersByTimeAsync(600_000);
  expect([asked, told]).toEqual([7, [false, false, false, false, false, false]]);
});

test("with the network it is fetched at once, and not twice (N-05)", async () => {
  const { fetchNow } = aFetcher();
  fetchNow();
  await vi.advanceTimersByTimeAsync(0);
  isLost = false;
  fetchNow();
  fetchNow();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked).toBe(2);
});

test.each([
  ["the server answers each time", [200, 200], [false, true]],
  ["the network was away in between", [200, undefined, 200, 200], [false, false, false, true]],
  ["a proxy answers for a server that restarts", [502, 502, 200], [false, false, false]],
])("only a reload helps where it fails although the server is there: %s (N-05)", async (_, answers, expected) => {
  const { fetchNow } = aFetcher();
  for (const status of answers) {
    answered = status;
    fetchNow();
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(told).toEqual(expected);
});

test("after a sign-out it is fetched no more, also where that came while the server was asked for (N-05, A-05)", async () => {
  const pausing = aFetcher();
  pausing.fetchNow();
  await vi.advanceTimersByTimeAsync(0);
  pausing.stop();

  let answer = (_response: Response): void => undefined;
  vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => (answer = resolve)));
  const asking = aFetcher();
  asking.fetchNow();
  await vi.advanceTimersByTimeAsync(0);
  asking.stop();
  answer(new Response(""));

  await vi.advanceTimersByTimeAsync(600_000);
  expect([asked, told, vi.getTimerCount()]).toEqual([2, [false], 0]);
});

function aFetcher(): ReturnType<typeof codeFetcher> {
  return codeFetcher(
    () => {
      asked += 1;
      return isLost ? Promise.reject(new TypeError("Failed to fetch dynamically imported module")) : Promise.resolve();
    },
    (isGone) => told.push(isGone),
  );
}
