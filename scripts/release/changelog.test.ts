import { expect, test } from "vitest";
import { released } from "./changelog.ts";

test("what is unreleased becomes the release, and a new empty chapter stands above it", () => {
  const text = "# Changelog\n\n## Unreleased\n\n- new\n\n## 0.1.0 (2026-01-01)\n\n- old\n";
  expect(released(text, "0.2.0", "2026-02-01")).toBe(
    "# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-01)\n\n- new\n\n## 0.1.0 (2026-01-01)\n\n- old\n",
  );
});

test("a release of which nothing is said is refused", () => {
  expect(() => released("# Changelog\n\n## Unreleased\n\n## 0.1.0 (x)\n\n- old\n", "0.2.0", "x")).toThrow(/no entry/);
  expect(() => released("# Changelog\n", "0.2.0", "x")).toThrow(/no line/);
});
