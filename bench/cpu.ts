import { readFileSync, readdirSync } from "node:fs";

/** Milliseconds of CPU that a process, and one with all its children, have used so far. Linux only. */

const MS_PER_TICK = 10;

export function cpuOf(pid: number): number {
  return statOf(pid)?.cpuMs ?? 0;
}

/** The server and its backends; the parent's counter includes those that have ended. */
export function cpuOfFamily(pid: number): number {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return all
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat !== undefined && (stat.pid === pid || stat.parent === pid))
    .reduce((sum, stat) => sum + (stat?.cpuMs ?? 0) + (stat?.pid === pid ? stat.endedChildrenMs : 0), 0);
}

function statOf(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program name may contain spaces and brackets: parse after the last bracket.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const [parent, user, system, childUser, childSystem] = [1, 11, 12, 13, 14].map((at) => Number(fields[at]));
    return {
      pid,
      parent,
      cpuMs: exactMs(pid) ?? (user! + system!) * MS_PER_TICK,
      endedChildrenMs: (childUser! + childSystem!) * MS_PER_TICK,
    };
  } catch {
    return undefined; // it ended meanwhile
  }
}

/** By the scheduler's count of every thread; a tick is too long for a turn of half a second. Undefined where it does not count. */
function exactMs(pid: number): number | undefined {
  try {
    const folder = `/proc/${pid}/task`;
    const ns = readdirSync(folder).map((thread) =>
      Number(readFileSync(`${folder}/${thread}/schedstat`, "utf8").split(" ")[0]),
    );
    return ns.reduce((sum, each) => sum + each, 0) / 1e6;
  } catch {
    return undefined;
  }
}
