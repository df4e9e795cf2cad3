import type { Logger } from "pino";
import type { LineReason, SendFailure } from "@prosa/contract";
import type { Clock } from "../platform/clock/index.ts";

/** A chat or a person as a line sees it, in neutral words. A person may be known by phone, by LID, or by both. */
export interface Address {
  readonly kind: "phone" | "lid" | "group";
  /** Digits for phone and lid, the group's id for group; never a JID. */
  readonly value: string;
}

export interface PersonRef {
  readonly phone: string | null;
  readonly lid: string | null;
}

/** What a message holds. `source` lets the driver fetch the file later; it is opaque to everybody else. */
export type Content =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "image" | "video" | "audio" | "document" | "sticker";
      readonly caption: string;
      readonly fileName: string | null;
      readonly mimeType: string;
      readonly size: number | null;
      readonly width: number | null;
      readonly height: number | null;
      readonly seconds: number | null;
      readonly isVoice: boolean;
      readonly thumbnail: Uint8Array | null;
      readonly source: MediaSource;
    }
  | {
      readonly kind: "location";
      readonly latitude: number;
      readonly longitude: number;
      readonly name: string;
      readonly address: string;
    }
  | { readonly kind: "contacts"; readonly cards: readonly { readonly name: string; readonly vcard: string }[] }
  | { readonly kind: "unsupported"; readonly what: string }
  /** Could not be decrypted yet: stored as a stub that the real message replaces. `absent`: nobody is asked for it any more. */
  | { readonly kind: "undecryptable"; readonly isAbsent?: boolean };

/** JSON that the driver wrote and alone can read: the address and key of a file. */
export type MediaSource = Readonly<Record<string, unknown>>;

export interface InboundMessage {
  readonly waId: string;
  readonly chat: Address;
  /** The other side of a one-to-one chat under both addresses, as far as known. For a group: the group. */
  readonly person: PersonRef;
  readonly fromMe: boolean;
  /** Who wrote, in a group. */
  readonly participant: (PersonRef & { readonly name: string }) | null;
  readonly pushName: string;
  /** The server's time of the message. */
  readonly at: Date;
  /** Came from the backlog after the line had been away. */
  readonly isOffline: boolean;
  readonly quotedWaId: string | null;
  readonly content: Content;
  /** Written by the owner to the own number: a note to themselves. */
  readonly isNote?: boolean;
}

/** Everything a line tells the product that must not be lost. Handled in order, in one transaction with the keys that it moved. */
export type LineEvent =
  | { readonly type: "message"; readonly message: InboundMessage }
  | {
      readonly type: "edit";
      readonly waId: string;
      readonly fromMe: boolean;
      readonly chat: Address;
      /** As for a message: in whose chat it was said. A message of another chat is not meant. */
      readonly person: PersonRef;
      /** Who edits, in a group: only the author of a message may. */
      readonly author: PersonRef | null;
      readonly text: string;
      readonly at: Date;
      /** Of the message that makes the change: while nobody could read it, a stub stood for it. */
      readonly changeId?: string;
    }
  | {
      readonly type: "revoke";
      readonly waId: string;
      readonly fromMe: boolean;
      readonly chat: Address;
      readonly person: PersonRef;
      /** Who deletes, in a group: the author, or an admin of the group. */
      readonly by: PersonRef | null;
      readonly byMe: boolean;
      readonly at: Date;
      readonly changeId?: string;
    }
  | {
      readonly type: "reaction";
      readonly waId: string;
      readonly targetFromMe: boolean;
      readonly chat: Address;
      readonly person: PersonRef;
      /** Empty takes the reaction back. */
      readonly emoji: string;
      readonly byMe: boolean;
      readonly sender: PersonRef & { readonly name: string };
      readonly at: Date;
      readonly changeId?: string;
    }
  /**
   * 1 sent, 2 delivered, 3 read by somebody of a group, 4 read, 5 played; -1 refused by the server for good, with its
   * reason: what may be tried again is told to whoever sends, and to nobody else. Match by waId alone.
   */
  | {
      readonly type: "status";
      readonly waIds: readonly string[];
      readonly status: -1 | 1 | 2 | 3 | 4 | 5;
      readonly reason: SendFailure | null;
    }
  /**
   * The chat was read on the owner's phone, or on another of their devices: up to the newest of these messages, or, where
   * the whole chat was marked, all that was there at this time.
   */
  | {
      readonly type: "read";
      readonly chat: Address;
      readonly person: PersonRef;
      readonly upTo: readonly string[] | Date;
    }
  | {
      readonly type: "call";
      readonly callId: string;
      readonly person: PersonRef;
      readonly pushName: string;
      readonly isVideo: boolean;
      readonly isGroup: boolean;
      readonly state: "offered" | "missed" | "rejected" | "accepted" | "ended";
      readonly at: Date;
    }
  /** A phone number and a LID turned out to be one person. */
  | { readonly type: "identity"; readonly phone: string; readonly lid: string }
  | { readonly type: "group"; readonly groupId: string; readonly subject: string }
  /** The picture of a person or a group is another one now, or gone. */
  | { readonly type: "picture"; readonly chat: Address; readonly isGone: boolean };

/** One entry of a line's journal, in the order in which it happened (decision 0030). */
export type JournalEntry =
  | { readonly kind: "keys"; readonly writes: readonly KeyWrite[] }
  /** Serialised credentials. */
  | { readonly kind: "creds"; readonly value: string }
  | { readonly kind: "event"; readonly event: LineEvent }
  /** A proto that was sent, kept for a contact that asks for it again. */
  | { readonly kind: "sent"; readonly waId: string; readonly payload: Uint8Array };

export interface KeyWrite {
  readonly type: string;
  readonly id: string;
  /** null deletes. */
  readonly value: string | null;
}

export type LineState =
  | { readonly status: "OPENING" }
  | { readonly status: "qrcode"; readonly qr: string }
  | { readonly status: "PAIRING"; readonly pairingCode: string; readonly expiresAt: Date }
  | { readonly status: "CONNECTED"; readonly number: string; readonly lid: string | null }
  | { readonly status: "TIMEOUT"; readonly reason: LineReason; readonly detail: string }
  | {
      readonly status: "DISCONNECTED";
      readonly reason: LineReason;
      readonly detail: string;
      /** The network said so to another line, not to this one. */
      readonly isHearsay?: true;
    };

/**
 * `order`: a message was raised without a frame in work. `stuck`: one was held between its decryption and its event.
 * `poison`: an event could not be taken in and was left out. `commit`: what came in cannot be stored at the moment.
 */
export type LineAlarm = "order" | "stuck" | "poison" | "commit";

/** An id is unique in a chat, not on a line (decision 0118). */
export interface PlacedId {
  readonly waId: string;
  readonly chat: Address;
}

/** What a driver needs of the product. `commit` is one transaction; it may be retried with the same entries until it succeeds. */
export interface LineHost {
  readonly connectionId: number;
  readonly log: Logger;
  readonly clock: Clock;
  loadCreds(): Promise<string | null>;
  loadKeys(type: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Commits keys, credentials, sent payloads and events in order, atomically. Rejects when nothing was stored; with
   * LeaseLostError when another process holds the line now: then the driver ends without a further word.
   */
  commit(entries: readonly JournalEntry[]): Promise<void>;
  /** Forgets credentials and keys (logged out, or a new pairing is wanted). */
  forget(): Promise<void>;
  findSentPayload(waId: string): Promise<Uint8Array | null>;
  /** Which of these messages of contacts are stored with their content, each in its own chat. */
  findStored(messages: readonly PlacedId[]): Promise<readonly string[]>;
  onState(state: LineState): void;
  /** Not stored: a contact is typing in this chat. */
  onTyping(person: PersonRef, isTyping: boolean): void;
  /** For the line's own log: reconnects and their causes. */
  onNote(event: string, detail?: string): void;
  /** What must never happen, or not for long: a person looks. Counted, logged, and in the line's own log. */
  onAlarm(alarm: LineAlarm, error?: unknown): void;
}

export interface OutboundFile {
  /** Path of a local file, readable until the send settles. */
  readonly path: string;
  readonly mimeType: string;
  readonly fileName: string;
  readonly size: number;
  readonly seconds?: number;
  readonly width?: number;
  readonly height?: number;
  readonly thumbnail?: Uint8Array;
  /** Of a voice note: 64 heights of 0 to 100. */
  readonly waveform?: Uint8Array;
}

export type Outbound =
  | { readonly kind: "text"; readonly text: string; readonly quoted?: Quoted }
  | {
      readonly kind: "image" | "video" | "audio" | "voice" | "document" | "sticker";
      readonly caption: string;
      readonly file: OutboundFile;
      readonly quoted?: Quoted;
    }
  | {
      readonly kind: "location";
      readonly latitude: number;
      readonly longitude: number;
      readonly name: string;
      readonly quoted?: Quoted;
    }
  | { readonly kind: "contact"; readonly name: string; readonly vcard: string; readonly quoted?: Quoted }
  | { readonly kind: "reaction"; readonly target: MessageRef; readonly emoji: string }
  | { readonly kind: "edit"; readonly target: MessageRef; readonly text: string }
  | { readonly kind: "revoke"; readonly target: MessageRef };

export interface MessageRef {
  readonly waId: string;
  readonly fromMe: boolean;
  readonly participant?: PersonRef;
}

export interface Quoted extends MessageRef {
  readonly body: string;
}

/** Another process holds the line: whoever hears this must not write for it any more. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/**
 * Why a send failed, and whether trying again can help. `devices`: WhatsApp did not say, or not rightly, on which devices
 * the contact is. `limited`: no new conversations for a while; `tooMany`: too much at once.
 */
export class SendError extends Error {
  readonly reason: SendFailure;
  readonly canRetry: boolean;

  constructor(reason: SendError["reason"], canRetry: boolean, options?: ErrorOptions & { readonly detail?: string }) {
    super(options?.detail ?? reason, options);
    this.name = "SendError";
    this.reason = reason;
    this.canRetry = canRetry;
  }
}

/** A running line. Only the process that holds its lease has one. */
export interface Line {
  readonly connectionId: number;
  /**
   * Sends under an id that was chosen and stored before. Resolves once WhatsApp's own server has acknowledged it and that
   * is in the journal; rejects with SendError. Safe to call again with the same id.
   */
  send(waId: string, to: Address, content: Outbound): Promise<void>;
  /** Marks messages as read for the contact (read receipts). */
  markRead(chat: Address, refs: readonly MessageRef[]): Promise<void>;
  setTyping(chat: Address, isTyping: boolean): Promise<void>;
  /** Which of these numbers are on WhatsApp, and under which canonical number and LID. Absent: not on WhatsApp. */
  checkNumbers(numbers: readonly string[]): Promise<ReadonlyMap<string, PersonRef>>;
  /** Fetches and decrypts a file to `path`, checks its SHA-256, asks for a re-upload when it is gone. Throws MediaError. */
  download(source: MediaSource, path: string): Promise<{ readonly size: number }>;
  /**
   * Fetches the picture of a person or a group to `path`. `none`: there is none, or it is not for us. Throws SendError,
   * MediaError.
   */
  profilePicture(of: Address, path: string): Promise<"fetched" | "none">;
  groupSubject(groupId: string): Promise<string | null>;
  /** Who may delete what others wrote in a group, each under both addresses as far as known. */
  groupAdmins(groupId: string): Promise<readonly PersonRef[]>;
  rejectCall(callId: string, person: PersonRef): Promise<void>;
  /** Unlinks the device on WhatsApp's side, then stops. */
  logout(): Promise<void>;
  /** Drains the journal and closes the socket; credentials stay. */
  stop(): Promise<void>;
  /** Ends at once and writes nothing more: the lease is lost, or may be. */
  drop(): void;
}

export class MediaError extends Error {
  readonly state: "failed" | "expired";

  constructor(state: MediaError["state"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "MediaError";
    this.state = state;
  }
}

export interface LineSettings {
  /** Where the protocol server is; absent: WhatsApp's own. */
  readonly wsUrl?: string;
  /** Hosts (host or host:port) from which media may be fetched besides WhatsApp's own. */
  readonly mediaHosts?: readonly string[];
  /** CA certificate (PEM) that the media host's certificate is checked against, besides the system's. */
  readonly mediaCa?: string;
  /** Larger files are not fetched. */
  readonly maxMediaBytes?: number;
  /** Root key of the protocol server's certificate chain, when it is not WhatsApp's. */
  readonly rootPublicKey?: Uint8Array;
  /** Client version, newest first: tried in order when the server refuses one (405). */
  readonly versions?: readonly (readonly [number, number, number])[];
  /** Link by phone number: ask for a pairing code instead of showing only the QR. */
  readonly pairingNumber?: string;
  /**
   * The number that the line had before. Another one that is linked is not connected: the line waits, DISCONNECTED for
   * `otherNumber` with the new number as its detail, until it is opened with that one or logged out.
   */
  readonly lastNumber?: string;
}

/** Opens lines of one kind of network. Provider `beta` and provider `simulator` are the same driver with other settings. */
export interface Driver {
  /** Starts connecting and keeps connected by the rules of whatsapp.md section 10 until stopped. Returns at once. */
  open(host: LineHost, settings: LineSettings): Line;
}
