import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { runStatement, takeClient } from "../pools/index.ts";
import { COMMIT, ROLLBACK } from "./transaction-preamble.ts";
import { openSession } from "./session.ts";
import type { Session } from "./session.ts";
import { countInAll, countTransaction } from "./count-statements.ts";

const RETRIES = 3;
const DEADLOCK = "40P01";
const SERIALIZATION_FAILURE = "40001";

export interface TransactionPlan<T> {
  readonly pool: pg.Pool;
  /** BEGIN and settings, pipelined with the first statement of the work. */
  readonly preamble: readonly pg.QueryConfig[];
  readonly work: (session: Session) => Promise<T>;
  /** Statements pipelined with COMMIT. */
  readonly closingStatements: () => readonly pg.QueryConfig[];
}

/**
 * Runs one transaction on one connection. Resolves only when the response to COMMIT is COMMIT: after an error that the
 * work swallowed, PostgreSQL responds ROLLBACK without an error, and lost rows would look saved.
 */
export async function runTransaction<T>(plan: TransactionPlan<T>): Promise<T> {
  countTransaction();
  const client = await takeClient(plan.pool);
  const session = openSession(client);
  let broken: Error | undefined;
  try {
    const preamble = Promise.all(plan.preamble.map((statement) => session.query(statement)));
    const [work] = await Promise.allSettled([plan.work(session), preamble]);
    // The work may have left statements in flight. None may follow COMMIT or ROLLBACK on this connection.
    session.close();
    const failure = await session.settled();

    if (work.status === "rejected") {
      throw work.reason;
    }
    await preamble;
    await commit(client, plan.closingStatements(), failure);
    return work.value;
  } catch (error) {
    await runStatement(client, ROLLBACK).catch((problem: Error) => (broken = problem));
    throw error;
  } finally {
    client.release(broken);
  }
}

async function commit(client: pg.PoolClient, closing: readonly pg.QueryConfig[], failure: unknown): Promise<void> {
  countInAll(closing.length + 1);
  const answers = await Promise.allSettled([...closing, COMMIT].map((each) => runStatement(client, each)));
  for (const answer of answers) {
    if (answer.status === "rejected") {
      throw answer.reason;
    }
  }
  const last = answers.at(-1);
  if (last?.status === "fulfilled" && last.value.command !== "COMMIT") {
    throw new Error("Transaction rolled back: one of its statements failed and the error was swallowed", {
      cause: failure,
    });
  }
}

/** Retries after a deadlock or a serialization failure, up to 3 times: only for work that may run twice. */
export async function withRetry<T>(run: () => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await run();
    } catch (error) {
      if (retry === RETRIES || !isRetryable(error)) {
        throw error;
      }
      // Jitter, so that the two transactions of a deadlock do not collide again.
      await sleep(Math.random() * 10 * 2 ** retry);
    }
  }
}

function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === DEADLOCK || error.code === SERIALIZATION_FAILURE);
}
