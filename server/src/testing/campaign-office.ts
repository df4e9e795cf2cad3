import { campaignSettings, campaigns } from "@prosa/contract";
import type { BodyIn, Campaign, Recipient } from "@prosa/contract";
import { sql } from "kysely";
import { expect } from "vitest";
import { aConnection } from "./factories.ts";
import { createBotScenario } from "./bot-scenario.ts";
import type { BotScenario, FakeLineApp } from "./bot-scenario.ts";
import { createFakeLine } from "./fake-line.ts";
import type { FakeLine } from "./fake-line.ts";

export const ana = "5511988880001";
export const beto = "5511988880002";
export const caio = "5511988880003";
export const people = { [ana]: "Ana Lima", [beto]: "Beto Souza", [caio]: "Caio Reis" };

/** A company with a fake line, a contact list and a moved clock. */
interface CampaignOffice extends BotScenario {
  readonly listId: number;
  make(body?: Partial<BodyIn<typeof campaigns.create>>): Promise<Campaign>;
  read(id: number): Promise<Campaign>;
  recipients(id: number): Promise<Recipient[]>;
  /** Lets this time pass second by second, running what is due. */
  pass(seconds: number): Promise<void>;
  sentTo(phone: string): string[];
}

/** An office whose list has these numbers, with the names of the people. */
export async function aCampaignOffice(
  fakeLineApp: FakeLineApp,
  numbers: Readonly<Record<string, string>> = people,
): Promise<CampaignOffice> {
  const scenario = await createBotScenario(fakeLineApp, { hasQueues: false, greetingMessage: "" });
  const { company, admin, clock, app, connection } = scenario;
  // Nobody waits for the plan of a young line here: the gate has its own tests.
  await company.inside(({ db }) =>
    sql`insert into line_rules (company_id, connection_id, warm_up) values (${company.id}, ${connection.id}, false)`.execute(
      db,
    ),
  );
  const listId = await aContactList(scenario, numbers);
  return {
    ...scenario,
    listId,
    async make(body = {}) {
      const given = { name: "Natal", message1: "Oi {nome}", whatsappId: connection.id, contactListId: listId };
      const scheduledAt = clock.now().toISOString();
      const answer = await admin.call(campaigns.create, { body: { ...given, scheduledAt, ...body } });
      expect([answer.status, answer.text]).toMatchObject([200, expect.anything()]);
      return answer.body;
    },
    read: async (id) => (await admin.call(campaigns.get, { params: { id } })).body,
    recipients: async (id) => (await admin.call(campaigns.recipients, { params: { id } })).body.records,
    async pass(seconds) {
      for (let passed = 0; passed < seconds; passed += 1) {
        clock.advance({ seconds: 1 });
        await app.settle();
      }
    },
    sentTo: (phone) =>
      scenario.line.sent.flatMap(({ to, content }) => (to.value === phone && "text" in content ? [content.text] : [])),
  };
}

/** Another list, whose numbers are known to be on WhatsApp. */
export async function aContactList(
  { company }: BotScenario,
  numbers: Readonly<Record<string, string>>,
  name = "Clientes",
): Promise<number> {
  return company.inside(async ({ db }) => {
    const { rows } = await sql<{ id: number }>`
      insert into contact_lists (company_id, name) values (${company.id}, ${name}) returning id`.execute(db);
    const id = rows[0]!.id;
    const items = Object.entries(numbers);
    await sql`
      insert into contact_list_items (company_id, contact_list_id, name, number, match_number, is_whatsapp_valid)
      select ${company.id}, ${id}, name, number, match_number(number), true
      from unnest(${items.map(([, name]) => name)}::text[], ${items.map(([number]) => number)}::text[]) as x(name, number)`.execute(
      db,
    );
    return id;
  });
}

/** Sets the interval between contacts (seconds), and a variable {cupom}. */
export async function setPace(office: CampaignOffice, messageInterval: number): Promise<void> {
  const body = {
    settings: { messageInterval, longerIntervalAfter: 0, variables: [{ key: "cupom", value: "NATAL10" }] },
  };
  await office.admin.call(campaignSettings.save, { body });
}

/** A second connected line, which no plan of a young line holds. */
export async function aSecondLine(office: CampaignOffice): Promise<FakeLine & { readonly id: number }> {
  const { id } = await aConnection(office.company, { number: "5511990000009" });
  const line = createFakeLine(id);
  office.fakeLineApp.lines.set(id, line);
  await office.company.inside(({ db }) =>
    sql`insert into line_rules (company_id, connection_id, warm_up) values (${office.company.id}, ${id}, false)`.execute(
      db,
    ),
  );
  return Object.assign(line, { id });
}
