/** The system's Back: a step in the history, or on Android a request to the browser's close watcher. */
import type { Page } from "@playwright/test";

/** The browser's own Back, which may be refused; `page.goBack` would wait for another page. */
export async function backInHistory(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const { currentIndex, entries } = await browser.send("Page.getNavigationHistory");
  await browser.send("Page.navigateToHistoryEntry", { entryId: entries[currentIndex - 1]!.id });
}

/** Android's Back cannot be pressed here: it is a request to the watcher that was made last. A finger sees the last key's effect first. */
export async function backOfAndroid(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
    (Reflect.get(window, "lastWatcher") as { requestClose: () => void }).requestClose();
  });
}

/** Keeps the watcher that Android's Back would ask. */
export function keepLastWatcher(): void {
  const Watcher = Reflect.get(window, "CloseWatcher") as new () => EventTarget;
  class KeptWatcher extends Watcher {
    constructor() {
      super();
      Object.assign(window, { lastWatcher: this });
    }
  }
  Object.assign(window, { CloseWatcher: KeptWatcher });
}
