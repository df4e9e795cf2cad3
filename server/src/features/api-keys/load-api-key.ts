import { allFlags } from "#server/features/plans/index.ts";
import { hashSecret } from "#server/platform/auth/index.ts";
import type { LoadApiKey } from "#server/platform/auth/index.ts";
import type { Services } from "#server/platform/services.ts";
import { findLiveKey, saveLastUse } from "./api-keys.queries.ts";
import { lowerProfile } from "./api-keys.service.ts";

/** The last use is stored to the minute: a write for each call would cost more than the call. */
const lastUseMs = 60_000;

/**
 * Loads an API key: it acts as its maker, with the lower of both roles, and never as the operator. Read at each call, so that a
 * revoked key ends at once.
 */
export function apiKeyLoader({ db, clock }: Pick<Services, "db" | "clock">): LoadApiKey {
  return async (key) => {
    const now = clock.now();
    const row = await findLiveKey(db, hashSecret(key), now);
    if (!row) {
      return undefined;
    }
    if (!row.lastUsedAt || now.getTime() - row.lastUsedAt.getTime() >= lastUseMs) {
      await saveLastUse(db, row.id, now);
    }
    return {
      actor: {
        kind: "user",
        userId: row.userId,
        companyId: row.companyId,
        name: row.userName,
        profile: lowerProfile(row.profile, row.userProfile),
        isSuper: false,
        allTicket: row.allTicket,
        queueIds: row.queueIds,
        // No session has this id, so nothing that ends sessions takes it for one.
        sessionId: row.id,
        apiKey: { id: row.id, name: row.name },
      },
      isActive: row.isActive,
      paid: row.dueDate && row.overdueFrom ? { lastDay: row.dueDate, endsAt: row.overdueFrom } : null,
      plan: allFlags(row.flags),
      locale: { timeZone: row.timeZone, language: row.language },
      scopes: row.scopes,
    };
  };
}
