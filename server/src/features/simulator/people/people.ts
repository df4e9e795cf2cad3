import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { findPeople, insertPerson } from "./people.queries.ts";
import type { PersonRow } from "./people.queries.ts";
import { isCustomerNumber, randomMobile } from "../phone-numbers.ts";
import { callNetwork } from "../simulator-line.ts";
import type { SimLine } from "../simulator-line.ts";
import { peopleView } from "./people.view.ts";
import type { SimPerson } from "./people.view.ts";

const MAX_ATTEMPTS = 20;

/** Inserts a person with this number, or a free random one. Throws ERR_VALIDATION if the number is in use. */
export async function createPerson(
  ctx: Ctx,
  connectionId: number,
  { name, number }: { readonly name: string; readonly number?: string | undefined },
): Promise<PersonRow> {
  for (let tries = number === undefined ? MAX_ATTEMPTS : 1; tries > 0; tries -= 1) {
    const person = { name, number: number ?? randomMobile(Math.random) };
    if (isCustomerNumber(person.number) && (await insertPerson(ctx, connectionId, person))) {
      return person;
    }
  }
  throw new AppError("ERR_VALIDATION", { fields: { number: "Already in use" } });
}

/** Creates or renames the person's phone on the network. */
export async function addToNetwork({ client }: SimLine, { number, name }: PersonRow): Promise<void> {
  await callNetwork(() => client.call("person", { number, name }));
}

export async function listPeople(line: SimLine, people: readonly PersonRow[]): Promise<SimPerson[]> {
  const chats = await callNetwork(() => line.client.call("chats", { line: line.number }));
  return peopleView(people, chats);
}

/** A person of this line: added to it, or written to by it. Throws ERR_NO_CONTACT_FOUND, also for another line's people. */
export async function loadPerson(
  line: SimLine,
  read: <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>,
  number: string,
): Promise<SimPerson> {
  const rows = await read((ctx) => findPeople(ctx, line.connection.id));
  const person = (await listPeople(line, rows)).find((one) => one.number === number);
  if (!person) {
    throw new AppError("ERR_NO_CONTACT_FOUND", { number });
  }
  if (rows.some((row) => row.number === number)) {
    await addToNetwork(line, person);
  }
  return person;
}
