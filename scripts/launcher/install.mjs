/** Are the packages in node_modules the ones that package-lock.json names? If not, install them. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { LaunchError } from "./error.mjs";
import { REQUIRED_NODE, majorOf } from "./node.mjs";

/** A folder in .cache for the Node on which npm runs; the process that made it is in its name. */
const ASIDE = "node-aside-";

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

  removeAbandonedNodes(root);
  if (readIfThere(stamp) === wanted) {
    return;
  }
  const locked = JSON.parse(lock);
  if (!isComplete(root, locked)) {
    runNpmCi(root, locked);
    prepareNode(root);
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

/**
 * @param {string} root
 * @param {{ packages: Record<string, LockedPackage> }} lock
 */
function runNpmCi(root, lock) {
  console.error("Installing the packages of Prosa; the first time this takes about a minute …");
  // not in /tmp, where programs may not run on a hardened machine
  mkdirSync(join(root, ".cache"), { recursive: true });
  const aside = mkdtempSync(join(root, ".cache", `${ASIDE}${process.pid}-`));
  try {
    // `npm start` in a production environment still builds the web app, so the build tools are always wanted. npm 11 runs no install
    // scripts; with older ones that of a package would refuse the Node that is here, which only has to start Node 24.
    runNpm(root, nodeOfNpm(aside, lock), ["ci", "--include=dev", "--include=optional"]);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/**
 * npm leaves out, in silence, optional packages that do not support the Node that runs it, and the compilers of the web app are such
 * packages (decision 0258). So where this Node is older than the product's, npm runs on the product's, fetched aside.
 *
 * @param {string} aside an empty folder
 * @param {{ packages: Record<string, LockedPackage> }} lock
 */
function nodeOfNpm(aside, lock) {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const version = lock.packages[`node_modules/${name}`]?.version;
  if (majorOf(process.versions.node) >= REQUIRED_NODE || version === undefined || npmProgram() === undefined) {
    return process.execPath;
  }
  writeFileSync(join(aside, "package.json"), "{}");
  runNpm(aside, process.execPath, ["install", "--no-save", "--no-package-lock", `${name}@${version}`]);
  const node = join(aside, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
  chmodSync(node, 0o755);
  // Where it does not run (musl), the launcher says so in its own words once the packages are there.
  return spawnSync(node, ["--version"]).status === 0 ? node : process.execPath;
}

/**
 * Removes what an installation that was killed left: some 120 MB each.
 *
 * @param {string} root
 */
function removeAbandonedNodes(root) {
  const cache = join(root, ".cache");
  for (const name of existsSync(cache) ? readdirSync(cache) : []) {
    if (name.startsWith(ASIDE) && !isRunning(Number.parseInt(name.slice(ASIDE.length), 10))) {
      try {
        rmSync(join(cache, name), { recursive: true, force: true });
      } catch {
        // Somebody else's: it only takes room.
      }
    }
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return Number.isSafeInteger(pid) && process.kill(pid, 0);
  } catch (error) {
    // EPERM: somebody else's
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/** npm's own program, where npm started us. */
function npmProgram() {
  const npm = process.env.npm_execpath;
  return npm && basename(npm) === "npm-cli.js" ? realpathSync(npm) : undefined;
}

/**
 * @param {string} cwd
 * @param {string} node
 * @param {string[]} args
 */
function runNpm(cwd, node, args) {
  const npm = npmProgram();
  const all = [...args, "--ignore-scripts", "--no-audit", "--no-fund", "--no-progress", "--loglevel=error"];
  /** @type {import("node:child_process").SpawnSyncOptions} */
  const options = { cwd, stdio: ["ignore", "ignore", "inherit"] };

  // Debian keeps the packages of its npm beside it, where only its own Node looks.
  const env =
    npm === undefined
      ? process.env
      : { ...process.env, NODE_PATH: dirname(dirname(dirname(npm))), NODE_NO_WARNINGS: "1" };
  const result =
    npm !== undefined
      ? spawnSync(node, [npm, ...all], { ...options, env })
      : spawnSync("npm", all, { ...options, shell: process.platform === "win32" });

  if (result.error) {
    throw new LaunchError(`npm could not be started (${result.error.message}). Is it installed?`);
  }
  if (result.status !== 0) {
    throw new LaunchError("The packages could not be installed; npm's own message is above.");
  }
}

/**
 * Install scripts do not run, so the one package that sets this bit in a script never gets to it. And npm puts .bin first on the PATH of
 * its scripts: with a Node there, the next `npm start` on another machine that shares the folder could not even begin (decision 0258).
 *
 * @param {string} root
 */
export function prepareNode(root) {
  for (const name of ["node", "node.cmd", "node.ps1"]) {
    rmSync(join(root, "node_modules", ".bin", name), { force: true });
  }
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
