import type pg from "pg";

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
  const pending = new Set<Promise<unknown>>();
  let isOpen = true;
  let statements = 0;
  let firstFailure: unknown;

  return {
    query(config) {
      if (!isOpen) {
        return Promise.reject(new Error(`A statement came after the end of its transaction: ${config.text}`));
      }
      statements += 1;
      const answer = client.query(config);
      // Pipelined: each promise needs its catch at once, whoever awaits it later.
      const settled: Promise<unknown> = answer
        .catch((error: unknown) => (firstFailure ??= error))
        .finally(() => pending.delete(settled));
      pending.add(settled);
      return answer;
    },
    close() {
      isOpen = false;
    },
    async settled() {
      await Promise.all(pending);
      return firstFailure;
    },
    get statements() {
      return statements;
    },
  };
}
