import { onServer } from "../backup/index.ts";

/** Is anybody else connected to the server of the URL, to whatever database? */
export async function hasOtherClients(url: string): Promise<boolean> {
  const { rows } = await onServer(url, (client) =>
    client.query("select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()"),
  );
  return rows.length > 0;
}
