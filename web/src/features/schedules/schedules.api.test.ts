import type { Schedule } from "@prosa/contract/schedules";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import type { DayRange } from "./ranges.ts";
import { dropSchedules, moveOptions, scheduleKeys, showSchedule } from "./schedules.api.ts";

const range: DayRange = { dateStart: "2026-11-01", dateEnd: "2026-11-30", timeZone: "America/Sao_Paulo" };
const movedTo = "2026-11-25T12:00:00.000Z";
const before: Schedule = {
  id: 5,
  body: "Lembrete da entrega",
  contactId: 7,
  contact: { id: 7, name: "Camila", number: "5511987654321" },
  userId: 1,
  user: { id: 1, name: "Marina" },
  whatsappId: null,
  sendAt: "2026-11-24T12:00:00.000Z",
  sentAt: null,
  status: "PENDENTE",
  isLate: false,
  error: null,
  heldReason: null,
  heldUntil: null,
  mediaPath: null,
  mediaName: null,
  mediaUrl: null,
};

/** A calendar on which the schedule was dragged, and the server has not answered yet. */
function aDrag() {
  const queryClient = new QueryClient();
  queryClient.setQueryData(scheduleKeys.range(range), [before]);
  const move = moveOptions(queryClient);
  const drag = { schedule: before, sendAt: movedTo };
  move.onMutate(drag);
  return {
    queryClient,
    isAccepted: (saved: Schedule) => move.onSuccess(saved, drag),
    isRefused: () => move.onError(new Error("refused"), drag),
    shown: () => queryClient.getQueryData<readonly Schedule[]>(scheduleKeys.range(range)),
    isAskedAgain: () => queryClient.getQueryState(scheduleKeys.range(range))?.isInvalidated,
  };
}

test("a drag shows at once; refused, the schedule is back, and the server is asked how it is (O-03)", () => {
  const { shown, isRefused, isAskedAgain } = aDrag();
  expect(shown()).toEqual([{ ...before, sendAt: movedTo }]);
  isRefused();
  expect(shown()).toEqual([before]);
  expect(isAskedAgain()).toBe(true);
});

test("a drag that is refused because the schedule was deleted does not bring it back (O-03)", () => {
  const { queryClient, shown, isRefused } = aDrag();
  dropSchedules(queryClient, ({ id }) => id === before.id);
  isRefused();
  expect(shown()).toEqual([]);
});

test.each([
  ["sent", { status: "ENVIADA", sentAt: before.sendAt }],
  ["changed by a colleague", { body: "Lembrete da coleta", sendAt: "2026-11-26T12:00:00.000Z" }],
] as const)("what an event says of a dragged schedule stays whatever the answer is: %s (O-03)", (_, change) => {
  const told = { ...before, ...change };
  const [refused, accepted] = [aDrag(), aDrag()];
  for (const { queryClient } of [refused, accepted]) {
    showSchedule(queryClient, told);
  }
  refused.isRefused();
  expect(refused.shown()).toEqual([told]);
  accepted.isAccepted({ ...before, sendAt: movedTo });
  expect(accepted.shown()).toEqual([told]);
  expect(accepted.isAskedAgain()).toBe(true);
});

test("a rename of the contact during a drag stays when it is refused (O-03)", () => {
  const { queryClient, shown, isRefused } = aDrag();
  const contact = { ...before.contact, name: "Camila Souza" };
  showSchedule(queryClient, { ...before, sendAt: movedTo, contact });
  isRefused();
  expect(shown()).toEqual([{ ...before, contact }]);
});
