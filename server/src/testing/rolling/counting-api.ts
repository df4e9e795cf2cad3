import type { CompanyCredentials } from "../storm/company.ts";
import type { RetryingApi } from "../storm/retrying-api.ts";

/** An API client that repeats nothing: what it is not answered with 2xx is a failed request. */
export interface CountingApi extends RetryingApi {
  readonly failed: readonly string[];
  count(): number;
  slowestMs(): number;
}

export async function countingApi(url: string, { email, password }: CompanyCredentials): Promise<CountingApi> {
  const failed: string[] = [];
  let count = 0;
  let slowest = 0;
  let token = "";

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    count += 1;
    const began = performance.now();
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(token !== "" && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => String(error));
    const text = typeof answer === "string" ? answer : await answer.text().catch(String);
    slowest = Math.max(slowest, performance.now() - began);
    if (typeof answer === "string" || !answer.ok) {
      failed.push(
        `${method} ${path}: ${typeof answer === "string" ? answer : `${answer.status} ${text}`}`.slice(0, 300),
      );
      process.stderr.write(`\n${failed.at(-1)}\n`);
      return undefined as T;
    }
    return JSON.parse(text) as T;
  }

  token = (await call<{ token: string }>("POST", "/auth/login", { email, password })).token;
  return { call, token, failed, count: () => count, slowestMs: () => slowest };
}
