import type { LineReason } from "@prosa/contract";
import type { LineHost, LineSettings, LineState } from "../../port.ts";
import { CredentialsLostError, SendError } from "../../port.ts";
import { personOf } from "../addresses.ts";
import { DisconnectReason, WA_CERT_DETAILS } from "../library.ts";
import type { AuthenticationCreds, BaileysEventMap, WAVersion } from "../library.ts";
import { PendingRequests } from "../outbound/index.ts";
import { pairingCodeLifetimeMs } from "../timing.ts";
import type { Timing } from "../timing.ts";
import { loadCreds } from "./load-creds.ts";
import { createLimitQuestion } from "./ask-limits.ts";
import { createCallOffers } from "./call-offers.ts";
import { quotaOf, timeLockOf } from "./limits.ts";
import type { LinePeers } from "./line-peers.ts";
import { requestPairingCode } from "./pairing-code.ts";
import { BAD_SESSION, REFUSED_VERSION, decideReconnect, disconnectOf, isDeadSession } from "./reconnect-policy.ts";
import type { Disconnect, ReconnectDecision } from "./reconnect-policy.ts";
import { Session } from "./session.ts";
import { unlinkDevice, unlinkStoredDevice } from "./unlink-device.ts";

/** It connects again by itself where the secret is known again: what it would lose on a new pairing is still there. */
const lostSecret: LineState = { status: "DISCONNECTED", reason: "lostSecret", detail: "" };

/** Keeps a line connected: one session at a time, reconnected by the rules of whatsapp.md section 10 until it is ended. */
export class SessionManager {
  /** Acknowledgements that sends wait for, by message id: null, or the refusal. */
  readonly acks = new PendingRequests<SendError | null>();
  readonly #host: LineHost;
  readonly #settings: LineSettings;
  readonly #timing: Timing;
  readonly #peers: LinePeers;
  readonly #callOffers = createCallOffers();
  #session: Session | undefined;
  readonly #askLimits: (session: Session) => Promise<void>;
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
  /** A phone was linked, and the line was not connected since. */
  #isNewLogin = false;
  #retry: NodeJS.Timeout | undefined;
  #timeoutStatusTimer: NodeJS.Timeout | undefined;
  #stableTimer: NodeJS.Timeout | undefined;
  readonly #deadSessionCheck: NodeJS.Timeout;

  constructor(host: LineHost, settings: LineSettings, timing: Timing, peers: LinePeers) {
    this.#host = host;
    this.#settings = settings;
    this.#timing = timing;
    this.#peers = peers;
    this.#askLimits = createLimitQuestion(host, (session, info) => {
      if (session === this.#session) {
        this.#reportQuota(info);
      }
    });
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
      const creds = await loadCreds(this.#host);
      const linked = creds.account ? personOf(creds.me?.id).phone : null;
      const isOther = linked !== null && linked !== this.#settings.lastNumber;
      // One that it had before, and that was not linked just now, was asked about when it was linked.
      const isTaken = linked !== null && (isOther || this.#isNewLogin) && (await this.#host.isNumberTaken(linked));
      if (this.#isEnded) {
        return;
      }
      if (isTaken) {
        await this.#refuseSameNumber(linked);
        return;
      }
      if (isOther && this.#settings.lastNumber) {
        this.#clearTimeoutStatus();
        this.#reportState({ status: "DISCONNECTED", reason: "otherNumber", detail: linked });
        return;
      }
      this.#session = this.#openSession(creds);
    } catch (error) {
      if (this.#isEnded) {
        return;
      }
      if (error instanceof CredentialsLostError) {
        this.#clearTimeoutStatus();
        this.#reportState(lostSecret);
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
      callOffers: this.#callOffers,
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
      // Several reads may find it at once.
      onKeysLost: () => void (this.#isEnded || this.#stopWith(lostSecret, false)),
    });
    return session;
  }

  /**
   * Ends the line, unlinks its device on WhatsApp's side and deletes its credentials. A line that is not logged in, while it
   * reconnects or waits for a decision about its number, logs in once more for that.
   */
  async unlink(): Promise<void> {
    const isLoggedIn = this.#isConnected;
    const session = this.end();
    if (session && isLoggedIn && session.isOpen) {
      this.#noteUnlinked(await unlinkDevice(session));
    } else {
      await session?.close();
      const [host, settings, timing] = [this.#host, this.#settings, this.#timing];
      this.#noteUnlinked(await unlinkStoredDevice({ host, settings, timing, version: this.#version() }));
    }
    await this.#host.forget();
  }

  #noteUnlinked(isUnlinked: boolean): void {
    if (!isUnlinked) {
      this.#host.onNote("notUnlinked");
    }
  }

  /** A number that another line of the company has: two lines would store and answer each of its messages. */
  async #refuseSameNumber(number: string): Promise<void> {
    const { log, connectionId } = this.#host;
    await this.unlink().catch((error: unknown) => log.warn({ err: error, connectionId }, "same number not unlinked"));
    this.#reportState({ status: "DISCONNECTED", reason: "sameNumber", detail: number });
  }

  async #onConnection(session: Session, update: BaileysEventMap["connection.update"]): Promise<void> {
    if (session !== this.#session || this.#isEnded) {
      return;
    }
    if (update.reachoutTimeLock) {
      this.#host.onLimit(timeLockOf(update.reachoutTimeLock, this.#host.clock.now()));
    }
    this.#isNewLogin ||= update.isNewLogin === true;
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
      const onRefused = (detail: string) => {
        if (session === this.#session) {
          void this.#stopWith({ status: "DISCONNECTED", reason: "codeRefused", detail }, true);
        }
      };
      const expiresAt = new Date(this.#host.clock.now().getTime() + pairingCodeLifetimeMs(this.#timing));
      try {
        const pairingCode = await requestPairingCode(session, pairingNumber, onRefused);
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
    this.#isNewLogin = false;
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
    await this.end()?.close();
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
  void sock.end(Object.assign(new Error(message), { output: { statusCode: DisconnectReason.connectionClosed } }));
}
