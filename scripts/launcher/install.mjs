/** Are the packages in node_modules the ones that package-lock.json names? If not, install them. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { LaunchError } from "./error.mjs";

/** @typedef {{ version?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} LockedPackage */

/**
 * Brings node_modules in line with package-lock.json; costs a hash of the lock when there is nothing to do.
 *
 * @param {string} root
 */
export function installPackages(root) {
  const stamp = join(root, "node_modules", ".prosa-lock");
  const lock = readFileSync(join(root, "package-lock.json"), "utf8");
  // The machine is part of the stamp: a folder that is shared with another system holds the other's binaries.
  const wanted = [createHash("sha256").update(lock).digest("hex"), process.platform, process.arch].join(" ");

  if (readIfThere(stamp) === wanted) {
    return;
  }
  if (!isComplete(root, JSON.parse(lock))) {
    runNpmCi(root);
    makeExecutable(root);
  }
  try {
    writeFileSync(stamp, wanted);
  } catch {
    // Someone else owns node_modules. It is complete, so the only loss is that the next start looks again.
  }
}

/**
 * Compares what npm recorded as installed with the lock, so that a person who ran `npm ci` or `npm install` by hand
 * does not wait for a second installation.
 *
 * @param {string} root
 * @param {{ packages: Record<string, LockedPackage> }} lock
 */
function isComplete(root, lock) {
  const recorded = readIfThere(join(root, "node_modules", ".package-lock.json"));
  if (recorded === undefined) {
    return false;
  }
  const installed = JSON.parse(recorded).packages ?? {};

  return Object.entries(lock.packages).every(([path, wanted]) => {
    if (!path.includes("node_modules/")) {
      return true;
    }
    if (installed[path] === undefined) {
      return wanted.optional === true && !isForThisMachine(wanted);
    }
    return installed[path].version === wanted.version && existsSync(join(root, path));
  });
}

/**
 * Only packages that name both a system and a processor are bound to a machine; others may be left out by npm.
 *
 * @param {LockedPackage} wanted
 */
function isForThisMachine({ os, cpu, libc }) {
  if (!os?.includes(process.platform) || !cpu?.includes(process.arch)) {
    return false;
  }
  return libc === undefined || libc.includes(libcOfThisMachine());
}

function libcOfThisMachine() {
  const report = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return report.header?.glibcVersionRuntime ? "glibc" : "musl";
}

/** @param {string} root */
function runNpmCi(root) {
  console.error("Installing the packages of Prosa; the first time this takes about a minute …");
  // `npm start` in a production environment still builds the web app, so the build tools are always wanted. No install scripts: npm 11 runs
  // none anyway, and with the npm of Debian 12 one of them refuses its Node 18, which only has to start Node 24 (decision 0258).
  const wanted = ["--include=dev", "--include=optional", "--ignore-scripts"];
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--no-progress"];
  const args = ["ci", ...wanted, ...quiet];
  const npm = process.env.npm_execpath;
  /** @type {import("node:child_process").SpawnSyncOptions} */
  const options = { cwd: root, stdio: ["ignore", "ignore", "inherit"] };

  const result =
    npm && basename(npm) === "npm-cli.js"
      ? spawnSync(process.execPath, [npm, ...args], options)
      : spawnSync("npm", args, { ...options, shell: process.platform === "win32" });

  if (result.error) {
    throw new LaunchError(`npm could not be started (${result.error.message}). Is it installed?`);
  }
  if (result.status !== 0) {
    throw new LaunchError("The packages could not be installed; npm's own message is above.");
  }
}

/**
 * Install scripts do not run, so the one package that sets this bit in a script never gets to it.
 *
 * @param {string} root
 */
function makeExecutable(root) {
  const file = join(root, "node_modules", `node-${process.platform}-${process.arch}`, "bin/node");
  if (existsSync(file)) {
    chmodSync(file, 0o755);
  }
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
