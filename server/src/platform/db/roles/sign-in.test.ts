import pg from "pg";
import { expect, inject, onTestFinished, test } from "vitest";
import { createTestDatabase, testLog } from "#server/testing/database.ts";
import { inDatabase, onServer } from "#server/testing/server.ts";
import { loginRoleName, prepareSignIn } from "./sign-in.ts";

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
  const { url } = await createTestDatabase({ closeAfterTest: true });
  expect(await userOf(await prepareSignIn({ url: write(url), log: testLog }))).toBe(`prosa_login_${nameIn(url)}`);
});

test("two databases whose long names begin alike have a user each, and both get in (V-05)", async () => {
  const template = inject("templateUrl");
  const urls: string[] = [];
  for (const end of ["one", "two"]) {
    const name = `prosa_test_${"x".repeat(48)}_${end}`;
    await onServer(template, async (client) => {
      await client.query(`create database ${name} template ${new URL(template).pathname.slice(1)} strategy file_copy`);
    });
    onTestFinished(() => onServer(template, (client) => dropAll(client, name)));
    urls.push(await prepareSignIn({ url: inDatabase(template, name), log: testLog }));
  }
  const users = await Promise.all(urls.map(userOf));
  expect(new Set(users).size).toBe(2);
  // a process that starts again
  expect(await userOf(await prepareSignIn({ url: inDatabase(template, nameIn(urls[0])), log: testLog }))).toBe(
    users[0],
  );
});

test("a role's name fits into 63 bytes, also where a letter has more of them, and a short one is the database's", () => {
  expect(loginRoleName("prosa")).toBe("prosa_login_prosa");
  expect(loginRoleName("x".repeat(51))).toBe(`prosa_login_${"x".repeat(51)}`);
  for (const long of ["x".repeat(52), "ç".repeat(26), `a${"ç".repeat(30)}`]) {
    const name = loginRoleName(long);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
    expect(name).toMatch(/^prosa_login_[axç]+_[0-9a-f]{16}$/);
  }
});

async function userOf(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>("select session_user as name");
  await client.end();
  return rows[0]?.name;
}

const nameIn = (url = "") => new URL(url).pathname.slice(1);

async function dropAll(client: pg.Client, name: string): Promise<void> {
  await client.query(`drop database ${name} with (force)`);
  await client.query(`drop role if exists ${loginRoleName(name)}`);
}
