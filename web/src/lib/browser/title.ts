/** The tab's title and icon, with the number of conversations that wait for the user. */
const name = "Prosa";
let waiting = 0;

/** Sets the count in the title, on the tab's icon and on the icon of the installed app. */
export function showWaitingCount(count: number): void {
  waiting = count;
  showTitle();
  void markIcon(count);
  void markApp(count);
}

export function showTitle(): void {
  document.title = titleOf(waiting);
}

export function titleOf(count: number): string {
  return count === 0 ? name : `(${count > 99 ? "99+" : count}) ${name}`;
}

/** Not in the first load: the title shows the count. */
async function markIcon(count: number): Promise<void> {
  try {
    const icon = await import("./tab-icon.ts");
    await icon.markIcon(count);
  } catch {
    // its code did not come, or the icon cannot be drawn: it stays as it is
  }
}

async function markApp(count: number): Promise<void> {
  const app = navigator as Partial<Pick<Navigator, "setAppBadge">>;
  try {
    await app.setAppBadge?.(count);
  } catch {
    // Not installed, or not allowed: the title shows it.
  }
}
