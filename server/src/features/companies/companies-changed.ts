import { listOperators } from "#server/features/users/index.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import { companiesChanged } from "./companies.events.ts";

/** Emits `companies.changed` in the company of each operator. */
export async function emitCompaniesChanged(tx: SystemTx): Promise<void> {
  const byCompany = Map.groupBy(await listOperators(tx), ({ companyId }) => companyId);
  for (const [companyId, operators] of byCompany) {
    tx.emit(companyId, companiesChanged(operators.map(({ id }) => id)));
  }
}
