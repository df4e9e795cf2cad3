/** The upper limit of each measured number, and what the best comparable product needed on such a machine. */
export interface Budget {
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly theirs?: number;
}

/** Milliseconds of server CPU for one request, unless the name says otherwise. */
export const budgets: Readonly<Record<string, Budget>> = {
  "list: server CPU ms": { atMost: 0.9, theirs: 9 },
  "list: database CPU ms": { theirs: 3.9 },
  "list: statements": { atMost: 2 },
  "list: p99 ms at 32 callers": { atMost: 60 },
  "list: requests/s at 32 callers": { theirs: 100 },
  "list: times slower than with 5,000 tickets": { atMost: 1.5 },
  "conversation: server CPU ms": { atMost: 0.8, theirs: 7 },
  "kanban, 10,000 cards: server CPU ms": { atMost: 0.9 },
  "kanban, 10,000 cards: median ms": { atMost: 20 },
  "card moved, lanes counted: database CPU ms": { atMost: 30 },
  "search: requests/s at 32 callers": { theirs: 1 },
  "search: common word, median ms": { atMost: 150 },
  "search: rare word, median ms": { atMost: 150 },
  "search: two words, median ms": { atMost: 150 },
  "dashboard, median ms": { atMost: 300 },
  "contacts, page 300, median ms": { atMost: 500 },
  "status change: server CPU ms": { atMost: 2, theirs: 14 },
  "status change: statements": { theirs: 9 },
  "ingest: CPU ms a message": { atMost: 1.5, theirs: 22 },
  "ingest: statements a message": { atMost: 8, theirs: 26 },
  "ingest: messages/s in bursts": { atLeast: 600, theirs: 64 },
  "bot: turns/s one by one": { atLeast: 200 },
  "bot: turns/s in bursts": { atLeast: 200 },
  "driver: messages/s one by one": { theirs: 31 },
  "driver: messages/s in a burst": { theirs: 64 },
  "update to 1,000 sockets: server CPU ms": { atMost: 20, theirs: 82 },
  "update to 1,000 that may not see it: server CPU ms": { atMost: 1 },
  "sealing the keys of a first login: ms": { atMost: 500 },
  "idle line: MB": { atMost: 3 },
  "opening 50,000 messages: ms": { atMost: 500 },
  "opening them again: ms": { atMost: 500 },
  "opening them at a quarter of the speed: main thread ms": { atMost: 50 },
  "message nodes in the page": { atMost: 199 },
  "older pages read": { atLeast: 40 },
  "jump while reading upwards: px": { atMost: 2 },
  "list scrolling: frame ms, p95": { atMost: 34 },
  "list scrolling: % of frames over 50 ms": { atMost: 1 },
  "kanban, 10,000 cards: longest frame of a drag, ms": { atMost: 50 },
};

export interface BudgetResult {
  readonly what: string;
  readonly value: number;
  readonly budget: string;
  /** How many times better than the best comparable product; empty where that was not measured. */
  readonly better: string;
  readonly isKept: boolean;
}

export function compareWithBudget(what: string, value: number): BudgetResult {
  const { atMost, atLeast, theirs } = budgets[what] ?? {};
  const isKept = (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast);
  const isMoreBetter = what.includes("/s");
  const ratio = theirs === undefined ? undefined : isMoreBetter ? value / theirs : theirs / value;
  return {
    what,
    value: Number(value.toPrecision(3)),
    budget: atMost !== undefined ? `≤ ${atMost}` : atLeast !== undefined ? `≥ ${atLeast}` : "",
    better: ratio === undefined ? "" : `${ratio >= 10 ? Math.round(ratio) : ratio.toFixed(1)}×`,
    isKept,
  };
}
