import { sql } from "kysely";
import type { Clock } from "../clock/index.ts";
import type { Ctx } from "../ctx.ts";
import type { Db } from "../db/index.ts";
import type { Logger } from "../log/index.ts";
import type { FileOwner } from "./sweep.ts";

export interface FileVisibilityDeps {
  readonly db: Db;
  readonly log: Logger;
  readonly clock: Clock;
}

/** Is this file still of use: does its company live, and does a row name and show it? */
export type IsFileVisible = (companyId: number, key: string) => Promise<boolean>;

/**
 * An address of a file outlives what showed it, by two days, and the file by a night. So each time it is fetched this asks
 * who would be asked before the file is swept. Files of folders that nobody keeps live as long as their company.
 */
export function createFileVisibility(deps: FileVisibilityDeps, keepers: readonly FileOwner[]): IsFileVisible {
  return async (companyId, key) => {
    const actor = { kind: "system", companyId, reason: "media" } as const;
    return deps.db.read({ ...deps, actor, companyId }, async (ctx) => {
      const [isOpen, isNamed] = await Promise.all([isCompanyOpen(ctx), isReferencedBy(ctx, keepers, key)]);
      return isOpen && isNamed;
    });
  };
}

async function isCompanyOpen(ctx: Ctx): Promise<boolean> {
  const { rows } = await sql`
    select from companies where id = ${ctx.companyId} and is_active and deleted_at is null`.execute(ctx.db);
  return rows.length > 0;
}

/** A file may serve several nouns: the one whose folder it is in is the likeliest. */
async function isReferencedBy(ctx: Ctx, keepers: readonly FileOwner[], key: string): Promise<boolean> {
  const own = keepers.find(({ folder }) => key.startsWith(`company/${ctx.companyId}/${folder}/`));
  if (!own) {
    return true;
  }
  for (const keeper of [own, ...keepers.filter((other) => other !== own)]) {
    const shown = await (keeper.visible ? keeper.visible(ctx, [key]) : keeper.referenced(ctx, [key]));
    if (shown.length > 0) {
      return true;
    }
  }
  return false;
}
