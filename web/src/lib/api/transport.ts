/** Transport of a call: fetch, or XMLHttpRequest where an upload shows its progress. */
import { sessionRules } from "@prosa/contract/auth";
import type { Answer, Transport } from "./apiClient.ts";
import { ApiError } from "./apiError.ts";
import { withOwnMedia } from "./ownMedia.ts";
import { syncServerClock } from "#web/lib/session/clock.ts";
import { noteEventCursor } from "#web/lib/session/event-cursor.ts";

/** A text without an answer for this long, in ms, counts as unsent: a dead TCP connection may never report an error. */
export const ANSWER_WITHIN_MS = 30_000;

export function send(request: Transport): Promise<Answer> {
  return request.onProgress ? sendWithProgress(request, request.onProgress) : sendPlain(request);
}

async function sendPlain({ method, url, headers, body, signal }: Transport): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...language() },
      credentials: "include",
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
    syncServerClock(response.headers.get("date"));
    noteEventCursor(response.headers.get(sessionRules.eventCursorHeader));
    return { status: response.status, body: parse(await response.text()) };
  } catch (cause) {
    throw new ApiError(signal?.aborted ? "cancelled" : "network", 0, { cause: String(cause) });
  }
}

function sendWithProgress(request: Transport, onProgress: (done: number) => void): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (request.signal?.aborted) {
      // Its event is past: nothing would stop the request.
      reject(new ApiError("cancelled", 0));
      return;
    }
    const xhr = new XMLHttpRequest();
    xhr.open(request.method, request.url);
    xhr.withCredentials = true;
    Object.entries({ ...request.headers, ...language() }).forEach(([name, value]) => xhr.setRequestHeader(name, value));

    xhr.upload.onprogress = ({ loaded, total, lengthComputable }) => lengthComputable && onProgress(loaded / total);
    xhr.onload = () => {
      syncServerClock(xhr.getResponseHeader("date"));
      resolve({ status: xhr.status, body: parse(xhr.responseText) });
    };
    xhr.onerror = () => reject(new ApiError("network", 0));
    xhr.onabort = () => reject(new ApiError("cancelled", 0));
    request.signal?.addEventListener("abort", () => xhr.abort(), { once: true });
    xhr.send(request.body ?? null);
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
