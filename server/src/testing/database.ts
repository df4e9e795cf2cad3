import { randomBytes } from "node:crypto";
import { pino } from "pino";
import type { Logger } from "pino";
import { inject, onTestFinished } from "vitest";
import type { Clock } from "#server/platform/clock/index.ts";
import { systemClock } from "#server/platform/clock/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { openDatabase } from "#server/platform/db/index.ts";
import type { Db, DatabaseOptions } from "#server/platform/db/index.ts";
import { inDatabase, onServer } from "./server.ts";

export interface TestDatabase {
  /** URL as the owner of the database. */
  readonly url: string;
  readonly db: Db;
  readonly log: Logger;
  /** A tenant transaction as the system, to arrange and inspect rows. */
  inCompany<T>(companyId: number, work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** Closes the pools and drops the database. */
  drop(): Promise<void>;
}

export const testLog: Logger = pino({ level: process.env["PROSA_TEST_LOG"] ?? "fatal" });

/**
 * A migrated, empty database of its own: call it once in a test file (`beforeAll`) and `drop` it at the end, or in one
 * test with `{ closeAfterTest: true }`.
 */
export async function createTestDatabase(
  options: Partial<DatabaseOptions> & {
    readonly clock?: Clock;
    readonly closeAfterTest?: boolean;
    /** Fills an empty database in place of the clone. */
    readonly fill?: (url: string) => Promise<void>;
  } = {},
): Promise<TestDatabase> {
  const { clock = systemClock, closeAfterTest = false, fill, ...settings } = options;
  const template = inject("templateUrl");
  const name = `prosa_test_${randomBytes(6).toString("hex")}`;
  const source = new URL(template).pathname.slice(1);
  const origin = fill ? "template0 encoding 'UTF8'" : `${source} strategy file_copy`;
  await onServer(template, (client) => client.query(`create database ${name} template ${origin}`));

  const url = inDatabase(template, name);
  await fill?.(url);
  const db = openDatabase({
    url: inDatabase(inject("signInUrl"), name),
    log: testLog,
    max: 8,
    systemMax: 3,
    clock,
    ...settings,
  });
  const database: TestDatabase = {
    url,
    db,
    log: testLog,
    inCompany: (companyId, work) =>
      db.inCompany({ actor: { kind: "system", companyId, reason: "test" }, companyId, log: testLog, clock }, work),
    async drop() {
      await db.close();
      await onServer(template, (client) => client.query(`drop database if exists ${name} with (force)`));
      // Created by processes that were started on it.
      await onServer(template, (client) => client.query(`drop role if exists prosa_login_${name}`));
    },
  };
  if (closeAfterTest) {
    onTestFinished(() => database.drop());
  }
  return database;
}
