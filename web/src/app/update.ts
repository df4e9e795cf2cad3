/** Was a newer build put on the server? The page names its entry script, and the name carries the build's hash. */

const ASK_EVERY_MS = 10 * 60_000;

/** Calls back once, when the server's page starts another build than this one. Returns how to stop. */
export function watchForUpdate(onUpdate: () => void): () => void {
  const ours = entryOf(document.documentElement.outerHTML);
  const stop = new AbortController();

  const ask = async () => {
    if (document.visibilityState !== "visible" || !navigator.onLine) {
      return;
    }
    try {
      const page = await fetch("/", { cache: "no-store", headers: { accept: "text/html" }, signal: stop.signal });
      const theirs = page.ok ? entryOf(await page.text()) : undefined;
      if (ours !== undefined && theirs !== undefined && theirs !== ours) {
        stop.abort();
        clearInterval(timer);
        onUpdate();
      }
    } catch {
      // No answer: asked again the next time.
    }
  };
  const timer = setInterval(() => void ask(), ASK_EVERY_MS);

  return () => {
    stop.abort();
    clearInterval(timer);
  };
}

/** The hashed entry script that a page starts; undefined in development. */
export function entryOf(html: string): string | undefined {
  return /<script[^>]+src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1];
}
