import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { cpuOf, cpuOfFamily } from "./cpu.ts";
import type { LoadOrder, LoadResult, LoadRequest } from "./load-client.ts";

export type { LoadRequest } from "./load-client.ts";

/** The measured server, its database, and how many statements it has sent per route. */
export interface MeasuredServer {
  readonly url: string;
  readonly serverPid: number;
  readonly databasePid: number;
}

export interface Measurement extends LoadResult {
  /** Milliseconds of CPU for one request. */
  readonly serverMs: number;
  readonly databaseMs: number;
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
      const before = await readingOf(subject);
      const result = await order(child, { url: subject.url, lanes, seconds });
      const after = await readingOf(subject);
      if (result.failed > 0) {
        throw new Error(`${result.failed} of ${result.requests} requests failed: ${result.firstFailure}`);
      }
      const each = (of: (reading: Reading) => number) => (of(after) - of(before)) / result.requests;
      return {
        ...result,
        serverMs: each(({ server }) => server),
        databaseMs: each(({ database }) => database),
        statements: each(({ statements }) => statements),
      };
    },
    stop: () => void child.kill(),
  };
}

interface Reading {
  readonly server: number;
  readonly database: number;
  readonly statements: number;
}

async function readingOf({ url, serverPid, databasePid }: MeasuredServer): Promise<Reading> {
  const metrics = await fetch(`${url}/metrics`).then((answer) => answer.text());
  const counts = [...metrics.matchAll(/^prosa_http_statements_sum\{.*\} (\d+)$/gm)].map(([, count]) => Number(count));
  return {
    server: cpuOf(serverPid),
    database: cpuOfFamily(databasePid),
    statements: counts.reduce((sum, count) => sum + count, 0),
  };
}

async function order(child: ChildProcess, what: LoadOrder): Promise<LoadResult> {
  child.send(what);
  const [result] = (await once(child, "message")) as [LoadResult];
  return result;
}
