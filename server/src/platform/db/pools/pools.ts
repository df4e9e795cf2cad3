import pg from "pg";
import type { Logger } from "pino";
import { endSilentConnections } from "./end-silent.ts";
import { runStatement, batchingSocket } from "./run-statement.ts";
import { APP_ROLE, SYSTEM_ROLE } from "../migration-helpers.ts";
import { typeParsers } from "./type-parsers.ts";

export interface PoolOptions {
  readonly url: string;
  readonly log: Logger;
  readonly max: number;
  /** How long (ms) a connection in use may be silent. Default: longer than PostgreSQL lets a statement run or a transaction idle. */
  readonly silenceMs?: number;
}

/**
 * Named statements are planned once a connection: planning the view of a ticket takes nine times as long as running it, and
 * PostgreSQL would plan it anew for as long as it estimates that a plan for the values is slightly cheaper.
 */
const KEEP_PLANS = { plan_cache_mode: "force_generic_plan" };
/** Session limits: a hanging transaction must not hold locks, or delay the event tail, for longer. */
const APP_LIMITS = { idle_in_transaction_session_timeout: "5s", statement_timeout: "5s" };
/** Limits of the system role, which prunes and sweeps for longer. */
const SYSTEM_LIMITS = { idle_in_transaction_session_timeout: "10s", statement_timeout: "30s" };
/** Beyond those limits only a host that is gone stays silent; the margin is for a commit, which they do not cover, on a slow disk. */
const APP_SILENCE_MS = 30_000;
const SYSTEM_SILENCE_MS = 45_000;
/** A firewall forgets an idle connection, and a host may go while nobody asks it: then the connection ends before its next use. */
const KEEP_ALIVE_AFTER_MS = 30_000;
/** Compiling a plan takes longer than any of our statements runs; a server of your own has it on by default. */
const PLANNER = { jit: "off" };
/** transaction_timeout, since PostgreSQL 17; older servers would refuse it as a startup option. */
const APP_TRANSACTION = "10s";
const SYSTEM_TRANSACTION = "60s";
const LIMIT_TRANSACTIONS = `select case when current_setting('server_version_num')::int >= 170000
  then set_config('transaction_timeout', $1, false) end as limit`;

const limitedSoon = new WeakSet<pg.ClientBase>();

/**
 * Whether PostgreSQL soon ends a transaction of this connection whose process hangs, also inside a pipeline, where
 * idle_in_transaction_session_timeout does not apply. Not those of the system role, which may last a minute.
 */
export function endsHangingTransactions(client: pg.ClientBase): boolean {
  return limitedSoon.has(client);
}

/** Connections of requests and job handlers: row-level security applies, statements are pipelined. */
export function appPool(options: PoolOptions): pg.Pool {
  return rolePool(
    { silenceMs: APP_SILENCE_MS, ...options },
    APP_ROLE,
    { ...APP_LIMITS, ...KEEP_PLANS },
    APP_TRANSACTION,
  );
}

/** Connections of the system role: event tail, job runner, leases, sign-in look-ups. */
export function systemPool(options: PoolOptions): pg.Pool {
  return rolePool({ silenceMs: SYSTEM_SILENCE_MS, ...options }, SYSTEM_ROLE, SYSTEM_LIMITS, SYSTEM_TRANSACTION);
}

function rolePool(
  { url, log, max, silenceMs }: Required<PoolOptions>,
  role: string,
  settings: Record<string, string>,
  transaction: string,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    pipeline: true,
    stream: batchingSocket,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: typeParsers,
    application_name: role,
    connectionTimeoutMillis: 10_000,
    // Longer than the minute of the crons: connections that end just before are opened and filled anew each time.
    idleTimeoutMillis: 150_000,
    // Before the first use, so that it is known by then whether transactions are limited.
    verify(client, done) {
      void limitTransactions(client, transaction)
        .then((isLimited) => isLimited && role === APP_ROLE && limitedSoon.add(client))
        .catch((error: unknown) => log.debug({ err: error, role }, "transaction_timeout not set"))
        .then(() => done());
    },
    options: Object.entries({ role, ...PLANNER, ...settings })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(" "),
  });
  // Without a listener an "error" of a lost connection (database restart, a limit above) would end the process.
  pool.on("connect", (client) => {
    client.on("error", (error) => log.debug({ err: error, role }, "database connection lost"));
  });
  pool.on("error", () => undefined);
  endSilentConnections(pool, silenceMs);
  return pool;
}

/** False on servers that cannot. */
async function limitTransactions(client: pg.ClientBase, to: string): Promise<boolean> {
  const { rows } = await runStatement(client, { text: LIMIT_TRANSACTIONS, values: [to] });
  return (rows as { limit: string | null }[])[0]?.limit !== null;
}
