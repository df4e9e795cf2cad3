import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { onTestFinished } from "vitest";

/** Stands before PostgreSQL; `swallow` lets the connections of now live and passes nothing on, as a firewall that forgot them. */
export async function aFirewall(url: string) {
  let connections = 0;
  let forgetting: (() => void)[] = [];
  const { host, port } = new pg.Client({ connectionString: url });
  const server = createServer((client) => {
    connections += 1;
    const behind = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    client.pipe(behind).pipe(client);
    forgetting.push(() => {
      client.unpipe().resume();
      behind.unpipe().resume();
    });
    client.on("error", () => undefined).on("close", () => behind.destroy());
    behind.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const through = new URL(url);
  ["host", "port"].forEach((name) => through.searchParams.delete(name));
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: through.href,
    connections: () => connections,
    swallow() {
      forgetting.forEach((forget) => forget());
      forgetting = [];
    },
  };
}
