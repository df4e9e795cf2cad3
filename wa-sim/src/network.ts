import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import type { Logger } from "pino";
import type { ServerKeys } from "./certificates.ts";
import type { Companion } from "./companion.ts";
import { Faults } from "./faults.ts";
import type { Group } from "./groups.ts";
import type { Journal } from "./journal.ts";
import type { MediaHost } from "./media-host.ts";
import { digitsOf, isPlausibleNumber, otherBrazilianSpelling } from "./numbers.ts";
import { Person } from "./person.ts";
import type { MessageView } from "./chat.ts";
import { Phone } from "./phone.ts";
import { lidOf } from "./user.ts";
import type { Addressing, User, UserRecord } from "./user.ts";
import { parseJid } from "./wire.ts";
import type { Node } from "./wire.ts";

export interface NetworkOptions {
  /** Every plausible number has a WhatsApp account (numbers that end in 0000 never do). */
  autoCreatePersons: boolean;
  /** A new companion uploads all its 812 one-time keys, as on WhatsApp, rather than 5. */
  uploadAllPreKeys: boolean;
  /** Send the (empty) history that a first login waits for. Without it Baileys holds all events back for 20 s. */
  sendHistory: boolean;
  /** Messages kept per person; older ones are forgotten. */
  chatLimit: number;
}

export interface Stats {
  /** Messages from persons and phones, counted once per companion. */
  toLines: number;
  /** Messages of lines that reached a person, and second copies of one. */
  toPersons: number;
  repeatedToPersons: number;
  acks: number;
  /** Messages of lines that were lost on purpose. */
  vanished: number;
  /** Messages of lines that were refused in their ack. */
  refused: number;
  redelivered: number;
  retriesByLines: number;
  retriesByPersons: number;
  /** Nacks of lines by code; 487 for a message that the line does not have means it is lost. */
  nacks: Record<string, number>;
  logins: number;
  /** Questions of lines for the devices of people, answered or not. */
  deviceQueries: number;
  /** Clients that were turned away for their version. */
  refusedLogins: number;
  pairings: number;
  /** How often lines asked for the picture of somebody. */
  pictureQuestions: number;
}

/** The state that all parts of the server share: who exists, who is linked, what is broken on purpose. */
export class Network {
  readonly faults = new Faults();
  readonly users = new Map<string, User>();
  readonly companions = new Map<string, Companion>();
  readonly groups = new Map<string, Group>();
  readonly unknownStanzas: Node[] = [];
  readonly messages = new EventEmitter<{ message: [person: Person, message: MessageView] }>();
  readonly confirmations = new EventEmitter<{ confirmed: [companion: Companion, key: string] }>();
  readonly stats: Stats = {
    toLines: 0,
    toPersons: 0,
    repeatedToPersons: 0,
    acks: 0,
    vanished: 0,
    refused: 0,
    redelivered: 0,
    retriesByLines: 0,
    retriesByPersons: 0,
    nacks: {},
    logins: 0,
    deviceQueries: 0,
    refusedLogins: 0,
    pairings: 0,
    pictureQuestions: 0,
  };
  /** Says whether a number that nobody created exists all the same. */
  knowsNumber: (number: string) => boolean = () => false;

  readonly journal: Journal;
  readonly keys: ServerKeys;
  readonly log: Logger;
  readonly clock: () => number;
  readonly options: NetworkOptions;
  readonly media: MediaHost;
  readonly #byLid = new Map<string, User>();

  constructor(parts: {
    journal: Journal;
    keys: ServerKeys;
    log: Logger;
    clock: () => number;
    options: NetworkOptions;
    makeMedia: (faults: Faults) => MediaHost;
  }) {
    this.journal = parts.journal;
    this.keys = parts.keys;
    this.log = parts.log;
    this.clock = parts.clock;
    this.options = parts.options;
    this.media = parts.makeMedia(this.faults);
    this.confirmations.setMaxListeners(0);
    this.messages.setMaxListeners(0);
  }

  seconds(): number {
    return Math.floor(this.clock() / 1000);
  }

  newId(prefix = "3A"): string {
    return prefix + randomBytes(9).toString("hex").toUpperCase();
  }

  person(number: string, options: { name?: string; lid?: string; addressing?: Addressing } = {}): Person {
    const existing = this.find(number);
    if (existing) {
      if (!(existing instanceof Person)) {
        throw new Error(`${number} is a line's phone`);
      }
      existing.name = options.name ?? existing.name;
      existing.addressing = options.addressing ?? existing.addressing;
      return existing;
    }
    return this.add(recordOf("person", number, options)) as Person;
  }

  phone(number: string, options: { name?: string } = {}): Phone {
    const existing = this.find(number);
    if (existing) {
      if (!(existing instanceof Phone)) {
        throw new Error(`${number} is a person`);
      }
      existing.name = options.name ?? existing.name;
      return existing;
    }
    return this.add(recordOf("phone", number, options)) as Phone;
  }

  /** Brings somebody into the network, new or from the journal. */
  add(record: UserRecord): User {
    const user = record.kind === "phone" ? new Phone(this, record) : new Person(this, record);
    this.users.set(user.number, user);
    this.#byLid.set(user.lid, user);
    return user;
  }

  /** The account behind a number, with or without the Brazilian ninth digit, if there is one. */
  find(text: string): User | undefined {
    const number = digitsOf(text);
    const other = otherBrazilianSpelling(number);
    return this.users.get(number) ?? (other === undefined ? undefined : this.users.get(other));
  }

  /** Like find, and creates the account where the options say that the number exists. */
  lookUp(text: string): User | undefined {
    const number = digitsOf(text);
    const exists = this.knowsNumber(number) || (this.options.autoCreatePersons && isPlausibleNumber(number));
    return this.find(number) ?? (exists ? this.person(number) : undefined);
  }

  /** Who an address belongs to, whichever of its forms it is. */
  byJid(jid: string): User | undefined {
    const { user, server } = parseJid(jid);
    return server === "lid" ? this.#byLid.get(user) : this.lookUp(user);
  }

  line(number: string): Phone {
    const user = this.find(number);
    if (!(user instanceof Phone)) {
      throw new Error(`${number} is no phone of a line`);
    }
    return user;
  }

  persons(): Person[] {
    return [...this.users.values()].filter((user) => user instanceof Person);
  }

  phones(): Phone[] {
    return [...this.users.values()].filter((user) => user instanceof Phone);
  }
}

function recordOf(
  kind: UserRecord["kind"],
  text: string,
  options: { name?: string; lid?: string; addressing?: Addressing },
): UserRecord {
  const number = digitsOf(text);
  if (!/^\d{8,15}$/.test(number)) {
    throw new Error(`"${text}" is no phone number`);
  }
  const { name = `+${number}`, lid = lidOf(number), addressing = "lid" } = options;
  return { kind, number, lid: lid.split("@", 1)[0] ?? lid, name, addressing };
}
