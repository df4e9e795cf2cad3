import type { Moved, MoveTarget, MoveTx, NewRow } from "#server/platform/db/index.ts";
import { newKind, skip } from "./report.ts";
import type { KindReport, MoveReport } from "./report.ts";

/** Where the rows of a source went, for the kinds that other rows refer to. */
export interface IdMap {
  /** Undefined: it was not taken. */
  of(entity: string, oldId: unknown): number | undefined;
  has(entity: string, oldId: string): boolean;
  add(entity: string, oldId: string, newId: number): void;
  /** The new ids of a kind. */
  all(entity: string): Iterable<number>;
  /** Old and new ids of a kind. */
  entries(entity: string): readonly (readonly [string, number])[];
}

export function createIdMap(): IdMap {
  const ids = new Map<string, Map<string, number>>();
  return {
    of: (entity, oldId) => (oldId === null || oldId === undefined ? undefined : ids.get(entity)?.get(String(oldId))),
    has: (entity, oldId) => ids.get(entity)?.has(oldId) ?? false,
    entries: (entity) => [...(ids.get(entity) ?? [])],
    all: (entity) => new Set(ids.get(entity)?.values()),
    add(entity, oldId, newId) {
      const known = ids.get(entity) ?? new Map<string, number>();
      ids.set(entity, known.set(oldId, newId));
    },
  };
}

/** What to do with one row of the source. */
export type Taken =
  /** A new row, without its id. */
  | { readonly row: NewRow }
  /** It is a part of this one, or the same. */
  | { readonly into: number }
  | { readonly skip: string };

export interface Step<Row> {
  readonly entity: string;
  /** Where the rows go. Default: the entity. */
  readonly table?: string;
  /** The table has no column `id`: those of its primary key. */
  readonly key?: readonly string[];
  /** Too many to keep their ids in memory: what earlier runs took is looked up for each batch. */
  readonly isLarge?: true;
  readonly source: AsyncIterable<readonly Row[]>;
  readonly idOf: (row: Row) => string;
  /** Called for each batch before its transaction begins, with the rows that are new: what lasts long or leaves the process. */
  readonly prepare?: (rows: readonly Row[]) => Promise<void>;
  /** Called once for each batch, in its transaction, with the rows that are new. */
  readonly take: (rows: readonly Row[], tx: MoveTx, reserve: () => Promise<number[]>) => Promise<readonly Taken[]>;
  /** After a batch was inserted, in the same transaction: `made` are the ids of the rows by their old ids. */
  readonly after?: (tx: MoveTx, made: ReadonlyMap<string, number>, rows: readonly Row[]) => Promise<void>;
  readonly onBatch?: (report: KindReport) => void;
}

/** The company that a step writes into; null: rows of the installation. */
export interface MoveScope {
  readonly target: MoveTarget;
  readonly companyId: number | null;
  readonly ids: IdMap;
  readonly report: MoveReport;
  readonly onProgress: (kind: KindReport) => void;
}

/** Moves the rows of one kind, batch by batch: each is committed together with where its rows came from. */
export async function moveRows<Row>(scope: MoveScope, step: Step<Row>): Promise<KindReport> {
  const { target, companyId, ids, onProgress } = scope;
  const report = newKind(step.entity);
  scope.report.companies.at(-1)?.kinds.push(report);
  const { entity, isLarge, idOf } = step;
  for await (const batch of step.source) {
    report.read += batch.length;
    const unseen = isLarge ? batch : batch.filter((row) => !ids.has(entity, idOf(row)));
    report.known += batch.length - unseen.length;
    if (unseen.length > 0) {
      // Only one move runs at a time: what is new stays so until the batch is committed.
      const known = isLarge
        ? await target.inCompany(companyId, (tx) => tx.findMoved(entity, unseen.map(idOf)))
        : undefined;
      const fresh = known ? unseen.filter((row) => !known.has(idOf(row))) : unseen;
      report.known += unseen.length - fresh.length;
      if (fresh.length === 0) {
        onProgress(report);
        continue;
      }
      await step.prepare?.(fresh);
      const moved = await target.inCompany(companyId, (tx) => moveBatch(tx, step, fresh, report));
      if (!isLarge) {
        moved.forEach(({ oldId, newId }) => ids.add(entity, oldId, newId));
      }
    }
    onProgress(report);
  }
  return report;
}

async function moveBatch<Row>(
  tx: MoveTx,
  step: Step<Row>,
  fresh: readonly Row[],
  report: KindReport,
): Promise<readonly Moved[]> {
  const { entity, table = step.entity, key, idOf, take, after } = step;
  let reserved: Promise<number[]> | undefined;
  const reserve = () => (reserved ??= tx.reserveIds(table, fresh.length));
  const taken = await take(fresh, tx, reserve);
  const newIds = key || !taken.some((each) => "row" in each) ? [] : await reserve();
  const rows: NewRow[] = [];
  const refused = new Map<number, string>();
  const candidates: { readonly oldId: string; readonly newId: number }[] = [];
  const moved: Moved[] = [];
  taken.forEach((each, index) => {
    const oldId = idOf(fresh[index]!);
    if ("skip" in each) {
      skip(report, each.skip, oldId);
    } else if ("into" in each) {
      report.joined += 1;
      moved.push({ oldId, newId: each.into, isMade: false });
    } else {
      const id = newIds[index] ?? 0;
      rows.push(key ? each.row : { id, ...each.row });
      candidates.push({ oldId, newId: id });
    }
  });
  const inserted = await tx.insert(table, rows, {
    ...(key && { key }),
    onRefused: (row, reason) => refused.set(rows.indexOf(row), `the database does not take it: ${reason}`),
  });
  const made = new Map<string, number>();
  for (const [place, { oldId, newId }] of candidates.entries()) {
    if (inserted.has(key ? place : newId)) {
      report.taken += 1;
      made.set(oldId, newId);
      moved.push({ oldId, newId, isMade: true });
    } else {
      skip(report, refused.get(place) ?? "one with the same key is there", oldId);
    }
  }
  await tx.saveMoved(entity, moved);
  await after?.(tolerant(tx, report), made, fresh);
  return moved;
}

/** What belongs to a row, such as its file, is left out alone. */
function tolerant(tx: MoveTx, report: KindReport): MoveTx {
  return {
    ...tx,
    insert: (table, rows, options = {}) =>
      tx.insert(table, rows, {
        ...options,
        onRefused: (row, reason) =>
          skip(
            report,
            `${table}: the database does not take it: ${reason}`,
            String(row["id"] ?? row["message_id"] ?? ""),
          ),
      }),
  };
}
