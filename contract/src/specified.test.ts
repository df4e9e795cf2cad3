import { expect, test } from "vitest";
import { sessionRules } from "./auth.ts";
import { paletteColors } from "./colors.ts";
import { pageSize } from "./common.ts";
import { recurrenceMonths } from "./companies.ts";
import { connectionBody, connectionDefaults, connectionStatuses, troubledStatuses } from "./connections.ts";
import { dashboardPeriods } from "./dashboard.ts";
import { socketRules } from "./events.ts";
import { messageRules } from "./messages.ts";
import { noteRules } from "./notes.ts";
import { notificationMs } from "./notifications.ts";
import { planFlags } from "./plan-flags.ts";
import { plan } from "./plans.ts";
import { defaultSchedules } from "./queues.ts";
import { scheduleRules } from "./schedules.ts";
import { settingKeys, settingValues } from "./settings.ts";
import { userBody } from "./users.ts";

/** Section 9 of both specifications, and behaviour 1. */

test("times of the session and of the socket (E-04)", () => {
  expect(socketRules).toEqual({ pingIntervalMs: 18_000, pingTimeoutMs: 18_000 });
  expect(sessionRules).toMatchObject({
    reconnectBeforeExpiryMs: 180,
    reloadAfterExpiryMs: 1_000,
    reloadAfterElsewhereMs: 1_000,
    userStatusEveryMs: 300_000,
    warnDueWithinDays: 5,
  });
  expect(notificationMs).toBe(3_000);
});

test("what a conversation is measured by (E-04)", () => {
  expect(messageRules).toMatchObject({
    minAudioBytes: 10_000,
    audioKbps: 128,
    quickReplyPreview: 35,
    maxRows: 5,
    olderWithinPx: 50,
  });
  expect(noteRules.minLetters).toBe(2);
  expect(scheduleRules).toMatchObject({ minLetters: 5, defaultDelayMs: 3_600_000 });
});

test("sizes of pages (E-04)", () => {
  expect(pageSize).toEqual({ tickets: 40, kanban: 40, messages: 20, contacts: 30, others: 20 });
});

test("periods, months of a payment, colours (E-04)", () => {
  expect(dashboardPeriods).toEqual([0, 3, 7, 15, 30, 60, 90]);
  expect(recurrenceMonths).toEqual({ MENSAL: 1, BIMESTRAL: 2, TRIMESTRAL: 3, SEMESTRAL: 6, ANUAL: 12 });
  expect(paletteColors).toHaveLength(49);
});

test("a connection's defaults, and the states that want a look (E-04, S-03)", () => {
  expect(connectionDefaults).toMatchObject({
    provider: "beta",
    maxUseBotQueues: 3,
    timeUseBotQueues: 0,
    expiresTicket: 0,
  });
  expect(connectionBody.parse({ name: "Loja" })).toMatchObject(connectionDefaults);
  expect(connectionStatuses.filter((status) => !troubledStatuses.includes(status))).toEqual(["CONNECTED"]);
});

test("service hours until somebody sets them: weekdays 8 to 18, Saturday 8 to 12, Sunday closed (E-04, Q-06)", () => {
  expect(defaultSchedules.map(({ weekdayEn, startTime, endTime }) => `${weekdayEn} ${startTime}-${endTime}`)).toEqual([
    "monday 08:00-18:00",
    "tuesday 08:00-18:00",
    "wednesday 08:00-18:00",
    "thursday 08:00-18:00",
    "friday 08:00-18:00",
    "saturday 08:00-12:00",
    "sunday 00:00-00:00",
  ]);
});

test("the settings and what each may hold (E-04, G-02)", () => {
  const specified = ["userRating", "CheckMsgIsGroup", "call", "sendGreetingAccepted", "sendMsgTransfTicket"] as const;
  for (const key of [...specified, "sendGreetingMessageOneQueues"] as const) {
    expect(settingValues[key].options, key).toEqual(["enabled", "disabled"]);
  }
  expect(settingValues.scheduleType.options).toEqual(["disabled", "queue", "company"]);
  expect(settingValues.chatBotType.options).toEqual(["text"]);
  expect(settingKeys).toEqual(expect.arrayContaining(["asaas", "campaignsEnabled", "userCreation"]));
});

test("a plan's flags are on unless it says no, and a new user is an agent (E-04, U-02)", () => {
  const numbers = { id: 1, name: "Básico", users: 0, connections: 0, queues: 0, value: 0 };
  expect(plan.parse(numbers)).toMatchObject(Object.fromEntries(planFlags.map((flag) => [flag, true])));
  const asked = { name: "Ana", email: "ana@example.com", password: "12345" };
  expect(userBody.parse(asked)).toMatchObject({ profile: "user", allTicket: "desabled" });
});
