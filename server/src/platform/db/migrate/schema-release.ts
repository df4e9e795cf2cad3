import type pg from "pg";
import { ConfigError } from "../../config/index.ts";
import { isOlder } from "../../release.ts";
import type { Release } from "../../release.ts";

/**
 * Records which release migrated the schema, for processes of an older release: during a rolling upgrade, after a
 * rollback and after an interrupted upgrade. The release before runs on the schema (expand, then contract): it starts and
 * changes nothing. Older ones would write wrong rows and are refused.
 */

const CREATE = `
  create table if not exists schema_release (
    only_row boolean primary key default true check (only_row),
    version text not null,
    works_beside text not null
  )`;

/** Applied migrations that this release does not have. Throws when this release is too old to run beside them. */
export async function unknownMigrations(
  owner: pg.Client,
  known: readonly string[],
  { version }: Release,
): Promise<string[]> {
  const { rows } = await owner.query<{ migrated: boolean }>(
    "select to_regclass('kysely_migration') is not null as migrated",
  );
  if (!rows[0]?.migrated) {
    return [];
  }
  const ran = await owner.query<{ name: string }>("select name from kysely_migration order by name");
  const unknown = ran.rows.map(({ name }) => name).filter((name) => !known.includes(name));
  const newest = known.toSorted().at(-1) ?? "";
  // An unknown migration older than our newest one does not come from a later release: this installation is damaged.
  if (unknown.length > 0 && unknown.every((name) => name > newest)) {
    const made = await readSchemaRelease(owner);
    if (made === undefined || isOlder(version, made.worksBeside)) {
      throw new ConfigError(
        `DATABASE_URL: the database belongs to release ${made?.version ?? "unknown"}, which runs beside ` +
          `${made?.worksBeside ?? "no other"} or newer; this is ${version}. Start that release.`,
      );
    }
    return unknown;
  }
  if (unknown.length > 0) {
    throw new ConfigError(`The database has migrations that this release lost: ${unknown.join(", ")}`);
  }
  return [];
}

/** Call before the first migration, so that no schema exists without its release. */
export async function recordRelease(owner: pg.Client, { version, worksBeside }: Release): Promise<void> {
  await owner.query(CREATE);
  const made = await readSchemaRelease(owner);
  if (made === undefined || isOlder(made.version, version)) {
    await owner.query(
      `insert into schema_release (version, works_beside) values ($1, $2)
       on conflict (only_row) do update set version = excluded.version, works_beside = excluded.works_beside`,
      [version, worksBeside],
    );
  }
}

async function readSchemaRelease(owner: pg.Client): Promise<Release | undefined> {
  const { rows: there } = await owner.query<{ is: boolean }>("select to_regclass('schema_release') is not null as is");
  if (!there[0]?.is) {
    return undefined;
  }
  const { rows } = await owner.query<Release>(`select version, works_beside as "worksBeside" from schema_release`);
  return rows[0];
}
