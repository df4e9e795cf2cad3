import pg from "pg";

/** Returns the plan of a statement, line by line. Rejects if requests of a company may not run it. */
type Planner = (statement: string) => Promise<string[]>;

/** random_page_cost for solid state disks; the embedded server uses the same value. */
export const RANDOM_READ = 1.1;

/**
 * Generic plans of statements, under the role and the row-level security of a company's requests. Uses prepared
 * statements, because EXPLAIN (GENERIC_PLAN) needs PostgreSQL 16.
 */
export async function planAsRequest<T>(
  { url, companyId }: { readonly url: string; readonly companyId: number },
  work: (plan: Planner) => Promise<T>,
): Promise<T> {
  const settings = {
    role: "prosa_app",
    "app.company_id": companyId,
    plan_cache_mode: "force_generic_plan",
    random_page_cost: RANDOM_READ,
  };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const client = new pg.Client({ connectionString: url, options: options.join(" ") });
  await client.connect();
  try {
    return await work((statement) => genericPlan(client, statement));
  } finally {
    await client.end();
  }
}

async function genericPlan(client: pg.Client, statement: string): Promise<string[]> {
  await client.query(`prepare planned as ${statement}`);
  try {
    const { rows: prepared } = await client.query<{ parameters: number }>(
      "select cardinality(parameter_types) as parameters from pg_prepared_statements where name = 'planned'",
    );
    const nulls = Array(prepared[0]?.parameters ?? 0).fill("null");
    // EXPLAIN without ANALYZE does not run the statement.
    const values = nulls.length > 0 ? `(${nulls.join(", ")})` : "";
    const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain execute planned ${values}`);
    return rows.map((row) => row["QUERY PLAN"]);
  } finally {
    await client.query("deallocate planned");
  }
}
