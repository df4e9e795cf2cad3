import type { Db, Statement } from "#server/platform/db/index.ts";

/** A client version that WhatsApp answered with 405. */
export interface RefusedVersion {
  readonly version: string;
  readonly since: Date;
  /** Logins with it so far: the first refusal and each probe. */
  readonly tries: number;
  readonly nextTryAt: Date;
  /** A probe is due. */
  readonly isDue: boolean;
}

export async function findRefusedVersions(db: Db): Promise<RefusedVersion[]> {
  return db.systemRaw(FIND, []);
}

/** True where it was not stored yet. */
export async function insertRefusedVersion(db: Db, version: string, pauseSeconds: number): Promise<boolean> {
  return (await db.systemRaw(NOTE, [version, pauseSeconds])).length > 0;
}

/** True for the process that may probe: of several at once, in whatever process, the first. */
export async function claimProbe(db: Db, { version, tries }: RefusedVersion, pauseSeconds: number): Promise<boolean> {
  return (await db.systemRaw(CLAIM, [version, tries, pauseSeconds])).length > 0;
}

/** True where it was stored. */
export async function deleteRefusedVersion(db: Db, version: string): Promise<boolean> {
  return (await db.systemRaw(FORGET, [version])).length > 0;
}

/** Deletes versions that no process announces any more: an update has replaced them. */
export async function pruneRefusedVersions(db: Db): Promise<void> {
  await db.systemRaw(PRUNE, []);
}

const FIND: Statement<RefusedVersion> = {
  name: "refused_versions_find",
  text: `select version, since, tries, next_try_at as "nextTryAt", next_try_at <= clock_timestamp() as "isDue"
    from refused_versions order by since`,
};
const NOTE: Statement<{ version: string }> = {
  name: "refused_versions_note",
  text: `insert into refused_versions (version, next_try_at)
    values ($1, clock_timestamp() + make_interval(secs => $2::int)) on conflict do nothing returning version`,
};
const CLAIM: Statement<{ version: string }> = {
  name: "refused_versions_claim",
  text: `update refused_versions set tries = tries + 1, next_try_at = clock_timestamp() + make_interval(secs => $3::int)
    where version = $1 and tries = $2::int and next_try_at <= clock_timestamp() returning version`,
};
const FORGET: Statement<{ version: string }> = {
  name: "refused_versions_forget",
  text: "delete from refused_versions where version = $1 returning version",
};
const PRUNE: Statement<never> = {
  name: "refused_versions_prune",
  text: "delete from refused_versions where next_try_at < clock_timestamp() - interval '1 day'",
};
