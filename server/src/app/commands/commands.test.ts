import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { expect, inject, onTestFinished, test } from "vitest";
import { ConfigError } from "#server/platform/config/index.ts";
import { startEmbedded } from "#server/platform/db/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import { createTestDatabase, testLog } from "#server/testing/database.ts";
import { startS3 } from "#server/testing/s3.ts";
import { onServer } from "#server/testing/server.ts";
import { createOperator } from "#server/features/setup/index.ts";
import {
  runBackup,
  runCompany,
  runDoctor,
  runMoveIn,
  runResetPassword,
  runRestore,
  runSetup,
  runUpgradeDatabase,
} from "./index.ts";
import { resetPassword } from "./reset-password.ts";

const operator = { company: "Casa", email: "chefe@example.com", password: "long enough" };

const mainScript = join(import.meta.dirname, "../../main.ts");
const environment = {
  PATH: process.env["PATH"],
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
  LOG_LEVEL: "warn",
  HOST: "127.0.0.1",
  PORT: "0",
};

/** `main.ts` with these words, to its end. */
async function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [mainScript, ...args], { env: { ...environment, ...env } }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "prosa-commands-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

test("setup, reset-password and restore create no database by default", async () => {
  const dataDir = await folder();
  for (const words of [["setup"], ["reset-password"], ["restore", "prosa-20260301-041000.tar.zst"]]) {
    const { code, stderr } = await run(words, { DATA_DIR: dataDir });
    expect([code, stderr]).toEqual([1, expect.stringContaining("DATABASE_URL: not set, and there is no embedded")]);
  }
  expect(await isThere(join(dataDir, "postgres"))).toBe(false);
});

test("a command makes no secret key: the server has one, and a backup would carry another (E-03)", async () => {
  const database = await createTestDatabase({ closeAfterTest: true });
  const dataDir = await folder();
  for (const words of [
    ["backup", "--no-verify"],
    ["setup", "--code"],
  ]) {
    const { code, stdout, stderr } = await run(words, { DATABASE_URL: database.url, DATA_DIR: dataDir });
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining("SECRET_KEY: not set, and DATA_DIR")]);
  }
  expect(await isThere(join(dataDir, "secret.key"))).toBe(false);
  expect(await isThere(join(dataDir, "backups"))).toBe(false);
});

test("a backup whose secret key is lost is restored by a word, and that says what is lost with it (E-03)", async () => {
  const database = await createTestDatabase();
  await createOperator(database.db, operator);
  // A restore takes the place of a database that nobody is connected to.
  await database.db.close();
  const name = new URL(database.url).pathname.slice(1);
  onTestFinished(() =>
    onServer(inject("templateUrl"), async (client) => {
      const kept = "select datname from pg_database where starts_with(datname, $1)";
      const { rows } = await client.query<{ datname: string }>(kept, [name]);
      for (const { datname } of rows) {
        await client.query(`drop database ${datname} with (force)`);
      }
      await client.query(`drop role if exists prosa_login_${name}`);
    }),
  );
  const env = { DATABASE_URL: database.url, DATA_DIR: await folder() };
  const to = await folder();
  expect(await run(["backup", "--no-verify", "--to", to], { ...env, SECRET_KEY: "k".repeat(32) })).toMatchObject({
    code: 0,
  });
  const file = join(to, (await readdir(to))[0] ?? "");
  expect(await run(["restore", file], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--without-secret-key"),
  });
  expect(await run(["restore", file, "--without-secret-key"], env)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^Restored as of .* all compared\.\nIts secret key is not here: people sign in again/u,
    ),
  });
  expect(await isThere(join(env.DATA_DIR, "secret.key"))).toBe(false);
});

test("an unknown word starts no server, and help is given", async () => {
  const dataDir = await folder();
  for (const [word, code] of [
    ["bakcup", 2],
    ["--help", 0],
  ] as const) {
    const ended = await run([word], { DATA_DIR: dataDir });
    expect([ended.code, ended.stdout + ended.stderr], word).toEqual([
      code,
      expect.stringContaining("upgrade-database"),
    ]);
  }
  expect(await isThere(join(dataDir, "postgres"))).toBe(false);
});

test.each([
  ["backup", ["mine.tar.zst"], runBackup],
  ["backup", ["--destination", "elsewhere"], runBackup],
  ["backup", ["--no-verfiy"], runBackup],
  ["backup", ["--to"], runBackup],
  ["backup", ["--to", ""], runBackup],
  ["backup", ["--to", "mine.tar.zst"], runBackup],
  ["backup", ["--to", "mine.tar.zst.age"], runBackup],
  ["backup", ["--to", "s3:latest"], runBackup],
  ["company", [], runCompany],
  ["company", ["export", "first", "one.tar.zst"], runCompany],
  ["company", ["export", "1", "one.tar.zst", "--dry-run"], runCompany],
  ["company", ["export", "1", "one.tar.zst", "two.tar.zst"], runCompany],
  ["company", ["import", "one.tar.zst", "--dryrun"], runCompany],
  ["company", ["import", "one.tar.zst", "two.tar.zst"], runCompany],
  ["doctor", ["database"], runDoctor],
  ["reset-password", ["a@example.com", "typo"], runResetPassword],
  ["reset-password", ["--email", "a@example.com"], runResetPassword],
  ["restore", [], runRestore],
  ["restore", ["one.tar.zst", "two.tar.zst"], runRestore],
  ["restore", ["one.tar.zst", "--embeded"], runRestore],
  ["setup", ["--embeded"], runSetup],
  ["upgrade-database", ["--postgress", "elsewhere"], runUpgradeDatabase],
  ["move-in", ["--form", "postgres://h/d"], runMoveIn],
])(
  "words that %s does not know, %j, are refused with its usage before anything is opened (E-03)",
  async (name, words, command) => {
    const refused = command(words);
    await expect(refused).rejects.toThrow(ConfigError);
    await expect(refused).rejects.toThrow(new RegExp(`\nnpm run ${name}( |$)`, "u"));
  },
);

test("what a command refuses is no start of Prosa, and no setting is wrong (E-03)", async () => {
  const dataDir = await folder();
  const { code, stdout, stderr } = await run(["backup", "mine.tar.zst"], { DATA_DIR: dataDir });
  expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(/^Unexpected argument 'mine\.tar\.zst'/u)]);
  expect(stderr).toMatch(/\nnpm run backup \[-- --to FOLDER\|s3\] \[--no-verify\]\n$/u);
  expect(await readdir(dataDir)).toEqual([]);
});

test("a folder that a backup or an archive cannot be written to is told in words, with its reason (E-03)", async () => {
  const { url } = await createTestDatabase({ closeAfterTest: true });
  const env = { DATABASE_URL: url, DATA_DIR: await folder(), SECRET_KEY: "k".repeat(32) };
  const file = join(await folder(), "file");
  await writeFile(file, "");
  for (const [words, more] of [
    [["backup", "--to", file], {}],
    [["backup"], { BACKUP_DIR: file }],
  ] as const) {
    const { code, stdout, stderr } = await run(words, { ...env, ...more });
    expect([code, stdout, stderr]).toEqual([1, "", `Folder of backups: ${file} cannot be made: it is a file\n`]);
  }
  const missing = join(file, "archives");
  const { code, stderr } = await run(["company", "export", "1", join(missing, "one.tar.zst")], env);
  expect([code, stderr]).toEqual([
    1,
    `Folder of the archive: ${missing} cannot be written to: a part of its path is a file\n`,
  ]);
  const archives = await folder();
  for (const words of [
    ["export", "1", archives],
    ["import", archives],
  ]) {
    const refused = await run(["company", ...words], env);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(`${archives}: is a folder. Name the archive in it.\nnpm run company`);
  }
});

test("a restore from a bucket beside a Prosa that still runs is refused before the download, and a mistyped name before that (E-03)", async () => {
  const { url } = await createTestDatabase({ closeAfterTest: true });
  const running = new pg.Client({ connectionString: url });
  await running.connect();
  onTestFinished(() => running.end());
  const { settings, objects } = await startS3();
  const env = {
    DATABASE_URL: url,
    DATA_DIR: await folder(),
    BACKUP_BUCKET: settings.bucket,
    S3_ENDPOINT: settings.endpoint ?? "",
    S3_PATH_STYLE: "on",
    BACKUP_S3_ACCESS_KEY_ID: "a",
    BACKUP_S3_SECRET_ACCESS_KEY: "s",
  };
  // Whoever downloads it says that it is no backup.
  objects.set("/b/prosa-backups/prosa-20260301-041000.tar.zst", Buffer.from("downloaded"));
  for (const [given, refusal] of [
    ["s3:prosa-20260302-041000.tar.zst", "there is no such backup in the bucket"],
    ["s3:prosa-20260301-041000.tar.zst", "is in use. Stop every process of Prosa"],
    ["s3:latest", "is in use. Stop every process of Prosa"],
  ] as const) {
    expect(await run(["restore", given], env), given).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(refusal),
    });
  }
  expect(await readdir(env.DATA_DIR)).toEqual([]);
});

test("a DATA_DIR that belongs to an external database is not set up, nor started in production, without DATABASE_URL", async () => {
  const dataDir = await folder();
  await writeFile(join(dataDir, "database"), "db:5432/prosa\n");
  const setup = await run(["setup"], { DATA_DIR: dataDir });
  const start = await run([], { DATA_DIR: dataDir, NODE_ENV: "production" });
  for (const { code, stderr } of [setup, start]) {
    expect([code, stderr]).toEqual([1, expect.stringContaining("belongs to the database db:5432/prosa")]);
  }
  expect(await isThere(join(dataDir, "postgres"))).toBe(false);
});

test("reset-password works beside a running embedded database; a start that fails leaves none running", async () => {
  const dataDir = await folder();
  const home = join(dataDir, "postgres");
  const running = await startEmbedded({ dataDir: home, log: testLog });
  onTestFinished(() => running.stop());
  const pidOf = () => readFile(join(home, "postgres", "postmaster.pid"), "utf8").then((text) => text.split("\n")[0]);
  const pid = await pidOf();
  const env = { DATA_DIR: dataDir, OPERATOR_EMAIL: operator.email, OPERATOR_PASSWORD: operator.password };
  expect(await run(["setup"], env)).toMatchObject({ code: 0 });
  expect(await run(["reset-password"], { DATA_DIR: dataDir, NEW_PASSWORD: "another one" })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${operator.email} may sign in with the new password`),
  });
  expect(await pidOf()).toBe(pid);

  const owner = new pg.Client({ connectionString: running.url });
  await owner.connect();
  await owner.query("insert into kysely_migration (name, timestamp) values ('9999_later', now()::text)");
  await owner.query("update schema_release set version = '99.0.0', works_beside = '98.0.0'");
  await owner.end();
  await running.stop();
  const failed = await run([], { DATA_DIR: dataDir, NODE_ENV: "production" });
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining("release 99.0.0")]);
  expect(await isThere(join(home, "postgres", "postmaster.pid"))).toBe(false);
});

test("whoever started the embedded database leaves it running while others are connected, as a backup may be", async () => {
  const dataDir = await folder();
  const home = join(dataDir, "postgres");
  const env = { DATA_DIR: dataDir, OPERATOR_EMAIL: operator.email, OPERATOR_PASSWORD: operator.password };
  expect(await run(["setup", "--embedded"], env)).toMatchObject({ code: 0 });
  expect(await isThere(join(home, "postgres", "postmaster.pid"))).toBe(false);

  const doctor = run(["doctor"], { DATA_DIR: dataDir });
  await expect.poll(() => isThere(join(home, "postgres", "postmaster.pid"))).toBe(true);
  const neighbour = await startEmbedded({ dataDir: home, log: testLog });
  onTestFinished(() => neighbour.stop());
  const client = new pg.Client({ connectionString: neighbour.url });
  client.on("error", () => undefined);
  await client.connect();
  expect(await doctor).toMatchObject({ stdout: expect.stringContaining("database") });
  expect((await client.query("select 7 as n")).rows).toEqual([{ n: 7 }]);
  await client.end();
});

test("reset-password on an external database without a running server", async () => {
  const database = await createTestDatabase({ closeAfterTest: true });
  await createOperator(database.db, operator);
  const env = { DATABASE_URL: database.url, DATA_DIR: await folder() };
  expect(await run(["reset-password"], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("NEW_PASSWORD: set it"),
  });
  const nobody = await run(["reset-password", "who@example.com"], { ...env, NEW_PASSWORD: "another one" });
  expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining("nobody with the e-mail who@example.com") });
});

test("a new password ends every session of the old one", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  await createOperator(app.db, operator);
  const signIn = (password: string) =>
    app.as(undefined).post<{ token: string }>("/auth/login", { email: operator.email, password });
  const { body } = await signIn(operator.password);
  const me = () => app.as(undefined).get("/auth/me", { authorization: `Bearer ${body.token}` });
  expect((await me()).status).toBe(200);

  expect(await resetPassword(app.db, { email: operator.email, password: "another one" })).toBe(true);
  expect(await resetPassword(app.db, { email: "who@example.com", password: "another one" })).toBe(false);
  await app.settle();
  expect((await me()).status).toBe(401);
  expect((await signIn(operator.password)).status).toBe(401);
  expect((await signIn("another one")).status).toBe(200);
});

test("a production without an operator says how to make one, signs in as an ordinary user, and keeps DATA_DIR closed", async () => {
  const database = await createTestDatabase({ closeAfterTest: true });
  const dataDir = join(await folder(), "data");
  const product = spawn(process.execPath, [mainScript], {
    env: {
      ...environment,
      NODE_ENV: "production",
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      SECRET_KEY: "k".repeat(32),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void product.kill("SIGKILL"));
  let output = "";
  product.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await expect.poll(() => output).toContain("npm run setup");
  // the code of the first page, in the log and by the command
  const code = /with the code ([0-9A-Z]{5}-[0-9A-Z]{5})/u.exec(output)?.[1] ?? "none";
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, SECRET_KEY: "k".repeat(32) };
  expect(await run(["setup", "--code"], env)).toMatchObject({ code: 0, stdout: `${code}\n` });

  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  const { rows } = await database.db.systemTx((tx) =>
    sql`select distinct usename from pg_stat_activity where datname = current_database()
      and usename is not null -- autovacuum has none`.execute(tx.db),
  );
  const ofTest = `prosa_login_${new URL(inject("templateUrl")).pathname.slice(1)}`;
  const ofProcess = `prosa_login_${new URL(database.url).pathname.slice(1)}`;
  expect(rows.map((row) => (row as { usename: string }).usename).toSorted()).toEqual([ofTest, ofProcess].toSorted());
  const exited = once(product, "exit");
  product.kill("SIGTERM");
  await exited;
});

test.each([[[]], [["setup", "--embedded"]]])(
  "a signal during the start of %j leaves no database running",
  async (args) => {
    const dataDir = await folder();
    const product = spawn(process.execPath, [mainScript, ...args], {
      env: { ...environment, DATA_DIR: dataDir, NODE_ENV: "test" },
      stdio: "ignore",
    });
    onTestFinished(() => void product.kill("SIGKILL"));
    const exited = once(product, "exit");
    const pidFile = join(dataDir, "postgres", "postgres", "postmaster.pid");
    // It begins with initdb, which takes more than a minute on a machine that is busy with much else.
    await expect.poll(() => isThere(pidFile), { timeout: 200_000 }).toBe(true);
    product.kill("SIGTERM");
    await exited;
    expect(await isThere(pidFile)).toBe(false);
  },
  240_000,
);

test("a second start on a taken port ends before it takes any work", async () => {
  const database = await createTestDatabase({ closeAfterTest: true });
  const taken = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void taken.close());
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const env = { DATABASE_URL: database.url, DATA_DIR: await folder(), NODE_ENV: "test", HOST: "localhost" };
  const { code, stderr } = await run([], { ...env, PORT: String(port), LOG_LEVEL: "info" });
  expect([code, stderr]).toEqual([1, expect.stringContaining(`another program listens on ${port}`)]);
  const { rows } = await database.db.systemTx((tx) => sql`select from processes`.execute(tx.db));
  expect(rows).toEqual([]);
});
