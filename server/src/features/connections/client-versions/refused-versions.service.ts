import type { RefusedVersion } from "@prosa/contract";
import type { Db } from "#server/platform/db/index.ts";
import { findRefusedVersions } from "./refused-versions.queries.ts";

/** For the operator: why lines of every company are blocked. */
export async function listRefusedVersions(db: Db): Promise<RefusedVersion[]> {
  const refused = await findRefusedVersions(db);
  return refused.map(({ version, tries, since, nextTryAt }) => ({
    version,
    tries,
    since: since.toISOString(),
    nextTryAt: nextTryAt.toISOString(),
  }));
}
