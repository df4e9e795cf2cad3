import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { isReadOnlyError } from "../../infrastructure-errors.ts";
import { takeClient } from "../pools/index.ts";
import { countInAll, countTransaction } from "./count-statements.ts";
import { openTransaction } from "./open-transaction.ts";
import { openSession } from "./session.ts";
import type { Session } from "./session.ts";

const RETRIES = 3;
const DEADLOCK = "40P01";
const SERIALIZATION_FAILURE = "40001";

export interface TransactionPlan<T> {
  readonly pool: pg.Pool;
  /** Settings, pipelined with the first statement of the work. */
  readonly preamble: readonly pg.QueryConfig[];
  readonly work: (session: Session) => Promise<T>;
  /** Statements pipelined with the commit. */
  readonly closingStatements: () => readonly pg.QueryConfig[];
}

/**
 * Runs one transaction on one connection. Resolves only when PostgreSQL has committed: after an error that the work swallowed
 * it rolls back, and lost rows would look saved.
 */
export async function runTransaction<T>(plan: TransactionPlan<T>): Promise<T> {
  countTransaction();
  const client = await takeClient(plan.pool);
  const transaction = openTransaction(client);
  const session = openSession(transaction.query);
  let broken: Error | undefined;
  try {
    const opening = [transaction.begun, ...plan.preamble.map((statement) => session.query(statement))];
    const [work, preamble] = await Promise.allSettled([(async () => plan.work(session))(), Promise.all(opening)]);
    // None may follow the end of the transaction on this connection.
    session.close();
    if (work.status === "rejected" || preamble.status === "rejected") {
      throw [work, preamble].find((each) => each.status === "rejected")?.reason;
    }
    if (session.failure() !== undefined) {
      throw (
        session.leftFailure() ??
        new Error("Transaction rolled back: one of its statements failed and the error was swallowed", {
          cause: session.failure(),
        })
      );
    }
    // Statements whose answer the work did not need are still in flight: the commit follows them without a round trip more.
    await transaction.commit(plan.closingStatements()).catch((error: unknown) => {
      throw session.failure() ?? error;
    });
    return work.value;
  } catch (error) {
    session.close();
    // A pipeline skips what follows a statement that fails up to its Sync, also the end that rolls it back.
    await session.settled();
    await transaction.rollback().catch((problem: Error) => (broken = problem));
    // A session that was opened while the database took no writes stays read only afterwards: the next one is a new one.
    broken ??= isReadOnlyError(error) ? error : undefined;
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Runs one statement behind a setting in a transaction of its own, in one round trip. */
export async function runInOneTrip(
  pool: pg.Pool,
  setting: pg.QueryConfig,
  statement: pg.QueryConfig,
): Promise<pg.QueryResult> {
  countTransaction();
  const client = await takeClient(pool);
  const transaction = openTransaction(client);
  let broken: Error | undefined;
  countInAll(2);
  try {
    // The end is written whatever becomes of the statement: one round trip.
    const [, , answer] = await Promise.all([
      transaction.begun,
      transaction.query(setting),
      transaction.query(statement),
      transaction.commit([]),
    ]);
    return answer;
  } catch (error) {
    await transaction.rollback().catch((problem: Error) => (broken = problem));
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * Retries after a deadlock or a serialization failure, up to 3 times: only for work that may run twice. `onRetry` gets the error before
 * each.
 */
export async function withRetry<T>(run: () => Promise<T>, onRetry: (error: unknown) => void): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await run();
    } catch (error) {
      if (retry === RETRIES || !isRetryable(error)) {
        throw error;
      }
      onRetry(error);
      // Jitter, so that the two transactions of a deadlock do not collide again.
      await sleep(Math.random() * 10 * 2 ** retry);
    }
  }
}

function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === DEADLOCK || error.code === SERIALIZATION_FAILURE);
}
