import { minFillMs, signUpRecurrence, trialDays, wallClockOf } from "@prosa/contract";
import type { ResponseOf, SignUpBody, signUps } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import { askToConfirm } from "#server/features/auth/index.ts";
import type { Caller } from "#server/features/auth/index.ts";
import { saveCampaignsEnabled } from "#server/features/settings/index.ts";
import { recordAuditOf } from "#server/platform/audit/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import { enforceSharedLimit } from "#server/platform/http/index.ts";
import { addressBlock } from "#server/platform/net/index.ts";
import type { Services } from "#server/platform/services.ts";
import { emitCompaniesChanged } from "../companies-changed.ts";
import { createCompany, defaultTimeZone } from "../companies.service.ts";
import { isPlanOffered, isSignUpOff } from "./sign-up.queries.ts";

/** Sign-ups of an address: a shared office or a fair, no farm of trials. */
const ofAddress = { max: 10, perSeconds: 3_600 };
/** Attempts with one e-mail. */
const ofEmail = { max: 5, perSeconds: 3_600 };
/** Without the form's ticket, as other clients send it, it cannot be told how long the filling took. */
const costWithoutTicket = 2;
/** Forms that an address opens. */
const formRate = { max: 60, perSeconds: 60 };
/** A form that was open for longer has to be loaded again. */
const ticketHours = 12;
const ticketPurpose = "sign-up form";

/** Whether sign-up is open, for everybody or by the link of a company, and a ticket that says when the form was opened. */
export async function openSignUpForm(
  { db, clock, signer, limiter }: Services,
  companyId: number | undefined,
  { address }: Caller,
): Promise<ResponseOf<typeof signUps.form>> {
  limiter.limit(`sign-up-form:${addressBlock(address)}`, formRate);
  const isOff = await db.systemTx((tx) => isSignUpOff(tx, companyId));
  const now = clock.now().getTime();
  return { isOpen: !isOff, ticket: signer.sign(ticketPurpose, String(now), new Date(now + ticketHours * 3_600_000)) };
}

/**
 * Signs up a company with its first admin. Trial, due date, recurrence and state are the server's, whatever was sent. Throws
 * ERR_USER_CREATION_DISABLED, ERR_SIGN_UP_REFUSED for what looks like a robot, ERR_TOO_MANY_REQUESTS, ERR_VALIDATION for a
 * plan that is not offered, ERR_NAME_TAKEN, ERR_EMAIL_TAKEN.
 */
export async function signUp(
  services: Services,
  body: SignUpBody,
  { caller, language }: { readonly caller: Caller; readonly language: Language },
): Promise<ResponseOf<typeof signUps.create>> {
  const { db, clock } = services;
  const { name, email, phone, password, planId } = body;
  const now = clock.now();
  refuseRobot(services, body, now);
  const cost = body.ticket === "" ? costWithoutTicket : 1;
  await enforceSharedLimit(services, `sign-up:${addressBlock(caller.address)}`, ofAddress, cost);
  await enforceSharedLimit(services, `sign-up-as:${email}`, ofEmail);

  return db.systemTx(async (tx) => {
    if (await isSignUpOff(tx, body.companyId ?? undefined)) {
      throw new AppError("ERR_USER_CREATION_DISABLED");
    }
    if (!(await isPlanOffered(tx, planId))) {
      throw new AppError("ERR_VALIDATION", { fields: { planId: "Required" } });
    }
    const trial = trialFrom(now);
    const { companyId, adminId } = await createCompany(tx, {
      name,
      email,
      phone,
      planId,
      ...trial,
      recurrence: signUpRecurrence,
      language,
      admin: { name, email, password, isSuper: false },
    });
    await saveCampaignsEnabled(tx, companyId, true);
    await recordAuditOf(
      tx,
      { companyId, now },
      { action: "company.signed-up", target: { type: "company", id: companyId, name }, details: { email, planId } },
    );
    await emitCompaniesChanged(tx);
    const mustConfirm = await askToConfirm(services, tx, { id: adminId, company_id: companyId, name, email, language });
    return {
      id: companyId,
      name,
      email,
      recurrence: signUpRecurrence,
      dueDate: trial.dueDate,
      trialExpiration: trial.trialExpiration.toISOString(),
      status: true,
      campaignsEnabled: true,
      mustConfirm,
    };
  });
}

/** A trial that begins now: its last day in the company's time zone, and its end (behaviour 7). */
export function trialFrom(now: Date): { readonly dueDate: string; readonly trialExpiration: Date } {
  const trialExpiration = new Date(now.getTime() + trialDays * 86_400_000);
  return { dueDate: wallClockOf(trialExpiration, defaultTimeZone).slice(0, 10), trialExpiration };
}

/** A filled honeypot, a form sent faster than anybody types, or a ticket that is forged or too old. */
function refuseRobot({ signer }: Services, { website, ticket }: SignUpBody, now: Date): void {
  const opened = ticket === "" ? undefined : signer.verify(ticketPurpose, ticket);
  const isTooFast = opened?.state === "valid" && now.getTime() - Number(opened.payload) < minFillMs;
  if (website !== "" || isTooFast || (opened !== undefined && opened.state !== "valid")) {
    throw new AppError("ERR_SIGN_UP_REFUSED");
  }
}
