import type { Kysely } from "kysely";
import pg from "pg";
import type { Logger } from "pino";
import { systemClock } from "../clock/index.ts";
import type { Clock } from "../clock/index.ts";
import type { Actor, Cached, CacheRead, Ctx, DomainEvent, NewJob } from "../ctx.ts";
import { readPoolUse, appPool, systemPool } from "./pools/index.ts";
import type { Database } from "./database.ts";
import { tracedStatement } from "../tracing/index.ts";
import { createCompanyCache } from "./company-cache.ts";
import type { CompanyCache } from "./company-cache.ts";
import {
  kyselyOver,
  PLAN_BY_VALUES,
  transactionPreamble,
  createOutbox,
  countStatement,
  runInOneTrip,
  runTransaction,
  withRetry,
} from "./transactions/index.ts";
import type { RunStatement, Session } from "./transactions/index.ts";
import type { PoolUse } from "./pools/index.ts";
import type { RawQuery, Statement } from "./raw.ts";
import { isReadOnlyError, WriteInRead } from "../infrastructure-errors.ts";
import { createListenNotify } from "./listen-notify.ts";
import type { ListenNotify } from "./listen-notify.ts";

export interface CompanyScope {
  readonly actor: Actor;
  readonly companyId: number;
  readonly log: Logger;
  readonly clock: Clock;
  /** Run again after a deadlock or serialization failure. Only for work whose effects are all in the database. */
  readonly retry?: boolean;
}

/** A transaction of the system role: all companies, as far as policies allow prosa_system. */
export interface SystemTx {
  readonly db: Kysely<Database>;
  readonly raw: RawQuery;
  emit(companyId: number, event: DomainEvent): void;
  enqueue(companyId: number | null, job: NewJob): void;
}

export interface TransactionReport {
  readonly kind: "write" | "read" | "system";
  readonly ms: number;
  readonly statements: number;
  readonly isCommitted: boolean;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly log: Logger;
  /** Connections of requests and job handlers. Default 10. */
  readonly max?: number;
  /** Connections of the system role. Default 4. */
  readonly systemMax?: number;
  /** Clock of jobs that systemTx enqueues. Default: the system clock. */
  readonly clock?: Clock;
  /** For metrics: called after each transaction. */
  readonly onTransaction?: (report: TransactionReport) => void;
}

export interface Db {
  /** The tenant transaction: the company's rows only; events and jobs are saved with the rows, or not at all. */
  inCompany<T>(scope: CompanyScope, work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** The same, read only. */
  read<T>(scope: CompanyScope, work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** A single hot query of one company: one round trip. */
  readOne<Row>(companyId: number, statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
  /** As `ctx.cached`, outside a transaction: opens one only where the value is not in memory. */
  cached<T>(scope: CompanyScope, value: Cached<T>, options?: CacheRead): Promise<T>;
  /** Kysely of the system role, each statement by itself. */
  readonly system: Kysely<Database>;
  /** Named prepared statements of the system role, each by itself. */
  readonly systemRaw: RawQuery;
  systemTx<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>;
  readonly listenNotify: ListenNotify;
  /** A connection of its own, for a read that lasts longer than the pools allow. It has no role yet; who opens it ends it. */
  connect(name: string): Promise<pg.Client>;
  /** For metrics. */
  pools(): readonly PoolUse[];
  /** Behind `ctx.cached`; the event tail calls `invalidate` for each event. */
  readonly cache: CompanyCache;
  close(): Promise<void>;
}

/** Opens the pools of a migrated database (see migrator.ts). Connects when first used. */
export function openDatabase(options: DatabaseOptions): Db {
  const { url, log, max = 10, systemMax = 4, clock = systemClock, onTransaction } = options;
  const app = appPool({ url, log, max });
  const system = systemPool({ url, log, max: systemMax });
  const listenNotify = createListenNotify({ url, pool: system, log });
  const cache = createCompanyCache();

  const transact: Transact = async (kind, pool, opening, clockOf, work) => {
    const outbox = createOutbox();
    const began = performance.now();
    let statements = 0;
    let isCommitted = false;
    try {
      const result = await runTransaction({
        pool,
        preamble: opening,
        work: (session) => work(session, outbox).finally(() => (statements = session.statements)),
        closingStatements: () => outbox.statements(clockOf.now()).map(counted),
      });
      isCommitted = true;
      outbox.emitted().forEach(({ companyId, event }) => cache.invalidate(companyId, event));
      listenNotify.notify(outbox.topics());
      return result;
    } finally {
      onTransaction?.({ kind, ms: performance.now() - began, statements, isCommitted });
    }
  };

  const read: Db["read"] = (scope, work) =>
    transact("read", app, [transactionPreamble(scope.companyId, "read")], scope.clock, (session) =>
      work(contextOf(scope, session, READ_ONLY, cache)),
    ).catch(throwReadError);

  return {
    inCompany(scope, work) {
      const opening = [transactionPreamble(scope.companyId, "write")];
      const run = () =>
        transact("write", app, opening, scope.clock, (session, outbox) =>
          work(contextOf(scope, session, outbox, cache)),
        );
      return scope.retry
        ? withRetry(run, (error) => scope.log.info({ err: error }, "the transaction is tried again"))
        : run();
    },
    read,
    async readOne<Row>(companyId: number, { name, text }: Statement<Row>, values: readonly unknown[]) {
      const statement = counted({ name, text, values: [...values] });
      const run = () => runInOneTrip(app, transactionPreamble(companyId, "read"), statement);
      return (await tracedStatement(statement, run).catch(throwReadError)).rows as Row[];
    },
    cached: (scope, value, cacheRead) =>
      cache.get(scope.companyId, value, (kept) => read(scope, (ctx) => value.load(ctx, kept)), cacheRead),
    system: kyselyOver((config) => tracedStatement(config, () => system.query(counted(config)))),
    systemRaw: rawOver((config) => tracedStatement(config, () => system.query(config))),
    systemTx: (work) =>
      transact("system", system, [], clock, (session, outbox) =>
        work({
          db: kyselyOver((config) => session.query(counted(config))),
          raw: rawOver((config) => session.query(config)),
          emit: outbox.emit,
          enqueue: outbox.enqueue,
        }),
      ),
    listenNotify,
    async connect(name) {
      const client = new pg.Client({ connectionString: url, application_name: name });
      // Without a listener a lost connection would end the process; the statement under way rejects.
      client.on("error", (error) => log.debug({ err: error, name }, "database connection lost"));
      await client.connect();
      return client;
    },
    pools: () => [readPoolUse("requests", app), readPoolUse("machinery", system)],
    cache,
    async close() {
      await listenNotify.close();
      await Promise.all([app.end(), system.end()]);
    },
  };
}

type OutboxPort = Pick<ReturnType<typeof createOutbox>, "emit" | "enqueue" | "emitted" | "withOutbox">;
type Transact = <T>(
  kind: TransactionReport["kind"],
  pool: pg.Pool,
  opening: readonly pg.QueryConfig[],
  clockOf: Clock,
  work: (session: Session, outbox: OutboxPort) => Promise<T>,
) => Promise<T>;

function contextOf(scope: CompanyScope, session: Session, outlet: OutboxPort, cache: CompanyCache): Ctx {
  const { companyId } = scope;
  let db: Ctx["db"] | undefined;
  const ctx: Ctx = {
    actor: scope.actor,
    companyId: scope.companyId,
    get db() {
      // Hot paths use named statements only.
      return (db ??= openKysely(session));
    },
    raw: rawOver((config) => session.query(config)),
    async rawWithOutbox<Row>(statement: Statement<Row>, values: readonly unknown[]) {
      const { rows } = await session.query(counted(outlet.withOutbox(statement, values, scope.clock.now())));
      return rows as Row[];
    },
    leave({ name, text }, values) {
      session.leave(counted({ name, text, values: [...values] }));
    },
    leaveWithOutbox(statement, values) {
      session.leave(counted(outlet.withOutbox(statement, values, scope.clock.now())));
    },
    log: scope.log,
    now: () => scope.clock.now(),
    emit: (event) => outlet.emit(scope.companyId, event),
    enqueue: (job) => outlet.enqueue(scope.companyId, job),
    cached<T>(value: Cached<T>, options?: CacheRead) {
      // A transaction must see its own uncommitted changes, and must not put them into the shared cache.
      const isOwnChange = outlet.emitted().some(({ event }) => value.staleAfter.includes(event.type));
      return isOwnChange ? value.load(ctx) : cache.get(companyId, value, (kept) => value.load(ctx, kept), options);
    },
  };
  return ctx;
}

function openKysely(session: Session): Kysely<Database> {
  let isFirst = true;
  return kyselyOver((config) => {
    if (isFirst) {
      isFirst = false;
      void session.query(PLAN_BY_VALUES).catch(() => undefined);
    }
    return session.query(counted(config));
  });
}

function rawOver(run: RunStatement): RawQuery {
  return async <Row>({ name, text }: Statement<Row>, values: readonly unknown[]) => {
    const { rows } = await run(counted({ name, text, values: [...values] }));
    return rows as Row[];
  };
}

function counted(config: pg.QueryConfig): pg.QueryConfig {
  countStatement(config.text, config.values);
  return config;
}

/** A write in a read has the code of a database that takes no writes, which would be tried again for ever. */
function throwReadError(error: unknown): never {
  throw isReadOnlyError(error) ? new WriteInRead(error.message, { cause: error }) : error;
}

const READ_ONLY: OutboxPort = {
  emit() {
    throw new Error("A read-only transaction cannot emit events");
  },
  enqueue() {
    throw new Error("A read-only transaction cannot enqueue jobs");
  },
  emitted: () => [],
  withOutbox() {
    throw new Error("A read-only transaction cannot emit events");
  },
};
