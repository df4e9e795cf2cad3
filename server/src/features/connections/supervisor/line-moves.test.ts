import { WaSim } from "@prosa/wa-sim";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { linesOf } from "../lines.ts";

/** Several processes with the role lines on one database, and what each of them runs. */
let sim: WaSim;
let apps: TestApp[];
let companyId: number;

beforeEach(async () => {
  sim = await WaSim.start();
  apps = [];
  const { db } = await aProcess();
  const { rows } = await sql<{ id: number }>`insert into companies (name) values ('Padaria') returning id`.execute(
    db.system,
  );
  companyId = rows[0]?.id ?? 0;
});

afterEach(async () => {
  for (const app of apps.toReversed()) {
    linesOf(app.services).supervisor.crash();
    await app.services.processes.stop();
    await app.close();
  }
  await sim.stop();
});

async function aProcess(): Promise<TestApp> {
  const sameDatabaseAs = apps[0];
  const app = await createTestApp({
    ...(sameDatabaseAs && { sameDatabaseAs }),
    env: { WHATSAPP_WS_URL: sim.wsUrl, SIMULATOR: "off" },
  });
  apps.push(app);
  linesOf(app.services).setIngest(async (ctx, _connectionId, events) => {
    for (const event of events) {
      const content = event.type === "message" ? event.message.content : undefined;
      if (content?.kind === "text") {
        ctx.emit({ type: "test.said", payload: { text: content.text } });
      }
    }
  });
  await app.services.processes.start();
  return app;
}

async function started(app: TestApp): Promise<TestApp> {
  await linesOf(app.services).part.start();
  await app.services.processes.ready();
  return app;
}

async function linkedLines(count: number): Promise<string[]> {
  const { db } = apps[0]!;
  const numbers = Array.from({ length: count }, (_, index) => `551199000010${index}`);
  for (const number of numbers) {
    const phone = sim.phone(number, { name: "Loja" });
    const { rows } = await sql<{
      id: number;
    }>`insert into connections (company_id, name) values (${companyId}, ${number})
      returning id`.execute(db.system);
    const id = rows[0]?.id ?? 0;
    await linesOf(apps[0]!.services).supervisor.reconcile();
    const read = async () => (await connections()).find((connection) => connection.id === id);
    await expect.poll(async () => (await read())?.qrcode ?? "").not.toBe("");
    await phone.scan((await read())?.qrcode ?? "");
    await expect.poll(async () => (await read())?.status).toBe("CONNECTED");
  }
  return numbers;
}

async function connections() {
  const { rows } = await sql<{ id: number; status: string; qrcode: string; owner: string | null }>`
    select c.id, c.status, c.qrcode, l.owner
    from connections c left join line_leases l on l.connection_id = c.id order by c.id`.execute(apps[0]!.db.system);
  return rows;
}

/** How many connected lines each process has. */
async function spread(): Promise<number[]> {
  const rows = await connections();
  return apps.map(({ services }) => {
    const { owner } = linesOf(services).supervisor;
    return rows.filter((row) => row.owner === owner && row.status === "CONNECTED").length;
  });
}

async function said(): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select payload ->> 'text' as text from event_log where type = 'test.said'`.execute(apps[0]!.db.system);
  return rows.map(({ text }) => text).toSorted();
}

test("lines are handed over to a process that starts, one at a time, and nothing is lost or doubled (W-05, W-08)", async () => {
  await started(apps[0]!);
  const numbers = await linkedLines(4);
  expect(await spread()).toEqual([4]);
  const { logins } = sim.stats;

  const words: string[] = [];
  let isOver = false;
  const talking = (async () => {
    const ana = sim.person("5511988880001", { name: "Ana" });
    while (!isOver) {
      for (const number of numbers) {
        const text = `palavra ${words.length}`;
        words.push(text);
        await ana.sends(number, text);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  let mostAway = 0;
  const watching = (async () => {
    while (!isOver) {
      const away = (await connections()).filter(({ status }) => status !== "CONNECTED").length;
      mostAway = Math.max(mostAway, away);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();

  await started(await aProcess());
  await expect.poll(spread).toEqual([2, 2]);
  // Even: nothing moves any more.
  await Promise.all(apps.map(({ services }) => linesOf(services).supervisor.reconcile()));
  isOver = true;
  await Promise.all([talking, watching]);
  for (const number of numbers) {
    await sim.settled(number, { timeoutMs: 20_000 });
  }
  expect(await said()).toEqual(words.toSorted());
  expect(mostAway).toBe(1);
  expect(sim.stats.logins - logins).toBe(2);
  expect(await spread()).toEqual([2, 2]);
});

test("the lines of a process that stops go to the others, even above their fair share", async () => {
  await started(apps[0]!);
  await linkedLines(2);
  const second = await started(await aProcess());
  await expect.poll(spread).toEqual([1, 1]);

  await Promise.all([second.services.processes.leave(), linesOf(second.services).part.stop()]);
  await expect.poll(spread).toEqual([2, 0]);
});
