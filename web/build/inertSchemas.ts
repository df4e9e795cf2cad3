/**
 * How does the browser read the contract without carrying zod?
 *
 * The client needs of an endpoint its method, path and files field; the schemas only type the call. So a module of the
 * contract that is imported as `@prosa/contract/<noun>` gets an inert zod, and the tree shaker drops what is left of the
 * schemas. A form, which does validate, imports `#schemas/<noun>` lazily and gets the same module with the real zod.
 */
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

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
  };
}
