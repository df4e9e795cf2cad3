import { isBlank } from "@prosa/contract/blank";
import type { BotScript, QueueHours } from "../bot.script.ts";
import { isOpenAt, nextOpening } from "../opening-hours.ts";

/** The hours of any queue of the company, whether or not the connection lists it; undefined where none is chosen. */
export function hoursOf({ queues, otherQueues }: BotScript, queueId: number | null): QueueHours | undefined {
  return [...queues, ...otherQueues].find(({ id }) => id === queueId);
}

/** Is there nobody who may answer: out of hours of the company or of this queue, or a company that is not served (rule 4)? */
export function isClosed(script: BotScript, queue: QueueHours | undefined, at: Date): boolean {
  if (!isServed(script, at)) {
    return true;
  }
  const schedules = schedulesOf(script, queue);
  return schedules !== undefined && (script.isClosedNow === true || !isOpenAt(schedules, at, script.timeZone));
}

/** Is nobody there to come? Before a queue is chosen, the people of any open queue are. */
export function isClosedEverywhere(script: BotScript, queue: QueueHours | undefined, at: Date): boolean {
  return reachableQueues(script, queue).every((each) => isClosed(script, each, at));
}

/** The text of the queue or the connection, else a plain sentence. */
export function closedText(script: BotScript, queue: QueueHours | undefined, at: Date): string {
  const own =
    script.scheduleType === "queue" && !isBlank(queue?.outOfHoursMessage ?? "") ? queue?.outOfHoursMessage : "";
  const text = own || script.outOfHoursMessage;
  return isBlank(text) || !isServed(script, at) ? plainClosedText(script, queue, at) : text;
}

/** The plain sentence for who waits in this queue, or null while somebody may come. */
export function closedSentence(script: BotScript, queueId: number | null, at: Date): string | null {
  const queue = hoursOf(script, queueId);
  return isClosedEverywhere(script, queue, at) ? plainClosedText(script, queue, at) : null;
}

/** Says when it opens. A company that is switched off or overdue opens at no time that the bot knows. */
export function plainClosedText(script: BotScript, queue: QueueHours | undefined, at: Date): string {
  const openings = reachableQueues(script, queue).flatMap(
    (each) => nextOpening(schedulesOf(script, each) ?? [], at, script.timeZone) ?? [],
  );
  const [first = null] = openings.toSorted((a, b) => a.daysAhead - b.daysAhead || a.clock.localeCompare(b.clock));
  return isServed(script, at) ? script.texts.outOfHours(first) : script.texts.notServed;
}

/** The queue that was chosen, else all that have hours of their own. */
function reachableQueues({ scheduleType, queues }: BotScript, queue: QueueHours | undefined) {
  return queue === undefined && scheduleType === "queue" && queues.length > 0 ? queues : [queue];
}

function isServed({ service: { isActive, endsAt } }: BotScript, at: Date): boolean {
  return isActive && (endsAt === null || at < endsAt);
}

/** Undefined where no hours apply. */
function schedulesOf(script: BotScript, queue: QueueHours | undefined) {
  switch (script.scheduleType) {
    case "disabled":
      return undefined;
    case "company":
      return script.companySchedules;
    case "queue":
      return queue?.schedules;
  }
}
