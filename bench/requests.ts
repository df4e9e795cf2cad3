/** The cost of the calls of the API, in a large company and in a small one. */
import { budgetsOfCalls } from "./budgets.ts";
import { callsOf, meet } from "./calls.ts";
import type { Call } from "./calls.ts";
import type { LoadClient, MeasuredServer, Measurement } from "./load.ts";
import type { SeededCompany } from "../server/src/testing/large-company.ts";
import { smallCompany } from "./seed.ts";
import type { Seeded } from "./seed.ts";

/** One call, by one caller and by 32. */
export interface Row {
  readonly what: string;
  readonly one: Measurement;
  readonly many: Measurement;
  /** CPU of server and database, against the same call in the company of 5,000 tickets. */
  readonly growth: number;
}

const CALLERS = 32;
/** One caller asks the large company and the small one in turns: a machine that others use as well changes its speed within seconds. */
const TURNS = 6;

/** Measures every call for so many seconds by each number of callers. */
export async function measureRequests(
  client: LoadClient,
  server: MeasuredServer,
  seeded: Seeded,
  { seconds, pattern }: { readonly seconds: number; readonly pattern: RegExp },
): Promise<readonly Row[]> {
  const { url } = server;
  const subjectOf = async (company: SeededCompany, messages: number) =>
    meet(url, company, { any: await seeded.someTickets(company), share: messages / seeded.about.messages });
  const large = callsOf(await subjectOf(seeded.large, seeded.about.messages));
  const small = callsOf(await subjectOf(seeded.small, smallCompany.messages));
  const wanted = Object.entries(large).filter(([what]) => pattern.test(what));

  // Warm up all calls once, or the first would pay for the compilation.
  for (const [, call] of wanted) {
    await client.measure(server, call(8), 1);
  }
  const rows: Row[] = [];
  for (const [what, call] of wanted) {
    process.stdout.write(`\r${what.padEnd(40)}`);
    rows.push(await measureCall(what, call, small[what]!));
  }
  return rows;

  async function measureCall(what: string, call: Call, inSmall: Call): Promise<Row> {
    await client.measure(server, call(CALLERS), 2); // warm: it takes the compiler some thousands of calls
    await client.measure(server, inSmall(CALLERS), 1);
    const [ofLarge, ofSmall]: [Measurement[], Measurement[]] = [[], []];
    for (let turn = 0; turn < TURNS; turn += 1) {
      ofLarge.push(await client.measure(server, call(1, turn / TURNS), seconds / TURNS));
      ofSmall.push(await client.measure(server, inSmall(1, turn / TURNS), seconds / TURNS));
    }
    const many = await client.measure(server, call(CALLERS), seconds);
    const one = together(ofLarge);
    return { what, one, many, growth: costOf(one) / costOf(together(ofSmall)) };
  }
}

const costOf = ({ serverMs, databaseMs }: Measurement) => serverMs + databaseMs;

/** Turns as one measurement: what a request cost, and the median of the turns' times. */
function together(turns: readonly Measurement[]): Measurement {
  const requests = turns.reduce((sum, turn) => sum + turn.requests, 0);
  const each = (of: (turn: Measurement) => number) =>
    turns.reduce((sum, turn) => sum + of(turn) * turn.requests, 0) / requests;
  const median = (of: (turn: Measurement) => number) => turns.map(of).toSorted((a, b) => a - b)[turns.length >> 1]!;
  return {
    ...turns[0]!,
    requests,
    perSecond: each(({ perSecond }) => perSecond),
    p50: median(({ p50 }) => p50),
    p99: median(({ p99 }) => p99),
    serverMs: each(({ serverMs }) => serverMs),
    databaseMs: each(({ databaseMs }) => databaseMs),
    statements: each(({ statements }) => statements),
  };
}

/** The numbers of these rows that have a budget, by their names in `budgets.ts`. */
export function* judgedNumbers(rows: readonly Row[]): Generator<[what: string, value: number]> {
  for (const { what, one, many, growth } of rows) {
    const numbers = {
      "server CPU ms": one.serverMs,
      "server CPU ms at 32 callers": many.serverMs,
      "database CPU ms": one.databaseMs,
      statements: one.statements,
      "median ms": one.p50,
      "median ms at 32 callers": many.p50,
      "p99 ms at 32 callers": many.p99,
      "requests/s at 32 callers": many.perSecond,
      "times the cost of 5,000 tickets": growth,
    };
    for (const name of Object.keys(numbers) as (keyof typeof numbers)[]) {
      if (budgetsOfCalls[what]?.[name]) {
        yield [`${what}: ${name}`, numbers[name]];
      }
    }
  }
}

/** A row as the table of the bench shows it. */
export function shown({ one, many, growth }: Row) {
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
    "× 5,000": short(growth),
  };
}
