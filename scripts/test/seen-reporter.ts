/** Prints what the page showed where a journey failed: pictures and traces do not outlive a machine of the CI, its output does. */
import { readFileSync } from "node:fs";
import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";

/** Lines of one failure: the output of a whole run is cut. */
const MOST_LINES = 60;

export default class SeenReporter implements Reporter {
  onTestEnd(test: TestCase, { status, attachments }: TestResult): void {
    const path = attachments.find(({ name }) => name === "error-context")?.path;
    if (status !== "passed" && status !== "skipped" && path !== undefined) {
      console.log(`\nWhat the page showed (${test.title}):\n${seenIn(readFileSync(path, "utf8"))}`);
    }
  }
}

/** Pure: the page's accessible tree in Playwright's notes on a failure, a block of YAML, from its main part on, without what is not seen. */
export function seenIn(notes: string): string {
  const [, page = notes] = notes.split("# Page snapshot\n");
  const tree = /```yaml\n([\s\S]*?)\n```/u.exec(page)?.[1] ?? "";
  const lines = tree
    .split("\n")
    .map((line) => line.replaceAll(/ \[(?:ref=\w+|cursor=\w+)\]/gu, ""))
    .filter((line) => !/^\s*- (?:\/url:|generic:?$)/u.test(line));
  const main = lines.findIndex((line) => /^\s*- main\b/u.test(line));
  return lines.slice(Math.max(0, main)).slice(0, MOST_LINES).join("\n");
}
