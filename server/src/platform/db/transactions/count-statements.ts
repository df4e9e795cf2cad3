import { AsyncLocalStorage } from "node:async_hooks";

/** What a piece of work asked of the database. */
export interface StatementCount {
  /** Texts of the statements, without BEGIN, COMMIT and the setting of the company. */
  readonly statements: readonly string[];
  readonly transactions: number;
}

interface Tally {
  statements: string[];
  transactions: number;
}

const tallies = new AsyncLocalStorage<Tally>();

/** Runs `work` and counts its statements, over all its transactions. For tests that hold a route to its number. */
export async function countStatements<T>(work: () => Promise<T>): Promise<StatementCount & { readonly result: T }> {
  const tally: Tally = { statements: [], transactions: 0 };
  const outer = tallies.getStore();
  const result = await tallies.run(tally, work);
  if (outer) {
    // A count inside a count (a request inside a test) belongs to both.
    outer.statements.push(...tally.statements);
    outer.transactions += tally.transactions;
  }
  return { result, ...tally };
}

export function countStatement(text: string): void {
  tallies.getStore()?.statements.push(text);
}

export function countTransaction(): void {
  const tally = tallies.getStore();
  if (tally) {
    tally.transactions += 1;
  }
}
