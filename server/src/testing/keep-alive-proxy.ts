import { Agent, createServer, request as requestUpstream } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface KeepAliveProxy {
  readonly url: string;
  close(): Promise<void>;
}

interface Upstream {
  readonly port: number;
  /** It failed and is not used before this time. */
  unavailableUntil: number;
}

const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]);

/**
 * A reverse proxy with the defaults of nginx, for tests on machines without it: round robin over the upstreams, keep-alive
 * connections, no health checks. A failed upstream is skipped for `failTimeoutMs`. The next one is tried if nothing was
 * sent yet, or nothing was answered and the method is idempotent; else the client gets 502.
 */
export async function startKeepAliveProxy(
  ports: readonly number[],
  { failTimeoutMs }: { readonly failTimeoutMs: number },
): Promise<KeepAliveProxy> {
  const upstreams: readonly Upstream[] = ports.map((port) => ({ port, unavailableUntil: 0 }));
  const agent = new Agent({ keepAlive: true, scheduling: "lifo" });
  let turn = 0;

  const server = createServer((incoming, answer) => {
    turn += 1;
    const inTurn = upstreams.map((_, index) => upstreams[(turn + index) % upstreams.length]!);
    const body: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => body.push(chunk));
    incoming.on("end", () => {
      const live = inTurn.filter(({ unavailableUntil }) => unavailableUntil <= performance.now());
      pass(incoming, Buffer.concat(body), answer, live);
    });
  });

  function pass(incoming: IncomingMessage, body: Buffer, answer: ServerResponse, [first, ...others]: Upstream[]): void {
    if (first === undefined) {
      answer.writeHead(502).end("no live upstreams");
      return;
    }
    const { method = "GET", url: path = "/", headers } = incoming;
    const upstream = requestUpstream({ agent, host: "127.0.0.1", port: first.port, method, path, headers });
    let isSent = false;
    upstream.on("socket", (socket) => {
      const sent = () => (isSent = true);
      if (socket.connecting) {
        socket.once("connect", sent);
      } else {
        sent();
      }
    });
    upstream.on("response", (response) => {
      const { connection: _hop, ...end } = response.headers;
      answer.writeHead(response.statusCode ?? 502, end);
      response.pipe(answer);
    });
    upstream.on("error", () => {
      first.unavailableUntil = performance.now() + failTimeoutMs;
      if (answer.headersSent) {
        answer.destroy();
      } else if (isSent && !IDEMPOTENT.has(method)) {
        answer.writeHead(502).end("upstream closed the connection");
      } else {
        pass(incoming, body, answer, others);
      }
    });
    upstream.end(body);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
