/** What does it cost the browser's main thread to open a conversation? */
import type { CDPSession, Page } from "@playwright/test";

/**
 * A cheap laptop is so much slower. Multiplied, not emulated: Chromium's own throttling takes the thread's time in slices, and
 * the same opening took 29 to 82 ms with it.
 */
const SLOWDOWN = 4;
const ROUNDS = 14;

/** One event of a trace; times in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly ts: number;
  readonly dur?: number;
  /** Processor time of the thread: other work on the machine does not count. */
  readonly tdur?: number;
  readonly tid: number;
  readonly args: { readonly name?: string; readonly data?: { readonly type?: string } };
}

/** Main-thread milliseconds at fourfold slow-down, from the click until the messages are painted, and until 500 ms later. */
export interface OpeningCost {
  readonly untilPainted: number;
  readonly afterwards: number;
}

/**
 * Opens two conversations in turn, whose messages the browser has already, and returns the cheapest opening of the first.
 * All tasks of the main thread count: script, style, layout, paint.
 */
export async function measureOpening(page: Page, ticketId: number, otherId: number): Promise<OpeningCost> {
  const client = await page.context().newCDPSession(page);
  // one of them may be open, and opening it again changes nothing
  for (const id of [otherId, ticketId, otherId]) {
    await pointAt(page, id);
    await openRow(page);
  }
  const costs: OpeningCost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await pointAt(page, ticketId);
    costs.push(costOf(await trace(client, () => openRow(page))));
    await pointAt(page, otherId);
    await openRow(page);
  }
  await client.detach();
  return costs.toSorted((a, b) => a.untilPainted - b.untilPainted)[0]!;
}

/** Moves the mouse over a row. Playwright's own click would look for what is under the mouse, on the thread that is measured. */
async function pointAt(page: Page, ticketId: number): Promise<void> {
  const box = (await page.locator(`[data-ticket="${ticketId}"] [data-main]`).boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForTimeout(500);
}

/** Clicks the row under the mouse and waits until its conversation is painted, and quiet after that. */
async function openRow(page: Page): Promise<void> {
  // A promise in an object is not awaited: the click comes when the page listens.
  const watched = await page.evaluateHandle(watchPainted);
  await page.mouse.down();
  await page.mouse.up();
  await watched.evaluate(({ painted }) => painted);
  await page.waitForTimeout(1_000);
}

/** Runs in the page: marks the frame after the next click in which other messages than before stand in the conversation. */
function watchPainted(): { readonly painted: Promise<void> } {
  const shown = () => document.querySelector("[data-testid=conversation] [data-message]")?.getAttribute("data-message");
  const before = shown();
  return {
    painted: new Promise((resolve) => {
      const look = () => {
        const now = shown();
        if (now !== undefined && now !== before) {
          // The task of this frame paints it: what begins later is not counted.
          performance.mark("prosa-painted");
          resolve();
        } else {
          requestAnimationFrame(look);
        }
      };
      addEventListener("pointerdown", () => requestAnimationFrame(look), { capture: true, once: true });
    }),
  };
}

async function trace(client: CDPSession, act: () => Promise<void>): Promise<readonly TraceEvent[]> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { readonly value: readonly unknown[] }) => events.push(...(value as TraceEvent[]));
  client.on("Tracing.dataCollected", collect);
  await client.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: {
      includedCategories: [
        "devtools.timeline",
        "disabled-by-default-devtools.timeline",
        "blink.user_timing",
        "__metadata",
        "toplevel",
      ],
    },
  });
  await act();
  const complete = new Promise((resolve) => client.once("Tracing.tracingComplete", resolve));
  await client.send("Tracing.end");
  await complete;
  client.off("Tracing.dataCollected", collect);
  return events;
}

function costOf(events: readonly TraceEvent[]): OpeningCost {
  const mark = events.find(({ name }) => name === "prosa-painted")!;
  const main = events.filter(({ tid, ph }) => tid === mark.tid && ph === "X");
  const click = main.find(({ name, args }) => name === "EventDispatch" && args.data?.type === "pointerdown")!;
  const tasks = main.filter(({ name, ts, dur = 0 }) => name === "RunTask" && ts + dur > click.ts);
  const sum = (some: readonly TraceEvent[]) => some.reduce((all, { tdur = 0 }) => all + tdur, 0) * (SLOWDOWN / 1_000);
  const isBefore = ({ ts }: TraceEvent) => ts < mark.ts;
  return {
    untilPainted: sum(tasks.filter(isBefore)),
    afterwards: sum(tasks.filter((each) => !isBefore(each) && each.ts < mark.ts + 500_000)),
  };
}
