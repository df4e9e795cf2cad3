import type pg from "pg";
import { tracedStatement } from "../../tracing/index.ts";
import { countInAll } from "./count-statements.ts";
import type { RunStatement } from "./kysely-session.ts";

/** Statements of one transaction: its end follows them, and those that come afterwards are refused. */
export interface Session {
  query(config: pg.QueryConfig): Promise<pg.QueryResult>;
  /** Refuses further statements: a late one would run in the connection's next transaction. */
  close(): void;
  /** Resolves when every statement has finished. */
  settled(): Promise<void>;
  /** The first error of those that have finished, if there was one. */
  failure(): unknown;
  /** Runs a statement whose answer nobody needs: its error is the transaction's. */
  leave(config: pg.QueryConfig): void;
  /** The first error of those that were left. */
  leftFailure(): unknown;
  readonly statements: number;
}

/** Counts and follows the statements that `run` runs in a transaction. */
export function openSession(run: RunStatement): Session {
  let isOpen = true;
  let statements = 0;
  let answered = 0;
  let firstFailure: unknown;
  let leftFailure: unknown;
  let onAllAnswered: (() => void) | undefined;

  function onAnswer() {
    answered += 1;
    if (answered === statements) {
      onAllAnswered?.();
    }
  }

  const session: Session = {
    leave(config) {
      if (!isOpen) {
        throw new Error(`Statement after the end of its transaction: ${config.text}`);
      }
      // After another failed, its error is that one's.
      const isFirst = firstFailure === undefined;
      void session.query(config).catch((error: unknown) => (leftFailure ??= isFirst ? error : undefined));
    },
    leftFailure: () => leftFailure,
    query(config) {
      if (!isOpen) {
        return Promise.reject(new Error(`Statement after the end of its transaction: ${config.text}`));
      }
      statements += 1;
      countInAll(1);
      const answer = tracedStatement(config, () => run(config));
      // Pipelined statements: each promise needs a rejection handler at once, even when it is awaited later.
      void answer.then(onAnswer, (error: unknown) => {
        firstFailure ??= error;
        onAnswer();
      });
      return answer;
    },
    close() {
      isOpen = false;
    },
    async settled() {
      if (answered < statements) {
        await new Promise<void>((resolve) => (onAllAnswered = resolve));
      }
    },
    failure: () => firstFailure,
    get statements() {
      return statements;
    },
  };
  return session;
}
