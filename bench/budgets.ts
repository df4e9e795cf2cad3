/** The upper limit of each measured number, and what the best comparable product needed on such a machine. */
export interface Budget {
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly theirs?: number;
}

/** What of a call has a budget. CPU is milliseconds for one request; statements are all that PostgreSQL sees. */
export type CallBudgets = Readonly<
  Partial<
    Record<
      | "server CPU ms"
      | "server CPU ms at 32 callers"
      | "database CPU ms"
      | "statements"
      | "median ms"
      | "median ms at 32 callers"
      | "p99 ms at 32 callers"
      | "requests/s at 32 callers"
      | "times the cost of 5,000 tickets",
      Budget
    >
  >
>;

/** However many tickets a company has, a call costs what it costs in a company of 5,000. */
const flat: CallBudgets = { "times the cost of 5,000 tickets": { atMost: 1.3 } };
const quick: CallBudgets = { "median ms at 32 callers": { atMost: 60 } };
const search: CallBudgets = { ...flat, ...quick };

/** Budgets of the calls of `calls.ts`. */
export const budgetsOfCalls: Readonly<Record<string, CallBudgets>> = {
  list: {
    ...flat,
    "server CPU ms": { atMost: 0.6, theirs: 9 },
    "server CPU ms at 32 callers": { atMost: 0.4 },
    "database CPU ms": { theirs: 3.9 },
    "requests/s at 32 callers": { theirs: 100 },
    "p99 ms at 32 callers": { atMost: 60 },
  },
  "list of an agent": flat,
  "list by queue": flat,
  "list by tag": { ...flat, "database CPU ms": { atMost: 1.5 } },
  "list by tag, of an agent": { ...flat, "database CPU ms": { atMost: 1.5 } },
  counts: flat,
  kanban: { ...flat, "server CPU ms": { atMost: 0.9 }, "median ms": { atMost: 20 } },
  // Of the same text a larger company has more matches: growth is that of texts that find as many.
  "search: name": { ...quick, "database CPU ms": { atMost: 4 }, "requests/s at 32 callers": { theirs: 1 } },
  "search: name, of an agent": { ...quick, "database CPU ms": { atMost: 4 } },
  "search: common word": search,
  "search: common word, of an agent": search,
  "search: rare word": { ...search, "database CPU ms": { atMost: 8 } },
  "search: rare word, of an agent": { ...search, "database CPU ms": { atMost: 8 } },
  "search: word of the long tail": { ...search, "database CPU ms": { atMost: 8 } },
  "search: word of the long tail, of an agent": { ...search, "database CPU ms": { atMost: 8 } },
  "search: two words": quick,
  "search: two words, of an agent": quick,
  "search: name, as many found": { ...search, "database CPU ms": { atMost: 4 } },
  "search: name, as many found, of an agent": { ...search, "database CPU ms": { atMost: 4 } },
  "search: two words, as many found": search,
  "search: two words, as many found, of an agent": search,
  tags: { ...flat, "database CPU ms": { atMost: 0.5 } },
  "contacts, page 1": { ...flat, "database CPU ms": { atMost: 1 } },
  "contacts, page 100": { ...flat, "database CPU ms": { atMost: 1 } },
  "contacts: search": { ...flat, "database CPU ms": { atMost: 1 } },
  "dashboard, 30 days": { ...flat, "database CPU ms": { atMost: 2 } },
  "dashboard, 90 days": flat,
  conversation: {
    ...flat,
    "server CPU ms": { atMost: 0.5, theirs: 7 },
    "database CPU ms": { atMost: 0.5 },
    "p99 ms at 32 callers": { atMost: 50 },
  },
  "status change": {
    ...flat,
    "server CPU ms": { atMost: 0.8, theirs: 14 },
    "database CPU ms": { atMost: 0.8 },
    statements: { atMost: 5, theirs: 9 },
  },
  "card moved, lanes counted": { ...flat, "database CPU ms": { atMost: 10 } },
  send: {
    ...flat,
    "server CPU ms": { atMost: 0.9 },
    "database CPU ms": { atMost: 1.2 },
    statements: { atMost: 6 },
  },
  "sign in": { statements: { atMost: 4 } },
};

/** Budgets of the other parts. */
const budgets: Readonly<Record<string, Budget>> = {
  "ingest: CPU ms a message": { atMost: 1.2, theirs: 22 },
  "ingest: statements a message": { atMost: 6, theirs: 26 },
  "ingest: messages/s one by one": { atLeast: 400 },
  "ingest, new contacts: CPU ms a message": { atMost: 1.5 },
  "ingest, new contacts: statements a message": { atMost: 9 },
  "ingest, new contacts: messages/s one by one": { atLeast: 350 },
  "ingest: messages/s in bursts": { atLeast: 600, theirs: 64 },
  "bot: turns/s one by one": { atLeast: 200 },
  "bot: turns/s in bursts": { atLeast: 200 },
  "campaign: decisions/s": { atLeast: 500 },
  "campaign report, 50,000 contacts: ms": { atMost: 100 },
  "campaign report: first page ms": { atMost: 100 },
  "campaign report: last page ms": { atMost: 100 },
  "campaign report: page of a state ms": { atMost: 100 },
  "campaign report: search ms": { atMost: 100 },
  "campaign report: timeline ms": { atMost: 100 },
  "driver: messages/s one by one": { theirs: 31 },
  "driver: messages/s in a burst": { theirs: 64 },
  "update to 1,000 sockets: server CPU ms": { atMost: 10, theirs: 82 },
  "update to 1,000 sockets: ms until delivered, p99": { atMost: 30 },
  "burst to 1,000 sockets: changes not delivered": { atMost: 0 },
  "burst to 1,000 sockets: lag ms, p50": { atMost: 300, theirs: 300 },
  "burst to 1,000 sockets: lag ms, p99": { atMost: 500, theirs: 500 },
  "update to 1,000 that may not see it: server CPU ms": { atMost: 1 },
  "sealing the keys of a first login: ms": { atMost: 500 },
  "idle: % of a core": { atMost: 0.4 },
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
  const { atMost, atLeast, theirs } = budgets[what] ?? budgetOfCall(what) ?? {};
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

/** The budget of `<call>: <number>`. */
function budgetOfCall(what: string): Budget | undefined {
  const at = what.lastIndexOf(": ");
  return budgetsOfCalls[what.slice(0, at)]?.[what.slice(at + 2) as keyof CallBudgets];
}
