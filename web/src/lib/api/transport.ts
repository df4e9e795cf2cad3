/** Transport of a call: fetch, or XMLHttpRequest for an upload, whose progress only that tells. */
import { sessionRules } from "@prosa/contract/auth";
import type { Answer, Transport } from "./apiClient.ts";
import { ApiError } from "./apiError.ts";
import { withOwnMedia } from "./ownMedia.ts";
import { syncServerClock } from "#web/lib/session/clock.ts";
import { noteEventCursor } from "#web/lib/session/event-cursor.ts";

/**
 * A call without an answer for this long, in ms, has failed, and so has an upload of which nothing more was sent: a dead TCP connection
 * may never report an error, and its form would stay locked.
 */
const ANSWER_WITHIN_MS = 30_000;
/** The same of a slow call, and of an upload that was sent whole: as long as the reverse proxy of `deploy/nginx.conf` waits. */
const SLOW_ANSWER_WITHIN_MS = 120_000;

/** Sends a request and resolves with any answer. Rejects with the ApiError `network` where none comes in time, `cancelled` by its signal. */
export async function send(request: Transport): Promise<Answer> {
  if (request.signal?.aborted) {
    // Its event is past: nothing would stop the request.
    throw new ApiError("cancelled", 0);
  }
  return request.body instanceof FormData ? upload(request) : sendPlain(request);
}

async function sendPlain({ method, url, headers, body, signal, isSlow }: Transport): Promise<Answer> {
  // One signal for both: browsers that run the rest have no `AbortSignal.any` (Safari before 17.4).
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, isSlow ? SLOW_ANSWER_WITHIN_MS : ANSWER_WITHIN_MS);
  signal?.addEventListener("abort", end);
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...language() },
      credentials: "include",
      ...(body !== undefined && { body }),
      signal: ending.signal,
    });
    syncServerClock(response.headers.get("date"));
    noteEventCursor(response.headers.get(sessionRules.eventCursorHeader));
    return { status: response.status, body: parse(await response.text()) };
  } catch (cause) {
    throw new ApiError(signal?.aborted ? "cancelled" : "network", 0, { cause: String(cause) });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

function upload(request: Transport): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open(request.method, request.url);
    xhr.withCredentials = true;
    Object.entries({ ...request.headers, ...language() }).forEach(([name, value]) => xhr.setRequestHeader(name, value));

    let stalled: ReturnType<typeof setTimeout>;
    const failAfter = (ms: number) => {
      clearTimeout(stalled);
      stalled = setTimeout(() => {
        reject(new ApiError("network", 0));
        xhr.abort();
      }, ms);
    };
    xhr.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      failAfter(ANSWER_WITHIN_MS);
      if (lengthComputable) {
        request.onProgress?.(loaded / total);
      }
    };
    xhr.upload.onload = () => failAfter(SLOW_ANSWER_WITHIN_MS);
    xhr.onloadend = () => clearTimeout(stalled);
    xhr.onload = () => {
      syncServerClock(xhr.getResponseHeader("date"));
      resolve({ status: xhr.status, body: parse(xhr.responseText) });
    };
    xhr.onerror = () => reject(new ApiError("network", 0));
    xhr.onabort = () => reject(new ApiError("cancelled", 0));
    request.signal?.addEventListener("abort", () => xhr.abort(), { once: true });
    failAfter(ANSWER_WITHIN_MS);
    xhr.send(request.body);
  });
}

/** The user's choice: the server answers refusals in it. */
function language() {
  return { "accept-language": document.documentElement.lang };
}

function parse(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(withOwnMedia(text));
  } catch {
    return text;
  }
}
