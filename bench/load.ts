import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { askAsOwner } from "../server/src/testing/as-owner.ts";
import { cpuOf, cpuOfFamily } from "./cpu.ts";
import type { LoadOrder, LoadResult, LoadRequest } from "./load-client.ts";

export type { LoadRequest } from "./load-client.ts";

/** The measured server and its database. */
export interface MeasuredServer {
  readonly url: string;
  readonly databaseUrl: string;
  readonly serverPid: number;
  readonly databasePid: number;
}

export interface Measurement extends LoadResult {
  /** Milliseconds of CPU for one request. */
  readonly serverMs: number;
  readonly databaseMs: number;
  /** All that PostgreSQL ran for one request: also BEGIN, COMMIT and what was not part of the request itself. */
  readonly statements: number;
}

export interface LoadClient {
  measure(subject: MeasuredServer, lanes: readonly (readonly LoadRequest[])[], seconds: number): Promise<Measurement>;
  stop(): void;
}

/** The load comes from another process, whose CPU is not counted. */
export function startLoadClient(): LoadClient {
  const child = fork(join(import.meta.dirname, "load-client.ts"), { serialization: "advanced" });

  return {
    async measure(subject, lanes, seconds) {
      // Outside: to count them takes a connection of its own.
      const statementsBefore = await countStatements(subject.databaseUrl);
      const before = cpuOfBoth(subject);
      const result = await order(child, { url: subject.url, lanes, seconds });
      const after = cpuOfBoth(subject);
      const statements = (await countStatements(subject.databaseUrl)) - statementsBefore;
      if (result.failed > 0) {
        throw new Error(`${result.failed} of ${result.requests} requests failed: ${result.firstFailure}`);
      }
      return {
        ...result,
        serverMs: (after.server - before.server) / result.requests,
        databaseMs: (after.database - before.database) / result.requests,
        statements: statements / result.requests,
      };
    },
    stop: () => void child.kill(),
  };
}

function cpuOfBoth({ serverPid, databasePid }: MeasuredServer) {
  return { server: cpuOf(serverPid), database: cpuOfFamily(databasePid) };
}

async function countStatements(databaseUrl: string): Promise<number> {
  const [row] = await askAsOwner<{ calls: number }>(
    databaseUrl,
    "select sum(calls)::float8 as calls from pg_stat_statements",
  );
  return row?.calls ?? 0;
}

async function order(child: ChildProcess, what: LoadOrder): Promise<LoadResult> {
  child.send(what);
  const [result] = (await once(child, "message")) as [LoadResult];
  return result;
}
