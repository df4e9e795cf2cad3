import type { CompanySupport, SessionUser } from "@prosa/contract";
import {
  accountOf,
  leaveSupport,
  openSupportSession,
  provenAccount,
  supportUser,
} from "#server/features/auth/index.ts";
import { emitCompaniesChanged } from "#server/features/companies/index.ts";
import { requireOperator } from "#server/features/users/index.ts";
import { recordAuditOf } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Actor, UserActor } from "#server/platform/ctx.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import { supportChanged } from "./support.events.ts";
import { findEnteredCompany, findOpenGrants, lockSupport, saveRequest } from "./support.queries.ts";
import { companySupportView } from "./support.view.ts";

/** The operator's side: ask, enter, leave. In system transactions, because another company is concerned. */

/** Asks the admins of a company to be let in; a second time the reason is the newer one. Throws ERR_NOT_FOUND, ERR_NO_PERMISSION. */
export async function askForSupport(
  services: Services,
  edge: RequestScope,
  { companyId, reason }: { readonly companyId: number; readonly reason: string },
): Promise<CompanySupport> {
  const operator = ownOperator(edge.actor);
  const now = edge.now();
  return services.db.systemTx(async (tx) => {
    await requireOperator(tx, operator.userId);
    await lockSupport(tx, companyId);
    const company = await findEnteredCompany(tx, companyId);
    if (!company) {
      throw new AppError("ERR_NOT_FOUND", { companyId });
    }
    if (companyId === operator.companyId) {
      throw new AppError("ERR_NO_PERMISSION");
    }
    const open = await findOpenGrants(tx, companyId, now);
    if (!open.some(({ until }) => until !== null)) {
      const { userId, name } = operator;
      const id = await saveRequest(tx, companyId, { asked_by: userId, asked_by_name: name, asked_at: now, reason });
      await recordAuditOf(
        tx,
        { companyId, now },
        { action: "support.asked", target: { type: "support", id, name }, details: { reason } },
      );
      tx.emit(companyId, supportChanged);
      await emitCompaniesChanged(tx);
    }
    return companySupportView(await findOpenGrants(tx, companyId, now));
  });
}

/**
 * Enters a company with its consent. The session of one's own goes on, and its cookie renews this one. Throws
 * ERR_SUPPORT_NOT_ALLOWED without a consent that lasts; ERR_COMPANY_DISABLED; ERR_PASSWORD_REQUIRED and ERR_WRONG_PASSWORD
 * for who has no second factor; ERR_NO_PERMISSION, ERR_NOT_FOUND, ERR_TOO_MANY_REQUESTS.
 */
export async function enterAsSupport(
  services: Services,
  edge: RequestScope,
  { companyId, password }: { readonly companyId: number; readonly password: string },
): Promise<{ token: string; user: SessionUser }> {
  const operator = ownOperator(edge.actor);
  await proveThemselves(services, edge, password);
  const { db, tokens } = services;
  const now = edge.now();
  const claims = await db.systemTx(async (tx) => {
    await requireOperator(tx, operator.userId);
    await lockSupport(tx, companyId);
    const company = await findEnteredCompany(tx, companyId);
    if (!company) {
      throw new AppError("ERR_NOT_FOUND", { companyId });
    }
    if (!company.is_active) {
      throw new AppError("ERR_COMPANY_DISABLED");
    }
    const grant = (await findOpenGrants(tx, companyId, now)).find(({ until }) => until !== null);
    if (!grant || companyId === operator.companyId) {
      throw new AppError("ERR_SUPPORT_NOT_ALLOWED");
    }
    const opened = await openSupportSession(tx, operator, { companyId, grantId: grant.id }, now);
    const { userId, name } = operator;
    const entry = {
      action: "support.entered",
      details: { until: grant.until, consentOf: grant.granted_by_name },
    } as const;
    await recordAuditOf(
      tx,
      { companyId, now, actor: { kind: "support", userId, name } },
      { ...entry, target: { type: "support", id: grant.id, name } },
    );
    await recordAuditOf(
      tx,
      { companyId: operator.companyId, now },
      { ...entry, target: { type: "company", id: companyId, name: company.name } },
    );
    tx.emit(companyId, supportChanged);
    return opened;
  });
  const user = await supportUser(services, claims, now);
  if (!user) {
    throw new AppError("ERR_SUPPORT_NOT_ALLOWED");
  }
  return { token: await tokens.issue(claims), user };
}

/** Leaves; without effect for who is not in another company. */
export async function leaveAsSupport({ db, sessions }: Services, edge: RequestScope): Promise<void> {
  const { actor } = edge;
  if (actor?.kind === "user" && actor.support) {
    await db.systemTx((tx) => leaveSupport(tx, actor.sessionId, edge.now()));
    sessions.forgetSession(actor.sessionId);
  }
}

/** A browser that somebody left open must not be enough: a second factor was given at the sign-in, or the password is now. */
async function proveThemselves(services: Services, edge: RequestScope, password: string): Promise<void> {
  const account = await accountOf(services, edge);
  if (account.has_second_factor) {
    return;
  }
  if (password === "") {
    throw new AppError("ERR_PASSWORD_REQUIRED");
  }
  await provenAccount(services, edge, password);
}

function ownOperator(actor: Actor | undefined): UserActor {
  if (actor?.kind !== "user" || actor.support || actor.apiKey || !actor.isSuper) {
    throw new AppError("ERR_NO_PERMISSION");
  }
  return actor;
}
