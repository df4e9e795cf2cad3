import { replaceProcess } from "../launcher/process.mjs";
import { compileCache } from "./paths.ts";

/** Ends this process in favour of a program of the project, with compiled modules kept for the next start. */
export function becomeNode(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<never> {
  return replaceProcess(process.execPath, [...args], { NODE_COMPILE_CACHE: compileCache, ...env });
}
