/** The load client, in a process of its own: sends the given requests and measures response times. */
import { performance } from "node:perf_hooks";
import { Pool } from "undici";

export interface LoadRequest {
  readonly method: "GET" | "PUT" | "POST";
  readonly path: string;
  readonly body?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Each lane is one caller, who repeats its requests in turn. */
export interface LoadOrder {
  readonly url: string;
  readonly lanes: readonly (readonly LoadRequest[])[];
  readonly seconds: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly failed: number;
  readonly firstFailure: string | undefined;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

async function run({ url, lanes, seconds }: LoadOrder): Promise<LoadResult> {
  const pool = new Pool(url, { connections: lanes.length, pipelining: 1 });
  const times: number[] = [];
  let failed = 0;
  let firstFailure: string | undefined;
  const began = performance.now();
  const endAt = began + seconds * 1_000;

  // One caller asks whole rounds: of texts that are unlike each other a slow turn would ask the first ones alone.
  const isAlone = lanes.length === 1;
  const call = async (lane: readonly LoadRequest[]) => {
    for (let at = 0; performance.now() < endAt || (isAlone && at % lane.length > 0); at += 1) {
      const { method, path, body, token, headers = {} } = lane[at % lane.length]!;
      const start = performance.now();
      const answer = await pool.request({
        method,
        path,
        headers: {
          ...headers,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body }),
      });
      const text = await answer.body.text();
      times.push(performance.now() - start);
      if (answer.statusCode >= 400) {
        failed += 1;
        firstFailure ??= `${method} ${path}: ${answer.statusCode} ${text.slice(0, 200)}`;
      }
    }
  };
  await Promise.all(lanes.map(call));
  const elapsed = (performance.now() - began) / 1_000;
  await pool.close();

  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    requests: times.length,
    failed,
    firstFailure,
    perSecond: times.length / elapsed,
    p50: at(0.5),
    p99: at(0.99),
  };
}

process.on("message", (order: LoadOrder) => {
  void run(order).then((result) => process.send?.(result));
});
