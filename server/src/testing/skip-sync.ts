import pg from "pg";

/** Commits wait for no disk from now on. Only for tests: their data need not survive a crash of the machine. */
export async function skipSync(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("alter system set fsync = off");
    await client.query("select pg_reload_conf()");
  } finally {
    await client.end();
  }
}
