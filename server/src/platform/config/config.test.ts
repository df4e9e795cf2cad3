import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ConfigError, readConfig } from "./config.ts";
import { secretKeys } from "./secret-key.ts";
import { settings, settingsTable } from "./settings.ts";
import { documentedTable } from "./write-docs.ts";

const root = join(import.meta.dirname, "../../../..");
const key = "k".repeat(32);
const production = { NODE_ENV: "production", SECRET_KEY: key };

test("an empty environment is a working desk", () => {
  expect(readConfig({})).toMatchObject({
    port: 8080,
    dataDir: resolve("data"),
    databaseUrl: undefined,
    roles: new Set(["http", "realtime", "worker", "lines"]),
    demo: { seed: true, people: true },
    whatsapp: { wsUrl: undefined, simulator: true },
    limits: { uploadBytes: 64 * 1024 * 1024, bodyBytes: 1024 * 1024, sessionSockets: 20 },
    s3: undefined,
    trustProxy: false,
  });
});

test("an empty value counts as absent", () => {
  expect(readConfig({ PORT: "", DATABASE_URL: " " })).toMatchObject({ port: 8080, databaseUrl: undefined });
});

test.each([
  [{ PORT: "eighty" }, "PORT: must be a number"],
  [{ PORT: "70000" }, /^PORT: must be from 0 to 65535$/],
  [{ PORT: "-1" }, /^PORT: must be from 0 to 65535$/],
  [{ PORT: "8080.5" }, /^PORT: must be a whole number$/],
  [{ BACKUP_HOUR: "25" }, /^BACKUP_HOUR: must be from 0 to 23$/],
  [{ DATABASE_CONNECTIONS: "0" }, /^DATABASE_CONNECTIONS: must be from 2 to 500$/],
  [{ OTEL_TRACES_SAMPLER_ARG: "3" }, /^OTEL_TRACES_SAMPLER_ARG: must be from 0 to 1$/],
  [{ DATABASE_URL: "mysql://x" }, /^DATABASE_URL: must be an address that starts with postgres:/],
  [{ DATABASE_URL: "postgres://prosa:xY/9k=@db/prosa" }, /^DATABASE_URL: is not an address; in a password .* %2F/],
  [{ ROLES: "http,cooking" }, /ROLES.*http,realtime,worker,lines/],
  [{ SECRET_KEY: "short" }, /SECRET_KEY.*32 characters/],
  [{ DEMO: "perhaps" }, "DEMO: must be on or off"],
  [{ WHATSAPP_VERSION: "new" }, /WHATSAPP_VERSION: must look like/],
  [{ S3_BUCKET: "b", S3_ACCESS_KEY_ID: "x" }, /S3_ACCESS_KEY_ID: goes together/],
  [{ ...production, WHATSAPP_WS_URL: "ws://localhost:1" }, /WHATSAPP_WS_URL: refused in production/],
  [{ NODE_ENV: "production", DATABASE_URL: "postgres://h/d" }, /SECRET_KEY: required in production/],
  [{ ...production, DEMO: "on" }, /DEMO: refused in production/],
  [{ ...production, SIMULATOR: "on" }, /SIMULATOR: refused in production/],
])("%j is refused in words", (env, message) => {
  expect(() => readConfig(env)).toThrow(ConfigError);
  expect(() => readConfig(env)).toThrow(message);
});

test("every mistake is named at once", () => {
  expect(() => readConfig({ PORT: "x", LOG_LEVEL: "loud" })).toThrow(/PORT[\s\S]*LOG_LEVEL/);
});

test("production has no demo, no simulator, and shows its API only when asked", () => {
  expect(readConfig(production)).toMatchObject({
    demo: { seed: false },
    whatsapp: { simulator: false },
    hasApiDocs: false,
  });
  expect(readConfig({ ...production, API_DOCS: "on" }).hasApiDocs).toBe(true);
});

test.each(["yes", "0", "-1", "100", "10.0.0.0/33", "10.0.0.300", "proxy.example.com", "loopback,", "::1/129"])(
  "TRUST_PROXY=%s is refused in words",
  (value) => {
    expect(() => readConfig({ TRUST_PROXY: value })).toThrow(/^TRUST_PROXY: must be on, off, the number of proxies/);
  },
);

test.each(["on", "off", "2", "127.0.0.1", "10.0.0.1, 192.168.0.0/16", "loopback,fd00::/8"])(
  "TRUST_PROXY=%s can be used",
  (value) => {
    expect(() => readConfig({ TRUST_PROXY: value })).not.toThrow();
  },
);

test("a database server is never filled with the demo", () => {
  expect(readConfig({ DATABASE_URL: "postgres://h/d", DEMO: "on" }).demo.seed).toBe(false);
});

test("outside production a line may be pointed at another server", () => {
  expect(
    readConfig({ WHATSAPP_WS_URL: "wss://127.0.0.1:9000/ws", WHATSAPP_VERSION: "2.3000.1" }).whatsapp,
  ).toMatchObject({
    wsUrl: "wss://127.0.0.1:9000/ws",
    version: [2, 3000, 1],
  });
});

test("the key of the first start is kept, for its owner's eyes only", async () => {
  const folder = await mkdtemp(join(tmpdir(), "prosa-key-"));
  const config = readConfig({ DATA_DIR: join(folder, "data") });
  const [first = ""] = secretKeys(config);
  expect(Buffer.from(first, "base64url")).toHaveLength(32);
  expect(secretKeys(config)).toEqual([first]);
  expect((await stat(join(folder, "data/secret.key"))).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder, "data"))).toEqual(["secret.key"]);
  // A full disk, or the power gone before it was written.
  await writeFile(join(folder, "data/secret.key"), "");
  expect(() => secretKeys(config)).toThrow(/secret\.key is cut off, it has 0 of at least 32 characters/u);
  await rm(folder, { recursive: true });
});

test("an invalid setting ends the process with exit code 1 and its name", async () => {
  const run = promisify(execFile)(process.execPath, [join(root, "server/src/main.ts")], {
    env: { ...process.env, PORT: "eighty" },
  });
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: "Prosa cannot start with these settings:\nPORT: must be a number\n",
  });
});

test("docs/operations.md lists every setting, as it is now", async () => {
  const page = await readFile(join(root, "docs/operations.md"), "utf8");
  expect(withoutPadding(documentedTable(page))).toBe(withoutPadding(settingsTable()));
  expect(Object.keys(settings).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

/** Prettier aligns the columns of the page. */
function withoutPadding(table: string): string {
  return table.replaceAll(/ *\| */g, "|").replaceAll(/-+/g, "-");
}
