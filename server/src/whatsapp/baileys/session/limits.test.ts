import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { WaSim } from "@prosa/wa-sim";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { OWNER, aConnectedLine } from "#server/testing/sim-line.ts";
import type { SimLine, SimLineOptions } from "#server/testing/sim-line.ts";
import type { LineLimit } from "../../port.ts";
import { quotaOf, timeLockOf } from "./limits.ts";

vi.setConfig({ testTimeout: 60_000 });

const HOUR = 3_600_000;
const now = new Date("2026-11-18T12:00:00Z");

describe("the translation", () => {
  test("says the cause in neutral words, and assumes a minute where no end is said (P-04)", () => {
    const lock = (enforcementType: string) =>
      timeLockOf({ isActive: true, enforcementType } as Parameters<typeof timeLockOf>[0], now);
    expect(lock("BIZ_QUALITY")).toEqual({
      kind: "newChats",
      isActive: true,
      until: new Date(now.getTime() + 60_000),
      cause: "quality",
    });
    expect(lock("BIZ_COMMERCE_VIOLATION_DRUGS")).toMatchObject({ cause: "policy" });
    expect(lock("WEB_COMPANION_ONLY")).toMatchObject({ cause: "linkedDevices" });
    expect(lock("DEFAULT")).toMatchObject({ cause: null });
    expect(timeLockOf({ isActive: false }, now)).toEqual({
      kind: "newChats",
      isActive: false,
      until: null,
      cause: null,
    });
  });

  test("reads the end of a cycle in seconds or in milliseconds (P-04)", () => {
    const until = new Date(now.getTime() + HOUR);
    const quota = (cycle_end_timestamp: unknown) =>
      quotaOf({ capping_status: "CAPPED", total_quota: 100, used_quota: "100", cycle_end_timestamp }, now);
    const expected = { kind: "quota", level: "capped", used: 100, total: 100, until };
    expect(quota(String(until.getTime() / 1_000))).toEqual(expected);
    expect(quota(until.getTime())).toEqual(expected);
    expect(quota("soon")).toEqual({ ...expected, until: null });
  });

  test("of garbage is null or a limit that can be stored (P-04)", () => {
    const isStorable = (limit: LineLimit | null) => {
      const counts = limit?.kind === "quota" ? [limit.used, limit.total] : [];
      const until = limit?.until?.getTime() ?? 1;
      return (
        counts.every((count) => count === null || (count >= 0 && count <= 2_147_483_647)) &&
        Number.isFinite(until) &&
        until > 0
      );
    };
    const field = fc.oneof(fc.anything(), fc.double(), fc.string(), fc.maxSafeInteger());
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record(quotaFields(field), { requiredKeys: [] })), (info) =>
        isStorable(quotaOf(info, now)),
      ),
    );
    fc.assert(
      fc.property(fc.boolean(), fc.option(fc.date({ noInvalidDate: false })), field, (isActive, end, type) =>
        isStorable(
          timeLockOf(
            { isActive, ...(end && { timeEnforcementEnds: end }), enforcementType: type } as Parameters<
              typeof timeLockOf
            >[0],
            now,
          ),
        ),
      ),
    );
  });
});

const quotaFields = <T>(field: T) => ({
  capping_status: field,
  total_quota: field,
  used_quota: field,
  cycle_end_timestamp: field,
});

const newWaId = () => `3EB0${randomBytes(9).toString("hex").toUpperCase()}`;

async function aLine(options?: SimLineOptions): Promise<SimLine> {
  const made = await aConnectedLine(options);
  onTestFinished(() => made.end());
  return made;
}

function send({ line }: Pick<SimLine, "line">, number: string): Promise<string> {
  return line.send(newWaId(), { kind: "phone", value: number }, { kind: "text", text: "oi" }).then(
    () => "sent",
    (error: { reason?: string }) => error.reason ?? "?",
  );
}

const isLock = (limit: LineLimit, isActive: boolean) => limit.kind === "newChats" && limit.isActive === isActive;
const isLevel = (limit: LineLimit, level: string) => limit.kind === "quota" && limit.level === level;

describe("a line on the protocol", () => {
  test("reports a time lock, is refused a first message, answers, and reports that it was lifted (P-04)", async () => {
    const made = await aLine();
    const { sim, phone, host } = made;
    const [ana, bia] = [sim.person("5511988887777"), sim.person("5511977776666")];
    await ana.sends(OWNER, "bom dia");
    await host.waitForText("bom dia");
    const until = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + HOUR);

    phone.limits.restrict({ until: until.getTime() });
    const lock = await host.waitUntil(() => host.limits.find((limit) => isLock(limit, true)));
    expect(lock).toEqual({ kind: "newChats", isActive: true, until, cause: "quality" });
    expect(await send(made, bia.number)).toBe("limited");
    expect(await send(made, ana.number)).toBe("sent");
    phone.limits.lift();
    const lastLock = () => host.limits.findLast(({ kind }) => kind === "newChats");
    await host.waitUntil(() => isLock(lastLock() ?? lock, false));
    expect(await send(made, bia.number)).toBe("sent");
    expect(sim.unknownStanzas).toEqual([]);
  });

  test("asks for the limits after each connect: they survive a restart of both sides (P-04)", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "limits-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const stateFile = path.join(folder, "state");
    const first = await aConnectedLine({ sim: await WaSim.start({ stateFile }) });
    await first.sim.settled(OWNER);
    first.phone.unlink();
    first.phone.limits.restrict({ until: Date.now() + HOUR });
    first.phone.limits.capNewChats({ total: 100, used: 82 });
    await first.end();

    const { host } = await aLine({ sim: await WaSim.start({ stateFile }) });
    await host.waitUntil(() => host.limits.some((limit) => isLock(limit, true)));
    expect(await host.waitUntil(() => host.limits.find((limit) => isLevel(limit, "warning1")))).toMatchObject({
      used: 82,
      total: 100,
    });
  });

  test("reports the warnings of the allowance, and is refused beyond it (P-04)", async () => {
    const made = await aLine();
    const { sim, phone, host } = made;
    const people = ["5511977770001", "5511977770002", "5511977770003"];
    people.forEach((number) => sim.person(number));
    phone.limits.capNewChats({ total: 20, used: 18 });
    await host.waitUntil(() => host.limits.some((limit) => isLevel(limit, "warning1")));

    expect(await send(made, people[0]!)).toBe("sent");
    await host.waitUntil(() => host.limits.some((limit) => isLevel(limit, "warning2")));
    expect(await send(made, people[1]!)).toBe("sent");
    await host.waitUntil(() => host.limits.some((limit) => isLevel(limit, "capped")));
    expect(await send(made, people[2]!)).toBe("limited");
  });

  test("asks again after a refusal of which nothing was announced (P-04)", async () => {
    const made = await aLine();
    const { sim, phone, host } = made;
    await host.waitUntil(() => host.limits.some((limit) => isLevel(limit, "none")));
    sim.person("5511977776666");
    // An announcement of another time lock that is lost: the library drops what it cannot read.
    phone.limits.announceJson("NotificationUserReachoutTimelockUpdate", "{");
    const before = host.limits.length;
    sim.faults.nextAckErrors = [463];
    expect(await send(made, "5511977776666")).toBe("limited");
    await host.waitUntil(() => host.limits.slice(before).some((limit) => isLock(limit, false)));
  });

  test("without an answer to its questions connects and sends all the same (P-04)", async () => {
    const sim = await WaSim.start();
    sim.faults.muteIq.add("w:mex");
    const made = await aLine({ sim });
    sim.person("5511977776666");
    expect(await send(made, "5511977776666")).toBe("sent");
    expect(made.host.limits).toEqual([]);
  });

  test("garbage in announcements breaks nothing (P-04)", async () => {
    const made = await aLine();
    const { sim, phone, host } = made;
    const ana = sim.person("5511988887777");
    const value = fc.oneof(fc.jsonValue(), fc.double(), fc.string());
    const payloads = [
      ...["", "{", "null", "[]", "7", '{"data":null}', '{"data":7}', '{"errors":[{}]}', '{"errors":7,"data":{}}'],
      ...fc.sample(fc.json(), 30),
      ...fc
        .sample(fc.record({ is_active: value, time_enforcement_ends: value, enforcement_type: value }), 40)
        .map((lock) => JSON.stringify({ data: { xwa2_notify_account_reachout_timelock: lock } })),
      ...fc
        .sample(fc.record(quotaFields(value), { requiredKeys: [] }), 40)
        .map((cap) => JSON.stringify({ data: { xwa2_notify_new_chat_messages_capping_info_update: cap } })),
    ];
    for (const json of payloads) {
      phone.limits.announceJson("NotificationUserReachoutTimelockUpdate", json);
      phone.limits.announceJson("MessageCappingInfoNotification", json);
    }
    await ana.sends(OWNER, "ainda aí?");
    await host.waitForText("ainda aí?");
    await sim.settled(OWNER);
    expect(host.states.at(-1)?.status).toBe("CONNECTED");
    expect(host.notes.filter((note) => note.startsWith("alarm"))).toEqual([]);
    expect(await send(made, ana.number)).toBe("sent");
  });
});
