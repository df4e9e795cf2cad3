import { defaultSchedules } from "@prosa/contract";
import type { BodyOf, companies, CompanyProfile } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Cached } from "#server/platform/db/index.ts";
import { companyEvent } from "./companies.events.ts";
import { findCompanyProfile, saveCompany } from "./companies.queries.ts";

const profile: Cached<CompanyProfile> = {
  name: "company profile",
  staleAfter: ["company.updated"],
  load: async (ctx) => {
    const { schedules, ...row } = await findCompanyProfile(ctx);
    return { ...row, schedules: schedules ?? defaultSchedules };
  },
};

/** The company's name, clock, language and service hours. From memory: cheap enough for every message. */
export function companyProfileOf(ctx: Ctx): Promise<CompanyProfile> {
  return ctx.cached(profile);
}

/** One's own company; for everybody else there is no such company. */
export async function getCompany(ctx: Ctx, id: number): Promise<CompanyProfile> {
  checkOwn(ctx, id);
  return companyProfileOf(ctx);
}

/** Changes when the company is open (G-03). */
export async function saveSchedules(
  ctx: Ctx,
  id: number,
  { schedules }: BodyOf<typeof companies.saveSchedules>,
): Promise<CompanyProfile> {
  checkOwn(ctx, id);
  await saveCompany(ctx, { schedules: JSON.stringify(schedules) });
  return updated(ctx);
}

/** Changes where the company's clock stands, and the language it speaks. */
export async function saveLocale(
  ctx: Ctx,
  id: number,
  { timeZone, language }: BodyOf<typeof companies.saveLocale>,
): Promise<CompanyProfile> {
  checkOwn(ctx, id);
  await saveCompany(ctx, { time_zone: timeZone, language });
  return updated(ctx);
}

async function updated(ctx: Ctx): Promise<CompanyProfile> {
  ctx.emit(companyEvent("updated", ctx.companyId));
  return profile.load(ctx);
}

function checkOwn(ctx: Ctx, id: number): void {
  if (id !== ctx.companyId) {
    throw new AppError("ERR_NOT_FOUND");
  }
}
