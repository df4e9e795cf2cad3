import { expect, test } from "vitest";
import { createTestDatabase } from "#server/testing/database.ts";
import type { Ctx } from "../ctx.ts";
import { allowLongTransaction } from "./allow-long-transaction.ts";

const ask = <Row>({ raw }: Ctx, name: string, text: string) => raw<Row>({ name, text }, []);

/** Far shorter than those of the pool, so that the test need not wait for them. */
const SHORT = `select set_config(name, '0', true), set_config(name, '300ms', true) from pg_settings
  where name in ('statement_timeout', 'transaction_timeout')`;

test("a transaction that rewrites a whole history goes on beyond the limits of requests; the next one has these again", async () => {
  const database = await createTestDatabase({ max: 1 });
  try {
    const limits = (ctx: Ctx) =>
      ask<{ limit: string }>(
        ctx,
        "limits",
        "select setting || unit as limit from pg_settings where name in ('statement_timeout', 'transaction_timeout')",
      );
    const before = await database.inCompany(101, limits);
    const slow = (isAllowed: boolean) =>
      database.inCompany(101, async (ctx) => {
        await ask(ctx, "short", SHORT);
        if (isAllowed) {
          await allowLongTransaction(ctx);
        }
        await ask(ctx, "slow", "select pg_sleep(0.6)");
      });
    await slow(true);
    expect(await database.inCompany(101, limits)).toEqual(before);
    await expect(slow(false)).rejects.toThrow(/timeout/);
  } finally {
    await database.drop();
  }
});
