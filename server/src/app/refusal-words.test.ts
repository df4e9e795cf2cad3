import { globSync, readFileSync } from "node:fs";
import { languages } from "@prosa/contract/i18n";
import ts from "typescript";
import { expect, test } from "vitest";
import { AppError } from "#server/platform/ctx.ts";
import { refusalText } from "#server/platform/http/index.ts";

/** Calls of a schema that take what is said where a value breaks them, as their last argument. */
const rules = new Set(["min", "max", "length", "regex", "refine", "email", "url", "parseJson", "invalid"]);
/** Only of a minimum, which is said with its number. */
const withNumber = "nome muito curto";
/** Spellings of the specification that are Portuguese already. */
const portuguese = /^(Obrigatório|Sua senha|As senhas|Informe|Selecione|Parametrize|Por favor|Mensagem muito curta)/u;

/** The literal words of refusals in a source: of schemas' rules, of `fields` and of whole messages. */
function wordsIn(source: string, isContract: boolean): string[] {
  const constants = new Map<string, string>();
  const found: (string | undefined)[] = [];
  const textOf = (node: ts.Node | undefined): string | undefined =>
    node && (ts.isStringLiteralLike(node) ? node.text : ts.isIdentifier(node) ? constants.get(node.text) : undefined);
  const objectOf = (node: ts.Node | undefined) => (node && ts.isObjectLiteralExpression(node) ? node.properties : []);
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      const text = textOf(node.initializer);
      if (text !== undefined) {
        constants.set(node.name.text, text);
      }
    }
    if (ts.isCallExpression(node)) {
      const called = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
      const name = ts.isIdentifier(called) ? called.text : "";
      const last = node.arguments.at(-1);
      if (rules.has(name) && (isContract || name === "invalid")) {
        found.push(textOf(last));
      }
      if (name === "validationError") {
        found.push(...valuesOf(last));
      }
    }
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) {
      const key = node.name.text;
      if (key === "fields") {
        found.push(...valuesOf(node.initializer));
      }
      if (isContract && (key === "message" || key === "error")) {
        found.push(textOf(node.initializer));
      }
    }
    if (ts.isNewExpression(node) && textOf(node.arguments?.[0]) === "ERR_VALIDATION") {
      const whole = objectOf(node.arguments?.[1]).find((one) => one.name?.getText(file) === "message");
      found.push(whole && ts.isPropertyAssignment(whole) ? textOf(whole.initializer) : undefined);
    }
    ts.forEachChild(node, visit);
  };
  const valuesOf = (node: ts.Node | undefined): (string | undefined)[] =>
    objectOf(node).map((one) => (ts.isPropertyAssignment(one) ? textOf(one.initializer) : undefined));
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest);
  visit(file);
  return found.filter((text) => text !== undefined);
}

const words = new Set(
  globSync(["contract/src/*.ts", "server/src/{platform,features}/**/*.ts"], {
    exclude: ["**/*.test.ts", "**/*.i18n.ts", "**/*.fixture.ts"],
  }).flatMap((path) => wordsIn(readFileSync(path, "utf8"), path.startsWith("contract"))),
);
words.delete(withNumber);

test("the words of refusals are found in the sources: rules, fields, whole messages and constants (E-03)", () => {
  expect([...words]).toEqual(
    expect.arrayContaining([
      "Too Short!",
      "Not one of the choices",
      "Informe o setor",
      "Word of the bot",
      "Send UTF-8",
    ]),
  );
});

test.each(languages)("every rule and message of a refusal is said in %s (E-03, S-08)", (language) => {
  const unknown = "Invalid option: expected one of a|b";
  const said = (rule: string) => refusalText(new AppError("ERR_VALIDATION", { fields: { x: rule } }), language);
  const silent = [...words].filter(
    (rule) =>
      said(rule) === (rule === "Invalid" ? `x: ${rule}` : said(unknown)) ||
      (language !== "en" && said(rule) === `x: ${rule}` && !(language === "pt" && portuguese.test(rule))),
  );
  expect(silent).toEqual([]);
  expect(said(unknown)).not.toContain("expected");
  const whole = (message: string) => refusalText(new AppError("ERR_VALIDATION", { message }), language);
  expect(whole("Malformed request")).not.toBe(language === "en" ? "" : "Malformed request");
  expect(whole("O arquivo tem colunas demais.")).toBe("O arquivo tem colunas demais.");
});
