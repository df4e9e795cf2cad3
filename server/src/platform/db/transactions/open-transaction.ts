import pg from "pg";
import { endsHangingTransactions, openPipeline, runStatement } from "../pools/index.ts";
import { countInAll } from "./count-statements.ts";
import type { RunStatement } from "./kysely-session.ts";
import { BEGIN, COMMIT, NOTHING, ROLLBACK } from "./transaction-preamble.ts";

/** A transaction on a connection that nobody else uses. */
export interface OpenTransaction {
  /** Resolves when it has begun. It need not be awaited: BEGIN is pipelined with the first statement. */
  readonly begun: Promise<unknown>;
  readonly query: RunStatement;
  /** Runs these statements and commits, in one round trip. Rejects unless all of it is saved. */
  commit(closing: readonly pg.QueryConfig[]): Promise<void>;
  /** Also after a commit that failed. Rejects where the connection cannot be used again. */
  rollback(): Promise<void>;
}

/**
 * Opens a transaction: as a pipeline without BEGIN and COMMIT (decision 0196) where PostgreSQL limits the time of a transaction,
 * since 17. On older servers only a session that is "idle in transaction" is ended when its process hangs, which a pipeline is not.
 */
export function openTransaction(client: pg.PoolClient): OpenTransaction {
  return endsHangingTransactions(client) ? implicitTransaction(client) : explicitTransaction(client);
}

function implicitTransaction(client: pg.PoolClient): OpenTransaction {
  const { query, commit, rollback } = openPipeline(client);
  return {
    begun: Promise.resolve(),
    query,
    async commit(closing) {
      countInAll(closing.length);
      // The error of one of them, if any, is that of the commit.
      closing.forEach((statement) => void query(statement).catch(() => undefined));
      await commit();
    },
    rollback,
  };
}

function explicitTransaction(client: pg.PoolClient): OpenTransaction {
  let isEnding = false;
  let failure: unknown;
  countInAll(1);
  return {
    begun: runStatement(client, BEGIN),
    query: (config) =>
      runStatement(client, config).catch((error: unknown) => {
        // As in a pipeline: what follows a statement that failed has its error, not that it was not run.
        const isSkipped = error instanceof pg.DatabaseError && error.code === "25P02";
        failure ??= error instanceof pg.DatabaseError ? error : undefined;
        throw isSkipped ? failure : error;
      }),
    async commit(closing) {
      countInAll(closing.length + 1);
      isEnding = true;
      const answers = await Promise.allSettled([...closing, COMMIT].map((each) => runStatement(client, each)));
      for (const answer of answers) {
        if (answer.status === "rejected") {
          throw answer.reason;
        }
      }
      const last = answers.at(-1);
      if (last?.status === "fulfilled" && last.value.command !== "COMMIT") {
        throw new Error("Transaction rolled back instead of committed");
      }
    },
    async rollback() {
      // After COMMIT only the answer is awaited: a second end of the transaction would be a warning in the log.
      await runStatement(client, isEnding ? NOTHING : ROLLBACK);
    },
  };
}
