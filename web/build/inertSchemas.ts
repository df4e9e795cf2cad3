/**
 * How does the browser read the contract without carrying zod?
 *
 * The client needs of an endpoint its method, path and files field; the schemas only type the call. So a module of the
 * contract that is imported as `@prosa/contract/<noun>` gets an inert zod, and the tree shaker drops what is left of the
 * schemas. Those of an endpoint are blanked, because it would hold on to them. A form, which does validate, imports
 * `#schemas/<noun>` lazily and gets the same module with the real zod.
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
    // An endpoint would hold on to its schemas, and they to those that they are made of.
    transform(code, id) {
      return id.startsWith(contract) && !id.endsWith(REAL)
        ? withoutSchemas(code, this.parse(code, { lang: "ts" }))
        : null;
    },
  };
}

const schemaFields = new Set(["params", "query", "body", "response"]);

/** Blanks the schemas of every `endpoint({…})`; what is left keeps its place in the file. */
function withoutSchemas(code: string, program: ESTree.Program): string {
  let left = code;
  new Visitor({
    CallExpression({ callee, arguments: [definition] }) {
      if (callee.type !== "Identifier" || callee.name !== "endpoint" || definition?.type !== "ObjectExpression") {
        return;
      }
      for (const property of definition.properties) {
        if (property.type === "Property" && property.key.type === "Identifier" && schemaFields.has(property.key.name)) {
          const { start, end } = property;
          const comma = code[end] === "," ? 1 : 0;
          left =
            left.slice(0, start) + code.slice(start, end + comma).replace(/[^\n]/gu, " ") + left.slice(end + comma);
        }
      }
    },
  }).visit(program);
  return left;
}
