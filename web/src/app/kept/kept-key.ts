/**
 * The key of what is kept. The server derives it from the session; on the disk it never is. Over a reload the service worker
 * holds it in memory, as long as it runs; after that the server is asked again.
 */
const ANSWER_WITHIN_MS = 300;

/** The key of this session from the memory of the service worker. */
export async function keyFromWorker(sessionId: string): Promise<string | undefined> {
  const worker = workerOfPage();
  if (!worker) {
    return undefined;
  }
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise<unknown>((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
    setTimeout(resolve, ANSWER_WITHIN_MS);
  });
  worker.postMessage({ type: "readKey", sessionId }, [port2]);
  const key = await answer;
  port1.close();
  return typeof key === "string" ? key : undefined;
}

/** Gives it to the worker: now, and when the page is left, because an idle worker is stopped after half a minute. */
export function leaveKeyWithWorker(sessionId: string, key: string): () => void {
  const give = () => workerOfPage()?.postMessage({ type: "holdKey", sessionId, key });
  give();
  window.addEventListener("pagehide", give);
  return () => window.removeEventListener("pagehide", give);
}

/** The worker may still hold the key of a session that ended in another page. */
export function forgetKey(): void {
  workerOfPage()?.postMessage({ type: "forgetKey" });
}

function workerOfPage(): ServiceWorker | null {
  return "serviceWorker" in navigator ? navigator.serviceWorker.controller : null;
}
