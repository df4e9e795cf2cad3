import type pg from "pg";
import { runStatement } from "../pools/index.ts";

/** The statements of one transaction: refused once it is over, waited for before it ends. */
export interface Session {
  query(config: pg.QueryConfig): Promise<pg.QueryResult>;
  /** From now on statements are refused: one that comes too late would run in somebody else's transaction. */
  close(): void;
  /** Resolves when every statement so far has an answer, with the first failure if there was one. */
  settled(): Promise<unknown>;
  readonly statements: number;
}

export function openSession(client: pg.PoolClient): Session {
  let isOpen = true;
  let statements = 0;
  let answered = 0;
  let firstFailure: unknown;
  let onAllAnswered: (() => void) | undefined;

  function onAnswer() {
    answered += 1;
    if (answered === statements) {
      onAllAnswered?.();
    }
  }

  return {
    query(config) {
      if (!isOpen) {
        return Promise.reject(new Error(`A statement came after the end of its transaction: ${config.text}`));
      }
      statements += 1;
      const answer = runStatement(client, config);
      // Pipelined: each promise needs its catch at once, whoever awaits it later.
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
      return firstFailure;
    },
    get statements() {
      return statements;
    },
  };
}
