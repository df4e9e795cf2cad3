import type { LineReason } from "@prosa/contract";
import type { LineHost, LineSettings, LineState } from "../../port.ts";
import { SendError } from "../../port.ts";
import { BAD_SESSION, REFUSED_VERSION, endingOf, isDeadSession, nextMove } from "./reconnect-policy.ts";
import type { Ending, NextMove } from "./reconnect-policy.ts";
import { BufferJSON, DisconnectReason, initAuthCreds, WA_CERT_DETAILS } from "../library.ts";
import type { AuthenticationCreds, BaileysEventMap, WAVersion } from "../library.ts";
import { personOf } from "../addresses.ts";
import { Session } from "./session.ts";
import { pairingCodeMs } from "../timing.ts";
import type { Timing } from "../timing.ts";
import { Waiters } from "../outbound/index.ts";

const { connectionClosed: CLOSED } = DisconnectReason;

/** What the lines of one process know of each other. */
export interface Neighbours {
  /** How many lines other than this one heard something in the last five minutes. */
  heardLately(connectionId: number): number;
  heard(connectionId: number): void;
  forget(connectionId: number): void;
  /** Was a line turned away lately because of this client version? Then no other line need ask. */
  isRefused(client: string): boolean;
  refuse(client: string): void;
  /** WhatsApp let a line in with it. */
  take(client: string): void;
}

/** Keeps one session of a line open: a socket at a time, opened again by the rules of whatsapp.md section 10 until it is ended. */
export class SessionKeeper {
  /** What WhatsApp's server says to what was sent: null, or a refusal. */
  readonly acks = new Waiters<SendError | null>();
  readonly #host: LineHost;
  readonly #settings: LineSettings;
  readonly #timing: Timing;
  readonly #neighbours: Neighbours;
  #session: Session | undefined;
  readonly #opened = new Set<() => void>();
  #isConnected = false;
  #isEnded = false;
  #attempts = 0;
  /** The last so many endings were 500. */
  #badSessions = 0;
  #versionIndex = 0;
  #hasTried = false;
  #troubleSince: number | null = null;
  #lastReason: LineReason = "network";
  #lastHeard = 0;
  #heard = 0;
  #isCodeAsked = false;
  #retry: NodeJS.Timeout | undefined;
  #troubleTimer: NodeJS.Timeout | undefined;
  #stableTimer: NodeJS.Timeout | undefined;
  readonly #watch: NodeJS.Timeout;

  constructor(host: LineHost, settings: LineSettings, timing: Timing, neighbours: Neighbours) {
    this.#host = host;
    this.#settings = settings;
    this.#timing = timing;
    this.#neighbours = neighbours;
    if (settings.rootPublicKey) {
      WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(settings.rootPublicKey);
    }
    this.#watch = setInterval(() => this.#recycleIfDead(), 60_000).unref();
    this.#noteTrouble();
    void this.#connect();
  }

  /** The session, where it is connected at this moment. */
  get connected(): Session | undefined {
    return this.#isConnected ? this.#session : undefined;
  }

  /** Waits a moment for a line that is on its way; SendError `notConnected` where it does not come. */
  async whenOpen(): Promise<Session> {
    if (!this.#isConnected && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        const resume = () => {
          clearTimeout(timer);
          this.#opened.delete(resume);
          resolve();
        };
        const timer = setTimeout(resume, this.#timing.openMs);
        this.#opened.add(resume);
      });
    }
    if (!this.#session || !this.#isConnected) {
      throw new SendError("notConnected", true);
    }
    return this.#session;
  }

  async #connect(): Promise<void> {
    // The first login is the product's wish; when the line comes back by itself it need not be the one who finds out.
    if (this.#hasTried && this.#neighbours.isRefused(this.#client)) {
      this.#follow(
        nextMove({ code: REFUSED_VERSION, message: "" }, this.#situation(true), 0),
        "refused for another line",
        { isHearsay: true },
      );
      return;
    }
    this.#hasTried = true;
    try {
      const creds = await this.#loadCreds();
      if (this.#isEnded) {
        return;
      }
      const other = otherNumber(creds, this.#settings.lastNumber);
      if (other !== null) {
        this.#clearTrouble();
        this.#show({ status: "DISCONNECTED", reason: "otherNumber", detail: other });
        return;
      }
      this.#session = this.#openSession(creds);
    } catch (error) {
      if (this.#isEnded) {
        return;
      }
      // The store is away: like a network that is away.
      this.#host.log.warn({ err: error, connectionId: this.#host.connectionId }, "a line cannot be opened");
      this.#follow(nextMove({ code: 0, message: "store" }, this.#situation(false), Math.random()), "store");
    }
  }

  #openSession(creds: AuthenticationCreds): Session {
    this.#isCodeAsked = false;
    this.#heard = 0;
    const session: Session = new Session({
      host: this.#host,
      settings: this.#settings,
      creds,
      version: this.#version(),
      timing: this.#timing,
      onConnection: (update) => {
        this.#onConnection(session, update).catch((error: unknown) => {
          // The socket went away in the same moment; its end is told by itself.
          this.#host.log.debug(
            { err: error, connectionId: this.#host.connectionId },
            "a change of connection was cut short",
          );
        });
      },
      onAck: (waId, refused) => this.acks.settle(waId, refused),
      onHeard: () => {
        this.#heard += 1;
        this.#lastHeard = Date.now();
        this.#neighbours.heard(this.#host.connectionId);
      },
      onLeaseLost: () => this.end()?.drop(),
    });
    return session;
  }

  /** Credentials that have an owner but no account come from a pairing that was never finished: WhatsApp refuses them. */
  async #loadCreds(): Promise<AuthenticationCreds> {
    const saved = await this.#host.loadCreds();
    const creds = saved === null ? null : (JSON.parse(saved, BufferJSON.reviver) as AuthenticationCreds);
    if (creds?.me && !creds.account) {
      await this.#host.forget();
      return initAuthCreds();
    }
    return creds ?? initAuthCreds();
  }

  /**
   * Logs a phone in that the line does not go on with, so that its device can be unlinked; what comes in meanwhile is
   * not taken in. Undefined where nothing waits for a decision, or WhatsApp does not answer.
   */
  async openToUnlink(): Promise<Session | undefined> {
    const creds = await this.#loadCreds();
    if (otherNumber(creds, this.#settings.lastNumber) === null) {
      return undefined;
    }
    return new Promise((resolve) => {
      let isGiven = false;
      const give = (opened: Session | undefined) => {
        if (isGiven) {
          return;
        }
        isGiven = true;
        clearTimeout(timer);
        if (!opened) {
          session.drop();
        }
        resolve(opened);
      };
      const timer = setTimeout(() => give(undefined), this.#timing.ackMs);
      const session: Session = new Session({
        host: this.#host,
        settings: this.#settings,
        creds,
        version: this.#version(),
        timing: this.#timing,
        isTakingIn: false,
        onConnection({ connection }) {
          if (connection === "open" || connection === "close") {
            give(connection === "open" ? session : undefined);
          }
        },
        onAck: () => undefined,
        onHeard: () => undefined,
        onLeaseLost: () => give(undefined),
      });
    });
  }

  async #onConnection(session: Session, update: BaileysEventMap["connection.update"]): Promise<void> {
    if (session !== this.#session || this.#isEnded) {
      return;
    }
    if (update.qr || update.connection === "open") {
      this.#neighbours.take(this.#client);
    }
    if (update.qr) {
      await this.#showCode(session, update.qr);
    }
    if (update.connection === "open") {
      this.#onOpen(session);
    }
    if (update.connection === "close") {
      await this.#onClose(session, endingOf(update.lastDisconnect?.error));
    }
  }

  async #showCode(session: Session, qr: string): Promise<void> {
    this.#clearTrouble();
    const { pairingNumber } = this.#settings;
    if (!pairingNumber) {
      this.#show({ status: "qrcode", qr });
      return;
    }
    // Later QRs of this socket belong to the same pairing code.
    if (!this.#isCodeAsked) {
      this.#isCodeAsked = true;
      const expiresAt = new Date(this.#host.clock.now().getTime() + pairingCodeMs(this.#timing));
      try {
        const pairingCode = await session.sock.requestPairingCode(pairingNumber);
        if (session === this.#session) {
          this.#show({ status: "PAIRING", pairingCode, expiresAt });
        }
      } catch (error) {
        // The next socket asks anew; one that is closed already tells its end by itself.
        endSocket(session, `No pairing code: ${error instanceof Error ? error.message : ""}`);
      }
    }
  }

  #onOpen(session: Session): void {
    const { phone, lid } = session.self;
    this.#isConnected = true;
    this.#lastHeard = Date.now();
    this.#clearTrouble();
    this.#stableTimer = setTimeout(() => {
      this.#attempts = 0;
      this.#badSessions = 0;
    }, this.#timing.stableMs).unref();
    this.#show({ status: "CONNECTED", number: phone ?? "", lid });
    this.#opened.forEach((resume) => resume());
  }

  async #onClose(session: Session, ending: Ending): Promise<void> {
    this.#isConnected = false;
    this.#session = undefined;
    clearTimeout(this.#stableTimer);
    this.acks.rejectAll(new SendError("notConnected", true, { detail: "The line was cut" }));
    // What is whole becomes durable before another socket reads the keys.
    await session.close();
    if (this.#isEnded) {
      return;
    }
    const move = nextMove(ending, this.#situation(session.creds.account !== undefined), Math.random());
    this.#badSessions = ending.code === BAD_SESSION ? this.#badSessions + 1 : 0;
    if (ending.code === REFUSED_VERSION) {
      this.#neighbours.refuse(this.#client);
    }
    this.#host.onNote("closed", `${ending.code} ${ending.message}`.trim());
    this.#follow(move, ending.message);
  }

  #follow(move: NextMove, detail: string, by: { readonly isHearsay?: true } = {}): void {
    if (move.do === "stop") {
      void this.#stopFor({ status: "DISCONNECTED", reason: move.reason, detail, ...by }, move.forget);
      return;
    }
    this.#lastReason = move.reason;
    this.#attempts += move.afterMs === 0 ? 0 : 1;
    this.#versionIndex += move.nextVersion ? 1 : 0;
    this.#noteTrouble();
    this.#retry = setTimeout(() => void this.#connect(), move.afterMs * this.#timing.pauseFactor);
  }

  async #stopFor(state: LineState, isForgotten: boolean): Promise<void> {
    this.end();
    if (isForgotten) {
      // What stays is refused again when it is tried, and forgotten by a new pairing.
      await this.#host.forget().catch((error: unknown) => {
        this.#host.log.warn({ err: error, connectionId: this.#host.connectionId }, "credentials were not forgotten");
      });
    }
    this.#show(state);
  }

  #situation(hasMe: boolean) {
    const versionsLeft = (this.#settings.versions?.length ?? 0) - 1 - this.#versionIndex;
    return { attempts: this.#attempts, badSessions: this.#badSessions, hasMe, versionsLeft };
  }

  /** What this line announces, to whom: WhatsApp's judgement of it holds for every line that does the same. */
  get #client(): string {
    return `${this.#settings.wsUrl ?? ""} ${this.#version()?.join(".") ?? ""}`;
  }

  #version(): WAVersion | undefined {
    const version = this.#settings.versions?.[this.#versionIndex];
    return version ? [...version] : undefined;
  }

  /** OPENING at first; a minute later it is called TIMEOUT. */
  #noteTrouble(): void {
    if (this.#troubleSince === null) {
      this.#troubleSince = Date.now();
      this.#troubleTimer = setTimeout(
        () => this.#show({ status: "TIMEOUT", reason: this.#lastReason, detail: "" }),
        this.#timing.troubleShownMs,
      ).unref();
    }
    if (Date.now() - this.#troubleSince < this.#timing.troubleShownMs) {
      this.#show({ status: "OPENING" });
    }
  }

  #clearTrouble(): void {
    this.#troubleSince = null;
    clearTimeout(this.#troubleTimer);
  }

  #show(state: LineState): void {
    this.#host.onState(state);
  }

  /** No more attempts, timers or waiters. Returns the session, which the caller closes in its own way. */
  end(): Session | undefined {
    this.#isEnded = true;
    this.#isConnected = false;
    clearTimeout(this.#retry);
    clearTimeout(this.#stableTimer);
    clearInterval(this.#watch);
    this.#clearTrouble();
    this.#neighbours.forget(this.#host.connectionId);
    this.acks.rejectAll(new SendError("notConnected", true, { detail: "The line was stopped" }));
    this.#opened.forEach((resume) => resume());
    const session = this.#session;
    this.#session = undefined;
    return session;
  }

  #recycleIfDead(): void {
    const others = this.#neighbours.heardLately(this.#host.connectionId);
    const traffic = { now: Date.now(), lastHeard: this.#lastHeard, heard: this.#heard, othersHeard: others };
    if (this.#isConnected && this.#session && isDeadSession(traffic)) {
      this.#host.onNote("recycled", "connected, but nothing was received for 30 minutes while other lines receive");
      endSocket(this.#session, "Dead session");
    }
  }
}

/** Like a connection that was cut: the line comes back by itself. */
function endSocket({ sock }: Session, words: string): void {
  void sock.end(Object.assign(new Error(words), { output: { statusCode: CLOSED } }));
}

/** The number of the linked phone, where the line had another one before; null where there is nothing to decide. */
function otherNumber(creds: AuthenticationCreds, lastNumber: string | undefined): string | null {
  const { phone } = personOf(creds.me?.id);
  return creds.account && lastNumber && phone !== null && phone !== lastNumber ? phone : null;
}
