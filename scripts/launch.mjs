/**
 * Every npm script of the project begins here: `node scripts/launch.mjs <command> [arguments]`.
 *
 * Plain JavaScript without dependencies that runs on Node 18, because on a fresh machine nothing is installed yet:
 * it installs the packages when they are missing or stale, hands over to Node 24 when it was started by an older one,
 * and only then loads the command, which is TypeScript.
 */
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { withoutSeparator } from "./launcher/arguments.mjs";
import { LaunchError } from "./launcher/error.mjs";
import { installPackages } from "./launcher/install.mjs";
import { REQUIRED_NODE, findNode, majorOf } from "./launcher/node.mjs";
import { replaceProcess } from "./launcher/process.mjs";

const commands = {
  start: "build the web app when its sources changed, then run Prosa",
  dev: "run Prosa with both the server and the web app reloading on change",
  setup: "make the operator of a production database",
  "reset-password": "give somebody a new password, on this machine",
  backup: "write everything into one file, while Prosa runs, and try it by restoring it aside",
  restore: "put a backup in the place of the database (Prosa must be stopped)",
  "upgrade-database":
    "carry an embedded database of an older PostgreSQL over to the one of this release (Prosa must be stopped)",
  company: "write everything of a company into one archive, or bring such an archive in",
  "move-in": "bring a database of the Whaticket family into this one, while Prosa runs",
  doctor: "look at settings, database, disk, mail, proxy, lines and backups, and say what to do",
  build: "build the web app and check the size of its first load",
  bundle: "pack Node, the production packages and the web app into one archive that needs no network",
  "install-trial": "install Prosa on a bare Debian and hold a first chat there (npm, bundle, systemd, container)",
  check: "types, formatting, lint, architecture and dead code (--fix writes what can be fixed)",
  format: "format every file",
  test: "everything: checks, tests, build, browser journeys (name stages to run only those)",
  bench: "measure speed, size and memory against the budgets",
  screenshots: "take the screenshots of the documentation",
  storm: "kill the server at random moments under load and count the messages",
  fuzz: "send every call of the API what nobody foresaw",
  "new-feature": "make the skeleton of a feature slice",
  "new-migration": "make a migration with the next number",
  version: "run by npm version, which commits and tags a release",
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [command = "help", ...given] = process.argv.slice(2);
const args = withoutSeparator(given);

try {
  await launch();
} catch (error) {
  // A failure that the launcher foresaw is a sentence for a person; anything else is a bug and keeps its stack.
  console.error(error instanceof LaunchError ? error.message : error);
  process.exit(1);
}

async function launch() {
  if (!Object.hasOwn(commands, command)) {
    printUsage();
    process.exit(command === "help" ? 0 : 2);
  }

  process.chdir(root);
  installPackages(root);

  if (majorOf(process.versions.node) < REQUIRED_NODE) {
    const node = findNode(root);
    const env = { ...process.env, PATH: withFirst(dirname(node), process.env.PATH) };
    await replaceProcess(node, [fileURLToPath(import.meta.url), command, ...args], env);
  }

  const { run } = await import(pathToFileURL(join(root, "scripts", "commands", `${command}.ts`)).href);
  await run(args);
}

/**
 * @param {string} directory
 * @param {string | undefined} path
 */
function withFirst(directory, path) {
  return [directory, path].filter(Boolean).join(process.platform === "win32" ? ";" : ":");
}

function printUsage() {
  console.log("Usage: npm run <command> [-- arguments]\n");
  for (const [name, purpose] of Object.entries(commands)) {
    console.log(`  ${name.padEnd(14)} ${purpose}`);
  }
}
