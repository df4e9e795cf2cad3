import type { OwnSession } from "@prosa/contract";
import { recordAuditOf } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Actor, Ctx } from "#server/platform/ctx.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import { sessionEnded } from "../auth.events.ts";
import { endSessions, findSession } from "../auth.queries.ts";
import { findSessionsOf } from "./own-sessions.queries.ts";

/** The live one, as a second sign-in ends the first, and those before it, by which a stranger's shows. */
const shownSessions = 10;

export async function listOwnSessions(ctx: Ctx): Promise<OwnSession[]> {
  const { userId, sessionId } = signedIn(ctx.actor);
  const now = ctx.now();
  return (await findSessionsOf(ctx, userId, shownSessions)).map((row) => {
    const end = row.ended_at ?? (row.expires_at <= now ? row.expires_at : null);
    return {
      id: row.id,
      address: row.address,
      userAgent: row.user_agent,
      createdAt: row.created_at.toISOString(),
      // renewed at least every quarter of an hour while it is used
      lastSeenAt: row.rotated_at.toISOString(),
      endedAt: end?.toISOString() ?? null,
      isCurrent: row.id === sessionId,
    };
  });
}

/** Ends a session of the person who asks: its requests and sockets are refused at once. Throws ERR_NOT_FOUND for another's. */
export async function endOwnSession(services: Services, edge: RequestScope, id: string): Promise<void> {
  const { db, clock, sessions } = services;
  const { userId, companyId, name } = signedIn(edge.actor);
  const session = await findSession(db, id);
  if (session?.user_id !== userId) {
    throw new AppError("ERR_NOT_FOUND");
  }
  const now = clock.now();
  await db.systemTx(async (tx) => {
    for (const ended of await endSessions(tx, { sessionId: id }, "signed out", now)) {
      tx.emit(companyId, sessionEnded({ userId, sessionIds: [ended.id], keptSessionId: null, reason: "signed out" }));
      await recordAuditOf(
        tx,
        { companyId, now },
        { action: "session.ended", target: { type: "user", id: userId, name } },
      );
    }
  });
  // Other processes drop the cached session by the event; this one does at once, before the next request.
  sessions.forgetSession(id);
}

function signedIn(actor: Actor | undefined) {
  if (actor?.kind !== "user") {
    throw new AppError("ERR_NOT_SIGNED_IN");
  }
  return actor;
}
