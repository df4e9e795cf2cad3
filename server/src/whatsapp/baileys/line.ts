import type { LineReason } from "@prosa/contract";
import type {
  Address,
  Line,
  LineHost,
  LineSettings,
  LineState,
  MediaSource,
  MessageRef,
  Outbound,
  PersonRef,
} from "../port.ts";
import { MediaError, SendError } from "../port.ts";
import { jidOf, jidOfPerson, personOf } from "./addresses.ts";
import { isDeadSession, nextMove } from "./endings.ts";
import type { Ending, NextMove } from "./endings.ts";
import { BufferJSON, DisconnectReason, initAuthCreds, proto, WA_CERT_DETAILS } from "./library.ts";
import type { AuthenticationCreds, BaileysEventMap, WASocket, WAVersion } from "./library.ts";
import { FileGone, downloadTo } from "./media-download.ts";
import { mediaSource } from "./media-source.ts";
import type { KnownMediaSource } from "./media-source.ts";
import { attributesOf, keyOf, messageOf, payloadOf } from "./outbound.ts";
import { refusal } from "./refusals.ts";
import { Session } from "./session.ts";
import type { Timing } from "./timing.ts";
import { Waiters } from "./waiters.ts";

const { connectionClosed: CLOSED, timedOut: TIMED_OUT } = DisconnectReason;

/** What the lines of one process know of each other. */
export interface Neighbours {
  /** How many lines other than this one heard something in the last five minutes. */
  heardLately(connectionId: number): number;
  heard(connectionId: number): void;
  forget(connectionId: number): void;
}

/**
 * A line over Baileys: one socket at a time, opened again by the rules of whatsapp.md section 10 until it is stopped.
 */
export class BaileysLine implements Line {
  readonly #host: LineHost;
  readonly #settings: LineSettings;
  readonly #timing: Timing;
  readonly #neighbours: Neighbours;
  readonly #acks = new Waiters<string | null>();
  #session: Session | undefined;
  readonly #opened = new Set<() => void>();
  #isConnected = false;
  #isEnded = false;
  #attempts = 0;
  #versionIndex = 0;
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

  get connectionId(): number {
    return this.#host.connectionId;
  }

  async send(waId: string, to: Address, content: Outbound): Promise<void> {
    const session = await this.#whenOpen();
    const ack = this.#acks.wait(waId, this.#timing.ackMs);
    try {
      await Promise.race([this.#relay(session, waId, to, content), ack.settled]);
      const error = await ack.settled;
      if (error !== null) {
        throw refusal(error);
      }
    } catch (error) {
      throw sendErrorOf(error);
    } finally {
      ack.forget();
    }
  }

  async markRead(chat: Address, refs: readonly MessageRef[]): Promise<void> {
    const session = await this.#whenOpen();
    await session.sock.readMessages(refs.map((ref) => keyOf(ref, chat)));
    // Somebody looks at this chat: from now on WhatsApp tells when the contact types.
    await session.follow(chat);
  }

  async setTyping(chat: Address, isTyping: boolean): Promise<void> {
    if (this.#isConnected) {
      await this.#session?.sock.sendPresenceUpdate(isTyping ? "composing" : "paused", jidOf(chat));
    }
  }

  async checkNumbers(numbers: readonly string[]): Promise<ReadonlyMap<string, PersonRef>> {
    const { sock } = await this.#whenOpen();
    // One by one: WhatsApp answers with its own spelling (Brazil's ninth digit), and does not say to which question.
    const answers = await Promise.all(numbers.map(async (number) => [number, await lookUp(sock, number)] as const));
    return new Map(answers.filter((answer): answer is [string, PersonRef] => answer[1] !== null));
  }

  async download(source: MediaSource, path: string): Promise<{ readonly size: number }> {
    const known = mediaSource.safeParse(source);
    if (!known.success) {
      throw new MediaError("failed", "The address of the file cannot be read", { cause: known.error });
    }
    try {
      return await downloadTo(path, known.data, this.#settings);
    } catch (error) {
      if (error instanceof FileGone) {
        return this.#downloadAgain(known.data, path);
      }
      throw mediaErrorOf(error);
    }
  }

  async profilePictureUrl(person: PersonRef): Promise<string | null> {
    const jid = jidOfPerson(person);
    const { sock } = await this.#whenOpen();
    // No picture, or none for strangers: both are answered with an error.
    return jid ? ((await sock.profilePictureUrl(jid, "preview").catch(() => undefined)) ?? null) : null;
  }

  async groupSubject(groupId: string): Promise<string | null> {
    const { sock } = await this.#whenOpen();
    const group = await sock.groupMetadata(jidOf({ kind: "group", value: groupId })).catch(() => null);
    return group?.subject ?? null;
  }

  async groupAdmins(groupId: string): Promise<PersonRef[]> {
    const { sock } = await this.#whenOpen();
    const { participants } = await sock.groupMetadata(jidOf({ kind: "group", value: groupId }));
    return participants
      .filter(({ admin }) => admin === "admin" || admin === "superadmin")
      .map(({ id, phoneNumber, lid }) => personOf(id, phoneNumber, lid));
  }

  async rejectCall(callId: string, person: PersonRef): Promise<void> {
    const { sock } = await this.#whenOpen();
    const jid = jidOfPerson(person);
    if (jid) {
      await sock.rejectCall(callId, jid);
    }
  }

  async logout(): Promise<void> {
    const session = this.#end();
    if (session) {
      const { sock } = session;
      if (session.isOpen && sock.user) {
        // `sock.logout()` closes before the gate has let its frame go.
        await sock.sendNode({
          tag: "iq",
          attrs: { to: "@s.whatsapp.net", type: "set", id: sock.generateMessageTag(), xmlns: "md" },
          content: [{ tag: "remove-companion-device", attrs: { jid: sock.user.id, reason: "user_initiated" } }],
        });
      }
      await session.drain();
      await session.close();
    }
    await this.#host.forget();
  }

  async stop(): Promise<void> {
    const session = this.#end();
    await session?.drain();
    await session?.close();
  }

  drop(): void {
    this.#end()?.drop();
  }

  // --- Connecting -------------------------------------------------------------------------------------------------

  async #connect(): Promise<void> {
    try {
      const creds = await this.#loadCreds();
      if (!this.#isEnded) {
        this.#session = this.#openSession(creds);
      }
    } catch (error) {
      // The store is away: like a network that is away.
      this.#host.log.warn({ err: error, connectionId: this.connectionId }, "a line cannot be opened");
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
          this.#host.log.debug({ err: error, connectionId: this.connectionId }, "a change of connection was cut short");
        });
      },
      onAck: (waId, error) => this.#acks.settle(waId, error),
      onHeard: () => {
        this.#heard += 1;
        this.#lastHeard = Date.now();
        this.#neighbours.heard(this.connectionId);
      },
      onLeaseLost: () => this.drop(),
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

  async #onConnection(session: Session, update: BaileysEventMap["connection.update"]): Promise<void> {
    if (session !== this.#session || this.#isEnded) {
      return;
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

  async #showCode({ sock }: Session, qr: string): Promise<void> {
    this.#clearTrouble();
    const { pairingNumber } = this.#settings;
    if (!pairingNumber) {
      this.#show({ status: "qrcode", qr });
      return;
    }
    // Later QRs of this socket belong to the same pairing code.
    if (!this.#isCodeAsked) {
      this.#isCodeAsked = true;
      const pairingCode = await sock.requestPairingCode(pairingNumber);
      this.#show({ status: "PAIRING", pairingCode });
    }
  }

  #onOpen(session: Session): void {
    const { phone, lid } = session.self;
    this.#isConnected = true;
    this.#lastHeard = Date.now();
    this.#clearTrouble();
    this.#stableTimer = setTimeout(() => (this.#attempts = 0), this.#timing.stableMs).unref();
    this.#show({ status: "CONNECTED", number: phone ?? "", lid });
    this.#opened.forEach((resume) => resume());
  }

  async #onClose(session: Session, ending: Ending): Promise<void> {
    this.#isConnected = false;
    this.#session = undefined;
    clearTimeout(this.#stableTimer);
    this.#acks.rejectAll(new SendError("notConnected", true, { detail: "The line was cut" }));
    // What is whole becomes durable before another socket reads the keys.
    await session.close();
    if (this.#isEnded) {
      return;
    }
    const move = nextMove(ending, this.#situation(session.creds.account !== undefined), Math.random());
    this.#host.onNote("closed", `${ending.code} ${ending.message}`.trim());
    this.#follow(move, ending.message);
  }

  #follow(move: NextMove, detail: string): void {
    if (move.do === "stop") {
      void this.#stopFor(move.reason, detail, move.forget);
      return;
    }
    this.#lastReason = move.reason;
    this.#attempts += move.afterMs === 0 ? 0 : 1;
    this.#versionIndex += move.nextVersion ? 1 : 0;
    this.#noteTrouble();
    this.#retry = setTimeout(() => void this.#connect(), move.afterMs * this.#timing.pauseFactor);
  }

  async #stopFor(reason: LineReason, detail: string, isForgotten: boolean): Promise<void> {
    this.#end();
    if (isForgotten) {
      await this.#host.forget();
    }
    this.#show({ status: "DISCONNECTED", reason, detail });
  }

  #situation(hasMe: boolean) {
    const versionsLeft = (this.#settings.versions?.length ?? 0) - 1 - this.#versionIndex;
    return { attempts: this.#attempts, hasMe, versionsLeft };
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
  #end(): Session | undefined {
    this.#isEnded = true;
    this.#isConnected = false;
    clearTimeout(this.#retry);
    clearTimeout(this.#stableTimer);
    clearInterval(this.#watch);
    this.#clearTrouble();
    this.#neighbours.forget(this.connectionId);
    this.#acks.rejectAll(new SendError("notConnected", true, { detail: "The line was stopped" }));
    this.#opened.forEach((resume) => resume());
    const session = this.#session;
    this.#session = undefined;
    return session;
  }

  #recycleIfDead(): void {
    const others = this.#neighbours.heardLately(this.connectionId);
    const traffic = { now: Date.now(), lastHeard: this.#lastHeard, heard: this.#heard, othersHeard: others };
    if (this.#isConnected && this.#session && isDeadSession(traffic)) {
      this.#host.onNote("recycled", "connected, but nothing was received for 30 minutes while other lines receive");
      void this.#session.sock.end(Object.assign(new Error("Dead session"), { output: { statusCode: CLOSED } }));
    }
  }

  // --- Sending ----------------------------------------------------------------------------------------------------

  async #whenOpen(): Promise<Session> {
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

  /** A second try sends the very same message under the same id: a file is not uploaded again. */
  async #relay(session: Session, waId: string, to: Address, content: Outbound): Promise<never> {
    const { sock } = session;
    const payload = await this.#host.findSentPayload(waId);
    const message = payload ? proto.Message.decode(payload) : await messageOf(content, to, sock, sock.user?.id ?? "");
    if (!payload) {
      session.put({ kind: "sent", waId, payload: payloadOf(message) });
    }
    await sock.relayMessage(jidOf(to), message, { messageId: waId, additionalAttributes: attributesOf(content, to) });
    // Written is not sent: only the acknowledgement, or its absence, ends the wait (whatsapp.md section 5, trap 1).
    return new Promise<never>(() => undefined);
  }

  async #downloadAgain(source: KnownMediaSource, path: string): Promise<{ readonly size: number }> {
    const { sock } = await this.#whenOpen();
    const file = {
      mediaKey: Buffer.from(source.mediaKey, "base64"),
      directPath: source.directPath,
      url: source.url,
    };
    const { id, remoteJid, fromMe, participant } = source.message;
    const message = {
      key: { id, remoteJid, fromMe, ...(participant && { participant }) },
      message: { [`${source.kind}Message`]: file },
    };
    try {
      await withinMs(this.#timing.reuploadMs, sock.updateMediaMessage(message));
      // The new path, on the host where the file was: the library names another one until it has uploaded itself.
      return await downloadTo(path, { ...source, directPath: file.directPath }, this.#settings);
    } catch (cause) {
      throw new MediaError("expired", "The file is gone, and the phone did not upload it again", { cause });
    }
  }
}

/** WhatsApp's own spelling of a number and its LID; null when nobody has it. */
async function lookUp(sock: WASocket, number: string): Promise<PersonRef | null> {
  const [found] = (await sock.onWhatsApp(jidOf({ kind: "phone", value: number }))) ?? [];
  if (!found) {
    return null;
  }
  const lid = await sock.signalRepository.lidMapping.getLIDForPN(found.jid);
  return personOf(found.jid, lid);
}

function endingOf(error: Error | undefined): Ending {
  return { code: codeOf(error), message: error?.message ?? "" };
}

/** Baileys' errors carry a status code in `output`. */
function codeOf(error: unknown): number {
  const { output } = (error ?? {}) as { readonly output?: { readonly statusCode?: number } };
  return output?.statusCode ?? 0;
}

function sendErrorOf(error: unknown): SendError {
  if (error instanceof SendError) {
    return error;
  }
  const code = codeOf(error);
  if (code === CLOSED || code === TIMED_OUT) {
    return new SendError("notConnected", true, { cause: error });
  }
  const words = error instanceof Error ? error.message : "";
  return /All encryptions failed/i.test(words)
    ? new SendError("invalidContact", false, { cause: error, detail: words })
    : new SendError("unknown", true, { cause: error, detail: words });
}

function mediaErrorOf(error: unknown): MediaError {
  return error instanceof MediaError
    ? error
    : new MediaError("failed", "The media server cannot be reached", { cause: error });
}

async function withinMs<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
