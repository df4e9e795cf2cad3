/** A failure of the database, the network or the disk, not of the program: the caller may retry later. */
export type InfrastructureError = "unavailable" | "storage full";

/** ENOSPC and EDQUOT of a disk; PostgreSQL's disk_full; what buckets say. */
const storageFullCodes = new Set([
  "ENOSPC",
  "EDQUOT",
  "53100",
  "XMinioStorageFull",
  "InsufficientStorage",
  "QuotaExceeded",
]);

const READ_ONLY = "25006";

/** A write in a transaction that we opened read only: a mistake of the program, not a database that takes no writes. */
export class WriteInRead extends Error {
  override readonly name = "WriteInRead";
}

/** PostgreSQL refused a write because the transaction, the session or the database is read only. */
export function isReadOnlyError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === READ_ONLY;
}

const unavailableCodes = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"],
  // deadlock and serialization failure after all retries
  ...["40001", "40P01"],
  // read_only_sql_transaction: a former primary after a failover, a managed database whose disk is full
  READ_ONLY,
  // lock_not_available, query_canceled (statement_timeout), the timeouts of a transaction
  ...["55P03", "57014", "25P03", "25P04"],
]);

/** Connection exceptions, insufficient resources, operator intervention (shut down, crashed, starting up). */
const unavailableClass = /^(08...|53[0-4]..|57P0.)$/;

/** Messages of the driver and the pool about a lost connection: these errors carry no code. */
const lostConnection =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired|Cannot use a pool after calling end)/;

/** Any failed connect(): for a Unix socket, a server that does not run is ENOENT. */
function isUnconnected(error: Error): boolean {
  return "syscall" in error && error.syscall === "connect";
}

/** The infrastructure failure behind an error or its causes; undefined when the program itself is at fault. */
export function classifyInfrastructureError(error: unknown): InfrastructureError | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth += 1) {
    if (each instanceof WriteInRead) {
      return undefined;
    }
    const code = "code" in each ? String(each.code) : each.name;
    if (storageFullCodes.has(code)) {
      return "storage full";
    }
    if (
      isUnconnected(each) ||
      unavailableCodes.has(code) ||
      unavailableClass.test(code) ||
      lostConnection.test(each.message)
    ) {
      return "unavailable";
    }
  }
  return undefined;
}
