/** What outside the program gave way: the caller may try again, once it is back or has room again. */
export type InfrastructureError = "unavailable" | "storage full";

/** ENOSPC and EDQUOT of a disk; PostgreSQL's disk_full; what buckets say. */
const full = new Set(["ENOSPC", "EDQUOT", "53100", "XMinioStorageFull", "InsufficientStorage", "QuotaExceeded"]);

const unavailable = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"],
  // deadlock and serialization failure that retries did not get past
  ...["40001", "40P01"],
  // lock_not_available, query_canceled (statement_timeout), the timeouts of a transaction
  ...["55P03", "57014", "25P03", "25P04"],
]);

/** Connection exceptions, insufficient resources, operator intervention (shut down, crashed, starting up). */
const unavailableClass = /^(08...|53[0-4]..|57P0.)$/;

/** The driver's and the pool's own words about a connection that is gone: these errors carry no code. */
const lostConnection =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired|Cannot use a pool after calling end)/;

/** Whatever the reason: of a database whose socket is a file, a server that is not there is ENOENT. */
function isUnconnected(error: Error): boolean {
  return "syscall" in error && error.syscall === "connect";
}

/** The fault behind an error, or behind what caused it; undefined where it is nobody's but the program's. */
export function classifyInfrastructureError(error: unknown): InfrastructureError | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth += 1) {
    const code = "code" in each ? String(each.code) : each.name;
    if (full.has(code)) {
      return "storage full";
    }
    if (
      isUnconnected(each) ||
      unavailable.has(code) ||
      unavailableClass.test(code) ||
      lostConnection.test(each.message)
    ) {
      return "unavailable";
    }
  }
  return undefined;
}
