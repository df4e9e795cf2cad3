import type { Kysely } from "kysely";
import type { Clock } from "../clock/index.ts";
import type { Database } from "../db/index.ts";
import {
  findBehindHead,
  findChainAfter,
  findChainedCompanies,
  findErasureRequestsBehind,
  lockChain,
  lockHead,
  saveCheck,
  saveHead,
} from "./audit.queries.ts";
import type { ChainRow, HeadRow } from "./audit.queries.ts";
import { chainBatch, isGenuineHead, noHash, rowHash, signedHead } from "./chain.ts";
import type { ChainDeps } from "./chain.ts";
import { personalHash } from "./personal-hash.ts";

/**
 * What is wrong, and with which row. `changed`: it is not what was chained. `missing`: no row has this number. `inserted`: a
 * number is used after the end of the chain. `head`: the end of the chain is missing or was not signed by this server.
 */
export interface AuditFault {
  readonly kind: "changed" | "missing" | "inserted" | "head";
  readonly seq: string;
  /** Of the row in audit_log, where there is one. */
  readonly id: string | null;
}

/** Verifies the chains of all companies, one after another and a batch at a time; returns the faulty ones. */
export async function verifyAudit(
  deps: ChainDeps & { readonly clock: Clock },
  signal: AbortSignal,
): Promise<ReadonlyMap<number, AuditFault>> {
  const faults = new Map<number, AuditFault>();
  for (const companyId of await findChainedCompanies(deps.db.system)) {
    signal.throwIfAborted();
    const fault = await verifyAuditOf(deps, companyId, signal);
    if (fault) {
      faults.set(companyId, fault);
    }
  }
  return faults;
}

/** The first fault of a company's chain, or undefined where it holds. Saves the result, and signs the head anew after a rotation of keys. */
export async function verifyAuditOf(
  { db, signer, clock }: ChainDeps & { readonly clock: Clock },
  companyId: number,
  signal?: AbortSignal,
): Promise<AuditFault | undefined> {
  // Read first: what is chained meanwhile lies behind it.
  const head = await db.systemTx((tx) => lockHead(tx.db, companyId));
  const fault =
    head && isGenuineHead(signer, companyId, head)
      ? await firstFault(db.system, companyId, head, signal)
      : ({ kind: "head", seq: head?.seq ?? "0", id: null } as const);
  return db.systemTx(async (tx) => {
    await lockChain(tx.db, companyId);
    const now = await lockHead(tx.db, companyId);
    // Nobody chains now: a row behind the end was put there.
    const behind = now && !fault ? await findBehindHead(tx.db, companyId, now.seq) : undefined;
    const found = behind ? ({ kind: "inserted", seq: behind.seq ?? "", id: behind.id } as const) : fault;
    if (now && !found) {
      await saveHead(tx.db, companyId, signedHead(signer, companyId, now.seq, now.hash));
    }
    await saveCheck(tx.db, companyId, clock.now(), found ?? null);
    return found;
  });
}

async function firstFault(
  db: Kysely<Database>,
  companyId: number,
  head: HeadRow,
  signal: AbortSignal | undefined,
): Promise<AuditFault | undefined> {
  const end = BigInt(head.seq);
  let seq = 0n;
  let hash: Buffer = noHash;
  // Rows that were emptied, and contacts whose erasure the chain itself knows: one without the other is a change.
  const emptied = new Map<number, { readonly seq: string; readonly id: string }>();
  const erased = new Set<number>();
  for (;;) {
    signal?.throwIfAborted();
    const rows = await findChainAfter(db, companyId, String(seq), chainBatch);
    for (const row of rows) {
      if (seq === end) {
        // Chained while we read, or put behind the end: the caller looks.
        return faultAtEnd();
      }
      seq += 1n;
      if (row.seq !== String(seq)) {
        return { kind: "missing", seq: String(seq), id: null };
      }
      hash = rowHash(hash, seq, row);
      if (!row.hash?.equals(hash) || !isPersonalPartKept(row) || row.company_id !== companyId) {
        return { kind: "changed", seq: row.seq, id: row.id };
      }
      if (row.salt === null && !emptied.has(row.erased_contact_id ?? 0)) {
        emptied.set(row.erased_contact_id ?? 0, { seq: row.seq, id: row.id });
      }
      if (row.action === "privacy.erasure-requested") {
        erased.add(Number(row.target_id));
      }
    }
    if (rows.length < chainBatch) {
      break;
    }
  }
  if (seq < end) {
    return { kind: "missing", seq: String(seq + 1n), id: null };
  }
  return faultAtEnd();

  async function faultAtEnd(): Promise<AuditFault | undefined> {
    if (!hash.equals(head.hash)) {
      return { kind: "changed", seq: head.seq, id: null };
    }
    const unknown = [...emptied].filter(([contactId]) => !erased.has(contactId));
    // An erasure that was asked for since the head was written: the next check decides, with the request in the chain.
    const asked = unknown.length > 0 ? await findErasureRequestsBehind(db, companyId, head.seq) : [];
    const fault = unknown.find(([contactId]) => !asked.includes(contactId));
    return fault && { kind: "changed", ...fault[1] };
  }
}

/** Emptied by an erasure, or what it was when it was written. */
function isPersonalPartKept({ salt, target_name: targetName, details, personal_hash: kept }: ChainRow): boolean {
  return salt === null
    ? targetName === null && Object.keys(details).length === 0
    : personalHash(salt, { targetName, details }).equals(kept);
}
