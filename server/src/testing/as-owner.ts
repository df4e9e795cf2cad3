import pg from "pg";

/**
 * Runs statements as the owner of the database: without row-level security and statement timeout, and with VACUUM and
 * ANALYZE, which the role of requests skips with nothing but a warning.
 */
export async function asOwner(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) {
      await client.query(statement);
    }
  } finally {
    await client.end();
  }
}
