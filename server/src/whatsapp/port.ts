import type { Logger } from "pino";
import type { LimitCause, LineReason, QuotaLevel, SendFailure } from "@prosa/contract";
import type { Clock } from "../platform/clock/index.ts";

/** The address of a chat or a person, in neutral words. A person may be known by phone, by LID, or by both. */
export interface Address {
  readonly kind: "phone" | "lid" | "group";
  /** Digits for phone and lid, the group's id for group; never a JID. */
  readonly value: string;
}

export interface PersonRef {
  readonly phone: string | null;
  readonly lid: string | null;
}

/** The content of a message. `source` lets the driver download the file later; it is opaque to the product. */
export type Content =
  | { readonly kind: "text"; readonly text: string; readonly link?: SentLinkPreview }
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
      /** Of a voice note: heights of 0 to 100, where its sender says them. */
      readonly waveform?: Uint8Array;
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
  /** Not decrypted yet: stored as a placeholder that the real message replaces. `isAbsent`: it is not requested any more. */
  | { readonly kind: "undecryptable"; readonly isAbsent?: boolean };

/** The preview of an address in a text, as its sender's client made it. */
export interface SentLinkPreview {
  /** As written in the text. */
  readonly address: string;
  readonly title: string;
  readonly description: string;
  /** A small JPEG. */
  readonly thumbnail: Uint8Array | null;
}

/** The URL and key of a file, as JSON that only the driver writes and reads. */
export type MediaSource = Readonly<Record<string, unknown>>;

export interface InboundMessage {
  readonly waId: string;
  readonly chat: Address;
  /** The other side of a one-to-one chat under both addresses, as far as known. For a group: the group. */
  readonly person: PersonRef;
  readonly fromMe: boolean;
  /** The author, in a group. */
  readonly participant: (PersonRef & { readonly name: string }) | null;
  readonly pushName: string;
  /** The server's time of the message. */
  readonly at: Date;
  /** Delivered from WhatsApp's offline queue after the line had been disconnected. */
  readonly isOffline: boolean;
  readonly quotedWaId: string | null;
  readonly content: Content;
  /** Written by the owner to the own number: a note to themselves. */
  readonly isNote?: boolean;
  /** Stands for a message that could not be stored as it was: nothing answers it automatically, as the answer may be why. */
  readonly isQuarantined?: true;
}

/** What a line receives and must not be lost. Ingested in order, in one transaction with the Signal keys that were moved. */
export type LineEvent =
  | { readonly type: "message"; readonly message: InboundMessage }
  | {
      readonly type: "edit";
      readonly waId: string;
      readonly fromMe: boolean;
      readonly chat: Address;
      /** As for a message: the chat of the edit. A message of another chat with this id is not edited. */
      readonly person: PersonRef;
      /** Who edits, in a group: allowed to the author only. */
      readonly author: PersonRef | null;
      readonly text: string;
      readonly at: Date;
      /** The id of the message that makes the change: before it was decrypted, a placeholder was stored for it. */
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
   * 1 sent, 2 delivered, 3 read by a member of a group, 4 read, 5 played; -1 refused by the server for good, with its
   * reason (a refusal that can be retried rejects `send` only). Match by waId alone.
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
      /** From the offline queue, which may hold the end of a call without its offer. */
      readonly isOffline?: boolean;
      readonly at: Date;
    }
  /** A phone number and a LID belong to one person. */
  | { readonly type: "identity"; readonly phone: string; readonly lid: string }
  | { readonly type: "group"; readonly groupId: string; readonly subject: string }
  /** The picture of a person or a group was changed or removed. */
  | { readonly type: "picture"; readonly chat: Address; readonly isGone: boolean };

/** One entry of a line's journal, in the order of events (decision 0030). */
export type JournalEntry =
  | { readonly kind: "keys"; readonly writes: readonly KeyWrite[] }
  /** Serialised credentials. */
  | { readonly kind: "creds"; readonly value: string }
  | { readonly kind: "event"; readonly event: LineEvent }
  /** A payload that was sent, stored to answer a contact's retry request. */
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
      /** Reported to another line of the process, not to this one. */
      readonly isHearsay?: true;
    };

/**
 * What the provider says about starting conversations; answers to people who wrote are never limited. `newChats`: no new
 * conversations until then, or a lock that was lifted. `quota`: how much of the allowance of new conversations is used in a
 * cycle that ends then. A time that is not known is null.
 */
export type LineLimit =
  | {
      readonly kind: "newChats";
      readonly isActive: boolean;
      readonly until: Date | null;
      readonly cause: LimitCause | null;
    }
  | {
      readonly kind: "quota";
      readonly level: QuotaLevel;
      readonly used: number | null;
      readonly total: number | null;
      readonly until: Date | null;
    };

/**
 * `order`: a message was raised without a frame that waits for it. `stuck`: a message did not get from its decryption to
 * its event. `poison`: an event could not be ingested and was quarantined. `commit`: the journal cannot be stored now.
 */
export type LineAlarm = "order" | "stuck" | "poison" | "commit";

/** A message id with its chat: an id is unique in a chat, not on a line (decision 0118). */
export interface PlacedId {
  readonly waId: string;
  readonly chat: Address;
}

/** What a driver needs of the product. `commit` is one transaction; the driver retries it with the same entries until it succeeds. */
export interface LineHost {
  readonly connectionId: number;
  readonly log: Logger;
  readonly clock: Clock;
  /** `isStale`: of a session that a new one was asked for in place of. Throws CredentialsLostError. */
  loadCreds(): Promise<{ readonly value: string; readonly isStale: boolean } | null>;
  /** Without damaged ones. Throws CredentialsLostError. */
  loadKeys(type: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Commits keys, credentials, sent payloads and events in order, atomically. Rejects when nothing was stored; with
   * LeaseLostError when another process holds the lease now: then the driver ends and writes nothing more.
   */
  commit(entries: readonly JournalEntry[]): Promise<void>;
  /** Does another line of the same company have this number: is it connected with it, or would it be again by itself? */
  isNumberTaken(number: string): Promise<boolean>;
  /** Deletes credentials and keys (logged out, or a new pairing is wanted). */
  forget(): Promise<void>;
  findSentPayload(waId: string): Promise<Uint8Array | null>;
  /** Which of these messages of contacts are stored with their content, each in its own chat. */
  findStored(messages: readonly PlacedId[]): Promise<readonly string[]>;
  onState(state: LineState): void;
  /** A limit was announced, lifted, or asked for after a connect: the same one may be reported again. */
  onLimit(limit: LineLimit): void;
  /** Not stored: a contact is typing in this chat. */
  onTyping(person: PersonRef, isTyping: boolean): void;
  /** Adds an entry to the line's log: reconnects and their causes. */
  onNote(event: string, detail?: string): void;
  /** Raises an alarm that needs a person. Counted in a metric, logged, and added to the line's log. */
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

/** Another process holds the lease of the line: this one must not write for it any more. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** The credentials or keys of the line were sealed with a secret that is not known any more: it cannot log in, and nobody else is to blame. */
export class CredentialsLostError extends Error {
  override readonly name = "CredentialsLostError";
}

/**
 * Why a send failed, and whether a retry can help. `devices`: no devices of the contact could be looked up. `limited`: no
 * new conversations for a while; `tooMany`: too many messages at once.
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

/** A running line. Exists only in the process that holds its lease. */
export interface Line {
  readonly connectionId: number;
  /**
   * Sends under an id that was generated and stored before. Resolves once WhatsApp's server has acknowledged the message and
   * that is journaled; rejects with SendError. Idempotent: may be called again with the same id.
   */
  send(waId: string, to: Address, content: Outbound): Promise<void>;
  /** Marks messages as read for the contact (read receipts). */
  markRead(chat: Address, refs: readonly MessageRef[]): Promise<void>;
  setTyping(chat: Address, isTyping: boolean): Promise<void>;
  /** Which of these numbers are on WhatsApp, and under which canonical number and LID. Absent: not on WhatsApp. */
  checkNumbers(numbers: readonly string[]): Promise<ReadonlyMap<string, PersonRef>>;
  /**
   * Downloads and decrypts a file to `path`, checks its SHA-256, requests a re-upload when it is gone. Throws MediaError, and
   * SendError `notConnected` where that may be why.
   */
  download(source: MediaSource, path: string): Promise<{ readonly size: number }>;
  /**
   * Downloads the picture of a person or a group to `path`. `none`: there is none, or it is hidden from the line. Throws
   * SendError, MediaError.
   */
  profilePicture(of: Address, path: string): Promise<"fetched" | "none">;
  groupSubject(groupId: string): Promise<string | null>;
  /** The admins of a group, who may delete messages of others, each under both addresses as far as known. */
  groupAdmins(groupId: string): Promise<readonly PersonRef[]>;
  rejectCall(callId: string, person: PersonRef): Promise<void>;
  /** Unlinks the device on WhatsApp's side, then stops. */
  logout(): Promise<void>;
  /** Drains the journal and closes the socket; credentials stay. */
  stop(): Promise<void>;
  /** Closes at once and writes nothing more: the lease is lost, or may be. */
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
  /** The URL of the protocol server; absent: WhatsApp's own. */
  readonly wsUrl?: string;
  /** Hosts (host or host:port) from which media may be fetched besides WhatsApp's own. */
  readonly mediaHosts?: readonly string[];
  /** CA certificate (PEM) that the media host's certificate is checked against, besides the system's. */
  readonly mediaCa?: string;
  /** Larger files are not downloaded. */
  readonly maxMediaBytes?: number;
  /** Root key of the protocol server's certificate chain, when it is not WhatsApp's. */
  readonly rootPublicKey?: Uint8Array;
  /** Client version, newest first: tried in order when the server refuses one (405). */
  readonly versions?: readonly (readonly [number, number, number])[];
  /** Link by phone number: ask for a pairing code instead of showing only the QR. */
  readonly pairingNumber?: string;
  /**
   * The number that the line had before. With another linked number the line does not connect: it waits, DISCONNECTED for
   * `otherNumber` with the new number as its detail, until it is opened with that number or logged out.
   */
  readonly lastNumber?: string;
}

/** Opens lines. Providers `beta` and `simulator` use the same driver with other settings. */
export interface Driver {
  /** Connects a line and reconnects it by the rules of whatsapp.md section 10 until it is stopped. Returns at once. */
  open(host: LineHost, settings: LineSettings): Line;
}
