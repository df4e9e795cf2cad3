import { defaultSchedules } from "@prosa/contract";
import type { BodyOf, companies, CompanyProfile } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Cached } from "#server/platform/db/index.ts";
import { companyEvent, timeZoneChanged } from "./companies.events.ts";
import { findCompanyProfile, findCompanyService, lockTimeZone, saveCompany } from "./companies.queries.ts";
import type { CompanyService } from "./companies.queries.ts";

const profile: Cached<CompanyProfile> = {
  name: "company profile",
  staleAfter: ["company.updated"],
  load: async (ctx) => {
    const { schedules, ...row } = await findCompanyProfile(ctx);
    return { ...row, schedules: schedules ?? defaultSchedules };
  },
};

/** The company's name, time zone, language and service hours; cached, so cheap enough for every message. */
export function companyProfileOf(ctx: Ctx): Promise<CompanyProfile> {
  return ctx.cached(profile);
}

const service: Cached<CompanyService> = {
  name: "company service",
  staleAfter: ["company.updated"],
  load: findCompanyService,
};

/** Whether and until when the company is served; cached like its profile. */
export function companyServiceOf(ctx: Ctx): Promise<CompanyService> {
  return ctx.cached(service);
}

/** The actor's own company; ERR_NOT_FOUND for another one. */
export async function getCompany(ctx: Ctx, id: number): Promise<CompanyProfile> {
  checkOwnCompany(ctx, id);
  return companyProfileOf(ctx);
}

/** Changes the service hours (G-03). */
export async function saveSchedules(
  ctx: Ctx,
  id: number,
  { schedules }: BodyOf<typeof companies.saveSchedules>,
): Promise<CompanyProfile> {
  checkOwnCompany(ctx, id);
  await saveCompany(ctx, { schedules: JSON.stringify(schedules) });
  return updated(ctx);
}

/** Changes what is given of time zone and language; the other one stays, also where a colleague changes it meanwhile (G-02). */
export async function saveLocale(
  ctx: Ctx,
  id: number,
  { timeZone, language }: BodyOf<typeof companies.saveLocale>,
): Promise<CompanyProfile> {
  checkOwnCompany(ctx, id);
  if (timeZone === undefined && language === undefined) {
    return companyProfileOf(ctx);
  }
  const before = await lockTimeZone(ctx);
  await saveCompany(ctx, { time_zone: timeZone, language });
  if (timeZone !== undefined && timeZone !== before) {
    ctx.emit(timeZoneChanged);
  }
  return updated(ctx);
}

async function updated(ctx: Ctx): Promise<CompanyProfile> {
  ctx.emit(companyEvent("updated", ctx.companyId));
  return profile.load(ctx);
}

/** ERR_NOT_FOUND for another company than the actor's. */
export function checkOwnCompany(ctx: Ctx, id: number): void {
  if (id !== ctx.companyId) {
    throw new AppError("ERR_NOT_FOUND");
  }
}
