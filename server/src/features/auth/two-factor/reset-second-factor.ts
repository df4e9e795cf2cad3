import { recordAuditOf } from "#server/platform/audit/index.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import { deleteSecondFactor } from "./two-factor.queries.ts";

/** Removes the second factor of a person who lost it, with the recovery codes; the caller has checked who may. */
export async function resetSecondFactor(
  tx: SystemTx,
  person: { readonly id: number; readonly companyId: number; readonly name: string },
  now: Date,
): Promise<void> {
  const { id, companyId, name } = person;
  if (await deleteSecondFactor(tx, id)) {
    await recordAuditOf(tx, { companyId, now }, { action: "two-factor.disabled", target: { type: "user", id, name } });
  }
}
