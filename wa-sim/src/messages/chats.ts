import type { Journal } from "../storage/index.ts";
import { textOf } from "./message-content.ts";
import type { ReceivedContent } from "./message-content.ts";

export type Status = "sent" | "delivered" | "read" | "played";
const STATUS_ORDER: Status[] = ["sent", "delivered", "read", "played"];

/** One message in a person's chats, as stored in the journal. */
export interface StoredMessage {
  id: string;
  line: string;
  group?: string;
  isOwn: boolean;
  at: number;
  content: ReceivedContent;
  /** The encoded protobuf message, to quote it. */
  message: Uint8Array;
  /** Delivery status of an own message, or whether this person has read a received one. */
  status: Status;
  quoted?: string;
  editedText?: string;
  revoked?: boolean;
  /** Emoji by the number of the one who reacted. */
  reactions: Record<string, string>;
  /** How often it arrived. */
  copies: number;
}

/** A message as the API returns it. */
export interface MessageView {
  id: string;
  /** Number of the line. */
  from: string;
  /** Number of the person in whose chats it is. */
  person: string;
  group: string | undefined;
  isOwn: boolean;
  at: number;
  content: ReceivedContent;
  text: string;
  edited: boolean;
  revoked: boolean;
  /** The line's reaction to it. */
  reaction: string | undefined;
  reactions: Record<string, string>;
  quoted: string | undefined;
  status: Status;
  copies: number;
}

/** All messages of one person, in order; above the limit the oldest are dropped. */
export class Chats {
  readonly #messages = new Map<string, StoredMessage>();
  readonly #person: string;
  readonly #journal: Journal;
  readonly #limit: number;

  constructor(person: string, journal: Journal, limit: number) {
    this.#person = person;
    this.#journal = journal;
    this.#limit = limit;
  }

  restore(message: StoredMessage): void {
    this.#messages.set(message.id, message);
  }

  get(id: string): StoredMessage | undefined {
    return this.#messages.get(id);
  }

  all(): IterableIterator<StoredMessage> {
    return this.#messages.values();
  }

  add(message: StoredMessage): void {
    this.#messages.set(message.id, message);
    this.save(message);
    if (this.#messages.size > this.#limit) {
      const [oldest] = this.#messages.keys();
      if (oldest !== undefined) {
        this.#messages.delete(oldest);
        this.#journal.remove(`chat/${this.#person}/${oldest}`);
      }
    }
  }

  save(message: StoredMessage): void {
    this.#journal.put(`chat/${this.#person}/${message.id}`, message);
  }

  /** Raises the status, never lowers it. Returns whether it changed. */
  advance(id: string, status: Status): boolean {
    const message = this.#messages.get(id);
    if (!message || STATUS_ORDER.indexOf(status) <= STATUS_ORDER.indexOf(message.status)) {
      return false;
    }
    message.status = status;
    this.save(message);
    return true;
  }

  /** Applies an edit, revoke or reaction to its target message. */
  apply(content: ReceivedContent, by: string): void {
    const target = "to" in content ? this.#messages.get(content.to) : undefined;
    if (!target) {
      return;
    }
    if (content.kind === "edit") {
      target.editedText = content.text;
    } else if (content.kind === "revoke") {
      target.revoked = true;
    } else if (content.kind === "reaction") {
      target.reactions = { ...target.reactions, [by]: content.emoji };
    }
    this.save(target);
  }

  view(message: StoredMessage): MessageView {
    return {
      id: message.id,
      from: message.line,
      person: this.#person,
      group: message.group,
      isOwn: message.isOwn,
      at: message.at,
      content: message.content,
      text: message.editedText ?? textOf(message.content),
      edited: message.editedText !== undefined,
      revoked: message.revoked ?? false,
      reaction: message.reactions[message.line] || undefined,
      reactions: message.reactions,
      quoted: message.quoted,
      status: message.status,
      copies: message.copies,
    };
  }
}

/** Edits, revokes and reactions: changes of other messages, not shown as messages of their own. */
export const isAction = (content: ReceivedContent): boolean =>
  content.kind === "edit" || content.kind === "revoke" || content.kind === "reaction";
