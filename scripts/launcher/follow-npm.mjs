/**
 * Ends this program when the npm that started it is gone.
 *
 * `npm start` is three processes: npm, a shell, and this one. npm passes a signal on to the shell only, and the shell
 * dies without telling us; so `kill` of npm would leave a server behind that holds the port and the database. Loaded
 * with `--import`, so that the program itself need not know who started it.
 */
import { readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const LOOK_EVERY_MS = 500;

if (isMainThread && process.env["npm_lifecycle_event"] && process.platform !== "win32") {
  const atStart = ancestors();
  const timer = setInterval(() => {
    if (ancestors() !== atStart) {
      clearInterval(timer);
      process.kill(process.pid, "SIGTERM");
    }
  }, LOOK_EVERY_MS);
  timer.unref();
}

/** The shell and npm. Where there is no /proc only the shell is seen, which is enough unless npm was killed with -9. */
function ancestors() {
  const shell = process.ppid;
  try {
    const stat = readFileSync(`/proc/${shell}/stat`, "utf8");
    // "pid (name) state ppid …", and the name may hold anything, brackets included.
    const npm = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
    return `${shell} ${npm}`;
  } catch {
    return String(shell);
  }
}
