/** Is the built web app the one that the sources describe? If not, build it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execNode } from "../support/exec.ts";
import { LaunchError } from "../launcher/error.mjs";
import { root, toolPath } from "../support/paths.ts";
import { hashSources } from "./hash.ts";

const web = join(root, "web");
const stamp = join(web, "dist", ".built-from");

/** Builds the web app unless the last build was made from these very sources. */
export async function buildWebWhenChanged(): Promise<void> {
  if (readStamp() !== hashSources(root)) {
    await buildWeb();
  }
}

/** Builds the web app; throws with Vite's output when that fails. */
export async function buildWeb(): Promise<void> {
  const sources = hashSources(root);
  console.log("Building the web app …");

  const env = { ...process.env, NODE_ENV: "production" };
  const built = await execNode(toolPath("vite/bin/vite.js"), ["build", "--logLevel", "warn"], { cwd: web, env });
  if (!built.ok) {
    throw new LaunchError(`The web app could not be built.\n${built.output}`);
  }
  // Written last, so that an interrupted build is never taken for a finished one.
  writeFileSync(stamp, sources);
  console.log(`Built in ${built.seconds.toFixed(1)} s.`);
}

function readStamp(): string | undefined {
  try {
    return readFileSync(stamp, "utf8");
  } catch {
    return undefined;
  }
}
