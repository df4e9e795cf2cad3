/** What does it cost the browser to drag a card over the board? */
import type { Page } from "@playwright/test";

const WIDTH = 1_920;
const DRAGS = 3;
/** Where the pointer goes, in px from the left: over every lane and back. */
const STOPS = [300, 700, 1_000, 1_300, 1_600, 1_200, 600, 200];
const STEPS_BETWEEN = 5;

/**
 * Drags the first card of the board over its lanes and drops it where it was. The result is the longest frame of the drag with
 * the shortest one, in ms: what else the machine does can only add to it.
 */
export async function measureDrag(page: Page): Promise<number> {
  const before = page.viewportSize()!;
  await page.setViewportSize({ ...before, width: WIDTH });
  await page.goto("/kanban");
  await page.getByTestId("board").getByRole("listitem").first().waitFor();
  await page.waitForLoadState("networkidle");
  const longest: number[] = [];
  for (let drag = 0; drag < DRAGS; drag += 1) {
    longest.push(await longestFrameOfDrag(page));
  }
  await page.setViewportSize(before);
  return Math.min(...longest);
}

async function longestFrameOfDrag(page: Page): Promise<number> {
  const box = (await page.getByTestId("board").getByRole("listitem").getByRole("button").first().boundingBox())!;
  // A promise in an object is not awaited: the frames of the drag are recorded meanwhile.
  const recording = await page.evaluateHandle(recordFrames);
  await page.mouse.move(box.x + 60, box.y + 20);
  await page.mouse.down();
  let from = box.x + 60;
  for (const to of STOPS) {
    for (let part = 1; part <= STEPS_BETWEEN; part += 1) {
      await page.mouse.move(from + ((to - from) * part) / STEPS_BETWEEN, 500);
      await nextFrame(page);
    }
    from = to;
  }
  await page.locator("[data-overlay]").waitFor();
  await page.mouse.move(box.x + 60, box.y + 20);
  await page.mouse.up();
  await page.locator("[data-overlay]").waitFor({ state: "detached" });
  return recording.evaluate((frames) => frames.stop());
}

async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(() => new Promise(requestAnimationFrame));
}

/** Runs in the page: watches its frames; `stop` tells the longest time between two of them. */
function recordFrames(): { stop(): number } {
  let [longest, last] = [0, performance.now()];
  let isOn = true;
  const onFrame = (at: number) => {
    longest = Math.max(longest, at - last);
    last = at;
    if (isOn) {
      requestAnimationFrame(onFrame);
    }
  };
  requestAnimationFrame((at) => {
    last = at;
    requestAnimationFrame(onFrame);
  });
  return {
    stop: () => {
      isOn = false;
      return longest;
    },
  };
}
