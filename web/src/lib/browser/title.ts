/** The tab's title and icon, with the number of conversations that wait for the user. */
const name = "Prosa";
let waiting = 0;
let plainIcon: string | undefined;

/** Sets the count in the title, on the tab's icon and on the icon of the installed app. */
export function showWaitingCount(count: number): void {
  waiting = count;
  showTitle();
  markIcon(count);
  void markApp(count);
}

export function showTitle(): void {
  document.title = titleOf(waiting);
}

export function titleOf(count: number): string {
  return count === 0 ? name : `(${count > 99 ? "99+" : count}) ${name}`;
}

function markIcon(count: number): void {
  const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (link) {
    plainIcon ??= link.href;
    link.href = count === 0 ? plainIcon : `data:image/svg+xml,${encodeURIComponent(iconWith(count))}`;
  }
}

/** The mark of favicon.svg with a badge over its corner. */
export function iconWith(count: number): string {
  const text = count > 9 ? "9+" : String(count);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0c7a5a"/><path fill="#fff" fill-rule="evenodd" d="M10.5 7.5h6.8c4 0 6.4 2.3 6.4 5.8s-2.5 5.9-6.5 5.9h-2.8v5.3h-3.9zm3.9 3.3v5.1h2.3c2 0 3-.9 3-2.6 0-1.6-1-2.5-3-2.5z"/><circle cx="22" cy="22" r="10" fill="#c0362c"/><text x="22" y="26.5" font-family="sans-serif" font-size="13" font-weight="700" text-anchor="middle" fill="#fff">${text}</text></svg>`;
}

async function markApp(count: number): Promise<void> {
  const app = navigator as Partial<Pick<Navigator, "setAppBadge">>;
  try {
    await app.setAppBadge?.(count);
  } catch {
    // Not installed, or not allowed: the title shows it.
  }
}
