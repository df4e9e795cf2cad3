/** What a page does when the server has done what it asked for, and the answer is lost on the way. */
import type { Page } from "@playwright/test";

/** Loses the answer to the next request of this kind. Returns how many were lost, which becomes 1. */
export async function loseAnswer(page: Page, method: "POST" | "PUT" | "DELETE", path: RegExp): Promise<() => number> {
  let isTaken = false;
  let lost = 0;
  await page.route(
    (url) => path.test(url.pathname),
    async (route) => {
      if (route.request().method() !== method || isTaken) {
        return route.fallback();
      }
      isTaken = true;
      await route.fetch();
      // Only now has the server done it.
      lost = 1;
      return route.abort("connectionreset");
    },
  );
  return () => lost;
}
