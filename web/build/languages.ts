/**
 * Leaves English and Spanish out of what everybody loads.
 *
 * In the sources the three languages of a text stand side by side. The build keeps Portuguese there, and moves the others to
 * files of their own: of each language one with the texts of sign-in, shell and desk, and one with all others. Where the
 * texts are read, `lib/text/other-languages.ts` looks them up by a key. Development and tests read the sources as they are; the
 * development server resolves the files all the same, because it refuses a module with an import that leads nowhere, used or not.
 */
import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Visitor } from "vite";
import type { ESTree, Plugin } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url));
const lookup = fileURLToPath(new URL("../src/lib/text/other-languages.ts", import.meta.url));
const VIRTUAL = /^virtual:texts\/(en|es)\/(first|rest)$/;
/** Declarations of texts: `defineMessages({ pt: {…}, en: {…}, es: {…} })`. */
const declarers = new Set(["defineMessages", "byLanguage"]);
/** Files whose texts are needed for the first screens. */
const first =
  /^(contract\/src|web\/src\/(lib|ui(\/(fields|dialogs))?)|web\/src\/app(\/screens(\/desk(\/transfer)?)?)?)\/[^/]+$|^web\/src\/lib\/|^web\/src\/features\/(messages|notes|tickets)\//;

type Parse = (code: string, options: { readonly lang: "ts" | "tsx" }) => ESTree.Program;

interface Texts {
  /** The call that declares them, and the range of its argument. */
  readonly start: number;
  readonly end: number;
  readonly pt: string;
  readonly en: Range;
  readonly es: Range;
}
interface Range {
  readonly start: number;
  readonly end: number;
}

export function languages(): Plugin {
  return {
    name: "prosa-languages",
    enforce: "pre",
    resolveId: (id) => (VIRTUAL.test(id) ? `\0${id}` : null),
    async load(id) {
      const [, language, part] = VIRTUAL.exec(id.slice(1)) ?? [];
      return id.startsWith("\0") && language
        ? dictionary(language as "en" | "es", part === "first", (code, options) => this.parse(code, options))
        : null;
    },
    transform(code, id) {
      const file = fileOf(id);
      const isDivided = this.environment.mode === "build" && isSource(file) && declares(code);
      const found = isDivided ? textsIn(code, file, (...it) => this.parse(...it)) : [];
      return found.length > 0 ? withoutOthers(code, file, found) : null;
    },
  };
}

/** The module with the texts of one language, by key. */
async function dictionary(language: "en" | "es", isFirst: boolean, parse: Parse): Promise<string> {
  const entries: string[] = [];
  for await (const path of glob("{web,contract}/src/**/*.{ts,tsx}", { cwd: root })) {
    const file = path.replaceAll("\\", "/");
    const code = isSource(file) && first.test(file) === isFirst ? readFileSync(`${root}/${path}`, "utf8") : "";
    if (declares(code)) {
      textsIn(code, file, parse).forEach((texts, index) => {
        const { start, end } = texts[language];
        entries.push(`${JSON.stringify(keyOf(file, index))}: ${code.slice(start, end)}`);
      });
    }
  }
  return `export default {${entries.toSorted().join(",\n")}};`;
}

/** Replaces each declaration by a lookup, and what the other languages are by nothing. */
function withoutOthers(code: string, file: string, found: readonly Texts[]): string {
  const edits = found.flatMap((texts, index) => [
    { start: texts.start, end: texts.end, by: `otherLanguages(${JSON.stringify(keyOf(file, index))}, ${texts.pt})` },
    // Texts that are declared before, as a constant of their own.
    ...[texts.en, texts.es]
      .filter(({ start }) => start < texts.start)
      .map((range) => ({ ...range, by: "{} as never" })),
  ]);
  let left = "";
  let at = 0;
  for (const { start, end, by } of edits.toSorted((a, b) => a.start - b.start)) {
    left += code.slice(at, start) + by;
    at = end;
  }
  return `import { otherLanguages } from ${JSON.stringify(lookup)};${left}${code.slice(at)}`;
}

/** All texts that a module declares; those that are not literals stay where they are. */
function textsIn(code: string, file: string, parse: Parse): readonly Texts[] {
  const program = parse(code, { lang: file.endsWith("x") ? "tsx" : "ts" });
  const constants = new Map<string, ESTree.Expression>();
  const found: Texts[] = [];
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === "Identifier" && init) {
        constants.set(id.name, init);
      }
    },
    CallExpression({ callee, arguments: [argument] }) {
      if (callee.type !== "Identifier" || !declarers.has(callee.name) || argument?.type !== "ObjectExpression") {
        return;
      }
      const byLanguage = new Map<string, ESTree.Expression>();
      for (const property of argument.properties) {
        if (property.type === "Property" && property.key.type === "Identifier") {
          const { value } = property;
          byLanguage.set(property.key.name, value.type === "Identifier" ? (constants.get(value.name) ?? value) : value);
        }
      }
      const [pt, en, es] = ["pt", "en", "es"].map((language) => byLanguage.get(language));
      if (pt && en && es && [en, es].every(isLiteral)) {
        const own = pt.start > argument.start ? code.slice(pt.start, pt.end) : "pt";
        found.push({ start: argument.start, end: argument.end, pt: own, en, es });
      }
    },
  }).visit(program);
  return found;
}

function isLiteral(node: ESTree.Node): boolean {
  switch (node.type) {
    case "Literal":
      return true;
    case "TemplateLiteral":
      return node.expressions.length === 0;
    case "ObjectExpression":
      return node.properties.every((each) => each.type === "Property" && !each.computed && isLiteral(each.value));
    default:
      return false;
  }
}

function declares(code: string): boolean {
  return [...declarers].some((name) => code.includes(`${name}({`));
}

function keyOf(file: string, index: number): string {
  return `${file.replace(/^(web\/src\/|contract\/src\/)(features\/|app\/)?/, "").replace(/(\.i18n)?\.tsx?$/, "")}${index || ""}`;
}

function fileOf(id: string): string {
  return relative(root, id.replace(/\?.*/, "")).replaceAll("\\", "/");
}

function isSource(file: string): boolean {
  return /^(web|contract)\/src\//.test(file) && !/\.test\.tsx?$/.test(file) && !file.endsWith("/i18n.ts");
}
