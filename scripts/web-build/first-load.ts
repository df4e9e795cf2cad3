/** How much JavaScript must a browser fetch before the desk can be used? */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { LaunchError } from "../launcher/error.mjs";
import { root } from "../support/paths.ts";

/** Gzipped, in kB of 1,000 bytes; the check of the build, so that a heavy import is noticed the day it comes. */
export const FIRST_LOAD_BUDGET_KB = 180;

/** Lazy chunks that are fetched on the way to the desk: sign-in, the shell, the desk itself and the socket's client. */
const onTheWay = [/(^|\/)screens\/Login\.tsx$/, /(^|\/)shell\/Shell\.tsx$/, /^_desk-/, /^_socket-/];

export interface ManifestChunk {
  readonly file: string;
  readonly src?: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}

export type Manifest = Readonly<Record<string, ManifestChunk>>;

/** Prints the table of the first load's chunks; false when their sum is over the budget. */
export function checkFirstLoad(): boolean {
  const dist = join(root, "web", "dist");
  const manifest = JSON.parse(readFileSync(join(dist, ".vite", "manifest.json"), "utf8")) as Manifest;
  const kb = (file: string) => gzipSync(readFileSync(join(dist, file))).length / 1000;
  const sizes = firstLoadFiles(manifest).map((file) => ({ file, size: kb(file) }));
  const total = sizes.reduce((sum, { size }) => sum + size, 0);

  console.log("\nFirst load of the desk, gzipped JavaScript:");
  for (const { file, size } of sizes.toSorted((a, b) => b.size - a.size)) {
    console.log(`  ${size.toFixed(1).padStart(7)} kB  ${file}`);
  }
  console.log(`  ${total.toFixed(1).padStart(7)} kB  of at most ${FIRST_LOAD_BUDGET_KB} kB`);
  const later = filesOf(manifest, [/(^|\/)desk\/conversation\/TicketPane\.tsx$/, /(^|\/)Composer\.tsx$/]).filter(
    (file) => !sizes.some((first) => first.file === file),
  );
  const more = later.reduce((sum, file) => sum + kb(file), 0);
  console.log(`  ${more.toFixed(1).padStart(7)} kB  more for a conversation and its composer`);
  // Portuguese travels with the code.
  for (const [key, { file }] of Object.entries(manifest)) {
    const [, language] = /virtual:texts\/(\w+)\/first$/.exec(key) ?? [];
    if (language) {
      console.log(`  ${kb(file).toFixed(1).padStart(7)} kB  more where the language is ${language}`);
    }
  }
  return total <= FIRST_LOAD_BUDGET_KB;
}

/**
 * The entry, what is fetched on the way to the desk, and all that these import statically; throws when one of them is not
 * found, so that a moved file cannot make the sum smaller. The service worker is an entry too, but is loaded later.
 */
export function firstLoadFiles(manifest: Manifest): string[] {
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry && manifest[key].file !== "sw.js");
  if (entries.length === 0) {
    throw new LaunchError("The build has no entry; is build.manifest set in web/vite.config.ts?");
  }
  return filesOf(manifest, onTheWay, entries);
}

/** The scripts of these chunks and of all that they import statically. */
function filesOf(manifest: Manifest, patterns: readonly RegExp[], entries: readonly string[] = []): string[] {
  const needed = new Set<string>();
  const add = (key: string) => {
    const chunk = manifest[key];
    if (chunk && !needed.has(key)) {
      needed.add(key);
      chunk.imports?.forEach(add);
    }
  };

  entries.forEach(add);
  for (const pattern of patterns) {
    const chunks = Object.keys(manifest).filter((key) => pattern.test(key));
    if (chunks.length === 0) {
      throw new LaunchError(
        `The build has no chunk that matches ${pattern.source}: did a file of the first load move?`,
      );
    }
    chunks.forEach(add);
  }

  return [...needed].map((key) => manifest[key]!.file).filter((file) => file.endsWith(".js"));
}
