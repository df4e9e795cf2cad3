import pg from "pg";
import { inject, expect, test } from "vitest";
import { inDatabase } from "#server/testing/server.ts";
import { classifyInfrastructureError, WriteInRead } from "./infrastructure-errors.ts";

const withCode = (code: string) => Object.assign(new Error("told by its code"), { code });
const pool = (url: string, settings: pg.PoolConfig = {}) => {
  const made = new pg.Pool({ connectionString: url, max: 1, ...settings });
  made.on("error", () => undefined);
  return made;
};
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test.each([
  ...["08000", "08003", "08006", "57P01", "57P02", "57P03", "53300", "53200", "ECONNRESET", "EPIPE", "ETIMEDOUT"],
  ...["40001", "40P01", "55P03", "57014", "25P03", "25006"],
])("%s means that the database is unavailable or overloaded (E-03)", (code) => {
  expect(classifyInfrastructureError(withCode(code))).toBe("unavailable");
});

test.each(["53100", "ENOSPC", "EDQUOT", "XMinioStorageFull"])("%s means that the storage is full (E-03)", (code) => {
  expect(classifyInfrastructureError(withCode(code))).toBe("storage full");
  expect(classifyInfrastructureError(new Error("the upload failed", { cause: withCode(code) }))).toBe("storage full");
});

test.each(["23505", "42703", "22P02", "ENOENT", ""])("%s is an error of the program", (code) => {
  expect(classifyInfrastructureError(withCode(code))).toBeUndefined();
  expect(classifyInfrastructureError(new TypeError("x is undefined"))).toBeUndefined();
  expect(classifyInfrastructureError("text")).toBeUndefined();
});

test("a write in a read of ours is an error of the program", () => {
  const refused = new WriteInRead("cannot execute UPDATE in a read-only transaction", { cause: withCode("25006") });
  expect(classifyInfrastructureError(refused)).toBeUndefined();
});

test("a database that does not run is unavailable, also with a Unix socket (E-03)", async () => {
  const gone = pool("postgres://nobody@localhost/none?host=/tmp/no-such-folder");
  const error = await errorOf(gone.query("select 1"));
  expect(error).toMatchObject({ code: "ENOENT" });
  expect(classifyInfrastructureError(error)).toBe("unavailable");
  expect(classifyInfrastructureError(withCode("ENOENT"))).toBeUndefined();
  await gone.end();
});

test("messages of the driver about a lost connection are recognized, though they have no code (E-03)", async () => {
  const url = inDatabase(inject("templateUrl"), "postgres");

  const ended = pool(url);
  await ended.end();
  expect(classifyInfrastructureError(await errorOf(ended.query("select 1")))).toBe("unavailable");

  const busy = pool(url);
  const held = await busy.connect();
  // Only now: how long a connection takes is the machine's business.
  (busy as unknown as { options: pg.PoolConfig }).options.connectionTimeoutMillis = 20;
  expect(classifyInfrastructureError(await errorOf(busy.query("select 1")))).toBe("unavailable");

  held.on("error", () => undefined);
  const torn = errorOf(held.query("select pg_sleep(60)"));
  (held as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  expect(classifyInfrastructureError(await torn)).toBe("unavailable");
  expect(classifyInfrastructureError(await errorOf(held.query("select 1")))).toBe("unavailable");
  held.release(true);
  await busy.end();
});
