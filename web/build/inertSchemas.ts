/**
 * How does the browser read the contract without carrying zod?
 *
 * The client needs of an endpoint its method, path and files field, and whether it is public; the schemas only type the call. So a module
 * of the contract that is imported as `@prosa/contract/<noun>` gets an inert zod in place of every schema, and its endpoints keep
 * only that. A form, which does validate, imports `#schemas/<noun>` lazily and gets the same module with the real zod.
 */
import { fileURLToPath } from "node:url";
import { Visitor } from "vite";
import type { ESTree, Plugin } from "vite";

const contract = fileURLToPath(new URL("../../contract/src/", import.meta.url));
const inertZod = fileURLToPath(new URL("./inertZod.ts", import.meta.url));
const REAL = "?schemas";

export function inertSchemas(): Plugin {
  return {
    name: "prosa-inert-schemas",
    enforce: "pre",
    resolveId(source, importer) {
      if (source.startsWith("#schemas/")) {
        return `${contract}${source.slice("#schemas/".length)}.ts${REAL}`;
      }
      if (!importer?.startsWith(contract)) {
        return null;
      }
      const isReal = importer.endsWith(REAL);
      if (source === "zod") {
        return isReal ? null : inertZod;
      }
      return isReal && source.startsWith("./") ? `${contract}${source.slice(2)}${REAL}` : null;
    },
    transform(code, id) {
      return id.startsWith(contract) && !id.endsWith(REAL)
        ? withoutSchemas(code, this.parse(code, { lang: "ts" }))
        : null;
    },
  };
}

/** What an endpoint carries for the server, its documentation and the types only. */
const serverFields = new Set(["params", "query", "body", "response", "summary"]);

/** Methods of zod's types that nothing else in the contract has. */
const schemaMethods = new Set(
  "array default extend max min nullable nullish omit optional partial pick pipe refine superRefine transform".split(
    " ",
  ),
);

/**
 * Blanks the server's fields of every `endpoint({…})` and the rules of who may call it, and replaces every schema by the inert zod: the tree shaker cannot know
 * that `contact.nullable()` does nothing. What is left keeps its place in the file.
 */
function withoutSchemas(code: string, program: ESTree.Program): string {
  const cuts: { readonly start: number; readonly end: number; readonly by: string }[] = [];
  new Visitor({
    CallExpression(call) {
      const [definition] = call.arguments;
      if (isSchema(call)) {
        cuts.push({ start: call.start, end: call.end, by: "z" });
      } else if (isNamed(call.callee, "endpoint") && definition?.type === "ObjectExpression") {
        for (const property of definition.properties) {
          if (property.type !== "Property" || property.key.type !== "Identifier") {
            continue;
          }
          const { start, end, key, value } = property;
          if (serverFields.has(key.name)) {
            cuts.push({ start, end: code[end] === "," ? end + 1 : end, by: "" });
          } else if (key.name === "access" && value.type === "ObjectExpression" && !isPublic(value)) {
            cuts.push({ start: value.start, end: value.end, by: "{}" });
          }
        }
      }
    },
  }).visit(program);

  let left = "";
  let at = 0;
  for (const { start, end, by } of cuts.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    // A cut within another one is done with it.
    if (start >= at) {
      left += code.slice(at, start) + by + code.slice(start + by.length, end).replace(/[^\n]/gu, " ");
      at = end;
    }
  }
  left += code.slice(at);
  return cuts.some(({ by }) => by === "z") && !/import \{ z \}/.test(code) ? `import { z } from "zod";${left}` : left;
}

function isPublic({ properties }: ESTree.ObjectExpression): boolean {
  return properties.some(
    (property) =>
      property.type === "Property" && property.value.type === "Literal" && property.value.value === "public",
  );
}

/** `z.string().min(2)` and `contact.nullable()`, not `names.map(…)` and not `Math.min(…)`: no global is a schema. */
function isSchema({ callee }: ESTree.CallExpression): boolean {
  if (callee.type !== "MemberExpression") {
    return false;
  }
  const root = rootOf(callee);
  return (
    root === "z" ||
    (callee.property.type === "Identifier" &&
      schemaMethods.has(callee.property.name) &&
      !(root !== undefined && root in globalThis))
  );
}

/** The name that a chain of calls and properties begins with. */
function rootOf(node: ESTree.Expression | ESTree.Super): string | undefined {
  switch (node.type) {
    case "Identifier":
      return node.name;
    case "MemberExpression":
      return rootOf(node.object);
    case "CallExpression":
      return rootOf(node.callee);
    default:
      return undefined;
  }
}

function isNamed(node: ESTree.Expression | ESTree.Super, name: string): boolean {
  return node.type === "Identifier" && node.name === name;
}
