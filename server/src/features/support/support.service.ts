import { isAdmin } from "@prosa/contract";
import type { SupportState } from "@prosa/contract";
import { endSupportSessions } from "#server/features/auth/index.ts";
import { emitCompaniesChanged } from "#server/features/companies/index.ts";
import { recordAuditOf } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Actor, Ctx, UserActor } from "#server/platform/ctx.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import { supportChanged } from "./support.events.ts";
import {
  endExpired,
  endGrant,
  findOpenGrants,
  findPresent,
  insertConsent,
  lockSupport,
  saveConsent,
} from "./support.queries.ts";
import { supportStateView } from "./support.view.ts";

/** The company's side: its admins consent, take back, decline (decision 0225). */

export async function getSupport(ctx: Ctx): Promise<SupportState> {
  const { actor, companyId } = ctx;
  const open = await findOpenGrants(ctx, companyId, ctx.now());
  const present = open.some(({ until }) => until !== null) ? await findPresent(ctx) : [];
  return supportStateView(open, present, actor.kind === "user" && isAdmin(actor) && !actor.support);
}

/**
 * Consents for some hours from now; accepts an open request, and changes the time of a consent that lasts. Throws
 * ERR_NO_PERMISSION for whoever is no admin of the company themselves: a support session, a key.
 */
export async function allowSupport(services: Services, edge: RequestScope, hours: number): Promise<SupportState> {
  const { companyId, userId, name } = ownAdmin(edge.actor);
  const now = edge.now();
  const until = new Date(now.getTime() + hours * 3_600_000);
  await services.db.systemTx(async (tx) => {
    await lockSupport(tx, companyId);
    await endExpired(tx, companyId, now);
    const open = await findOpenGrants(tx, companyId, now);
    const consent = { granted_by: userId, granted_by_name: name, granted_at: now, until };
    const lasting = open.find((row) => row.until !== null);
    const request = open.find((row) => row.until === null);
    const kept = lasting ?? request;
    const id = kept?.id ?? (await insertConsent(tx, companyId, consent));
    if (kept) {
      await saveConsent(tx, id, consent);
    }
    if (lasting && request) {
      await endGrant(tx, companyId, request.id, now);
    }
    await recordAuditOf(
      tx,
      { companyId, now },
      { action: "support.allowed", target: { type: "support", id, name }, details: { hours, until } },
    );
    tx.emit(companyId, supportChanged);
    await emitCompaniesChanged(tx);
  });
  return edge.read(getSupport);
}

/** Takes a consent back, whose support sessions end at once, or declines a request. Throws ERR_NOT_FOUND, ERR_NO_PERMISSION. */
export async function endSupport(services: Services, edge: RequestScope, id: number): Promise<SupportState> {
  const { companyId, name } = ownAdmin(edge.actor);
  const now = edge.now();
  await services.db.systemTx(async (tx) => {
    await lockSupport(tx, companyId);
    const ended = await endGrant(tx, companyId, id, now);
    if (!ended) {
      throw new AppError("ERR_NOT_FOUND", { grantId: id });
    }
    await recordAuditOf(
      tx,
      { companyId, now },
      { action: ended.wasGranted ? "support.revoked" : "support.declined", target: { type: "support", id, name } },
    );
    await endSupportSessions(tx, { grantId: id }, now);
    tx.emit(companyId, supportChanged);
    await emitCompaniesChanged(tx);
  });
  // Other processes drop the cached sessions by the event; this one does at once, before the next request.
  services.sessions.forgetCompany(companyId);
  return edge.read(getSupport);
}

/** An admin by their own session, not in somebody's name. */
function ownAdmin(actor: Actor | undefined): UserActor {
  if (actor?.kind !== "user" || actor.support || actor.apiKey || !isAdmin(actor)) {
    throw new AppError("ERR_NO_PERMISSION");
  }
  return actor;
}
