import type { Network, NewUser, User, UserRecord } from "../network/index.ts";
import { Person } from "./person.ts";
import { Phone } from "./phone.ts";

/** Makes the account of a record: a line's phone or a person. */
export const makeUser = (network: Network, record: UserRecord): User =>
  record.kind === "phone" ? new Phone(network, record) : new Person(network, record);

export function findOrCreatePerson(network: Network, number: string, options: NewUser = {}): Person {
  const user = network.find(number) ?? network.create("person", number, options);
  if (!(user instanceof Person)) {
    throw new Error(`${number} is a line's phone`);
  }
  user.name = options.name ?? user.name;
  user.addressing = options.addressing ?? user.addressing;
  return user;
}

export function findOrCreatePhone(network: Network, number: string, options: { name?: string } = {}): Phone {
  const user = network.find(number) ?? network.create("phone", number, options);
  if (!(user instanceof Phone)) {
    throw new Error(`${number} is a person`);
  }
  user.name = options.name ?? user.name;
  return user;
}
