import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BaileysEventMap } from "baileys";
import { expect, onTestFinished, test } from "vitest";
import { WaSim } from "../src/index.ts";
import { aClient, aDesk, aDeskInConversation, LINE } from "./desk.ts";
import type { Line } from "./line.ts";

const STRANGER = "5511977776666";

/** The connection's updates about the time lock, and the announcements of the cap. */
function limitsOf(line: Line) {
  const locks: NonNullable<BaileysEventMap["connection.update"]["reachoutTimeLock"]>[] = [];
  const caps: BaileysEventMap["message-capping.update"][] = [];
  line.socket.ev.on("connection.update", ({ reachoutTimeLock }) => reachoutTimeLock && locks.push(reachoutTimeLock));
  line.socket.ev.on("message-capping.update", (cap) => caps.push(cap));
  return { locks, caps };
}

const jidOf = (number: string) => `${number}@s.whatsapp.net`;

/** The code with which the server answered. */
async function answerTo(line: Line, number: string, text: string): Promise<string | undefined> {
  return line.acks.get(await line.sends(number.includes("@") ? number : jidOf(number), { text }));
}

test("a time lock is announced, refuses first messages, lets answers pass, and is lifted (P-04)", async () => {
  const { sim, phone, line, ana, chat } = await aDeskInConversation();
  const { locks } = limitsOf(line);
  const bia = sim.person(STRANGER);
  const until = Math.ceil(Date.now() / 1_000) * 1_000 + 3_600_000;

  phone.limits.restrict({ until });
  await sim.settled(LINE);
  expect(locks).toEqual([{ isActive: true, timeEnforcementEnds: new Date(until), enforcementType: "BIZ_QUALITY" }]);
  expect(await line.socket.fetchAccountReachoutTimelock()).toMatchObject({ timeEnforcementEnds: new Date(until) });

  expect(await answerTo(line, STRANGER, "promoção")).toBe("463");
  expect(bia.inbox(LINE)).toEqual([]);
  expect(await answerTo(line, chat, "resposta")).toBe("ok");
  await ana.receives(({ text }) => text === "resposta");
  await bia.sends(LINE, "quero saber");
  await line.receivesText("quero saber");
  expect(await answerTo(line, STRANGER, "claro")).toBe("ok");

  phone.limits.lift();
  await sim.settled(LINE);
  expect(locks.at(-1)).toMatchObject({ isActive: false });
  sim.person("5511966665555");
  expect(await answerTo(line, "5511966665555", "bom dia")).toBe("ok");
  expect(sim.unknownStanzas).toEqual([]);
});

test("a time lock ends by the clock, without an announcement (P-04)", async () => {
  let now = Date.now();
  const { sim, phone, line } = await aDesk({ clock: () => now });
  sim.person(STRANGER);
  phone.limits.restrict({});
  expect(await answerTo(line, STRANGER, "cedo")).toBe("463");
  now += 60_000;
  expect(await line.socket.fetchAccountReachoutTimelock()).toMatchObject({ isActive: false });
  expect(await answerTo(line, STRANGER, "tarde")).toBe("ok");
});

test("the cap counts new chats, warns at 80 and 95 %, and refuses the next when it is reached (P-04)", async () => {
  const { sim, phone, line } = await aDesk();
  const { caps } = limitsOf(line);
  const cycleEnds = Math.ceil(Date.now() / 1_000) * 1_000 + 86_400_000;
  phone.limits.capNewChats({ total: 20, used: 14, cycleEnds });
  const people = Array.from({ length: 7 }, (_, index) => `551197777000${index + 1}`);
  people.forEach((number) => sim.person(number));

  const answers = [];
  for (const number of people) {
    answers.push(await answerTo(line, number, "oi"));
    // A second message opens no chat.
    if (answers.at(-1) === "ok") {
      expect(await answerTo(line, number, "tudo bem?")).toBe("ok");
    }
  }
  await sim.settled(LINE);
  expect(answers).toEqual(["ok", "ok", "ok", "ok", "ok", "ok", "463"]);
  expect(caps.map(({ capping_status: level, used_quota: used }) => `${level} ${used}`)).toEqual([
    "NONE 14",
    "FIRST_WARNING 16",
    "SECOND_WARNING 19",
    "CAPPED 20",
  ]);
  expect(await line.socket.fetchNewChatMessageCap()).toMatchObject({
    capping_status: "CAPPED",
    total_quota: 20,
    used_quota: 20,
    cycle_end_timestamp: String(cycleEnds / 1_000),
  });
});

test("limits and blocks survive a restart of the server (P-04)", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wa-sim-limits-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const stateFile = join(folder, "state");
  const first = await WaSim.start({ stateFile });
  const until = Date.now() + 3_600_000;
  first.phone(LINE).limits.restrict({ until });
  first.phone(LINE).limits.capNewChats({ total: 100, level: "SECOND_WARNING" });
  first.person(STRANGER).block(LINE);
  await first.stop();

  const second = await WaSim.start({ stateFile });
  onTestFinished(() => second.stop());
  expect(second.phone(LINE).limits.view()).toEqual({
    lockedUntil: until,
    cap: { total: 100, used: 95, level: "SECOND_WARNING", cycleEnds: null },
  });
  expect(second.person(STRANGER).hasBlocked(LINE)).toBe(true);
  const line = aClient(second);
  await second.phone(LINE).scan(await line.qr());
  await line.waitUntilOpen();
  second.person("5511966665555");
  expect(await answerTo(line, "5511966665555", "oi")).toBe("463");
});

test("a person who blocks the line gets nothing, and the line sees one tick (P-04)", async () => {
  const { sim, line, ana, chat } = await aDeskInConversation();
  ana.block(LINE);
  const lost = await line.sends(chat, { text: "não chega" });
  ana.block(LINE, false);
  const id = await line.sends(chat, { text: "chega" });
  await ana.receives((message) => message.id === id);
  await sim.settled(LINE);
  await line.reaches(id, 3);
  expect([line.acks.get(lost), line.status(lost)]).toEqual(["ok", 1]);
  expect(ana.inbox(LINE).map(({ text }) => text)).not.toContain("não chega");
});
