import { decodeBinaryNode, encodeBinaryNode } from "baileys";
import type { proto } from "baileys";
import type { Logger } from "pino";
import type { WebSocket } from "ws";
import type { Journal } from "../storage/index.ts";
import type { ServerKeys } from "./certificates.ts";
import { NoiseServer } from "./noise.ts";
import { attr, node, SERVER } from "./stanza.ts";
import type { Node } from "./stanza.ts";

export interface ConnectionEvents {
  onHello(connection: Connection, hello: proto.ClientPayload): void;
  /** Stanzas of one connection are handled one after another. */
  onStanza(connection: Connection, stanza: Node): Promise<void>;
  onClose(connection: Connection): void;
}

let lastId = 0;

/** A client's WebSocket: Noise handshake, decoding in order, sending after the journal is written. */
export class Connection {
  readonly id = ++lastId;
  /** Simulates a dead peer: the socket stays open, but nothing is read or written. */
  isSilent = false;

  readonly #socket: WebSocket;
  readonly #noise: NoiseServer;
  readonly #journal: Journal;
  readonly #events: ConnectionEvents;
  readonly #log: Logger;
  readonly #replies = new Map<string, (stanza: Node) => void>();
  #stage: "hello" | "finish" | "open" = "hello";
  #reading: Promise<void> = Promise.resolve();
  #outgoing: (Node | Uint8Array)[] = [];
  #isFlushing = false;
  #nextId = 1;

  constructor(socket: WebSocket, keys: ServerKeys, journal: Journal, events: ConnectionEvents, log: Logger) {
    this.#socket = socket;
    this.#noise = new NoiseServer(keys.staticKey, keys.chain);
    this.#journal = journal;
    this.#events = events;
    this.#log = log.child({ connection: this.id });
    socket.binaryType = "nodebuffer";
    socket.on("message", (data) => {
      this.#receive(data as Buffer);
    });
    socket.on("close", () => {
      events.onClose(this);
    });
    socket.on("error", (error) => {
      this.#log.debug({ error }, "socket error");
    });
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  get clientKey(): Buffer {
    if (!this.#noise.clientKey) {
      throw new Error("the handshake is not finished");
    }
    return this.#noise.clientKey;
  }

  /** Queues a stanza, encoded or not. All stanzas of a turn of the event loop are sent together, after the journal is flushed. */
  send(stanza: Node | Uint8Array): void {
    this.#outgoing.push(stanza);
    if (!this.#isFlushing) {
      this.#isFlushing = true;
      setImmediate(() => {
        this.#isFlushing = false;
        this.flush();
      });
    }
  }

  /** Sends an IQ and waits for its result. */
  query(iq: Node): Promise<Node> {
    const id = `s-${this.id}-${this.#nextId++}`;
    iq.attrs["id"] = id;
    return new Promise((resolve, reject) => {
      this.#replies.set(id, resolve);
      this.#socket.once("close", () => {
        reject(new Error("the client closed the connection"));
      });
      this.send(iq);
    });
  }

  sendResult(iq: Node, content?: Node["content"]): void {
    this.send(node("iq", { type: "result", id: attr(iq, "id"), from: SERVER }, content));
  }

  sendError(iq: Node, code: number, text: string): void {
    this.send(node("iq", { type: "error", id: attr(iq, "id"), from: SERVER }, [node("error", { code, text })]));
  }

  flush(): void {
    this.#journal.flush();
    const stanzas = this.#outgoing;
    this.#outgoing = [];
    if (this.isSilent || !this.isOpen || this.#stage !== "open") {
      return;
    }
    const frames = stanzas.map((stanza) =>
      this.#noise.encrypt(stanza instanceof Uint8Array ? stanza : encodeBinaryNode(stanza)),
    );
    const only = frames[0];
    if (only) {
      this.#socket.send(frames.length === 1 ? only : Buffer.concat(frames));
    }
  }

  /** Sends a last stanza, then closes the WebSocket. */
  closeWith(stanza: Node): void {
    this.send(stanza);
    this.flush();
    this.#socket.close();
  }

  close(): void {
    this.flush();
    this.#socket.close();
  }

  /** Cuts the TCP connection. */
  drop(): void {
    this.#outgoing = [];
    this.#socket.terminate();
  }

  #receive(data: Buffer): void {
    if (this.isSilent) {
      return;
    }
    try {
      for (const frame of this.#noise.readFrames(data)) {
        this.#handleFrame(frame);
      }
    } catch (error) {
      this.#log.warn({ error }, "invalid frame, connection dropped");
      this.drop();
    }
  }

  #handleFrame(frame: Buffer): void {
    if (this.#stage === "hello") {
      this.#socket.send(this.#noise.answerHello(frame));
      this.#stage = "finish";
    } else if (this.#stage === "finish") {
      const hello = this.#noise.finish(frame);
      this.#stage = "open";
      this.#events.onHello(this, hello);
    } else {
      const plain = this.#noise.decrypt(frame);
      this.#reading = this.#reading.then(() => this.#handleStanza(plain));
    }
  }

  async #handleStanza(plain: Buffer): Promise<void> {
    try {
      const stanza = await decodeBinaryNode(plain);
      const reply = stanza.attrs["id"] === undefined ? undefined : this.#replies.get(stanza.attrs["id"]);
      if (reply && stanza.tag === "iq") {
        this.#replies.delete(attr(stanza, "id"));
        reply(stanza);
        return;
      }
      await this.#events.onStanza(this, stanza);
    } catch (error) {
      this.#log.error({ err: error }, "stanza handler failed");
    }
  }
}
