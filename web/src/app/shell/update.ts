/** Detects a newer build on the server: `/build.txt` names its entry script, whose name contains the build's hash. */

const ASK_EVERY_MS = 10 * 60_000;

/** Calls back once, when the server has another build than this page. Returns the function that stops it. */
export function watchForUpdate(onUpdate: () => void): () => void {
  const ours = entryOf(document.documentElement.outerHTML);
  const stop = new AbortController();

  const ask = async () => {
    if (ours === undefined || document.visibilityState !== "visible" || !navigator.onLine) {
      return;
    }
    try {
      const answer = await fetch("/build.txt", { cache: "no-store", signal: stop.signal });
      const theirs = (await answer.text()).trim();
      if (answer.ok && theirs.startsWith("/assets/") && theirs !== ours) {
        end();
        onUpdate();
      }
    } catch {
      // No response: retry at the next check.
    }
  };
  const timer = setInterval(() => void ask(), ASK_EVERY_MS);

  function end(): void {
    stop.abort();
    clearInterval(timer);
  }
  return end;
}

/** The hashed entry script that a page starts; undefined in development. */
export function entryOf(html: string): string | undefined {
  return /<script[^>]+src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1];
}
