/** Where is a Node that is new enough? */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { LaunchError } from "./error.mjs";

/** The server is run from its TypeScript sources, and idle lines cost a quarter of what they cost on Node 20. */
export const REQUIRED_NODE = 24;

/** @param {string} version */
export function majorOf(version) {
  return Number(version.split(".")[0]);
}

/**
 * The Node 24 that came with the packages; throws a LaunchError where there is none for this machine.
 *
 * @param {string} root
 */
export function findNode(root) {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const folder = join(root, "node_modules", `node-${platform}-${process.arch}`, "bin");
  const node = join(folder, process.platform === "win32" ? "node.exe" : "node");

  // Asking it for its version also catches a system that has the file but cannot run it (musl, an old libc).
  const answer = spawnSync(node, ["--version"], { encoding: "utf8" });
  if (answer.status === 0 && majorOf(answer.stdout.slice(1)) >= REQUIRED_NODE) {
    return node;
  }
  throw new LaunchError(
    `Prosa needs Node ${REQUIRED_NODE} or newer. This is Node ${process.versions.node}, and the packages hold no newer ` +
      `one that runs on ${process.platform} ${process.arch}. Please install Node ${REQUIRED_NODE} and try again.`,
  );
}
