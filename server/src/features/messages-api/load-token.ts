import { allFlags } from "#server/features/plans/index.ts";
import { hashSecret } from "#server/platform/auth/index.ts";
import type { LoadToken } from "#server/platform/auth/index.ts";
import type { Db } from "#server/platform/db/index.ts";
import { findConnectionOfToken } from "./load-token.queries.ts";

/** Loads the connection of an API token (decision 0149: stored is its hash). */
export function tokenLoader(db: Db): LoadToken {
  return async (token) => {
    const row = await findConnectionOfToken(db, hashSecret(token));
    return (
      row && {
        actor: { kind: "line", companyId: row.companyId, connectionId: row.connectionId },
        isActive: row.isActive,
        paid: row.dueDate && row.overdueFrom ? { lastDay: row.dueDate, endsAt: row.overdueFrom } : null,
        plan: allFlags(row.flags),
        locale: { timeZone: row.timeZone, language: row.language },
      }
    );
  };
}
