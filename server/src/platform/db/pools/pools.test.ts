import { expect, onTestFinished, test } from "vitest";
import { asOwner } from "#server/testing/as-owner.ts";
import { createTestDatabase } from "#server/testing/database.ts";
import { appPool, systemPool } from "./pools.ts";

test("no pool compiles its plans, also on a server of your own that has jit on", async () => {
  const { url, log } = await createTestDatabase({ closeAfterTest: true });
  await asOwner(url, `alter database ${new URL(url).pathname.slice(1)} set jit = on`);
  for (const open of [appPool, systemPool]) {
    const pool = open({ url, log, max: 1 });
    onTestFinished(() => pool.end());
    expect((await pool.query("select current_setting('jit') as jit")).rows).toEqual([{ jit: "off" }]);
  }
});
