import { pageSize } from "@prosa/contract";
import { sql } from "kysely";
import type { SelectQueryBuilder } from "kysely";
import type { Database } from "./database.ts";

type Rows<TB extends keyof Database, O> = SelectQueryBuilder<Database, TB, O>;

/**
 * One page of the rows whose `name` contains the text, accents and case ignored, in the order of their names, and how many
 * match in all. `select` chooses the columns of the page; the count does without them.
 */
export async function searchByName<TB extends keyof Database, O>(
  all: Rows<TB, object>,
  select: (matching: Rows<TB, object>) => Rows<TB, O>,
  { searchParam, pageNumber }: { readonly searchParam: string; readonly pageNumber: number },
): Promise<{ rows: O[]; count: number }> {
  const matching = all.where(sql<boolean>`(${searchParam} = '' or strpos(folded(name), folded(${searchParam})) > 0)`);
  const [rows, { count }] = await Promise.all([
    select(matching)
      .orderBy(sql`folded(name)`)
      .limit(pageSize.others)
      .offset((pageNumber - 1) * pageSize.others)
      .execute(),
    matching.select((of) => of.fn.countAll<number>().as("count")).executeTakeFirstOrThrow(),
  ]);
  return { rows: rows as O[], count };
}
