import { AsyncLocalStorage } from "node:async_hooks";

/** Statements and transactions of a piece of work. */
export interface StatementCount {
  /** SQL texts, without BEGIN, COMMIT and the company setting. */
  readonly statements: readonly string[];
  /** The values of each statement. */
  readonly values: readonly (readonly unknown[])[];
  readonly transactions: number;
  /** All that PostgreSQL runs for it: also BEGIN, the company setting and COMMIT. */
  readonly inAll: number;
}

interface Tally {
  statements: string[];
  values: (readonly unknown[])[];
  transactions: number;
  inAll: number;
}

const tallies = new AsyncLocalStorage<Tally>();

/** Runs `work` and counts its statements over all its transactions, for metrics and for tests of a route's budget. */
export async function countStatements<T>(work: () => Promise<T>): Promise<StatementCount & { readonly result: T }> {
  const tally: Tally = { statements: [], values: [], transactions: 0, inAll: 0 };
  const outer = tallies.getStore();
  const result = await tallies.run(tally, work);
  if (outer) {
    // A nested count (a request inside a test) adds to the outer one.
    outer.statements.push(...tally.statements);
    outer.values.push(...tally.values);
    outer.transactions += tally.transactions;
    outer.inAll += tally.inAll;
  }
  return { result, ...tally };
}

export function countStatement(text: string, values: readonly unknown[] = []): void {
  const tally = tallies.getStore();
  tally?.statements.push(text);
  tally?.values.push(values);
}

export function countTransaction(): void {
  const tally = tallies.getStore();
  if (tally) {
    tally.transactions += 1;
  }
}

/** Counts what goes to PostgreSQL, whoever sends it. */
export function countInAll(statements: number): void {
  const tally = tallies.getStore();
  if (tally) {
    tally.inAll += statements;
  }
}
