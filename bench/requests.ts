/** The cost of the calls of the API, in a large company and in a small one. */
import { budgetsOfCalls, compareWithBudget } from "./budgets.ts";
import { callsOf, foundBy, meet } from "./calls.ts";
import type { LoadClient, MeasuredServer, Measurement } from "./load.ts";
import type { SeededCompany } from "../server/src/testing/large-company.ts";
import { matchedTexts, textsOf } from "./search-texts.ts";
import type { Texts } from "./search-texts.ts";
import { smallCompany } from "./seed.ts";
import type { Seeded } from "./seed.ts";

/** One call, by one caller and by 32. */
export interface Row {
  readonly what: string;
  readonly one: Measurement;
  readonly many: Measurement;
  /** CPU of server and database in ms, here and in the company of 5,000 tickets. */
  readonly cost: number;
  readonly costInSmall: number;
}

const CALLERS = 32;
/**
 * Calls are measured in turns, the large company beside the small one, and the best turn counts: a machine whose processors others use too is
 * twice as slow within a second, and no call is quicker than it is.
 */
const TURNS = { alone: 6, many: 4 };
/** What is over a budget is measured again so often: slow minutes pass, a slow call stays slow. */
const AGAIN = 2;
/** A slow machine measures longer than a token holds (15 minutes). */
const SESSION_MS = 300_000;

/** Measures every call for so many seconds by each number of callers. */
export async function measureRequests(
  client: LoadClient,
  server: MeasuredServer,
  seeded: Seeded,
  { seconds, pattern }: { readonly seconds: number; readonly pattern: RegExp },
): Promise<readonly Row[]> {
  const { url } = server;
  const shareOfSmall = smallCompany.messages / seeded.about.messages;
  const subjectOf = async (company: SeededCompany, texts: Texts) =>
    meet(url, company, { any: await seeded.someTickets(company), texts });
  const matched = await matchedTexts(await foundBy(url, seeded.large), await foundBy(url, seeded.small), (what) =>
    pattern.test(`search: ${what}`),
  );
  const signIn = async () => ({
    large: callsOf(await subjectOf(seeded.large, { ...textsOf(1), ...matched.large })),
    small: callsOf(await subjectOf(seeded.small, { ...textsOf(shareOfSmall), ...matched.small })),
    endsAt: performance.now() + SESSION_MS,
  });
  let calls = await signIn();
  const wanted = Object.entries(calls.large).filter(([what]) => pattern.test(what));

  // Warm up all calls once, or the first would pay for the compilation.
  for (const [, call] of wanted) {
    await client.measure(server, call(8), 1);
  }
  const rows: Row[] = [];
  for (const [what] of wanted) {
    rows.push(await measureCall(what));
  }
  for (let again = 0; again < AGAIN; again += 1) {
    for (const [n, row] of rows.entries()) {
      rows[n] = isKept(row) ? row : better(row, await measureCall(row.what));
    }
  }
  return rows;

  async function measureCall(what: string): Promise<Row> {
    process.stdout.write(`\r${what.padEnd(40)}`);
    calls = performance.now() < calls.endsAt ? calls : await signIn();
    const [call, inSmall] = [calls.large[what]!, calls.small[what]!];
    await client.measure(server, call(CALLERS), 2); // warm: it takes the compiler some thousands of calls
    await client.measure(server, inSmall(CALLERS), 1);
    const [ofLarge, ofSmall, ofMany]: [Measurement[], Measurement[], Measurement[]] = [[], [], []];
    for (let turn = 0; turn < TURNS.alone; turn += 1) {
      ofLarge.push(await client.measure(server, call(1), seconds / TURNS.alone));
      ofSmall.push(await client.measure(server, inSmall(1), seconds / TURNS.alone));
    }
    for (let turn = 0; turn < TURNS.many; turn += 1) {
      ofMany.push(await client.measure(server, call(CALLERS), seconds / TURNS.many));
    }
    return {
      what,
      one: bestOf(ofLarge),
      many: bestOf(ofMany),
      cost: leastOf(ofLarge, costOf),
      costInSmall: leastOf(ofSmall, costOf),
    };
  }
}

const costOf = ({ serverMs, databaseMs }: Measurement) => serverMs + databaseMs;

const leastOf = (turns: readonly Measurement[], of: (turn: Measurement) => number) => Math.min(...turns.map(of));

/** The times of the quickest turn, what a request cost where it cost least, and the statements of all turns. */
function bestOf(turns: readonly Measurement[]): Measurement {
  const [quickest] = turns.toSorted((one, other) => one.p50 - other.p50);
  const requests = turns.reduce((sum, turn) => sum + turn.requests, 0);
  return {
    ...quickest!,
    requests,
    serverMs: leastOf(turns, ({ serverMs }) => serverMs),
    databaseMs: leastOf(turns, ({ databaseMs }) => databaseMs),
    statements: turns.reduce((sum, turn) => sum + turn.statements * turn.requests, 0) / requests,
  };
}

function better(one: Row, other: Row): Row {
  return {
    what: one.what,
    one: bestOf([one.one, other.one]),
    many: bestOf([one.many, other.many]),
    cost: Math.min(one.cost, other.cost),
    costInSmall: Math.min(one.costInSmall, other.costInSmall),
  };
}

const isKept = (row: Row) => [...judgedNumbers([row])].every(([what, value]) => compareWithBudget(what, value).isKept);

/** The numbers of these rows that have a budget, by their names in `budgets.ts`. */
export function* judgedNumbers(rows: readonly Row[]): Generator<[what: string, value: number]> {
  for (const { what, one, many, cost, costInSmall } of rows) {
    const numbers = {
      "server CPU ms": one.serverMs,
      "server CPU ms at 32 callers": many.serverMs,
      "database CPU ms": one.databaseMs,
      statements: one.statements,
      "median ms": one.p50,
      "median ms at 32 callers": many.p50,
      "p99 ms at 32 callers": many.p99,
      "requests/s at 32 callers": many.perSecond,
      "times the cost of 5,000 tickets": cost / costInSmall,
    };
    for (const name of Object.keys(numbers) as (keyof typeof numbers)[]) {
      if (budgetsOfCalls[what]?.[name]) {
        yield [`${what}: ${name}`, numbers[name]];
      }
    }
  }
}

/** A row as the table of the bench shows it. */
export function shown({ one, many, cost, costInSmall }: Row) {
  const short = (value: number) => Number(value.toPrecision(3));
  return {
    "/s at 1": short(one.perSecond),
    "p50 ms": short(one.p50),
    "p99 ms": short(one.p99),
    "/s at 32": short(many.perSecond),
    "p50 at 32": short(many.p50),
    "p99 at 32": short(many.p99),
    "server ms": short(one.serverMs),
    "… at 32": short(many.serverMs),
    "database ms": short(one.databaseMs),
    statements: short(one.statements),
    "× 5,000": short(cost / costInSmall),
  };
}
