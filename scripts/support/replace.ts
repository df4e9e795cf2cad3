import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { replaceProcess } from "../launcher/process.mjs";
import { compileCache, root } from "./paths.ts";

/** Ends this process in favour of a program of the project, with compiled modules kept for the next start. */
export function becomeNode(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<never> {
  const followNpm = pathToFileURL(join(root, "scripts/launcher/follow-npm.mjs")).href;
  return replaceProcess(process.execPath, ["--import", followNpm, ...args], {
    NODE_COMPILE_CACHE: compileCache,
    ...env,
  });
}
