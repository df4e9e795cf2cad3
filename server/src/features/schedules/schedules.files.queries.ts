import type { Ctx } from "#server/platform/ctx.ts";
import type { Statement } from "#server/platform/db/index.ts";
import type {} from "./schedules.tables.ts";

const FIND_FILES: Statement<{ key: string }> = {
  name: "schedules_find_files",
  text: `select media_path as key from schedules where company_id = $1 and media_path = any($2::text[])`,
};

/** The storage keys among these that a schedule refers to. */
export async function findScheduleFiles(ctx: Ctx, keys: readonly string[]): Promise<string[]> {
  return (await ctx.raw(FIND_FILES, [ctx.companyId, keys])).map(({ key }) => key);
}
