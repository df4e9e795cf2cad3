/**
 * Puts `importFetched` in the place of Vite's helper of lazy chunks, which fetches by `<link rel="modulepreload">`: a module that one could
 * not fetch is remembered by the browser as missing until the page is left.
 */
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const helper = fileURLToPath(new URL("../src/lib/browser/import-fetched.ts", import.meta.url)).replaceAll("\\", "/");

export function importFetched(): Plugin {
  let isReplaced = false;
  return {
    name: "prosa-import-fetched",
    apply: "build",
    enforce: "pre",
    load(id) {
      if (id !== "\0vite/preload-helper.js") {
        return null;
      }
      isReplaced = true;
      return `export { importFetched as __vitePreload } from ${JSON.stringify(helper)};`;
    },
    // A helper of another name would come back unnoticed.
    buildEnd(error) {
      if (!error && !isReplaced) {
        throw new Error("Vite's helper of lazy chunks was not found: see web/build/importFetched.ts.");
      }
    },
  };
}
