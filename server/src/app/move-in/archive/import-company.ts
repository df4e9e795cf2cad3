import { randomUUID } from "node:crypto";
import { ConfigError } from "#server/platform/config/index.ts";
import { hashPassword } from "#server/platform/auth/index.ts";
import { openDryMove, openMove } from "#server/platform/db/index.ts";
import type { NewRow } from "#server/platform/db/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { readArchive } from "../../backup/index.ts";
import type { ArchiveEntry } from "../../backup/index.ts";
import {
  findCompanyNames,
  findPlanNames,
  findUsersByEmail,
  hasCompany,
  setReferences,
  storeTexts,
  storeTextsLater,
} from "../move-in.queries.ts";
import { createIdMap, moveRows } from "../move.ts";
import type { MoveScope, Taken } from "../move.ts";
import { newReport, note } from "../report.ts";
import type { KindReport, MoveReport } from "../report.ts";
import { freeName, textOf } from "../values.ts";
import { archiveTables, atRest, looseReferences, movedColumns } from "./archive-tables.ts";
import type { ArchivedRow } from "./archive-tables.ts";
import { readTablesOf } from "./archive.queries.ts";
import type { ArchiveTable } from "./archive.queries.ts";
import type { CompanyManifest } from "./export-company.ts";

export interface CompanyImport {
  readonly url: string;
  readonly storage: Storage;
  readonly file: string;
  readonly passphrase: string | undefined;
  readonly isDry: boolean;
  readonly onProgress: (kind: KindReport) => void;
}

const BATCH = 1_000;

/**
 * Brings an archive of a company in, under new ids. As a move of another system it may be killed and run again, and a second run adds
 * nothing. Throws ConfigError for a file that is no such archive, or of a later release.
 */
export async function importCompany(
  options: CompanyImport,
): Promise<{ report: MoveReport; runId: number; files: number }> {
  const { url, storage, file, passphrase, isDry, onProgress } = options;
  const entries = createEntries(readArchive(file, passphrase));
  try {
    const manifest = await readManifest(entries);
    const source = {
      kind: "archive",
      fingerprint: `archive: ${manifest.origin}`,
      name: textOf(manifest.company["name"], 100),
    } as const;
    const tables = await readTablesOf(url, ["companies", ...archiveTables]);
    const target = isDry ? await openDryMove(url, source) : await openMove(url, source);
    try {
      const report = newReport();
      report.companies.push({ name: source.name, kinds: [] });
      const machinery: MoveScope = { target, companyId: null, ids: createIdMap(), report, onProgress };
      const companyId = await moveCompanyRow(machinery, manifest, tables);
      const ids = createIdMap();
      const known = await target.inCompany(companyId, (tx) => tx.findAllMoved(archiveTables));
      known.forEach(({ entity, oldId, newId }) => ids.add(entity, oldId, newId));
      const scope: ArchiveScope = { target, companyId, ids, report, onProgress, machinery, manifest, later: [] };
      for (const name of manifest.tables) {
        const table = tables.find((each) => each.name === name && name !== "companies");
        const rows = rowsOf(entries, `tables/${name}/`);
        await (table ? moveTable(scope, table, rows) : drain(rows));
      }
      await applyLater(scope);
      const files = await moveFiles(entries, isDry ? undefined : storage, manifest.companyId, companyId);
      await target.saveReport(report, "finished");
      return { report, runId: target.runId, files };
    } finally {
      await target.close();
    }
  } finally {
    await entries.close();
  }
}

interface ArchiveScope extends MoveScope {
  readonly companyId: number;
  readonly machinery: MoveScope;
  readonly manifest: CompanyManifest;
  /** References to rows that come later in the archive. */
  readonly later: Later[];
}

interface Later {
  readonly table: string;
  readonly column: string;
  readonly oldId: string;
  readonly to: string;
  readonly oldTo: unknown;
}

async function moveCompanyRow(
  machinery: MoveScope,
  { companyId: oldId, company, planName }: CompanyManifest,
  tables: readonly ArchiveTable[],
): Promise<number> {
  const stored = await machinery.target.inCompany(null, (tx) => tx.findAllMoved(["companies", "users"]));
  stored.forEach(({ entity, oldId: old, newId }) => machinery.ids.add(entity, old, newId));
  const known = new Set(tables.filter(({ name }) => name === "companies").flatMap(movedColumns));
  const { id: _id, deleted_at: _deleted, ...given } = company;
  const fields = Object.fromEntries(Object.entries(given).filter(([column]) => known.has(column)));
  await moveRows(machinery, {
    entity: "companies",
    source: single(company),
    idOf: () => String(oldId),
    async take(_rows, tx) {
      const [names, plans] = [await findCompanyNames(tx), await findPlanNames(tx)];
      const name = freeName(textOf(company["name"], 100), names);
      const planId = plans.get((planName ?? "").toLowerCase()) ?? null;
      if (planName !== null && planId === null) {
        note(machinery.report, `the company has no plan here: there is none named ${planName}`);
      }
      return [{ row: { ...fields, name, plan_id: planId } }];
    },
  });
  const id = machinery.ids.of("companies", oldId);
  const isThere =
    id !== undefined &&
    (machinery.target.runId === 0 || (await machinery.target.inCompany(null, (tx) => hasCompany(tx, id))));
  if (id === undefined || !isThere) {
    throw new ConfigError("The company of this archive was deleted here after an earlier import.");
  }
  return id;
}

async function* single<T>(row: T) {
  yield [row];
}

async function moveTable(
  scope: ArchiveScope,
  table: ArchiveTable,
  rows: AsyncIterable<readonly ArchivedRow[]>,
): Promise<void> {
  const { companyId, ids, machinery, manifest, report } = scope;
  const { name, key } = table;
  const hasId = table.columns.some((column) => column.name === "id");
  const references = { ...table.references, ...looseReferences[name] };
  const place = archiveTables.indexOf(name as (typeof archiveTables)[number]);
  const columns = movedColumns(table);
  const idOf = (row: ArchivedRow) => (hasId ? String(row["id"]) : key.map((column) => String(row[column])).join(" "));
  const isLater = (to: string) => archiveTables.indexOf(to as (typeof archiveTables)[number]) > place;

  /** Notes what must be set when all is there, also of rows that an earlier run brought. */
  async function* noted() {
    for await (const batch of rows) {
      for (const row of batch) {
        for (const [column, to] of Object.entries(references)) {
          if (isLater(to) && row[column] !== null && row[column] !== undefined) {
            scope.later.push({ table: name, column, oldId: idOf(row), to, oldTo: row[column] });
          }
        }
      }
      yield batch;
    }
  }

  /** The row under its new ids; undefined where what it cannot be without was not taken. */
  function translated(given: ArchivedRow, own: ReadonlyMap<string, number>): NewRow | undefined {
    const row: Record<string, unknown> = { ...atRest(name, given), company_id: companyId };
    for (const [column, to] of Object.entries(references)) {
      const old = row[column];
      if (old !== null && old !== undefined) {
        const found = ids.of(to, old) ?? (to === name ? own.get(String(old)) : undefined);
        if (found === undefined && key.includes(column)) {
          return undefined;
        }
        row[column] = isLater(to) ? null : (found ?? null);
      }
    }
    if ("uuid" in row) {
      row["uuid"] = randomUUID();
    }
    const oldKeys = `company/${manifest.companyId}/`;
    for (const [column, value] of Object.entries(row)) {
      if (typeof value === "string" && value.startsWith(oldKeys)) {
        row[column] = `company/${companyId}/${value.slice(oldKeys.length)}`;
      } else if (isKeyOfFile(column, value)) {
        row[column] = null;
        if (name === "media") {
          row["state"] = "expired";
        }
      }
    }
    // All rows of a batch have the same columns: those that the archive and this release both know.
    return Object.fromEntries(
      columns.filter((column) => column !== "id" && column in row).map((column) => [column, row[column] ?? null]),
    );
  }

  const isUsers = name === "users";
  const texts = new Map<string, { readonly ticketId: number; readonly body: string }>();
  const { taken: count } = await moveRows(isUsers ? { ...machinery, report } : scope, {
    entity: name,
    ...(hasId ? {} : { key: ["company_id", ...key] }),
    source: noted(),
    idOf,
    async take(batch, tx, reserve) {
      texts.clear();
      if (name === "messages") {
        await storeTextsLater(tx);
      }
      const reserved = hasId ? await reserve() : [];
      const own = new Map(batch.map((row, index) => [idOf(row), reserved[index] ?? 0]));
      const taken = isUsers
        ? await findUsersByEmail(
            tx,
            batch.map((row) => textOf(row["email"])),
          )
        : undefined;
      return Promise.all(
        batch.map(async (given): Promise<Taken> => {
          const owner = taken?.get(textOf(given["email"]));
          if (owner) {
            return owner.companyId === companyId ? { into: owner.id } : { skip: "somebody else here has this e-mail" };
          }
          const row = translated(given, own);
          if (
            !row ||
            (isMissing(row["contact_id"], given["contact_id"]) && name !== "opt_outs" && name !== "campaign_recipients")
          ) {
            return { skip: "what it belongs to was not taken" };
          }
          if (name === "messages" && textOf(row["body"]) !== "" && row["is_deleted"] !== true) {
            texts.set(idOf(given), { ticketId: Number(row["ticket_id"]), body: textOf(row["body"], 70_000) });
          }
          if (isUsers && given["password_hash"] === undefined) {
            note(report, "users reset their passwords: the archive was not encrypted, so it has none");
            return { row: { ...row, password_hash: await hashPassword(randomUUID()) } };
          }
          if (name === "tickets" && row["status"] === "open" && row["user_id"] === null) {
            return { row: { ...row, status: "pending" } };
          }
          return { row };
        }),
      );
    },
    async after(tx, made) {
      await storeTexts(
        tx,
        [...texts].flatMap(([oldId, text]) => ({ ...text, id: made.get(oldId) ?? 0 })).filter(({ id }) => id > 0),
      );
    },
  });
  if (isUsers) {
    machinery.ids.entries("users").forEach(([oldId, newId]) => ids.add("users", oldId, newId));
  }
  if (name === "webhooks" && count > 0) {
    note(report, "webhooks are switched off: complete their addresses, switch them on, and give each a new secret");
  }
  if (name === "connections" && count > 0) {
    note(report, "connections are disconnected: pair each one again by its QR code");
  }
}

/** Whether a column of storage keys names a file of some company; such columns may all be null. */
function isKeyOfFile(column: string, value: unknown): boolean {
  return /_(?:path|key)$/u.test(column) && typeof value === "string" && /^company\/\d+\//u.test(value);
}

function isMissing(found: unknown, given: unknown): boolean {
  return found === null && given !== null && given !== undefined;
}

async function applyLater({ target, companyId, ids, later }: ArchiveScope): Promise<void> {
  if (target.runId === 0) {
    return;
  }
  for (const [place, all] of Map.groupBy(later, ({ table, column }) => `${table} ${column}`)) {
    const [table = "", column = ""] = place.split(" ");
    const pairs = all.flatMap(({ oldId, to, oldTo }) => {
      const [id, ref] = [ids.of(table, oldId), ids.of(to, oldTo)];
      return id === undefined || ref === undefined ? [] : [{ id, ref }];
    });
    for (let from = 0; from < pairs.length; from += BATCH) {
      await target.inCompany(companyId, (tx) =>
        setReferences(tx, { table, column, pairs: pairs.slice(from, from + BATCH) }),
      );
    }
  }
}

async function moveFiles(entries: Entries, storage: Storage | undefined, from: number, to: number): Promise<number> {
  let count = 0;
  const prefix = `files/company/${from}/`;
  for (let entry = await entries.takeIf("files/"); entry; entry = await entries.takeIf("files/")) {
    if (!storage || !entry.name.startsWith(prefix)) {
      entry.body.resume();
      continue;
    }
    // Throws for a name that would leave the company's folder.
    await storage.put(`company/${to}/${entry.name.slice(prefix.length)}`, entry.body, {
      contentType: "application/octet-stream",
      isHuge: true,
    });
    count += 1;
  }
  return count;
}

async function readManifest(entries: Entries): Promise<CompanyManifest> {
  const entry = await entries.takeIf("company.json").catch((error: unknown) => {
    throw error instanceof ConfigError
      ? error
      : new ConfigError("This file is not an archive of a company", { cause: error });
  });
  const manifest = entry
    ? (JSON.parse(Buffer.concat((await entry.body.toArray()) as Buffer[]).toString("utf8")) as Partial<CompanyManifest>)
    : undefined;
  if (manifest?.format !== 1 || !manifest.company || !Array.isArray(manifest.tables)) {
    throw new ConfigError("This file is not an archive of a company, or one of a later release");
  }
  return manifest as CompanyManifest;
}

/** The rows of one table, from JSON lines that may be cut anywhere between two entries. */
async function* rowsOf(entries: Entries, prefix: string): AsyncGenerator<ArchivedRow[]> {
  let open = Buffer.alloc(0);
  let batch: ArchivedRow[] = [];
  for (let entry = await entries.takeIf(prefix); entry; entry = await entries.takeIf(prefix)) {
    for await (const piece of entry.body as AsyncIterable<Buffer>) {
      open = Buffer.concat([open, piece]);
      let start = 0;
      for (let end = open.indexOf(10); end !== -1; end = open.indexOf(10, start)) {
        batch.push(JSON.parse(open.toString("utf8", start, end)) as ArchivedRow);
        start = end + 1;
        if (batch.length === BATCH) {
          yield batch;
          batch = [];
        }
      }
      open = open.subarray(start);
    }
  }
  if (batch.length > 0) {
    yield batch;
  }
}

async function drain(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of rows) {
    // a table that this release does not have
  }
}

interface Entries {
  /** The next entry if its name begins so. */
  takeIf(prefix: string): Promise<ArchiveEntry | undefined>;
  close(): Promise<void>;
}

function createEntries(archive: AsyncGenerator<ArchiveEntry>): Entries {
  let next: ArchiveEntry | undefined;
  let hasEnded = false;
  return {
    async takeIf(prefix) {
      if (!next && !hasEnded) {
        const { value, done } = await archive.next();
        hasEnded = done === true;
        next = done ? undefined : value;
      }
      const found = next?.name.startsWith(prefix) ? next : undefined;
      next = found ? undefined : next;
      return found;
    },
    async close() {
      await archive.return(undefined);
    },
  };
}
