import { describe, expect, test } from "vitest";
import type { UserActor } from "#server/platform/ctx.ts";
import { viewerRooms, roomsToJoin } from "./realtime/socket-rooms.ts";
import { canAct, canSee } from "./tickets.policy.ts";

const person = (profile: UserActor["profile"], rights: Partial<UserActor> = {}): UserActor => ({
  kind: "user",
  userId: 7,
  companyId: 1,
  name: "Ana",
  profile,
  isSuper: false,
  allTicket: false,
  queueIds: [1, 2],
  sessionId: "s",
  ...rights,
});

const people = {
  admin: person("admin"),
  supervisor: person("supervisor"),
  agent: person("user"),
  "agent with allTicket": person("user", { allTicket: true }),
  // The browser has the same rule, from the contract.
  operator: person("user", { isSuper: true }),
};

const assignments = [
  { userId: null, queueId: 1 },
  { userId: 9, queueId: 1 },
  { userId: null, queueId: 5 },
  { userId: 7, queueId: 5 },
  { userId: 9, queueId: 5 },
  { userId: null, queueId: null },
  { userId: 7, queueId: null },
  { userId: 9, queueId: null },
];

const sees: Record<keyof typeof people, boolean[]> = {
  admin: [true, true, true, true, true, true, true, true],
  supervisor: [true, true, false, true, false, true, true, true],
  agent: [true, true, false, true, false, false, true, false],
  operator: [true, true, true, true, true, true, true, true],
  "agent with allTicket": [true, true, false, true, false, true, true, true],
};

describe.each(Object.keys(people) as (keyof typeof people)[])("%s", (who) => {
  test.each(assignments.map((assignment, index) => [assignment, sees[who][index]] as const))(
    "sees %j: %s (T-06)",
    (assignment, isSeen) => {
      expect(canSee(people[who], assignment)).toBe(isSeen);
    },
  );

  test("is in a socket room that isNotified of a ticket exactly when they may see it (N-06)", () => {
    const rooms = new Set(roomsToJoin("ticket:4", people[who]));
    const isNotified = assignments.map((assignment) =>
      viewerRooms("ticket:4", assignment).some((room) => rooms.has(room)),
    );
    expect(isNotified).toEqual(sees[who]);
  });
});

test("another agent's open ticket is theirs, except for admins (behaviour 4)", () => {
  const open = { status: "open" as const, userId: 9, queueId: 1 };
  expect(canAct(people.agent, open)).toBe(false);
  expect(canAct(people.supervisor, open)).toBe(false);
  expect(canAct(people.admin, open)).toBe(true);
  expect(canAct(people.operator, open)).toBe(true);
  expect(canAct(people.agent, { ...open, userId: 7 })).toBe(true);
  expect(canAct(people.agent, { ...open, status: "pending", userId: null })).toBe(true);
});
