import type { Connection } from "@prosa/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aUser } from "#server/testing/factories.ts";
import type { TestCompany } from "#server/testing/factories.ts";
import { waitUntil } from "#server/testing/wait-until.ts";
import type { LineLimit } from "#server/whatsapp/port.ts";
import { lineLimitChanged } from "../connections.events.ts";
import { getConnection } from "../connections.service.ts";
import { changeState } from "../connections.state.ts";
import { createDriverHost } from "../driver-host/index.ts";
import { lockEnd } from "../line-limit.ts";
import { confirmNumber } from "../session/index.ts";
import { changeLimit, countFailures, countStart, readLineHealth, readLineLimit } from "./index.ts";

let app: TestApp;
const clock = createMovedClock("2026-11-18T12:00:00Z");
beforeAll(async () => {
  app = await createTestApp({ clock });
});
afterAll(() => app.close());

const MINUTE = 60_000;

async function aLine() {
  const company = await aCompany(app);
  const { id } = await aConnection(company, { number: "5511999990000" });
  return { company, id };
}

function lockFor(ms: number): LineLimit {
  const until = new Date(clock.now().getTime() + ms);
  return { kind: "newChats", isActive: true, until, cause: "quality" };
}

const endOfLock = (company: TestCompany, id: number) =>
  company.inside(async (ctx) => lockEnd(await readLineLimit(ctx, id), ctx.now()));
const ageDays = (company: TestCompany, id: number) =>
  company.inside(async (ctx) => {
    const { rows } = await sql<{ linkedAt: Date | null }>`
      select linked_at as "linkedAt" from connections where id = ${id}`.execute(ctx.db);
    const since = rows[0]?.linkedAt;
    return since && (ctx.now().getTime() - since.getTime()) / (24 * 60 * MINUTE);
  });
const health = (company: TestCompany, id: number) => company.inside((ctx) => readLineHealth(ctx, id));

async function aDriverHost(company: TestCompany, connectionId: number) {
  const owner = app.services.processes.name;
  await app.db.system
    .insertInto("line_leases")
    .values({ connection_id: connectionId, company_id: company.id, owner, leased_until: new Date("2100-01-01") })
    .execute();
  return createDriverHost({
    services: app.services,
    companyId: company.id,
    connectionId,
    round: 0,
    owner,
    ingest: async () => undefined,
    onTyping: () => undefined,
    onStateChange: () => undefined,
    onEnded: () => undefined,
    onLeaseLost: () => undefined,
  });
}

describe("a limit", () => {
  test("reaches who waits for it and every screen, and is over at its end without a word (P-04)", async () => {
    const { company, id } = await aLine();
    const desk = await app.connect(await aUser(company));
    const host = await aDriverHost(company, id);

    host.onLimit(lockFor(30 * MINUTE));
    await host.flushed();
    await app.settle();

    const event = `company-${company.id}-whatsapp`;
    expect((await desk.next(event)).payload).toMatchObject({
      action: "update",
      whatsapp: { id, health: { state: "limited", cause: "quality" } },
    });
    expect(await endOfLock(company, id)).toEqual(new Date(clock.now().getTime() + 30 * MINUTE));

    clock.advance({ minutes: 30 });
    expect(await endOfLock(company, id)).toBeNull();
    await app.settle();
    const after = await company.inside((ctx) => getConnection(ctx, id));
    expect(after.health).toEqual({ state: "good", cause: null, until: null, quota: null });
    expect((await health(company, id)).signals.map(({ kind }) => kind)).toEqual(["timeLockEnded", "timeLock"]);
    desk.close();
  });

  test("that is reported again changes nothing and tells nobody (P-04)", async () => {
    const { company, id } = await aLine();
    const changes = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from event_log
        where company_id = ${company.id} and type = ${lineLimitChanged}`.execute(app.db.system);
      return rows[0]?.count;
    };
    const limit = lockFor(30 * MINUTE);
    await company.inside((ctx) => changeLimit(ctx, id, limit));
    await company.inside((ctx) => changeLimit(ctx, id, limit));
    expect(await changes()).toBe(1);
    await company.inside((ctx) =>
      changeLimit(ctx, id, { kind: "newChats", isActive: false, until: null, cause: null }),
    );
    await company.inside((ctx) =>
      changeLimit(ctx, id, { kind: "newChats", isActive: false, until: null, cause: null }),
    );
    expect(await changes()).toBe(2);
  });

  test("is another one with another number, whose age begins anew (P-04)", async () => {
    const { company, id } = await aLine();
    await company.inside((ctx) => changeLimit(ctx, id, lockFor(30 * MINUTE)));
    clock.advance({ days: 3 });
    const age = () => ageDays(company, id);
    expect(await age()).toBe(3);

    // The same number again is the same line.
    await company.inside((ctx) => changeState(ctx, id, { status: "CONNECTED", number: "5511999990000", lid: null }));
    expect(await age()).toBe(3);

    await company.inside((ctx) => changeLimit(ctx, id, lockFor(30 * MINUTE)));
    await company.inside((ctx) =>
      changeState(ctx, id, { status: "DISCONNECTED", reason: "otherNumber", detail: "5511988887777" }),
    );
    await company.inside((ctx) => confirmNumber(ctx, id, true));
    expect(await age()).toBe(0);
    expect(await endOfLock(company, id)).toBeNull();
  });

  test("of a line from before its age was written down: it is old (P-04)", async () => {
    const company = await aCompany(app);
    const { id } = await aConnection(company);
    expect(await ageDays(company, id)).toBeNull();
  });

  test("of another company cannot be read (P-04)", async () => {
    const [mine, theirs] = [await aLine(), await aLine()];
    await theirs.company.inside((ctx) => changeLimit(ctx, theirs.id, lockFor(30 * MINUTE)));
    expect(await mine.company.inside((ctx) => readLineLimit(ctx, theirs.id))).toMatchObject({ lockedUntil: null });
  });
});

describe("the days of a line", () => {
  test("count starts, refusals, failures and disconnections; files that cannot be read say nothing (P-04)", async () => {
    const { company, id } = await aLine();
    expect(await company.inside((ctx) => countStart(ctx, id))).toBe(1);
    expect(await company.inside((ctx) => countStart(ctx, id))).toBe(2);
    await company.inside((ctx) => countFailures(ctx, id, "limited", 3));
    await company.inside((ctx) => countFailures(ctx, id, "devices", 1));
    await company.inside((ctx) => countFailures(ctx, id, "file", 1));

    const host = await aDriverHost(company, id);
    host.onState({ status: "CONNECTED", number: "5511999990000", lid: null });
    host.onNote("closed", "428 cut");
    host.onState({ status: "OPENING" });
    host.onNote("closed", "408");
    host.onState({ status: "OPENING" });
    host.onState({ status: "DISCONNECTED", reason: "banned", detail: "" });
    await host.flushed();

    const { days, signals } = await health(company, id);
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toMatchObject({ started: 2, refused: 3, failed: 1, disconnected: 2 });
    expect(days.at(-2)).toMatchObject({ started: 0, refused: 0, failed: 0, disconnected: 0 });
    expect(signals.map(({ kind, detail }) => `${kind} ${detail}`).toSorted()).toEqual([
      "banned banned",
      "disconnected network",
      "failedSend devices",
      "refused limited",
    ]);
  });

  test("a storm of refusals is counted in full and told once a minute (P-04)", async () => {
    const { company, id } = await aLine();
    for (let index = 0; index < 20; index += 1) {
      await company.inside((ctx) => countFailures(ctx, id, "limited", 1));
    }
    clock.advance({ minutes: 2 });
    await company.inside((ctx) => countFailures(ctx, id, "limited", 1));
    const { days, signals } = await health(company, id);
    expect([days.at(-1)?.refused, signals.length]).toEqual([21, 2]);
  });

  test("are told to open screens as they are counted (P-04)", async () => {
    const { company, id } = await aLine();
    const desk = await app.connect(company.admin);
    await company.inside((ctx) => countFailures(ctx, id, "limited", 1));
    await waitUntil(async () => {
      await app.settle();
      return desk.packets.some(
        ({ payload }) => (payload as { whatsapp?: Connection } | undefined)?.whatsapp?.id === id,
      );
    });
    desk.close();
  });
});
