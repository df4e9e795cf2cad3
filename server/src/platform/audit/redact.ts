import type { SystemTx } from "../db/index.ts";
import { emptyAuditOfContact } from "./audit.queries.ts";

/**
 * Empties the names and details of entries that are about a contact or name one of these words; who did what and when stays,
 * and the chain holds. Returns how many.
 */
export function redactAudit(
  tx: SystemTx,
  companyId: number,
  person: { readonly contactId: number; readonly words: readonly string[] },
  limit: number,
): Promise<number> {
  return emptyAuditOfContact(tx.db, companyId, person.contactId, person.words, limit);
}
