import { execFile, spawnSync } from "node:child_process";
import { chown, lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

export const NOBODY_UID = 65_534;
const runFile = promisify(execFile);

/** Who runs the server's programs, and who therefore owns its files. */
export interface ServerUser {
  /** Owner of the data folder. Undefined where the system has no such ids, or where we are that user. */
  readonly owner: number | undefined;
  /** `signal` ends the program. */
  run(program: string, args: readonly string[], signal?: AbortSignal): Promise<string>;
}

/**
 * PostgreSQL refuses to run as root. An ordinary user runs it as itself; root runs it as `nobody`, and where `nobody`
 * cannot reach the files (a checkout under /root), as root seen from a user namespace in which it is `nobody`.
 */
export function chooseServerUser(program: string, dataDir: string): ServerUser {
  if (process.getuid?.() !== 0) {
    return { owner: undefined, run: (file, args, signal) => run(file, args, { signal }) };
  }
  if (canReach({ uid: NOBODY_UID, gid: NOBODY_UID }, program, dataDir)) {
    return {
      owner: NOBODY_UID,
      run: (file, args, signal) => run(file, args, { uid: NOBODY_UID, gid: NOBODY_UID, signal }),
    };
  }
  const userNamespace = ["--user", `--map-user=${NOBODY_UID}`, `--map-group=${NOBODY_UID}`];
  if (spawnSync("unshare", [...userNamespace, program, "--version"]).status !== 0) {
    throw new Error(
      `The embedded PostgreSQL cannot run as root, and the user "nobody" cannot reach ${program} or ${dataDir}. ` +
        "Start Prosa as an ordinary user, put both where every user can reach them, or set DATABASE_URL.",
    );
  }
  return { owner: 0, run: (file, args, signal) => run("unshare", [...userNamespace, file, ...args], { signal }) };
}

/** Gives a file or folder to the server's user, deeply, if it is not already theirs. */
export async function giveOwnership(user: ServerUser, file: string): Promise<void> {
  if (user.owner === undefined) {
    return;
  }
  const stat = await lstat(file);
  if (stat.uid !== user.owner) {
    await chown(file, user.owner, user.owner);
    if (stat.isDirectory()) {
      for (const name of await readdir(file)) {
        await giveOwnership(user, path.join(file, name));
      }
    }
  }
}

function canReach(ids: { uid: number; gid: number }, program: string, dataDir: string): boolean {
  return (
    spawnSync(program, ["--version"], ids).status === 0 &&
    spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", dataDir], ids).status === 0
  );
}

interface RunOptions {
  readonly uid?: number;
  readonly gid?: number;
  readonly signal?: AbortSignal | undefined;
}

async function run(file: string, args: readonly string[], options: RunOptions): Promise<string> {
  // A caller in a folder that the server's user cannot enter would make every program fail.
  const { stdout } = await runFile(file, args, {
    ...options,
    cwd: path.parse(file).root || "/",
    env: cleanEnvironment(),
  });
  return stdout;
}

/** Settings of libpq in our environment (PGDATA, PGPORT) are about other servers. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith("PG"));
  return { ...Object.fromEntries(entries), LC_ALL: "C" };
}
