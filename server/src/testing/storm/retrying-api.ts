import { setTimeout as sleep } from "node:timers/promises";
import type { CompanyCredentials } from "./company.ts";

/** An API client for a server that is killed and restarted: calls without an answer are repeated, as browsers do. */
export interface RetryingApi {
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  readonly token: string;
}

export class RefusedCallError extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(`${status} ${text}`);
    this.status = status;
  }
}

const RETRY_AFTER_MS = 100;

export async function signInWithRetries(
  urlNow: () => string,
  { email, password }: CompanyCredentials,
): Promise<RetryingApi> {
  const signIn = async () => (await call<{ token: string }>(urlNow, "POST", "/auth/login", { email, password })).token;
  let token = await signIn();
  let renewal: Promise<string> | undefined;

  /** Access tokens expire during a storm; concurrent refused calls share one sign-in. */
  async function renewed(old: string): Promise<string> {
    if (old === token) {
      renewal ??= signIn().finally(() => (renewal = undefined));
      token = await renewal;
    }
    return token;
  }

  return {
    get token() {
      return token;
    },
    async call(method, path, body) {
      const used = token;
      try {
        return await call(urlNow, method, path, body, used);
      } catch (error) {
        if (error instanceof RefusedCallError && error.message.includes("ERR_SESSION_EXPIRED")) {
          return call(urlNow, method, path, body, await renewed(used));
        }
        throw error;
      }
    },
  };
}

async function call<T>(urlNow: () => string, method: string, path: string, body?: unknown, token?: string): Promise<T> {
  for (;;) {
    const answer = await attempt(urlNow(), method, path, body, token);
    if (answer && answer.status < 500) {
      const text = await answer.text().catch(() => undefined);
      if (text !== undefined && !answer.ok) {
        throw new RefusedCallError(answer.status, text);
      }
      if (text !== undefined) {
        return JSON.parse(text) as T;
      }
    }
    await sleep(RETRY_AFTER_MS);
  }
}

/** Undefined if the server did not answer. */
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
