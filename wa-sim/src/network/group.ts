import { node } from "../protocol/index.ts";
import type { Node } from "../protocol/index.ts";
import type { Companion } from "./companion.ts";
import type { Context } from "./context.ts";
import { LineAccount } from "./line-account.ts";
import { notifyPicture } from "./notify-picture.ts";
import type { User } from "./user.ts";

export interface GroupRecord {
  id: string;
  subject: string;
  members: string[];
  createdAt: number;
  /** Deliveries of sender keys: "sender's number>device id". */
  keysGiven: string[];
  /** Path of the group's picture on the media host. */
  picture?: string | undefined;
}

/** A group of persons and at least one line. */
export class Group {
  readonly record: GroupRecord;
  readonly #context: Context;
  readonly #users: ReadonlyMap<string, User>;

  constructor(context: Context, users: ReadonlyMap<string, User>, record: GroupRecord) {
    this.#context = context;
    this.#users = users;
    this.record = record;
    this.#save();
  }

  get jid(): string {
    return `${this.record.id}@g.us`;
  }

  get subject(): string {
    return this.record.subject;
  }

  get picture(): string | undefined {
    return this.record.picture;
  }

  /** Every member sees the picture. */
  get isPictureHidden(): boolean {
    return false;
  }

  /** Sets the group's picture and notifies its lines; null removes it. */
  setPicture(bytes: Uint8Array | null): void {
    this.record.picture = bytes === null ? undefined : this.#context.media.publish(bytes);
    this.#save();
    notifyPicture(this.#context, this.jid, this.lines, bytes !== null);
  }

  get members(): User[] {
    return this.record.members.flatMap((number) => this.#users.get(number) ?? []);
  }

  get lines(): LineAccount[] {
    return this.members.filter((member) => member instanceof LineAccount);
  }

  add(member: User): void {
    this.#change("add", member, [...this.record.members, member.number]);
  }

  remove(member: User): void {
    this.#change(
      "remove",
      member,
      this.record.members.filter((number) => number !== member.number),
    );
  }

  /** Returns whether the sender's key must be sent to this device, and records it as sent. */
  claimKeyDelivery(sender: User, companion: Companion): boolean {
    const name = `${sender.number}>${companion.id}`;
    if (this.record.keysGiven.includes(name)) {
      return false;
    }
    this.record.keysGiven.push(name);
    this.#save();
    return true;
  }

  /** The group's metadata as a stanza. */
  toNode(): Node {
    const creator = this.members[0];
    const participants = this.members.map((member) =>
      node("participant", {
        jid: member.lidJid,
        phone_number: member.pn,
        type: member === creator ? "superadmin" : undefined,
      }),
    );
    const at = Math.floor(this.record.createdAt / 1000);
    const attrs = {
      id: this.record.id,
      subject: this.record.subject,
      addressing_mode: "lid",
      creation: at,
      creator: creator?.lidJid,
      creator_pn: creator?.pn,
      s_t: at,
      s_o: creator?.lidJid,
      size: participants.length,
    };
    return node("group", attrs, participants);
  }

  #change(what: "add" | "remove", member: User, members: string[]): void {
    const lines = this.lines;
    this.record.members = members;
    this.#save();
    const author = this.members[0] ?? member;
    const id = this.#context.newId("N");
    const attrs = {
      type: "w:gp2",
      from: this.jid,
      id,
      t: this.#context.seconds(),
      participant: author.lidJid,
      participant_pn: author.pn,
    };
    const change = node(what, {}, [node("participant", { jid: member.lidJid, phone_number: member.pn })]);
    const stanza = node("notification", attrs, [change]);
    for (const companion of lines.flatMap((line) => line.companions())) {
      companion.enqueue({ key: `notification:${id}`, node: stanza });
    }
  }

  #save(): void {
    this.#context.journal.put(`group/${this.record.id}`, this.record);
  }
}
