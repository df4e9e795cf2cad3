import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { LaunchError } from "../launcher/error.mjs";
import { buildWebWhenChanged } from "../web-build/build.ts";
import { exec } from "../support/exec.ts";
import { cache, root } from "../support/paths.ts";

/** Workspaces that the server needs; of the web app only what was built. */
const workspaces = ["contract", "server", "wa-sim"];
const alsoCopied = ["LICENSE", "README.md", "THIRD-PARTY-NOTICES.md", "deploy", "docs/operations.md", "web/dist"];

/**
 * `npm run bundle [-- --folder-only]`: everything that runs Prosa without a network and without npm, for the machine's system and
 * processor: Node, the production packages and the built web app, as one archive in dist/. Nothing that only developers need goes in.
 */
export async function run(args: readonly string[]): Promise<void> {
  await buildWebWhenChanged();
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const name = `prosa-${version}-${process.platform}-${process.arch}`;
  const folder = join(cache, "bundle", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copySources(folder);
  await installProduction(folder);
  writeStarter(folder);
  if (args.includes("--folder-only")) {
    console.log(folder);
    return;
  }
  const archive = join(root, "dist", `${name}.tar.gz`);
  mkdirSync(join(root, "dist"), { recursive: true });
  await succeed("tar", ["-czf", archive, "-C", join(cache, "bundle"), name]);
  console.log(archive);
}

function copySources(folder: string): void {
  for (const name of ["package.json", "package-lock.json", ".npmrc", "web/package.json"]) {
    copy(name, folder);
  }
  for (const name of [...workspaces, ...alsoCopied]) {
    copy(name, folder);
  }
}

function copy(name: string, folder: string): void {
  const from = join(root, name);
  if (existsSync(from)) {
    cpSync(from, join(folder, name), { recursive: true, filter: isWanted });
  }
}

/** Tests, what helps them, and installed packages stay behind. */
export function isWanted(path: string): boolean {
  const parts = relative(root, path).split(sep);
  const name = basename(path);
  return (
    !parts.includes("node_modules") &&
    !(parts[0] === "server" && parts[2] === "testing") &&
    !(parts[0] === "wa-sim" && parts[1] === "test") &&
    !/\.(test|fixture)\.[jt]sx?$/u.test(name) &&
    !name.startsWith("tsconfig")
  );
}

async function installProduction(folder: string): Promise<void> {
  const chosen = workspaces.flatMap((name) => ["--workspace", name]);
  await succeed(
    "npm",
    [
      "ci",
      "--omit=dev",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
      "--include-workspace-root",
      ...chosen,
    ],
    folder,
  );
  // Headers for compilers.
  rmSync(join(folder, "node_modules", `node-${process.platform}-${process.arch}`, "include"), {
    recursive: true,
    force: true,
  });
  const unwanted = packagesOfDevelopers(folder);
  if (unwanted.length > 0) {
    throw new LaunchError(`The bundle holds packages that only developers need: ${unwanted.join(", ")}`);
  }
}

/** Installed packages that the lock of the folder marks as needed by developers only. */
function packagesOfDevelopers(folder: string): string[] {
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean }>;
  };
  return Object.keys(packages).filter((path) => packages[path]!.dev === true && existsSync(join(folder, path)));
}

async function succeed(program: string, args: readonly string[], cwd = root): Promise<void> {
  const { ok, output } = await exec(program, args, { cwd });
  if (!ok) {
    throw new LaunchError(`${program} ${args[0] ?? ""} failed.\n${output}`);
  }
}

/** `bin/prosa`, `bin/prosa setup`, `bin/prosa backup` …, from whatever folder; `bin/healthy` ends with 0 while it answers. */
function writeStarter(folder: string): void {
  const node = `node_modules/node-${process.platform}-${process.arch}/bin/node`;
  chmodSync(join(folder, node), 0o755);
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin/prosa"), starterScript(node), { mode: 0o755 });
  // For service managers and images, which have no program of their own that could ask.
  const healthy = `#!/bin/sh
here=$(cd "$(dirname "$0")/.." && pwd)
exec "$here/${node}" -e 'fetch("http://127.0.0.1:" + (process.env.PORT || 8080) + "/health").then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))'
`;
  writeFileSync(join(folder, "bin/healthy"), healthy, { mode: 0o755 });
}

/**
 * `bin/prosa`, with Node at this path in the bundle. Data lies in the bundle's own folder unless DATA_DIR says otherwise, so a new release
 * that was unpacked beside the old one would begin without them: it starts nothing and names both folders.
 */
export function starterScript(node: string): string {
  return `#!/bin/sh
here=$(cd "$(dirname "$0")/.." && pwd)
if [ -z "\${DATA_DIR:-}" ] && [ ! -e "$here/data" ]; then
  for other in "$here"/../prosa-*/data; do
    if [ -d "$other" ]; then
      echo "DATA_DIR: not set. There are data in $(cd "$other" && pwd), and none in $here/data yet." >&2
      echo "Stop the other one and set DATA_DIR to its data, or to $here/data for a new installation." >&2
      exit 1
    fi
  done
fi
export NODE_ENV="\${NODE_ENV:-production}" DATA_DIR="\${DATA_DIR:-$here/data}"
exec "$here/${node}" "$here/server/src/main.ts" "$@"
`;
}
