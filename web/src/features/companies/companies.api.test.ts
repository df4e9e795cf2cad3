import { expect, onTestFinished, test, vi } from "vitest";
import { withCurrentDueDate } from "./companies.api.ts";

const asked: string[] = [];
/** The company as the server has it when the form is saved. */
function nowIs(company: { readonly dueDate: string; readonly isTrial: boolean }): void {
  asked.length = 0;
  vi.stubGlobal("document", { documentElement: { lang: "pt" } });
  vi.stubGlobal("fetch", (url: string) => {
    asked.push(url);
    return Promise.resolve(Response.json({ id: 7, ...company }));
  });
  onTestFinished(() => void vi.unstubAllGlobals());
}
const unasked = () => Promise.reject(new Error("nothing to ask"));

test("a later due date goes with the trial as it is now, unless the switch was touched (Y-01)", async () => {
  nowIs({ dueDate: "2031-10-31", isTrial: false });
  const opened = { id: 7, dueDate: "2031-10-31" };
  expect(await withCurrentDueDate(opened, { isTrial: true }, unasked)).toEqual({ isTrial: true });
  expect(asked).toEqual([]);
  const touched = { dueDate: "2031-11-30", isTrial: true };
  expect(await withCurrentDueDate(opened, touched, unasked)).toEqual(touched);
  const later = await withCurrentDueDate(opened, { dueDate: "2031-11-30" }, unasked);
  expect(later).toEqual({ dueDate: "2031-11-30", isTrial: false });
  expect(asked).toEqual(["/companies/7", "/companies/7"]);
});

test("a due date that a payment has moved since the form opened is moved again only after a question (Y-01, F-04)", async () => {
  nowIs({ dueDate: "2031-11-30", isTrial: false });
  const opened = { id: 7, dueDate: "2031-10-31" };
  const questions: (string | null)[] = [];
  const answer = (isSure: boolean) => (now: string | null) => {
    questions.push(now);
    return Promise.resolve(isSure);
  };
  expect(await withCurrentDueDate(opened, { dueDate: "2031-11-10" }, answer(false))).toBe(null);
  expect(await withCurrentDueDate(opened, { dueDate: "" }, answer(true))).toEqual({ dueDate: "", isTrial: false });
  expect(questions).toEqual(["2031-11-30", "2031-11-30"]);
  // the payment has brought what the operator wants
  expect(await withCurrentDueDate(opened, { dueDate: "2031-11-30" }, unasked)).toMatchObject({ dueDate: "2031-11-30" });
  expect(await withCurrentDueDate(opened, { isTrial: false }, unasked)).toEqual({ isTrial: false });
});
