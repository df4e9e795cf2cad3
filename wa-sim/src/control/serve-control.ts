import { timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { MessageView } from "../messages/index.ts";
import type { WaSim } from "../sim.ts";
import { fromJson, toJson } from "../storage/index.ts";
import { isVerb, verbs } from "./verbs.ts";

// Events kept for clients that resume with Last-Event-ID.
const EVENT_BUFFER_SIZE = 10_000;

export interface Control {
  url: string;
  stop(): Promise<void>;
}

interface Event {
  number: number;
  message: MessageView;
}

/**
 * The control API for other processes: `POST /<verb>` with a JSON object (see verbs.ts), and `GET /events` for
 * the messages that persons receive, as server-sent events that resume after `Last-Event-ID`. Every call needs
 * the bearer token. Bytes travel as `{"$b": base64}`.
 */
export async function serveControl(
  sim: WaSim,
  options: { port?: number; host?: string; token: string },
): Promise<Control> {
  const { port = 0, host = "127.0.0.1", token } = options;
  const events = new Events(sim);
  const server = createServer((request, response) => {
    if (!isAllowed(request, token)) {
      reply(response, 401, { error: "wrong token" });
      return;
    }
    const url = new URL(request.url ?? "/", "http://localhost");
    if (request.method === "GET" && url.pathname === "/events") {
      events.follow(request, response);
      return;
    }
    answer(sim, url.pathname.slice(1), request).then(
      (result) => {
        reply(response, 200, { result });
      },
      (error: unknown) => {
        reply(response, 400, { error: error instanceof Error ? error.message : String(error) });
      },
    );
  });
  server.keepAliveTimeout = 0; // otherwise a client that reuses a connection races with its closing
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      events.stop();
      await close(server);
    },
  };
}

async function answer(sim: WaSim, verb: string, request: IncomingMessage): Promise<unknown> {
  if (request.method !== "POST" || !isVerb(verb)) {
    throw new Error(`there is no "${verb}"`);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  const input = chunks.length > 0 ? fromJson(Buffer.concat(chunks).toString()) : {};
  // the client is ours and typed by the same table; a wrong field shows as an error of the verb
  return (verbs[verb] as (sim: WaSim, input: unknown) => unknown)(sim, input);
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(toJson(body));
}

function isAllowed(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** Numbered events of received messages, with a replay buffer. */
class Events {
  readonly #buffer: Event[] = [];
  readonly #followers = new Set<ServerResponse>();
  readonly #unsubscribe: () => void;
  #last = 0;

  constructor(sim: WaSim) {
    this.#unsubscribe = sim.onMessage((message) => {
      const event = { number: ++this.#last, message };
      this.#buffer.push(event);
      if (this.#buffer.length > EVENT_BUFFER_SIZE) {
        this.#buffer.shift();
      }
      for (const follower of this.#followers) {
        writeEvent(follower, event);
      }
    });
  }

  follow(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.flushHeaders();
    const after = request.headers["last-event-id"];
    for (const event of after === undefined ? [] : this.#buffer) {
      if (event.number > Number(after)) {
        writeEvent(response, event);
      }
    }
    this.#followers.add(response);
    response.on("close", () => this.#followers.delete(response));
  }

  stop(): void {
    this.#unsubscribe();
    for (const follower of this.#followers) {
      follower.end();
    }
  }
}

function writeEvent(response: ServerResponse, { number, message }: Event): void {
  response.write(`id: ${number}\ndata: ${toJson(message)}\n\n`);
}
