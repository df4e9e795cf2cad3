import { Agent, request } from "undici";
import { ProviderError } from "./port.ts";

export interface ProviderCall {
  readonly method: "GET" | "POST" | "PUT";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A POST is sent once: after a lost answer nobody knows whether it was done. Set it where that does not matter. */
  readonly isRepeatable?: boolean;
}

export interface ProviderAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** How long a provider may take for one call, and how often an unavailable one is asked. */
export interface CallRules {
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly pauseMs: number;
}

export const usualRules: CallRules = { timeoutMs: 8_000, attempts: 2, pauseMs: 300 };

/** Credentials of the TLS client, and of a server whose authority is not a public one. */
export interface TlsIdentity {
  readonly cert?: string;
  readonly key?: string;
  readonly pfx?: Buffer;
  readonly ca?: string;
}

export type Caller = (call: ProviderCall, signal: AbortSignal) => Promise<ProviderAnswer>;

const maxAnswerBytes = 1_000_000;

/**
 * Calls with JSON. After 5xx, 429, a time-out and a lost connection a call that may be repeated is; then ProviderError "unavailable".
 * Other answers are returned.
 */
export function createCaller(tls: TlsIdentity, rules: CallRules = usualRules): Caller {
  const agent = new Agent({
    connect: { ...tls, timeout: rules.timeoutMs },
    headersTimeout: rules.timeoutMs,
    bodyTimeout: rules.timeoutMs,
    maxResponseSize: maxAnswerBytes,
    // Few calls a day: connections are not worth keeping.
    keepAliveTimeout: 1_000,
    pipelining: 0,
  });

  async function once({ method, url, headers, body }: ProviderCall, signal: AbortSignal): Promise<ProviderAnswer> {
    const answer = await request(url, {
      method,
      dispatcher: agent,
      signal: AbortSignal.any([signal, AbortSignal.timeout(rules.timeoutMs)]),
      headers: { accept: "application/json", "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, body: parsed(text) };
  }

  return async (call, signal) => {
    let last: unknown;
    const attempts = call.method !== "POST" || call.isRepeatable ? rules.attempts : 1;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (attempt > 0) {
        await new Promise((resolve) => setTimeout(resolve, rules.pauseMs));
      }
      signal.throwIfAborted();
      try {
        const answer = await once(call, signal);
        if (answer.status < 500 && answer.status !== 429) {
          return answer;
        }
        last = new Error(`answered ${answer.status}`);
      } catch (error) {
        last = error;
      }
    }
    const reason = last instanceof Error ? last.message : String(last);
    throw new ProviderError("unavailable", `${call.method} ${new URL(call.url).pathname}: ${reason}`, { cause: last });
  };
}

/** The error of an answer that is no success; with the provider's own words, which hold no keys. */
export function refusal(what: string, { status, body }: ProviderAnswer): ProviderError {
  return new ProviderError("refused", `${what}: ${status} ${JSON.stringify(body ?? null).slice(0, 500)}`, { status });
}

function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
