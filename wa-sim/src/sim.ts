import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { pino } from "pino";
import type { Logger } from "pino";
import { WebSocketServer } from "ws";
import { rejectCall } from "./delivery/index.ts";
import { handleAck, handleIq, handleMessage, handleReceipt, logIn, sendBacklog, versionOf } from "./handlers/index.ts";
import { MediaHost } from "./media/index.ts";
import type { MessageView } from "./messages/index.ts";
import { Group, Network } from "./network/index.ts";
import type { Companion, Faults, NetworkOptions, NewUser, Stats } from "./network/index.ts";
import { dropRegistration, register } from "./pairing/index.ts";
import { findOrCreatePerson, findOrCreatePhone, makeUser, Person, Phone } from "./people/index.ts";
import { attr, child, children, Connection, makeServerKeys, node } from "./protocol/index.ts";
import type { Node, ServerKeys } from "./protocol/index.ts";
import { restore } from "./restore.ts";
import { Journal } from "./storage/index.ts";

export interface WaSimOptions extends Partial<NetworkOptions> {
  /** Default 0: the port in the state file, else a free one. */
  port?: number;
  mediaPort?: number;
  host?: string;
  /** Stores the state over restarts, also after kill -9. Media are in a folder beside it. */
  stateFile?: string;
  log?: Logger;
  /** Milliseconds since 1970. */
  clock?: () => number;
}

export type Refusal = boolean | "http" | "hang";

/** A local WhatsApp multi-device server, with its phones and persons. */
export class WaSim {
  readonly #network: Network;
  readonly #keys: ServerKeys;
  readonly #http = createServer((_request, response) => response.writeHead(426).end());
  readonly #sockets: WebSocketServer;
  readonly #connections = new Set<Connection>();
  readonly #hanging = new Set<Duplex>();
  readonly #companions = new WeakMap<Connection, Companion>();
  readonly #temporaryFolder: string | undefined;
  /** File with the certificate of the media host, for NODE_EXTRA_CA_CERTS. */
  readonly caFile: string;
  /**
   * New connections: true cuts them, "hang" leaves them unanswered, "http" answers 503. Baileys rc14 never ends
   * a connection that is answered 503: its user needs a timeout.
   */
  refuseConnections: Refusal = false;

  #port = 0;

  private constructor(network: Network, keys: ServerKeys, caFile: string, temporary: string | undefined) {
    this.#network = network;
    this.#keys = keys;
    this.caFile = caFile;
    this.#temporaryFolder = temporary;
    this.#sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
    this.#http.on("upgrade", (request, socket, head) => {
      if (this.refuseConnections === "hang") {
        this.#hanging.add(socket);
        return;
      }
      if (this.refuseConnections === true) {
        socket.destroy();
        return;
      }
      if (this.refuseConnections === "http") {
        socket.end("HTTP/1.1 503 Service Unavailable\r\n\r\n");
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
        this.#connections.add(new Connection(webSocket, keys, network.journal, this.#events, network.log));
      });
    });
  }

  static async start(options: WaSimOptions = {}): Promise<WaSim> {
    const { host = "127.0.0.1", stateFile, log = pino({ level: "silent" }), clock = Date.now } = options;
    const journal = new Journal(stateFile);
    const saved = journal.get("server") as (ServerKeys & { ports?: [number, number] }) | undefined;
    const keys = saved ?? (await makeServerKeys());
    const temporary = stateFile === undefined ? mkdtempSync(join(tmpdir(), "wa-sim-")) : undefined;
    const caFile = temporary === undefined ? `${stateFile ?? ""}.ca.pem` : join(temporary, "ca.pem");
    writeFileSync(caFile, keys.tls.cert);
    const network = new Network({
      journal,
      log,
      clock,
      options: { autoCreatePersons: false, uploadAllPreKeys: false, sendHistory: true, chatLimit: 10_000, ...options },
      makeUser,
      makeMedia: (faults) =>
        new MediaHost(keys.tls, faults, stateFile === undefined ? undefined : `${stateFile}.media`),
    });
    await restore(network);
    const sim = new WaSim(network, keys, caFile, temporary);
    await sim.#listen(host, options.port || saved?.ports?.[0] || 0, options.mediaPort || saved?.ports?.[1] || 0);
    journal.put("server", { ...keys, ports: [sim.#port, network.media.port] });
    journal.flush();
    return sim;
  }

  /** Milliseconds since 1970, by the network's clock. */
  now(): number {
    return this.#network.clock();
  }

  get wsUrl(): string {
    return `ws://127.0.0.1:${this.#port}/ws/chat`;
  }

  get mediaOrigin(): string {
    return this.#network.media.origin;
  }

  get caPem(): string {
    return this.#keys.tls.cert;
  }

  /** For WA_CERT_DETAILS.PUBLIC_KEY of Baileys. */
  get rootPublicKey(): Buffer<ArrayBuffer> {
    return Buffer.from(this.#keys.root.public);
  }

  get faults(): Faults {
    return this.#network.faults;
  }

  get stats(): Stats {
    return this.#network.stats;
  }

  /** Unknown stanzas; IQs among them were answered with an empty result. */
  get unknownStanzas(): Node[] {
    return this.#network.unknownStanzas;
  }

  /** Creates or finds the owner's phone of a line. */
  phone(number: string, options?: { name?: string }): Phone {
    return findOrCreatePhone(this.#network, number, options);
  }

  /** Creates or finds a customer. */
  person(number: string, options?: NewUser): Person {
    return findOrCreatePerson(this.#network, number, options);
  }

  persons(): Person[] {
    return [...this.#network.users.values()].filter((user) => user instanceof Person);
  }

  phones(): Phone[] {
    return [...this.#network.users.values()].filter((user) => user instanceof Phone);
  }

  /** Creates a group, or finds the one with this id. */
  group(about: { subject: string; members: Person[]; line: string; id?: string }): Group {
    const existing = about.id === undefined ? undefined : this.findGroup(about.id);
    if (existing) {
      return existing;
    }
    const id = about.id ?? `120363${String(this.#network.clock()).slice(-12)}${this.#network.groups.size}`;
    const members = [...about.members.map(({ number }) => number), this.#network.line(about.line).number];
    const record = { id, subject: about.subject, members, createdAt: this.#network.clock(), keysGiven: [] };
    const group = new Group(this.#network, this.#network.users, record);
    this.#network.groups.set(id, group);
    return group;
  }

  groups(): Group[] {
    return [...this.#network.groups.values()];
  }

  findGroup(id: string): Group | undefined {
    return this.#network.groups.get(id.split("@", 1)[0] ?? id);
  }

  /** Decides which further numbers have WhatsApp. */
  knowsNumber(decide: (number: string) => boolean): void {
    this.#network.knowsNumber = decide;
  }

  /** Calls back for each message that a person receives. Returns the unsubscribe function. */
  onMessage(listener: (message: MessageView) => void): () => void {
    this.#network.messages.on("message", listener);
    return () => {
      this.#network.messages.off("message", listener);
    };
  }

  /** Waits until the devices of a line have confirmed all stanzas. Rejects after `timeoutMs`. */
  async settled(number: string, options: { timeoutMs?: number } = {}): Promise<void> {
    const { timeoutMs = 60_000 } = options;
    const phone = this.#network.line(number);
    const isSettled = (): boolean => phone.companions().every(({ pending }) => pending.size === 0);
    if (isSettled()) {
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        this.#network.confirmations.off("confirmed", look);
      };
      const look = (): void => {
        if (isSettled()) {
          stop();
          resolve();
        }
      };
      const timer = setTimeout(() => {
        stop();
        const left = phone.companions().flatMap(({ pending }) => [...pending.keys()]);
        reject(new Error(`not confirmed after ${timeoutMs} ms: ${left.slice(0, 5).join(", ")} (${left.length})`));
      }, timeoutMs);
      this.#network.confirmations.on("confirmed", look);
    });
  }

  async stop(): Promise<void> {
    for (const connection of this.#connections) {
      connection.flush();
      connection.drop();
    }
    for (const socket of this.#hanging) {
      socket.destroy();
    }
    this.#sockets.close();
    this.#http.closeAllConnections();
    await Promise.all([new Promise((resolve) => this.#http.close(resolve)), this.#network.media.close()]);
    this.#network.journal.close();
    if (this.#temporaryFolder !== undefined) {
      rmSync(this.#temporaryFolder, { recursive: true, force: true });
    }
  }

  async #listen(host: string, port: number, mediaPort: number): Promise<void> {
    await listenOnPort(
      port,
      (wanted) =>
        new Promise<void>((resolve, reject) => {
          this.#http.once("error", reject).listen(wanted, host, resolve);
        }),
    );
    this.#port = (this.#http.address() as AddressInfo).port;
    await listenOnPort(mediaPort, (wanted) => this.#network.media.listen(wanted, host));
  }

  readonly #events = {
    onHello: (connection: Connection, hello: Parameters<typeof register>[2]): void => {
      if (this.faults.refusedVersions.includes(versionOf(hello))) {
        this.stats.refusedLogins++;
        connection.closeWith(node("failure", { reason: 405 }));
        return;
      }
      if (hello.devicePairingData) {
        register(this.#network, connection, hello);
        return;
      }
      const companion = logIn(this.#network, connection, hello);
      if (companion) {
        this.#companions.set(connection, companion);
      }
    },
    onStanza: (connection: Connection, stanza: Node): Promise<void> => this.#handleStanza(connection, stanza),
    onClose: (connection: Connection): void => {
      this.#connections.delete(connection);
      dropRegistration(this.#network, connection);
      const companion = this.#companions.get(connection);
      if (companion?.connection === connection) {
        companion.connection = undefined;
        companion.isLive = false;
      }
    },
  };

  async #handleStanza(connection: Connection, stanza: Node): Promise<void> {
    const network = this.#network;
    const companion = this.#companions.get(connection);
    if (stanza.tag === "iq") {
      await handleIq({ network, connection, companion, iq: stanza });
      return;
    }
    if (!companion) {
      return; // a device that is being linked only sends presence
    }
    if (stanza.tag === "message") {
      await handleMessage(network, companion, connection, stanza);
    } else if (stanza.tag === "receipt") {
      await handleReceipt(network, companion, connection, stanza);
    } else if (stanza.tag === "ack") {
      handleAck(network, companion, stanza);
    } else if (stanza.tag === "call") {
      rejectCall(network, child(stanza, "reject")?.attrs["call-id"] ?? "");
      connection.send({ tag: "ack", attrs: { class: "call", id: attr(stanza, "id"), from: attr(stanza, "to") } });
    } else if (stanza.tag === "ib") {
      if (children(stanza)[0]?.tag === "offline_batch" && !companion.isLive) {
        sendBacklog(network, companion, connection);
      }
    } else if (stanza.tag !== "presence" && stanza.tag !== "chatstate") {
      network.unknownStanzas.push(stanza);
    }
  }
}

/** Listens on the wanted port, or on any free one if it is taken. */
async function listenOnPort(port: number, listen: (port: number) => Promise<void>): Promise<void> {
  try {
    await listen(port);
  } catch (error) {
    if (port === 0) {
      throw error;
    }
    await listen(0);
  }
}
