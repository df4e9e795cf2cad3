import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { findPeople, insertPerson } from "./people.queries.ts";
import type { PersonRow } from "./people.queries.ts";
import { isCustomerNumber, randomMobile } from "./numbers.ts";
import { reach } from "./sim-line.ts";
import type { SimLine } from "./sim-line.ts";
import { peopleView } from "./simulator.view.ts";
import type { SimPerson } from "./simulator.view.ts";

const TRIES = 20;

/** The person's row: with this number, or a free random one. Throws ERR_VALIDATION where the number is not free. */
export async function givePersonNumber(
  ctx: Ctx,
  connectionId: number,
  { name, number }: { readonly name: string; readonly number?: string | undefined },
): Promise<PersonRow> {
  for (let tries = number === undefined ? TRIES : 1; tries > 0; tries -= 1) {
    const person = { name, number: number ?? randomMobile(Math.random) };
    if (isCustomerNumber(person.number) && (await insertPerson(ctx, connectionId, person))) {
      return person;
    }
  }
  throw new AppError("ERR_VALIDATION", { fields: { number: "Already in use" } });
}

/** Brings a person with a row into the network. */
export async function meetPerson({ client }: SimLine, { number, name }: PersonRow): Promise<void> {
  await reach(() => client.call("person", { number, name }));
}

export async function listPeople(line: SimLine, people: readonly PersonRow[]): Promise<SimPerson[]> {
  const chats = await reach(() => line.client.call("chats", { line: line.number }));
  return peopleView(people, chats);
}

/** Of this line: added to it, or written to by it. Throws ERR_NO_CONTACT_FOUND, so that no line sees another's people. */
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
    await meetPerson(line, person);
  }
  return person;
}
