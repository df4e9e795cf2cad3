import { scheduledMessages, type Schedule } from "@prosa/contract/schedules";
import { keepPreviousData, queryOptions, useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { call } from "#web/lib/session/session.ts";
import { putIntoRange, type DayRange } from "./ranges.ts";

const key = "schedules";

export const scheduleKeys = {
  all: [key],
  contacts: [key, "contact"],
  ranges: [key, "range"],
  range: (range: DayRange) => [key, "range", range] as const,
} as const;

/** Schedules of a contact, the next one first. */
export function schedulesOfContact(contactId: number) {
  return queryOptions({
    queryKey: [...scheduleKeys.contacts, contactId],
    queryFn: async ({ signal }) =>
      (await call(scheduledMessages.list, { query: { contactId: String(contactId) }, signal })).schedules,
  });
}

/** All schedules of some days, in the order of their times. */
export function schedulesOfRange(range: DayRange) {
  return queryOptions({
    queryKey: scheduleKeys.range(range),
    queryFn: ({ signal }) => readRange(range, signal),
    // The days before stay in sight while those after are fetched.
    placeholderData: keepPreviousData,
  });
}

async function readRange({ dateStart, dateEnd }: DayRange, signal: AbortSignal): Promise<readonly Schedule[]> {
  const all: Schedule[] = [];
  for (let pageNumber = 1; ; pageNumber += 1) {
    const query = { dateStart, dateEnd, pageNumber: String(pageNumber) };
    const { schedules, hasMore } = await call(scheduledMessages.list, { query, signal });
    all.push(...schedules);
    if (!hasMore) {
      return all;
    }
  }
}

export interface ScheduleInput {
  readonly body: string;
  readonly contactId: number;
  readonly whatsappId: number | null;
  readonly sendAt: string;
}

/** A new one whole, or of one that exists what was changed. */
export type ScheduleChange =
  | {
      readonly id?: undefined;
      /** Tells the server that a second request means the same new one. */
      readonly clientId: string;
      readonly input: ScheduleInput;
      readonly file: File | undefined;
    }
  | {
      readonly id: number;
      readonly input: Partial<ScheduleInput>;
      /** One that was just chosen; null takes the stored one off, undefined leaves it. */
      readonly file: File | null | undefined;
    };

/**
 * Creates one, or updates it when there is an id. A new one brings its file along, and an edited one gets or loses it first: no text
 * is sent without its file, or with that of another.
 */
export function useSaveSchedule() {
  return useScheduleMutation(async (change: ScheduleChange): Promise<Schedule> => {
    if (change.id === undefined) {
      const { input, clientId, file } = change;
      return call(scheduledMessages.create, { body: { ...input, clientId }, ...(file && { files: [file] }) });
    }
    const params = { id: change.id };
    if (change.file) {
      await call(scheduledMessages.upload, { params, body: {}, files: [change.file] });
    } else if (change.file === null) {
      await call(scheduledMessages.removeMedia, { params });
    }
    return call(scheduledMessages.update, { params, body: change.input });
  });
}

interface ScheduleMove {
  /** As it was when it was taken. */
  readonly schedule: Schedule;
  readonly sendAt: string;
}

/** Moves one to another time. The calendar shows it there at once, and back where it was if the server refuses. */
export function useMoveSchedule() {
  return useMutation(moveOptions(useQueryClient()));
}

/**
 * The mutation of a move. What an event brings before the answer is newer than the answer and stays: the schedule may be deleted
 * or sent by then, which is also why a server refuses. Then, and after each refusal, the calendar is fetched again.
 */
export function moveOptions(queryClient: QueryClient) {
  const fetchAgain = () => void queryClient.invalidateQueries({ queryKey: scheduleKeys.ranges });
  return {
    mutationFn: ({ schedule: { id }, sendAt }: ScheduleMove) =>
      call(scheduledMessages.update, { params: { id }, body: { sendAt } }),
    onMutate: ({ schedule, sendAt }: ScheduleMove) => showSchedule(queryClient, { ...schedule, sendAt }),
    onError: (_: Error, move: ScheduleMove) => {
      const moved = findMoved(queryClient, move);
      if (moved) {
        showSchedule(queryClient, { ...moved, sendAt: move.schedule.sendAt });
      }
      fetchAgain();
    },
    onSuccess: (saved: Schedule, move: ScheduleMove) => {
      if (findMoved(queryClient, move)) {
        showSchedule(queryClient, saved);
      } else {
        fetchAgain();
      }
    },
  };
}

/** The schedule as the move shows it; undefined where an event brought another state of it. */
function findMoved(queryClient: QueryClient, { schedule, sendAt }: ScheduleMove): Schedule | undefined {
  return queryClient
    .getQueriesData<readonly Schedule[]>({ queryKey: scheduleKeys.ranges })
    .flatMap(([, schedules]) => schedules ?? [])
    .find((known) => known.id === schedule.id && known.sendAt === sendAt && known.status === schedule.status);
}

/** Sends a failed one now. */
export function useRetrySchedule() {
  return useScheduleMutation((id: number) => call(scheduledMessages.retry, { params: { id } }));
}

/** Takes the stored file off. */
export function useRemoveScheduleFile() {
  return useScheduleMutation((id: number) => call(scheduledMessages.removeMedia, { params: { id } }));
}

export function useRemoveSchedule() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(scheduledMessages.remove, { params: { id } }),
    onSuccess: (_, id) => dropSchedules(queryClient, (schedule) => schedule.id === id),
  });
}

function useScheduleMutation<T>(mutationFn: (variables: T) => Promise<Schedule>) {
  const queryClient = useQueryClient();
  return useMutation({ mutationFn, onSuccess: (saved: Schedule) => showSchedule(queryClient, saved) });
}

/** Puts a schedule where it belongs now, on every calendar that was read. */
export function showSchedule(queryClient: QueryClient, schedule: Schedule): void {
  for (const { queryKey, state } of queryClient.getQueryCache().findAll({ queryKey: scheduleKeys.ranges })) {
    const range = queryKey[2] as DayRange;
    const before = state.data as readonly Schedule[] | undefined;
    if (before) {
      queryClient.setQueryData(queryKey, putIntoRange(before, schedule, range));
    }
  }
  void queryClient.invalidateQueries({ queryKey: scheduleKeys.contacts });
}

/** Takes schedules off every calendar. */
export function dropSchedules(queryClient: QueryClient, isGone: (schedule: Schedule) => boolean): void {
  changeSchedules(queryClient, (schedules) => schedules.filter((schedule) => !isGone(schedule)));
  void queryClient.invalidateQueries({ queryKey: scheduleKeys.contacts });
}

export function changeSchedules(
  queryClient: QueryClient,
  change: (schedules: readonly Schedule[]) => readonly Schedule[],
): void {
  queryClient.setQueriesData({ queryKey: scheduleKeys.ranges }, (before: readonly Schedule[] | undefined) =>
    before === undefined ? before : change(before),
  );
}
