import { createHash } from "node:crypto";
import { lidJid, pnJid } from "../protocol/index.ts";
import type { Context } from "./context.ts";
import { SignalIdentity } from "./signal-identity.ts";

export type Addressing = "lid" | "pn";

export interface UserRecord {
  kind: "person" | "phone";
  number: string;
  lid: string;
  name: string;
  addressing: Addressing;
  /** Path of the profile picture on the media host. */
  picture?: string | undefined;
  /** The profile picture is hidden from lines (privacy settings). */
  isPictureHidden?: boolean;
  /** Numbers of lines that this person has blocked. */
  blocked?: string[];
}

/** A WhatsApp account: of a line or of a person. */
export abstract class User {
  readonly number: string;
  readonly lid: string;
  readonly identity: SignalIdentity;
  protected readonly context: Context;
  #record: UserRecord;

  constructor(context: Context, record: UserRecord) {
    this.context = context;
    this.number = record.number;
    this.lid = record.lid;
    this.#record = record;
    this.identity = new SignalIdentity(record.number, context.journal, context.log);
    this.#save();
  }

  get name(): string {
    return this.#record.name;
  }

  set name(name: string) {
    this.#record = { ...this.#record, name };
    this.#save();
  }

  /** Path of the profile picture on the media host, if there is one. */
  get picture(): string | undefined {
    return this.#record.picture;
  }

  /** Sets the picture; null removes it. */
  setPicture(bytes: Uint8Array | null): void {
    this.#record = { ...this.#record, picture: bytes === null ? undefined : this.context.media.publish(bytes) };
    this.#save();
  }

  /** Whether privacy settings hide the picture from lines. */
  get isPictureHidden(): boolean {
    return this.#record.isPictureHidden ?? false;
  }

  set isPictureHidden(isPictureHidden: boolean) {
    this.#record = { ...this.#record, isPictureHidden };
    this.#save();
  }

  /** Whether this account's stanzas come from its LID or its phone number. */
  get addressing(): Addressing {
    return this.#record.addressing;
  }

  set addressing(addressing: Addressing) {
    this.#record = { ...this.#record, addressing };
    this.#save();
  }

  /** Whether this person has blocked a line, whose messages are then never delivered. */
  hasBlocked(line: string): boolean {
    return this.#record.blocked?.includes(line) ?? false;
  }

  block(line: string, isBlocked = true): void {
    const others = (this.#record.blocked ?? []).filter((number) => number !== line);
    this.#record = { ...this.#record, blocked: isBlocked ? [...others, line] : others };
    this.#save();
    this.context.journal.flush();
  }

  get pn(): string {
    return pnJid(this.number);
  }

  get lidJid(): string {
    return lidJid(this.lid);
  }

  get jid(): string {
    return this.addressing === "lid" ? this.lidJid : this.pn;
  }

  /** The other address than `jid`, as the stanza attribute for this place. */
  alternativeAddress(place: "sender" | "participant" | "peer_recipient"): Record<string, string> {
    return this.addressing === "lid" ? { [`${place}_pn`]: this.pn } : { [`${place}_lid`]: this.lidJid };
  }

  #save(): void {
    this.context.journal.put(`user/${this.number}`, this.#record);
  }
}

/** The LID of a number: fifteen digits derived from its hash, stable. */
export function lidOf(number: string): string {
  const digest = createHash("sha256").update(`lid ${number}`).digest();
  return `2${String(digest.readBigUInt64BE(0) % 10n ** 14n).padStart(14, "0")}`;
}
