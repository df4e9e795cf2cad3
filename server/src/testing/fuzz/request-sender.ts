import { Agent, request } from "node:http";
import type { FuzzRequest } from "./requests.ts";

export interface FuzzResponse {
  /** 0: no answer. */
  readonly status: number;
  readonly text: string;
}

/** Sends requests unchanged, also invalid ones that no HTTP client would send. */
export function createRequestSender(baseUrl: string): {
  send(shot: FuzzRequest, token?: string): Promise<FuzzResponse>;
  close(): void;
} {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const { hostname, port } = new URL(baseUrl);
  let requestsSent = 0;

  return {
    close: () => agent.destroy(),
    send: ({ method, url, headers, body }, token) =>
      new Promise((resolve) => {
        requestsSent += 1;
        const bytes = body === undefined ? undefined : Buffer.from(body, "latin1");
        const own = {
          // A new address each time, against the rate limits by address.
          "x-forwarded-for": `10.${(requestsSent >> 16) & 255}.${(requestsSent >> 8) & 255}.${requestsSent & 255}`,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
          // Node's client sends the body of a DELETE without a content-length.
          ...(bytes && { "content-length": bytes.length }),
        };
        const sent = request({ agent, hostname, port, method, path: url, headers: own }, (answer) => {
          const pieces: Buffer[] = [];
          answer.on("data", (piece: Buffer) => pieces.push(piece));
          answer.on("error", () => resolve({ status: 0, text: "The answer broke off" }));
          answer.on("end", () =>
            resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(pieces).toString().slice(0, 400) }),
          );
        });
        sent.setTimeout(60_000, () => sent.destroy(new Error("No answer within a minute")));
        sent.on("error", (error) => resolve({ status: 0, text: error.message }));
        sent.end(bytes);
      }),
  };
}
