import type { Address, Line, LineHost, LineSettings, MediaSource, MessageRef, Outbound, PersonRef } from "../port.ts";
import { MediaError, SendError } from "../port.ts";
import { jidOf, jidOfPerson, personOf } from "./addresses.ts";
import { SessionKeeper, codeOf } from "./session/index.ts";
import { DisconnectReason, proto } from "./library.ts";
import type { WASocket } from "./library.ts";
import { FileGone, downloadTo, fetchProfilePicture, mediaSource } from "./media/index.ts";
import type { KnownMediaSource } from "./media/index.ts";
import { attributesOf, keyOf, messageOf, payloadOf } from "./outbound/index.ts";
import type { Neighbours, Session } from "./session/index.ts";
import type { Timing } from "./timing.ts";

const { connectionClosed: CLOSED, timedOut: TIMED_OUT } = DisconnectReason;

interface Outgoing {
  readonly message: proto.IMessage;
  readonly attributes: Record<string, string>;
}

/** What a line does when it is asked, over Baileys; `SessionKeeper` keeps it connected. */
export class BaileysLine implements Line {
  readonly #host: LineHost;
  readonly #settings: LineSettings;
  readonly #timing: Timing;
  readonly #keeper: SessionKeeper;

  constructor(host: LineHost, settings: LineSettings, timing: Timing, neighbours: Neighbours) {
    this.#host = host;
    this.#settings = settings;
    this.#timing = timing;
    this.#keeper = new SessionKeeper(host, settings, timing, neighbours);
  }

  get connectionId(): number {
    return this.#host.connectionId;
  }

  async send(waId: string, to: Address, content: Outbound): Promise<void> {
    const session = await this.#keeper.whenOpen();
    try {
      const message = await this.#prepare(session, waId, to, content);
      await this.#relay(session, waId, to, { message, attributes: attributesOf(content, to) });
    } catch (error) {
      throw sendErrorOf(error);
    }
  }

  async markRead(chat: Address, refs: readonly MessageRef[]): Promise<void> {
    const session = await this.#keeper.whenOpen();
    await session.sock.readMessages(refs.map((ref) => keyOf(ref, chat)));
    // Somebody looks at this chat: from now on WhatsApp tells when the contact types.
    await session.follow(chat);
  }

  async setTyping(chat: Address, isTyping: boolean): Promise<void> {
    await this.#keeper.connected?.sock.sendPresenceUpdate(isTyping ? "composing" : "paused", jidOf(chat));
  }

  async checkNumbers(numbers: readonly string[]): Promise<ReadonlyMap<string, PersonRef>> {
    const { sock } = await this.#keeper.whenOpen();
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

  async profilePicture(of: Address, path: string): Promise<"fetched" | "none"> {
    const { sock } = await this.#keeper.whenOpen();
    return fetchProfilePicture(sock, of, path, {
      settings: this.#settings,
      withinMs: this.#timing.pictureMs,
    });
  }

  async groupSubject(groupId: string): Promise<string | null> {
    const { sock } = await this.#keeper.whenOpen();
    const group = await sock.groupMetadata(jidOf({ kind: "group", value: groupId })).catch(() => null);
    return group?.subject ?? null;
  }

  async groupAdmins(groupId: string): Promise<PersonRef[]> {
    const { sock } = await this.#keeper.whenOpen();
    const { participants } = await sock.groupMetadata(jidOf({ kind: "group", value: groupId }));
    return participants
      .filter(({ admin }) => admin === "admin" || admin === "superadmin")
      .map(({ id, phoneNumber, lid }) => personOf(id, phoneNumber, lid));
  }

  async rejectCall(callId: string, person: PersonRef): Promise<void> {
    const { sock } = await this.#keeper.whenOpen();
    const jid = jidOfPerson(person);
    if (jid) {
      await sock.rejectCall(callId, jid);
    }
  }

  async logout(): Promise<void> {
    const session = this.#keeper.end() ?? (await this.#keeper.openToUnlink());
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
    const session = this.#keeper.end();
    await session?.drain();
    await session?.close();
  }

  drop(): void {
    this.#keeper.end()?.drop();
  }

  /**
   * Nothing leaves before a device of the recipient is known: WhatsApp acknowledges a message to nobody as well. A second
   * try sends the very same message under the same id: a file is not uploaded again.
   */
  async #prepare(session: Session, waId: string, to: Address, content: Outbound): Promise<proto.IMessage> {
    const { sock, recipients } = session;
    const payload = await this.#host.findSentPayload(waId);
    // What was tried before may have named a device that is gone.
    const isAnew = payload !== null;
    await withinMs(this.#timing.addressMs, recipients.find(sock, to, isAnew), noAnswer);
    if (payload) {
      return proto.Message.decode(payload);
    }
    const message = await messageOf(content, to, sock, sock.user?.id ?? "");
    session.put({ kind: "sent", waId, payload: payloadOf(message) });
    return message;
  }

  /** Written is not sent: only the acknowledgement, or its absence, ends the wait (whatsapp.md section 5, trap 1). */
  async #relay({ sock }: Session, waId: string, to: Address, { message, attributes }: Outgoing): Promise<void> {
    const ack = this.#keeper.acks.wait(waId, this.#timing.ackMs);
    try {
      const written = sock.relayMessage(jidOf(to), message, { messageId: waId, additionalAttributes: attributes });
      const refused = await Promise.race([written.then(() => ack.settled), ack.settled]);
      if (refused) {
        throw refused;
      }
    } finally {
      ack.forget();
    }
  }

  async #downloadAgain(source: KnownMediaSource, path: string): Promise<{ readonly size: number }> {
    const { sock } = await this.#keeper.whenOpen();
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

const noAnswer = () => new SendError("timeout", true, { detail: "WhatsApp did not say where the recipient is" });

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
    ? new SendError("devices", true, { cause: error, detail: words })
    : new SendError("unknown", true, { cause: error, detail: words });
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
