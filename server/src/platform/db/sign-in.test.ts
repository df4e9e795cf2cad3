import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase, testLog } from "#server/testing/database.ts";
import { prepareSignIn } from "./sign-in.ts";

/** The same address as libpq writes it for a socket: without a host, all in parameters. */
function withoutHost(url: string): string {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const parts = { host: hostname, port, user: decodeURIComponent(username), password: decodeURIComponent(password) };
  return `postgres://${pathname}?${new URLSearchParams({ ...parts, ...Object.fromEntries(searchParams) }).toString()}`;
}

test.each([
  ["with a host", (url: string) => url],
  ["without one", withoutHost],
])("a process signs in as its own user by an address %s", async (_, write) => {
  const { url } = await createTestDatabase({ forThisTest: true });
  const client = new pg.Client({ connectionString: await prepareSignIn({ url: write(url), log: testLog }) });
  await client.connect();
  const { rows } = await client.query("select session_user as name");
  await client.end();
  expect(rows).toEqual([{ name: `prosa_login_${new URL(url).pathname.slice(1)}` }]);
});
