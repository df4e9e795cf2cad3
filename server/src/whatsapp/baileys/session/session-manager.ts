import type { LineReason } from "@prosa/contract";
import type { LineHost, LineSettings, LineState } from "../../port.ts";
import { SendError } from "../../port.ts";
import { personOf } from "../addresses.ts";
import { BufferJSON, DisconnectReason, initAuthCreds, WA_CERT_DETAILS } from "../library.ts";
import type { AuthenticationCreds, BaileysEventMap, WAVersion } from "../library.ts";
import { PendingRequests } from "../outbound/index.ts";
import { pairingCodeLifetimeMs } from "../timing.ts";
import type { Timing } from "../timing.ts";
import { quotaOf, timeLockOf } from "./limits.ts";
import type { LinePeers } from "./line-peers.ts";
import { BAD_SESSION, REFUSED_VERSION, decideReconnect, disconnectOf, isDeadSession } from "./reconnect-policy.ts";
import type { Disconnect, ReconnectDecision } from "./reconnect-policy.ts";
import { Session } from "./session.ts";

const { connectionClosed: CLOSED } = DisconnectReason;

/** Keeps a line connected: one session at a time, reconnected by the rules of whatsapp.md section 10 until it is ended. */
export class SessionManager {
  /** Acknowledgements that sends wait for, by message id: null, or the refusal. */
  readonly acks = new PendingRequests<SendError | null>();
  readonly #host: LineHost;
  readonly #settings: LineSettings;
  readonly #timing: Timing;
  readonly #peers: LinePeers;
  #session: Session | undefined;
  readonly #openWaiters = new Set<() => void>();
  #isConnected = false;
  #isEnded = false;
  #attempts = 0;
  /** Disconnects with 500 in a row. */
  #badSessions = 0;
  #versionIndex = 0;
  #hasAttempted = false;
  #disconnectedSince: number | null = null;
  #lastReason: LineReason = "network";
  #lastReceivedAt = 0;
  #receivedCount = 0;
  #isPairingCodeRequested = false;
  #isAskingLimits = false;
  #retry: NodeJS.Timeout | undefined;
  #timeoutStatusTimer: NodeJS.Timeout | undefined;
  #stableTimer: NodeJS.Timeout | undefined;
  readonly #deadSessionCheck: NodeJS.Timeout;

  constructor(host: LineHost, settings: LineSettings, timing: Timing, peers: LinePeers) {
    this.#host = host;
    this.#settings = settings;
    this.#timing = timing;
    this.#peers = peers;
    if (settings.rootPublicKey) {
      WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(settings.rootPublicKey);
    }
    this.#deadSessionCheck = setInterval(() => this.#recycleIfDead(), 60_000).unref();
    this.#showConnecting();
    void this.#connect();
  }

  /** The session, if it is connected now. */
  get connected(): Session | undefined {
    return this.#isConnected ? this.#session : undefined;
  }

  /** Waits up to `waitForOpenMs` for a line that is connecting. Throws SendError `notConnected`. */
  async waitForOpen(): Promise<Session> {
    if (!this.#isConnected && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        const resume = () => {
          clearTimeout(timer);
          this.#openWaiters.delete(resume);
          resolve();
        };
        const timer = setTimeout(resume, this.#timing.waitForOpenMs);
        this.#openWaiters.add(resume);
      });
    }
    if (!this.#session || !this.#isConnected) {
      throw new SendError("notConnected", true);
    }
    return this.#session;
  }

  async #connect(): Promise<void> {
    // The first login was asked for by the product; a reconnect need not try a version that another line was refused with.
    if (this.#hasAttempted && this.#peers.isVersionRefused(this.#announcedClient)) {
      this.#applyDecision(
        decideReconnect({ code: REFUSED_VERSION, message: "" }, this.#reconnectContext(true), 0),
        "version refused for another line",
        { isHearsay: true },
      );
      return;
    }
    this.#hasAttempted = true;
    try {
      const creds = await this.#loadCreds();
      if (this.#isEnded) {
        return;
      }
      const other = unexpectedNumber(creds, this.#settings.lastNumber);
      if (other !== null) {
        this.#clearTimeoutStatus();
        this.#reportState({ status: "DISCONNECTED", reason: "otherNumber", detail: other });
        return;
      }
      this.#session = this.#openSession(creds);
    } catch (error) {
      if (this.#isEnded) {
        return;
      }
      // An unreachable database is treated like an unreachable network.
      this.#host.log.warn({ err: error, connectionId: this.#host.connectionId }, "line credentials cannot be loaded");
      this.#applyDecision(
        decideReconnect({ code: 0, message: "store" }, this.#reconnectContext(false), Math.random()),
        "store",
      );
    }
  }

  #openSession(creds: AuthenticationCreds): Session {
    this.#isPairingCodeRequested = false;
    this.#receivedCount = 0;
    const session: Session = new Session({
      host: this.#host,
      settings: this.#settings,
      creds,
      version: this.#version(),
      timing: this.#timing,
      onConnection: (update) => {
        this.#onConnection(session, update).catch((error: unknown) => {
          // The socket closed at the same moment; the close event follows.
          this.#host.log.debug({ err: error, connectionId: this.#host.connectionId }, "connection update interrupted");
        });
      },
      onQuota: (info) => this.#reportQuota(info),
      onAck: (waId, refused) => {
        this.acks.settle(waId, refused);
        if (refused?.reason === "limited") {
          void this.#askLimits(session);
        }
      },
      onReceived: () => {
        this.#receivedCount += 1;
        this.#lastReceivedAt = Date.now();
        this.#peers.recordActivity(this.#host.connectionId);
      },
      onLeaseLost: () => this.end()?.drop(),
    });
    return session;
  }

  /** Credentials with `me` but without `account` come from a pairing that was never finished: WhatsApp refuses them. */
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
   * Logs in with a number that was refused, so that its device can be unlinked; events are not stored meanwhile.
   * Undefined where no number waits for a decision, or WhatsApp does not answer.
   */
  async openForUnlink(): Promise<Session | undefined> {
    const creds = await this.#loadCreds();
    if (unexpectedNumber(creds, this.#settings.lastNumber) === null) {
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
        storesEvents: false,
        onConnection({ connection }) {
          if (connection === "open" || connection === "close") {
            give(connection === "open" ? session : undefined);
          }
        },
        onQuota: () => undefined,
        onAck: () => undefined,
        onReceived: () => undefined,
        onLeaseLost: () => give(undefined),
      });
    });
  }

  async #onConnection(session: Session, update: BaileysEventMap["connection.update"]): Promise<void> {
    if (session !== this.#session || this.#isEnded) {
      return;
    }
    if (update.reachoutTimeLock) {
      this.#host.onLimit(timeLockOf(update.reachoutTimeLock, this.#host.clock.now()));
    }
    if (update.qr || update.connection === "open") {
      this.#peers.recordAccepted(this.#announcedClient);
    }
    if (update.qr) {
      await this.#reportCode(session, update.qr);
    }
    if (update.connection === "open") {
      this.#onOpen(session);
    }
    if (update.connection === "close") {
      await this.#onClose(session, disconnectOf(update.lastDisconnect?.error));
    }
  }

  async #reportCode(session: Session, qr: string): Promise<void> {
    this.#clearTimeoutStatus();
    const { pairingNumber } = this.#settings;
    if (!pairingNumber) {
      this.#reportState({ status: "qrcode", qr });
      return;
    }
    // Later QRs of this socket belong to the same pairing code.
    if (!this.#isPairingCodeRequested) {
      this.#isPairingCodeRequested = true;
      const expiresAt = new Date(this.#host.clock.now().getTime() + pairingCodeLifetimeMs(this.#timing));
      try {
        const pairingCode = await session.sock.requestPairingCode(pairingNumber);
        if (session === this.#session) {
          this.#reportState({ status: "PAIRING", pairingCode, expiresAt });
        }
      } catch (error) {
        // The next socket requests another code; a socket that has closed raises its own close event.
        endSocket(session, `No pairing code: ${error instanceof Error ? error.message : ""}`);
      }
    }
  }

  #onOpen(session: Session): void {
    const { phone, lid } = session.self;
    this.#isConnected = true;
    this.#lastReceivedAt = Date.now();
    this.#clearTimeoutStatus();
    this.#stableTimer = setTimeout(() => {
      this.#attempts = 0;
      this.#badSessions = 0;
    }, this.#timing.stableMs).unref();
    this.#reportState({ status: "CONNECTED", number: phone ?? "", lid });
    this.#openWaiters.forEach((resume) => resume());
    void this.#askLimits(session);
  }

  /**
   * Asks for both limits after a connect and after a refusal: what was announced while the line was away is not announced
   * again. No answer is no failure, and one question at a time is enough.
   */
  async #askLimits(session: Session): Promise<void> {
    if (this.#isAskingLimits) {
      return;
    }
    this.#isAskingLimits = true;
    const { sock } = session;
    // The answer about the lock is raised as an event.
    const answers = await Promise.allSettled([sock.fetchAccountReachoutTimelock(), sock.fetchNewChatMessageCap()]);
    this.#isAskingLimits = false;
    const [, quota] = answers;
    if (quota.status === "fulfilled" && session === this.#session) {
      this.#reportQuota(quota.value);
    }
    for (const answer of answers) {
      if (answer.status === "rejected") {
        const { connectionId, log } = this.#host;
        log.debug({ err: answer.reason as unknown, connectionId }, "limits of the line not answered");
      }
    }
  }

  #reportQuota(info: unknown): void {
    const quota = quotaOf(info, this.#host.clock.now());
    if (quota && !this.#isEnded) {
      this.#host.onLimit(quota);
    }
  }

  async #onClose(session: Session, ending: Disconnect): Promise<void> {
    this.#isConnected = false;
    this.#session = undefined;
    clearTimeout(this.#stableTimer);
    this.acks.rejectAll(new SendError("notConnected", true, { detail: "The line was cut" }));
    // The journal's prefix is committed before another socket reads the keys.
    await session.close();
    if (this.#isEnded) {
      return;
    }
    const decision = decideReconnect(
      ending,
      this.#reconnectContext(session.creds.account !== undefined),
      Math.random(),
    );
    this.#badSessions = ending.code === BAD_SESSION ? this.#badSessions + 1 : 0;
    if (ending.code === REFUSED_VERSION) {
      this.#peers.recordRefusal(this.#announcedClient);
    }
    this.#host.onNote("closed", `${ending.code} ${ending.message}`.trim());
    this.#applyDecision(decision, ending.message);
  }

  #applyDecision(move: ReconnectDecision, detail: string, by: { readonly isHearsay?: true } = {}): void {
    if (move.do === "stop") {
      void this.#stopWith({ status: "DISCONNECTED", reason: move.reason, detail, ...by }, move.forget);
      return;
    }
    this.#lastReason = move.reason;
    this.#attempts += move.afterMs === 0 ? 0 : 1;
    this.#versionIndex += move.nextVersion ? 1 : 0;
    this.#showConnecting();
    this.#retry = setTimeout(() => void this.#connect(), move.afterMs * this.#timing.backOffFactor);
  }

  async #stopWith(state: LineState, isForgotten: boolean): Promise<void> {
    this.end();
    if (isForgotten) {
      // Credentials that stay are refused by WhatsApp at the next login, and deleted by a new pairing.
      await this.#host.forget().catch((error: unknown) => {
        this.#host.log.warn({ err: error, connectionId: this.#host.connectionId }, "line credentials not deleted");
      });
    }
    this.#reportState(state);
  }

  #reconnectContext(isLinked: boolean) {
    const versionsLeft = (this.#settings.versions?.length ?? 0) - 1 - this.#versionIndex;
    return { attempts: this.#attempts, badSessions: this.#badSessions, isLinked, versionsLeft };
  }

  /** Server and client version: WhatsApp accepts or refuses it for every line alike. */
  get #announcedClient(): string {
    return `${this.#settings.wsUrl ?? ""} ${this.#version()?.join(".") ?? ""}`;
  }

  #version(): WAVersion | undefined {
    const version = this.#settings.versions?.[this.#versionIndex];
    return version ? [...version] : undefined;
  }

  /** Reports OPENING; after a minute without a connection TIMEOUT (whatsapp.md section 10). */
  #showConnecting(): void {
    if (this.#disconnectedSince === null) {
      this.#disconnectedSince = Date.now();
      this.#timeoutStatusTimer = setTimeout(
        () => this.#reportState({ status: "TIMEOUT", reason: this.#lastReason, detail: "" }),
        this.#timing.timeoutShownAfterMs,
      ).unref();
    }
    if (Date.now() - this.#disconnectedSince < this.#timing.timeoutShownAfterMs) {
      this.#reportState({ status: "OPENING" });
    }
  }

  #clearTimeoutStatus(): void {
    this.#disconnectedSince = null;
    clearTimeout(this.#timeoutStatusTimer);
  }

  #reportState(state: LineState): void {
    this.#host.onState(state);
  }

  /** Stops reconnecting and rejects all that waits. Returns the session, which the caller closes in its own way. */
  end(): Session | undefined {
    this.#isEnded = true;
    this.#isConnected = false;
    clearTimeout(this.#retry);
    clearTimeout(this.#stableTimer);
    clearInterval(this.#deadSessionCheck);
    this.#clearTimeoutStatus();
    this.#peers.remove(this.#host.connectionId);
    this.acks.rejectAll(new SendError("notConnected", true, { detail: "The line was stopped" }));
    this.#openWaiters.forEach((resume) => resume());
    const session = this.#session;
    this.#session = undefined;
    return session;
  }

  #recycleIfDead(): void {
    const activity = {
      now: Date.now(),
      lastReceivedAt: this.#lastReceivedAt,
      receivedCount: this.#receivedCount,
      activeOthers: this.#peers.countActiveOthers(this.#host.connectionId),
    };
    if (this.#isConnected && this.#session && isDeadSession(activity)) {
      this.#host.onNote("recycled", "connected, but nothing was received for 30 minutes while other lines receive");
      endSocket(this.#session, "Dead session");
    }
  }
}

/** Closes the socket like a lost connection, so that the line reconnects. */
function endSocket({ sock }: Session, message: string): void {
  void sock.end(Object.assign(new Error(message), { output: { statusCode: CLOSED } }));
}

/** The linked number, where the line had another one before (decision 0122); otherwise null. */
function unexpectedNumber(creds: AuthenticationCreds, lastNumber: string | undefined): string | null {
  const { phone } = personOf(creds.me?.id);
  return creds.account && lastNumber && phone !== null && phone !== lastNumber ? phone : null;
}
