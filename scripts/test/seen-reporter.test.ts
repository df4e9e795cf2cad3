import { expect, test } from "vitest";
import { seenIn } from "./seen-reporter.ts";

const notes = (tree: string) => `# Test info\n\n# Error details\n\n\`\`\`yaml\n${tree}\n\`\`\`\n\n# Test source\n`;

test("of a page that a journey failed on, its main part is told, without addresses", () => {
  const tree = `- link "Início":\n  - /url: /\n- main [ref=e1]:\n  - link "Ana":\n    - /url: /tickets/1\n  - text: Oi`;
  expect(seenIn(notes(tree))).toBe(`- main:\n  - link "Ana":\n  - text: Oi`);
});

test("of two trees the whole page's is told, without boxes that have no name", () => {
  const page = `# Page snapshot\n\n\`\`\`yaml\n- main [ref=e1]:\n  - generic [ref=e2]:\n    - button "Enviar" [ref=e3] [cursor=pointer]\n\`\`\`\n`;
  expect(seenIn(notes("- button") + page)).toBe(`- main:\n    - button "Enviar"`);
});

test("a page without a main part is told from its beginning, at most sixty lines; notes without a page say nothing", () => {
  expect(seenIn(notes(Array.from({ length: 90 }, (_, n) => `- text: ${n}`).join("\n"))).split("\n")).toHaveLength(60);
  expect(seenIn("# Test info")).toBe("");
});
