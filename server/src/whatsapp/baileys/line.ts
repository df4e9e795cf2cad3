import type { Address, Line, LineHost, LineSettings, MediaSource, MessageRef, Outbound, PersonRef } from "../port.ts";
import { MediaError, SendError } from "../port.ts";
import { jidOf, jidOfPerson, personOf } from "./addresses.ts";
import { SessionManager, codeOf } from "./session/index.ts";
import { DisconnectReason, proto } from "./library.ts";
import type { WASocket } from "./library.ts";
import { FileGone, downloadMedia, fetchProfilePicture, mediaSourceSchema } from "./media/index.ts";
import type { ParsedMediaSource } from "./media/index.ts";
import { stanzaAttributes, messageKeyOf, encodeMessage, serializeMessage } from "./outbound/index.ts";
import type { LinePeers, Session } from "./session/index.ts";
import type { Timing } from "./timing.ts";

const { connectionClosed: CLOSED, timedOut: TIMED_OUT } = DisconnectReason;

interface OutgoingMessage {
  readonly message: proto.IMessage;
  readonly attributes: Record<string, string>;
}

/** The port's Line over Baileys: what the product calls. `SessionManager` keeps it connected. */
export class BaileysLine implements Line {
  readonly #host: LineHost;
  readonly #settings: LineSettings;
  readonly #timing: Timing;
  readonly #sessions: SessionManager;

  constructor(host: LineHost, settings: LineSettings, timing: Timing, peers: LinePeers) {
    this.#host = host;
    this.#settings = settings;
    this.#timing = timing;
    this.#sessions = new SessionManager(host, settings, timing, peers);
  }

  get connectionId(): number {
    return this.#host.connectionId;
  }

  async send(waId: string, to: Address, content: Outbound): Promise<void> {
    const session = await this.#sessions.waitForOpen();
    try {
      const message = await this.#encodeFor(session, waId, to, content);
      await this.#relay(session, waId, to, { message, attributes: stanzaAttributes(content, to) });
    } catch (error) {
      throw sendErrorOf(error);
    }
  }

  async markRead(chat: Address, refs: readonly MessageRef[]): Promise<void> {
    const session = await this.#sessions.waitForOpen();
    await session.sock.readMessages(refs.map((ref) => messageKeyOf(ref, chat)));
    // A person has opened this chat: from now on WhatsApp reports when the contact types.
    await session.subscribePresence(chat);
  }

  async setTyping(chat: Address, isTyping: boolean): Promise<void> {
    await this.#sessions.connected?.sock.sendPresenceUpdate(isTyping ? "composing" : "paused", jidOf(chat));
  }

  async checkNumbers(numbers: readonly string[]): Promise<ReadonlyMap<string, PersonRef>> {
    const { sock } = await this.#sessions.waitForOpen();
    // One query per number: WhatsApp answers with its canonical number (Brazil's ninth digit), not with the one asked for.
    const answers = await Promise.all(
      numbers.map(async (number) => [number, await lookUpNumber(sock, number)] as const),
    );
    return new Map(answers.filter((answer): answer is [string, PersonRef] => answer[1] !== null));
  }

  async download(source: MediaSource, path: string): Promise<{ readonly size: number }> {
    const known = mediaSourceSchema.safeParse(source);
    if (!known.success) {
      throw new MediaError("failed", "The address of the file cannot be read", { cause: known.error });
    }
    try {
      return await downloadMedia(path, known.data, this.#settings);
    } catch (error) {
      if (error instanceof FileGone) {
        return this.#downloadAfterReupload(known.data, path);
      }
      throw this.#downloadError(error);
    }
  }

  async profilePicture(of: Address, path: string): Promise<"fetched" | "none"> {
    const { sock } = await this.#sessions.waitForOpen();
    return fetchProfilePicture(sock, of, path, {
      settings: this.#settings,
      withinMs: this.#timing.pictureMs,
    });
  }

  async groupSubject(groupId: string): Promise<string | null> {
    const { sock } = await this.#sessions.waitForOpen();
    const group = await sock.groupMetadata(jidOf({ kind: "group", value: groupId })).catch(() => null);
    return group?.subject ?? null;
  }

  async groupAdmins(groupId: string): Promise<PersonRef[]> {
    const { sock } = await this.#sessions.waitForOpen();
    const { participants } = await sock.groupMetadata(jidOf({ kind: "group", value: groupId }));
    return participants
      .filter(({ admin }) => admin === "admin" || admin === "superadmin")
      .map(({ id, phoneNumber, lid }) => personOf(id, phoneNumber, lid));
  }

  async rejectCall(callId: string, person: PersonRef): Promise<void> {
    const { sock } = await this.#sessions.waitForOpen();
    const jid = jidOfPerson(person);
    if (jid) {
      await sock.rejectCall(callId, jid);
    }
  }

  async logout(): Promise<void> {
    await this.#sessions.unlink();
  }

  async stop(): Promise<void> {
    const session = this.#sessions.end();
    await session?.drain();
    await session?.close();
  }

  drop(): void {
    this.#sessions.end()?.drop();
  }

  /**
   * Ensures a device of the recipient first: WhatsApp acknowledges a message to no device, too. A retry sends the stored
   * payload under the same id: a file is not uploaded again.
   */
  async #encodeFor(session: Session, waId: string, to: Address, content: Outbound): Promise<proto.IMessage> {
    const { sock, recipients } = session;
    const payload = await this.#host.findSentPayload(waId);
    // On a retry: the first attempt may have named a device that is gone.
    const skipsCache = payload !== null;
    await withinMs(this.#timing.deviceLookupMs, recipients.ensureSessions(sock, to, skipsCache), noAnswer);
    if (payload) {
      return proto.Message.decode(payload);
    }
    const message = await encodeMessage(content, to, sock, sock.user?.id ?? "");
    session.put({ kind: "sent", waId, payload: serializeMessage(message) });
    return message;
  }

  /** Waits for the acknowledgement: a message that was written is not sent yet (whatsapp.md section 5, trap 1). */
  async #relay({ sock }: Session, waId: string, to: Address, { message, attributes }: OutgoingMessage): Promise<void> {
    const ack = this.#sessions.acks.wait(waId, this.#timing.ackMs);
    try {
      const written = sock.relayMessage(jidOf(to), message, { messageId: waId, additionalAttributes: attributes });
      const refused = await Promise.race([written.then(() => ack.settled), ack.settled]);
      if (refused) {
        throw refused;
      }
    } finally {
      ack.cancel();
    }
  }

  async #downloadAfterReupload(source: ParsedMediaSource, path: string): Promise<{ readonly size: number }> {
    const session = await this.#sessions.waitForOpen();
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
      await withinMs(this.#timing.reuploadMs, session.sock.updateMediaMessage(message));
    } catch (cause) {
      throw session.isOpen ? fileExpired(cause) : connectionLost(cause);
    }
    try {
      // The new path on the former host: the library names another host until it has uploaded a file itself.
      return await downloadMedia(path, { ...source, directPath: file.directPath }, this.#settings);
    } catch (error) {
      throw error instanceof FileGone ? fileExpired(error) : this.#downloadError(error);
    }
  }

  /** What the network does while the line is not connected says nothing about the file. */
  #downloadError(error: unknown): MediaError | SendError {
    const isOfFile = error instanceof MediaError && error.cause === undefined;
    return isOfFile || this.#sessions.connected
      ? mediaErrorOf(error)
      : new SendError("notConnected", true, { cause: error });
  }
}

function fileExpired(cause: unknown): MediaError {
  return new MediaError("expired", "The file is gone, and the phone did not upload it again", { cause });
}

/** The phone may still answer another request. */
function connectionLost(cause: unknown): MediaError {
  return new MediaError("failed", "The connection closed before the phone answered", { cause });
}

/** WhatsApp's canonical number and LID of a number; null where it is not on WhatsApp. */
async function lookUpNumber(sock: WASocket, number: string): Promise<PersonRef | null> {
  const [found] = (await sock.onWhatsApp(jidOf({ kind: "phone", value: number }))) ?? [];
  if (!found) {
    return null;
  }
  const lid = await sock.signalRepository.lidMapping.getLIDForPN(found.jid);
  return personOf(found.jid, lid);
}

const noAnswer = () => new SendError("timeout", true, { detail: "WhatsApp did not say where the recipient is" });

function sendErrorOf(error: unknown): SendError {
  if (error instanceof SendError) {
    return error;
  }
  const code = codeOf(error);
  if (code === CLOSED || code === TIMED_OUT) {
    return new SendError("notConnected", true, { cause: error });
  }
  const text = error instanceof Error ? error.message : "";
  return /All encryptions failed/i.test(text)
    ? new SendError("devices", true, { cause: error, detail: text })
    : new SendError("unknown", true, { cause: error, detail: text });
}

function mediaErrorOf(error: unknown): MediaError {
  return error instanceof MediaError
    ? error
    : new MediaError("failed", "The media server cannot be reached", { cause: error });
}

async function withinMs<T>(ms: number, work: Promise<T>, failure = () => new Error(`no answer within ${ms} ms`)) {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(failure()), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
