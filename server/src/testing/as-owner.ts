import pg from "pg";

/**
 * Runs statements as the owner of the database: without row-level security and statement timeout, and with VACUUM and
 * ANALYZE, which the role of requests skips with nothing but a warning.
 */
export async function asOwner(url: string, ...statements: string[]): Promise<void> {
  await withOwner(url, async (query) => {
    for (const statement of statements) {
      await query(statement);
    }
  });
}

/** Answers one statement as the owner of the database. */
export async function askAsOwner<Row>(url: string, statement: string, values: readonly unknown[] = []): Promise<Row[]> {
  return withOwner(url, (query) => query(statement, values) as Promise<Row[]>);
}

type Query = (statement: string, values?: readonly unknown[]) => Promise<unknown[]>;

async function withOwner<T>(url: string, work: (query: Query) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(async (statement, values = []) => (await client.query(statement, [...values])).rows as unknown[]);
  } finally {
    await client.end();
  }
}
