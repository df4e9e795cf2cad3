/** How does code arrive that the page cannot do without, where a fetch of it is lost? */

/** Pauses between attempts, of the socket and of its code: they double from the first to the longest (ms). */
export const RECONNECT_MS = 500;
export const RECONNECT_MS_MAX = 15_000;
/** A connection that a sleep has cut may never report an error (ms). */
const ANSWER_WITHIN_MS = 5_000;

/** Whether the server can be reached. A proxy that answers in its place does not count. */
export async function isServerThere(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    return (await fetch("/build.txt", { cache: "no-store", signal })).status < 500;
  } catch {
    return false;
  }
}

export interface CodeFetcher {
  /** Fetches the code now, unless a fetch is under way, and then again until it is there. */
  readonly fetchNow: () => void;
  /** Nobody waits for the code any more. */
  readonly stop: () => void;
}

/**
 * Asked after each failed fetch of some code: is it gone, so that only a reload can help? It is where the server was there after the
 * failure before as well. Then a release has removed it, or the browser remembers the failure, which browsers report as they do a lost
 * connection.
 */
export function goneCheck(): () => Promise<boolean> {
  let wasServerThere = false;
  return async () => {
    const isThere = await isServerThere();
    const isGone = isThere && wasServerThere;
    wasServerThere = isThere;
    return isGone;
  };
}

/** Fetches code when it is told to. After each failure `onFailure` is told whether only a reload can help. */
export function codeFetcher(load: () => Promise<void>, onFailure: (isGone: boolean) => void): CodeFetcher {
  let failures = 0;
  const checkGone = goneCheck();
  let isUnderWay = false;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const fetchNow = async () => {
    if (isUnderWay) {
      return;
    }
    isUnderWay = true;
    clearTimeout(timer);
    try {
      await load();
    } catch {
      const isGone = await checkGone();
      if (isStopped) {
        return;
      }
      onFailure(isGone);
      timer = setTimeout(
        () => void fetchNow(),
        Math.min(RECONNECT_MS * 2 ** failures, RECONNECT_MS_MAX) * (0.5 + Math.random()),
      );
      failures += 1;
    }
    isUnderWay = false;
  };
  return {
    fetchNow: () => void fetchNow(),
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
