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

/** May this file be served: is its company active, and does a row refer to it and show it? */
export type IsFileVisible = (companyId: number, key: string) => Promise<boolean>;

/**
 * A signed URL outlives the record that showed it by two days, and the file by a night. So each request checks the
 * references that the sweep checks too. Files in folders without an owner live as long as their company.
 */
export function createFileVisibility(deps: FileVisibilityDeps, owners: readonly FileOwner[]): IsFileVisible {
  return async (companyId, key) => {
    const actor = { kind: "system", companyId, reason: "media" } as const;
    return deps.db.read({ ...deps, actor, companyId }, async (ctx) => {
      const [isOpen, isNamed] = await Promise.all([isCompanyOpen(ctx), isReferencedBy(ctx, owners, key)]);
      return isOpen && isNamed;
    });
  };
}

async function isCompanyOpen(ctx: Ctx): Promise<boolean> {
  const { rows } = await sql`
    select from companies where id = ${ctx.companyId} and is_active and deleted_at is null`.execute(ctx.db);
  return rows.length > 0;
}

/** A file may belong to several features; the owner of its folder is asked first. */
async function isReferencedBy(ctx: Ctx, owners: readonly FileOwner[], key: string): Promise<boolean> {
  const own = owners.find(({ folder }) => key.startsWith(`company/${ctx.companyId}/${folder}/`));
  if (!own) {
    return true;
  }
  for (const owner of [own, ...owners.filter((other) => other !== own)]) {
    const shown = await (owner.visible ? owner.visible(ctx, [key]) : owner.referenced(ctx, [key]));
    if (shown.length > 0) {
      return true;
    }
  }
  return false;
}
