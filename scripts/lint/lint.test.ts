import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { execNode } from "../support/exec.ts";
import { root, toolPath } from "../support/paths.ts";

/**
 * Type-aware lint says nothing at all about a file whose tsconfig it cannot read, so each kind of rule gets a planted
 * violation: one that reads the text, one that needs types, one of the tests, one of the components.
 */
const violations: readonly [rule: string, file: string, text: string][] = [
  ["no-explicit-any", "src/a.ts", "export const a = (x: any) => x;"],
  ["no-console", "src/a.ts", 'console.log("x");'],
  ["curly", "src/a.ts", "export const a = (x: number) => { if (x) return 1; return 2; };"],
  ["eqeqeq", "src/a.ts", "export const a = (x: number) => x == 1;"],
  ["consistent-type-imports", "src/a.ts", 'import { B } from "./b.ts"; export const a = (b: B) => b;'],
  ["no-warning-comments", "src/a.ts", "// todo: later\nexport const a = 1;"],
  ["no-floating-promises", "src/a.ts", "const f = async () => 1; export const a = () => { f(); };"],
  [
    "no-misused-promises",
    "src/a.ts",
    "const f = async () => true; export const a = () => { if (f()) { return 1; } return 2; };",
  ],
  ["await-thenable", "src/a.ts", "const f = () => 1; export const a = async () => { await f(); };"],
  [
    "return-await",
    "src/a.ts",
    "const f = async () => 1; export const a = async () => { try { return f(); } catch { return 2; } };",
  ],
  [
    "switch-exhaustiveness-check",
    "src/a.ts",
    'export const a = (x: "b" | "c") => { switch (x) { case "b": return 1; } return 2; };',
  ],
  [
    "no-focused-tests",
    "src/a.test.ts",
    'import { expect, test } from "vitest"; test.only("x", () => { expect(1).toBe(1); });',
  ],
  [
    "no-disabled-tests",
    "src/a.test.ts",
    'import { expect, test } from "vitest"; test.skip("x", () => { expect(1).toBe(1); });',
  ],
  ["no-restricted-globals", "web/src/a.ts", "export const a = () => crypto.randomUUID();"],
  ["alt-text", "src/a.tsx", 'export const A = () => <img src="x" />;'],
  ["jsx-key", "src/a.tsx", "export const A = () => <p>{[1].map((n) => <b>{n}</b>)}</p>;"],
  [
    "rules-of-hooks",
    "src/a.tsx",
    'import { useState } from "react"; export const A = ({ x }: { x: boolean }) => { if (x) { useState(1); } return <p />; };',
  ],
  [
    "exhaustive-deps",
    "src/a.tsx",
    'import { useEffect } from "react"; export const A = ({ f }: { f: () => void }) => { useEffect(() => { f(); }, []); return <p />; };',
  ],
];

const folder = mkdtempSync(join(tmpdir(), "lint-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(violations)("%s is reported in %s: %s", async (rule, file, text) => {
  mkdirSync(join(folder, rule, "src"), { recursive: true });
  mkdirSync(dirname(join(folder, rule, file)), { recursive: true });
  cpSync(join(root, ".oxlintrc.json"), join(folder, rule, ".oxlintrc.json"));
  writeFileSync(join(folder, rule, "src/b.ts"), "export interface B { readonly x: number }");
  writeFileSync(join(folder, rule, file), text);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    jsx: "react-jsx",
    target: "es2024",
    module: "esnext",
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
  };
  writeFileSync(join(folder, rule, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src", "web"] }));

  const { output } = await execNode(toolPath("oxlint/bin/oxlint"), ["--type-aware", "--format=unix"], {
    cwd: join(folder, rule),
    // It is looked for in the current folder and on the PATH, where only npm puts it.
    env: { ...process.env, OXLINT_TSGOLINT_PATH: toolPath("oxlint-tsgolint/bin/tsgolint.js") },
  });

  expect(output).toContain(`(${rule})`);
});
