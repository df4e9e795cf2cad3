import { setTimeout as sleep } from "node:timers/promises";
import type { MadeCompany } from "./company.ts";

/** Calls a server that may be dead for a while, as a browser does: what got no answer is asked again. */
export interface PatientApi {
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  readonly token: string;
}

export class RefusedError extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(`${status} ${text}`);
    this.status = status;
  }
}

const AGAIN_MS = 100;

export async function signInPatiently(urlNow: () => string, { email, password }: MadeCompany): Promise<PatientApi> {
  const { token } = await call<{ token: string }>(urlNow, "POST", "/auth/login", { email, password });
  return { token, call: (method, path, body) => call(urlNow, method, path, body, token) };
}

async function call<T>(urlNow: () => string, method: string, path: string, body?: unknown, token?: string): Promise<T> {
  for (;;) {
    const answer = await attempt(urlNow(), method, path, body, token);
    if (answer && answer.status < 500) {
      const text = await answer.text().catch(() => undefined);
      if (text !== undefined && !answer.ok) {
        throw new RefusedError(answer.status, text);
      }
      if (text !== undefined) {
        return JSON.parse(text) as T;
      }
    }
    await sleep(AGAIN_MS);
  }
}

/** Undefined when nobody answered. */
async function attempt(url: string, method: string, path: string, body: unknown, token: string | undefined) {
  try {
    return await fetch(url + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch {
    return undefined;
  }
}
