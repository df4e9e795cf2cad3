import { sql } from "kysely";
import type { Kysely } from "kysely";

/** Search of contacts by any part of name or number, accents ignored, on an index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists unaccent schema public`.execute(db);
  await sql`create extension if not exists pg_trgm schema public`.execute(db);

  // unaccent() itself is only stable, because its dictionary could be exchanged. Both names are qualified: an index
  // function runs with an empty search path.
  await sql`
    create function folded(text) returns text language sql immutable strict parallel safe
    return public.unaccent('public.unaccent'::regdictionary, lower($1))`.execute(db);
  await sql`grant execute on function folded(text) to prosa_app, prosa_system`.execute(db);

  await sql`create index contacts_search on contacts using gin (folded(name) gin_trgm_ops, number gin_trgm_ops)`.execute(
    db,
  );
}
