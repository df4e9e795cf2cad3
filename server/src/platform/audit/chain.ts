import { createHash } from "node:crypto";
import type { Signer } from "../auth/index.ts";
import type { Db } from "../db/index.ts";
import { findUnchained, findUnchainedCompanies, lockChain, lockHead, saveChain, saveHead } from "./audit.queries.ts";
import type { ChainRow, HeadRow } from "./audit.queries.ts";
import { canonicalJson } from "./personal-hash.ts";

export interface ChainDeps {
  readonly db: Db;
  readonly signer: Signer;
}

/** Rows that one transaction chains; the check reads as many at once. */
export const chainBatch = 500;
/** Of the first row. */
export const noHash = Buffer.alloc(32);

const purpose = "audit head";
/** A head does not expire. */
const never = new Date("9999-01-01T00:00:00Z");

/**
 * Chains every company's rows that were committed since the last run, in order. A batch is one transaction, so that a kill
 * loses none and doubles none; the lock of the chain keeps two processes apart, and no writer waits for it.
 */
export async function chainAudit({ db, signer }: ChainDeps, signal: AbortSignal): Promise<void> {
  for (const companyId of await findUnchainedCompanies(db.system)) {
    let chained = chainBatch;
    while (chained === chainBatch) {
      signal.throwIfAborted();
      chained = await chainBatchOf({ db, signer }, companyId);
    }
  }
}

async function chainBatchOf({ db, signer }: ChainDeps, companyId: number): Promise<number> {
  return db.systemTx(async (tx) => {
    await lockChain(tx.db, companyId);
    const head = await lockHead(tx.db, companyId);
    const rows = await findUnchained(tx.db, companyId, chainBatch);
    let seq = BigInt(head?.seq ?? "0");
    let hash = head?.hash ?? noHash;
    const chained = rows.map((row) => {
      seq += 1n;
      hash = rowHash(hash, seq, row);
      return { id: row.id, seq: String(seq), hash };
    });
    if (chained.length > 0) {
      await saveChain(tx.db, chained);
      await saveHead(tx.db, companyId, signedHead(signer, companyId, String(seq), hash));
    }
    return rows.length;
  });
}

/** SHA-256 over the hash before and all that the row says; of what is personal over its own hash. */
export function rowHash(previous: Uint8Array, seq: bigint, row: ChainRow): Buffer {
  const facts = [
    ...[String(seq), row.id, row.company_id, row.at, row.actor_kind, row.user_id, row.user_name, row.action],
    ...[row.target_type, row.target_id, row.contact_id, row.address, row.user_agent],
    row.personal_hash.toString("hex"),
  ];
  return createHash("sha256").update(previous).update(canonicalJson(facts)).digest();
}

export function signedHead(signer: Signer, companyId: number, seq: string, hash: Buffer): HeadRow {
  return { seq, hash, signature: signer.sign(purpose, headText(companyId, seq, hash), never) };
}

/** Was this head signed with a secret of the server? */
export function isGenuineHead(signer: Signer, companyId: number, { seq, hash, signature }: HeadRow): boolean {
  const verified = signer.verify(purpose, signature);
  return verified.state !== "forged" && verified.payload === headText(companyId, seq, hash);
}

function headText(companyId: number, seq: string, hash: Buffer): string {
  return `${companyId}:${seq}:${hash.toString("hex")}`;
}
