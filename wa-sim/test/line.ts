import { EventEmitter } from "node:events";
import { Agent } from "node:https";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { BufferJSON, downloadMediaMessage, initAuthCreds, makeWASocket, WA_CERT_DETAILS } from "baileys";
import type {
  AnyMessageContent,
  AuthenticationCreds,
  BaileysEventMap,
  ConnectionState,
  proto,
  SignalDataTypeMap,
  UserFacingSocketConfig,
  WAMessage,
  WASocket,
} from "baileys";
import { pino } from "pino";
import type { WebSocket } from "ws";
import type { WaSim } from "../src/index.ts";

// libsignal logs replaced sessions with their private keys
for (const name of ["info", "warn", "error", "log"] as const) {
  console[name] = () => undefined;
}

export interface Disconnect {
  code: number;
  message: string;
}

const RECONNECT_AFTER_MS = 10;

type StoredKeys = { [K in keyof SignalDataTypeMap]?: Record<string, string | null> };

/** The addresses and keys of a server, in this process or another. */
type Server = Pick<WaSim, "wsUrl" | "caPem" | "rootPublicKey">;

/** The unmodified Baileys client. Its credentials are stored as JSON text, so that serialisation errors show. */
export class Line {
  readonly qrs: string[] = [];
  readonly upserts: { type: string; message: WAMessage }[] = [];
  /**
   * Messages that Baileys has processed and confirmed. Its events follow up to 100 ms later, and never if the connection
   * ends in between.
   */
  readonly decrypted: WAMessage[] = [];
  readonly disconnects: Disconnect[] = [];
  readonly updates: BaileysEventMap["messages.update"] = [];
  readonly calls: BaileysEventMap["call"] = [];
  /** Presence, group receipts, changes of groups, reactions. */
  readonly otherEvents: { event: string; value: unknown }[] = [];
  readonly sent = new Map<string, proto.IMessage>();
  /** Ids that the server acknowledged, or the code with which it refused. */
  readonly acks = new Map<string, string>();
  socket!: WASocket;
  isOpen = false;
  reconnects = true;
  readonly #sim: Server;
  readonly #config: Partial<UserFacingSocketConfig>;
  readonly #changes = new EventEmitter().setMaxListeners(0);
  #credentials = JSON.stringify(initAuthCreds(), BufferJSON.replacer);
  readonly #keys: StoredKeys = {};
  #isClosed = false;

  constructor(sim: Server, config: Partial<UserFacingSocketConfig> = {}) {
    this.#sim = sim;
    this.#config = config;
    WA_CERT_DETAILS.PUBLIC_KEY = sim.rootPublicKey;
    setDefaultCACertificates([...getCACertificates("bundled"), sim.caPem]); // downloads use the global fetch
  }

  get credentials(): AuthenticationCreds {
    return JSON.parse(this.#credentials, BufferJSON.reviver) as AuthenticationCreds;
  }

  connect(): this {
    const creds = this.credentials;
    const socket = makeWASocket({
      waWebSocketUrl: this.#sim.wsUrl,
      auth: { creds, keys: this.#keyStore() },
      logger: pino({ level: process.env["LINE_LOG"] ?? "silent" }),
      version: [2, 3000, 1043857760],
      fetchAgent: new Agent({ ca: this.#sim.caPem }),
      defaultQueryTimeoutMs: 3000,
      retryRequestDelayMs: 20,
      getMessage: (key) => Promise.resolve(this.sent.get(key.id ?? "")),
      ...this.#config,
    });
    this.socket = socket;
    socket.ev.on("creds.update", () => {
      this.#credentials = JSON.stringify(creds, BufferJSON.replacer);
    });
    socket.ev.on("connection.update", (update) => {
      this.#follow(update);
    });
    ignoreSendsAfterClose(socket);
    const emit = socket.ev.emit.bind(socket.ev);
    socket.ev.emit = (event, data) => {
      if (event === "messages.upsert") {
        this.decrypted.push(...(data as BaileysEventMap["messages.upsert"]).messages);
        this.#changes.emit("change");
      }
      return emit(event, data);
    };
    socket.ev.on("messages.upsert", ({ messages, type }) => {
      this.upserts.push(...messages.map((message) => ({ type, message })));
      this.#changes.emit("change");
    });
    socket.ev.on("messages.update", (updates) => {
      this.updates.push(...updates);
      this.#changes.emit("change");
    });
    socket.ev.on("call", (calls) => {
      this.calls.push(...calls);
      this.#changes.emit("change");
    });
    socket.ws.on("CB:ack,class:message", ({ attrs }: { attrs: Record<string, string> }) => {
      this.acks.set(attrs["id"] ?? "", attrs["error"] ?? "ok");
      this.#changes.emit("change");
    });
    for (const event of [
      "presence.update",
      "message-receipt.update",
      "group-participants.update",
      "messages.reaction",
    ] as const) {
      socket.ev.on(event, (value) => {
        this.otherEvents.push({ event, value });
        this.#changes.emit("change");
      });
    }
    return this;
  }

  /** Waits until `find` returns a value; checks after every change. */
  waitUntil<T>(what: string, find: () => T | undefined | false, timeoutMs = 60_000): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = find();
        if (found !== undefined && found !== false) {
          clearTimeout(timer);
          this.#changes.off("change", look);
          resolve(found);
        }
      };
      const timer = setTimeout(() => {
        this.#changes.off("change", look);
        reject(new Error(`waited ${timeoutMs} ms for: ${what}`));
      }, timeoutMs);
      this.#changes.on("change", look);
      look();
    });
  }

  waitUntilOpen(): Promise<true> {
    return this.waitUntil("connection open", () => this.isOpen);
  }

  qr(): Promise<string> {
    return this.waitUntil("a QR code", () => this.qrs.at(-1));
  }

  waitForDisconnect(count = 1): Promise<Disconnect> {
    return this.waitUntil("the connection to end", () => this.disconnects[count - 1]);
  }

  /** The first received message with content that matches. */
  receives(wanted: (message: WAMessage) => boolean, timeoutMs?: number): Promise<WAMessage> {
    const find = (): WAMessage | undefined =>
      this.upserts.map(({ message }) => message).find((message) => message.message && wanted(message));
    return this.waitUntil("a message", find, timeoutMs);
  }

  receivesText(text: string): Promise<WAMessage> {
    return this.receives(({ message }) => (message?.conversation ?? message?.extendedTextMessage?.text) === text);
  }

  /** Sends and waits for the server's ack. */
  async sends(
    jid: string,
    content: AnyMessageContent,
    options: { quoted?: WAMessage; ackTimeoutMs?: number } = {},
  ): Promise<string> {
    const message = await this.socket.sendMessage(jid, content, options);
    const id = message?.key.id ?? "";
    if (message?.message) {
      this.sent.set(id, message.message);
    }
    await this.waitUntil("an ack", () => this.acks.get(id), options.ackTimeoutMs);
    return id;
  }

  status(id: string): number | undefined {
    const found = [
      ...this.upserts.filter(({ message }) => message.key.id === id).map(({ message }) => message.status),
      ...this.updates.filter(({ key }) => key.id === id).map(({ update }) => update.status),
    ].filter((status) => typeof status === "number");
    return found.length > 0 ? Math.max(...found) : undefined;
  }

  reaches(id: string, status: proto.WebMessageInfo.Status): Promise<true> {
    return this.waitUntil(`status ${status}`, () => this.status(id) === status);
  }

  download(message: WAMessage): Promise<Buffer> {
    return downloadMediaMessage(message, "buffer", {});
  }

  close(): void {
    this.#isClosed = true;
    void this.socket.end(undefined);
  }

  #connectAgain(): void {
    if (!this.#isClosed) {
      this.connect();
    }
  }

  #follow(update: Partial<ConnectionState>): void {
    if (update.qr) {
      this.qrs.push(update.qr);
    }
    if (update.connection === "open") {
      this.isOpen = true;
    }
    if (update.connection === "close") {
      this.isOpen = false;
      const error = update.lastDisconnect?.error as (Error & { output?: { statusCode: number } }) | undefined;
      const code = error?.output?.statusCode ?? 0;
      this.disconnects.push({ code, message: error?.message ?? "" });
      if (code === 515 || (this.reconnects && [408, 428, 503].includes(code))) {
        setTimeout(() => {
          this.#connectAgain();
        }, RECONNECT_AFTER_MS);
      }
    }
    this.#changes.emit("change");
  }

  #keyStore(): UserFacingSocketConfig["auth"]["keys"] {
    return {
      get: (type, ids) => {
        const found: Record<string, SignalDataTypeMap[typeof type]> = {};
        for (const id of ids) {
          const text = this.#keys[type]?.[id];
          if (text) {
            const value: unknown = JSON.parse(text, BufferJSON.reviver);
            found[id] = value as SignalDataTypeMap[typeof type];
          }
        }
        return found;
      },
      set: (data) => {
        for (const [type, values] of Object.entries(data)) {
          const known = (this.#keys[type as keyof SignalDataTypeMap] ??= {});
          for (const [id, value] of Object.entries(values)) {
            known[id] = value === null ? null : JSON.stringify(value, BufferJSON.replacer);
          }
        }
      },
    };
  }
}

/**
 * Baileys loses a decrypted message if the connection closes before its receipt is sent: sending throws, no event
 * follows, and the second copy is refused with 487. This ignores sends after the close instead.
 */
function ignoreSendsAfterClose(socket: WASocket): void {
  const client = socket.ws as unknown as { socket: WebSocket };
  const raw = client.socket;
  const send = raw.send.bind(raw) as (data: Uint8Array) => void;
  const sendIfOpen = (data: Uint8Array, done?: () => void): void => {
    if (raw.readyState === raw.OPEN) {
      send(data);
    }
    done?.();
  };
  Object.assign(raw, { send: sendIfOpen });
  Object.defineProperty(client, "socket", { get: () => raw, set: () => undefined });
  Object.defineProperty(client, "isOpen", { get: () => raw.readyState !== raw.CONNECTING });
}
