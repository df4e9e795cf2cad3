import { execFile, spawnSync } from "node:child_process";
import { chown, lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

export const NOBODY_UID = 65_534;
const runFile = promisify(execFile);

/** The user that runs the programs of the server and owns its files. */
export interface ServerUser {
  /** uid of the owner of the data folder. Undefined on systems without uids, and when we are that user. */
  readonly owner: number | undefined;
  /** `signal` kills the program. */
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

/** Changes the owner of a file or folder recursively to the user of the server, if it is another one. */
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
  // Programs fail in a working directory that the user of the server cannot enter.
  const { stdout } = await runFile(file, args, {
    ...options,
    cwd: path.parse(file).root || "/",
    env: cleanEnvironment(),
  });
  return stdout;
}

/** Environment without libpq settings (PGDATA, PGPORT), which concern other servers. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith("PG"));
  return { ...Object.fromEntries(entries), LC_ALL: "C" };
}
