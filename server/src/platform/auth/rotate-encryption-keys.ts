import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Ctx } from "../ctx.ts";
import type { Cron } from "../jobs/index.ts";
import { openUnlessLost } from "./vault.ts";
import type { Vault } from "./vault.ts";

/** An encrypted column, declared by the feature that writes it, so that key rotation can re-encrypt it. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Unique columns; with `extraColumns` they make up the context. */
  readonly key: readonly string[];
  /** The vault context of a row. */
  readonly contextOf: (row: SealedRow) => string;
  /** Further parts of the context, as SQL over the row. */
  readonly extraColumns?: Readonly<Record<string, RawBuilder<unknown>>>;
  /** Encrypted as text; such a column may hold other values too, which `where` excludes. */
  readonly isText?: true;
  readonly where?: RawBuilder<boolean>;
  /** Belongs to the installation and not to a company. */
  readonly isShared?: true;
}

export type SealedRow = Readonly<Record<string, string | number>>;

interface StaleRow extends SealedRow {
  readonly at: string;
}

/** Rows locked by one transaction, for which a line that stores its keys may have to wait. */
const BATCH = 200;

type CronDeps = Parameters<Cron["run"]>[0];

/**
 * While SECRET_KEY lists several keys, re-encrypts values of older keys with the first one, each hour and in small
 * transactions, so that an interrupted run continues. The log says when older keys may be removed.
 */
export function createKeyRotation(vault: Vault, columns: readonly SealedColumn[]): Cron {
  return {
    name: "secrets.rotate-keys",
    formerly: { formerName: "secrets.reseal", since: "0.2.0" },
    at: { minute: 50 },
    async run(deps) {
      if (!vault.hasOlderKeys) {
        return;
      }
      const done = { reencrypted: 0, unopened: 0 };
      const { rows } = await sql<{ id: number }>`select id from companies order by id`.execute(deps.db.system);
      for (const column of columns) {
        for (const companyId of column.isShared ? [null] : rows.map(({ id }) => id)) {
          await rotateColumn({ vault, deps, column, companyId }, done);
        }
      }
      deps.log.info(done, "secrets re-encrypted with the first key; older keys may be removed when both counts are 0");
    },
  };
}

interface KeyRotation {
  readonly vault: Vault;
  readonly deps: CronDeps;
  readonly column: SealedColumn;
  readonly companyId: number | null;
}

async function rotateColumn(rotation: KeyRotation, done: { reencrypted: number; unopened: number }): Promise<void> {
  let last: StaleRow | undefined;
  do {
    rotation.deps.signal.throwIfAborted();
    const after = last;
    const batch = await transact(rotation, async (db) => {
      const rows = await findStale(db, rotation, after);
      const sealed = rows.map((row) => ({ row, value: reencrypt(rotation, row) }));
      // One statement each, pipelined. The rows are locked, so their ctid is stable.
      await Promise.all(sealed.map(async ({ row, value }) => value && save(db, rotation.column, row.at, value)));
      return sealed;
    });
    const reencrypted = batch.filter(({ value }) => value !== undefined).length;
    done.reencrypted += reencrypted;
    done.unopened += batch.length - reencrypted;
    last = batch.length < BATCH ? undefined : batch.at(-1)?.row;
  } while (last);
}

function transact<T>({ deps, companyId }: KeyRotation, work: (db: Ctx["db"]) => Promise<T>): Promise<T> {
  const { db, clock, log } = deps;
  if (companyId === null) {
    return db.systemTx((tx) => work(tx.db));
  }
  const actor = { kind: "system", companyId, reason: "secrets.rotate-keys" } as const;
  return db.inCompany({ actor, companyId, clock, log, retry: true }, (ctx) => work(ctx.db));
}

/** The next rows by key that are encrypted with another key than the first. */
async function findStale(
  db: Ctx["db"],
  { vault, column }: KeyRotation,
  after: StaleRow | undefined,
): Promise<StaleRow[]> {
  const key = sql.join(column.key.map((name) => sql.ref(name)));
  const which = column.where ?? sql`true`;
  // CASE, because conditions are evaluated in any order and other text must not be decoded.
  const sealed = column.isText
    ? sql`case when ${which} then decode(translate(left(${sql.ref(column.column)}, 8), '-_', '+/'), 'base64') end`
    : sql.ref(column.column);
  const also = Object.entries(column.extraColumns ?? {}).map(([name, value]) => sql`, ${value} as ${sql.ref(name)}`);
  const { rows } = await sql<StaleRow>`
    select ctid::text as at, ${key}, ${sql.ref(column.column)} as sealed ${sql.join(also, sql``)}
    from ${sql.table(column.table)}
    where ${sql.ref(column.column)} is not null and ${which}
      and substring(${sealed} from 2 for 4) <> ${Buffer.from(vault.keyId)}
      and ${after ? sql`(${key}) > (${sql.join(column.key.map((name) => after[name]))})` : sql`true`}
    order by ${key} limit ${BATCH} for update`.execute(db);
  return rows;
}

/** Undefined when the key is unknown: the value is left as it is. */
function reencrypt({ vault, column, deps, companyId }: KeyRotation, row: StaleRow): string | Buffer | undefined {
  const context = column.contextOf(row);
  const sealed = row["sealed"] as unknown as string & Buffer;
  return openUnlessLost(
    () =>
      column.isText
        ? vault.sealText(vault.openText(sealed, context), context)
        : vault.seal(vault.open(sealed, context), context),
    (err) => deps.log.warn({ err, company: companyId, table: column.table }, "value encrypted with an unknown key"),
  );
}

async function save(db: Ctx["db"], { table, column }: SealedColumn, at: string, value: string | Buffer): Promise<void> {
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value} where ctid = ${at}::tid`.execute(db);
}
