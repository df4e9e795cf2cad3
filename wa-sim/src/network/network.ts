import { digitsOf, isPlausibleNumber, otherBrazilianSpelling, parseJid } from "../protocol/index.ts";
import type { Companion } from "./companion.ts";
import { Context } from "./context.ts";
import type { ContextParts } from "./context.ts";
import type { Group } from "./group.ts";
import { LineAccount } from "./line-account.ts";
import { lidOf } from "./user.ts";
import type { Addressing, User, UserRecord } from "./user.ts";

export interface NewUser {
  name?: string;
  lid?: string;
  addressing?: Addressing;
}

/** The directory of the server: which accounts, linked devices and groups exist. */
export class Network extends Context {
  readonly users = new Map<string, User>();
  readonly groups = new Map<string, Group>();
  /** Decides whether a number that nobody created exists all the same. */
  knowsNumber: (number: string) => boolean = () => false;

  readonly #makeUser: (network: Network, record: UserRecord) => User;
  readonly #byLid = new Map<string, User>();

  constructor(parts: ContextParts & { makeUser: (network: Network, record: UserRecord) => User }) {
    super(parts);
    this.#makeUser = parts.makeUser;
  }

  /** Creates an account. Throws for a text that is no phone number. */
  create(kind: UserRecord["kind"], text: string, options: NewUser = {}): User {
    const number = digitsOf(text);
    if (!/^\d{8,15}$/.test(number)) {
      throw new Error(`"${text}" is no phone number`);
    }
    const { name = `+${number}`, lid = lidOf(number), addressing = "lid" } = options;
    return this.add({ kind, number, lid: lid.split("@", 1)[0] ?? lid, name, addressing });
  }

  /** Adds an account, new or from the journal. */
  add(record: UserRecord): User {
    const user = this.#makeUser(this, record);
    this.users.set(user.number, user);
    this.#byLid.set(user.lid, user);
    return user;
  }

  /** The account of a number, with or without the Brazilian ninth digit, if there is one. */
  find(text: string): User | undefined {
    const number = digitsOf(text);
    const other = otherBrazilianSpelling(number);
    return this.users.get(number) ?? (other === undefined ? undefined : this.users.get(other));
  }

  /** Like find; creates a person's account where the options say that the number exists. */
  findOrCreate(text: string): User | undefined {
    const number = digitsOf(text);
    const exists = this.knowsNumber(number) || (this.options.autoCreatePersons && isPlausibleNumber(number));
    return this.find(number) ?? (exists ? this.create("person", number) : undefined);
  }

  /** The account of an address in any of its forms. */
  findByJid(jid: string): User | undefined {
    const { user, server } = parseJid(jid);
    return server === "lid" ? this.#byLid.get(user) : this.findOrCreate(user);
  }

  /** The account of a line. Throws if no line has this number. */
  line(number: string): LineAccount {
    const user = this.find(number);
    if (!(user instanceof LineAccount)) {
      throw new Error(`${number} is not the phone of a line`);
    }
    return user;
  }

  lines(): LineAccount[] {
    return [...this.users.values()].filter((user) => user instanceof LineAccount);
  }

  /** A linked device by the number of its account and its device number. */
  companion(number: string, device: number): Companion | undefined {
    const user = this.users.get(number);
    return user instanceof LineAccount ? user.companion(device) : undefined;
  }
}
