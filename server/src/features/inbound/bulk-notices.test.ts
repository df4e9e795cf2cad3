import { bulkUndoMs } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMessagesFeature } from "#server/features/messages/feature.ts";
import { aHouse, conversations } from "#server/testing/conversations.ts";
import type { Conversations, House } from "#server/testing/conversations.ts";

let house: House;
beforeAll(async () => {
  house = await aHouse(createMessagesFeature);
});
afterAll(() => house.app.close());

const [maria, joao] = ["5511988887777", "5511977776666"] as const;

async function aDesk(): Promise<Conversations> {
  const talk = await conversations(house, { complationMessage: "Até logo, {{firstName}}!" });
  await talk.save("sendGreetingAccepted", "enabled");
  await talk.save("sendMsgTransfTicket", "enabled");
  await talk.says(maria, "oi");
  await talk.says(joao, "oi");
  return talk;
}

async function bulk(talk: Conversations, act: object): Promise<string> {
  const ticketIds = [(await talk.ticketOf(maria)).id, (await talk.ticketOf(joao)).id];
  const { status, body } = await talk.admin.post<{ bulkId: string }>("/tickets/bulk", { ticketIds, act });
  expect(status).toBe(200);
  return body.bulkId;
}

async function afterItsSeconds(talk: Conversations): Promise<void> {
  talk.clock.advance({ seconds: bulkUndoMs / 1_000 });
  await talk.app.settle();
}

const hello = "Bom dia! Meu nome é *Admin* e vou continuar o seu atendimento.";

test("contacts are told what the single call tells them, once, when it cannot be taken back any more (T-13, T-14)", async () => {
  const talk = await aDesk();
  await bulk(talk, { verb: "accept" });
  expect([await talk.hears(maria), await talk.hears(joao)]).toEqual([[], []]);
  await afterItsSeconds(talk);
  await afterItsSeconds(talk);
  expect([await talk.hears(maria), await talk.hears(joao)]).toEqual([[hello], [hello]]);

  await bulk(talk, { verb: "transfer", queueId: talk.support.id });
  await afterItsSeconds(talk);
  const handed = "Seu atendimento foi transferido para *Suporte*. Aguarde um momento, por favor.";
  expect([await talk.hears(maria), await talk.hears(joao)]).toEqual([[handed], [handed]]);
});

test("what was taken back is told to nobody (T-10)", async () => {
  const talk = await aDesk();
  await bulk(talk, { verb: "accept" });
  await afterItsSeconds(talk);
  await talk.hears(maria);

  const bulkId = await bulk(talk, { verb: "resolve" });
  expect((await talk.admin.post(`/tickets/bulk/${bulkId}/undo`)).status).toBe(200);
  await afterItsSeconds(talk);
  expect(await talk.hears(maria)).toEqual([]);
  expect(await talk.ticketOf(maria)).toMatchObject({ status: "open" });

  await bulk(talk, { verb: "resolve" });
  await afterItsSeconds(talk);
  expect(await talk.hears(maria)).toEqual(["Até logo, Maria!"]);
  expect(await talk.ticketOf(maria)).toMatchObject({ status: "closed" });
});

test("who went on meanwhile is told nothing late: the agent wrote, the contact came back (T-13, T-10)", async () => {
  const talk = await aDesk();
  await bulk(talk, { verb: "accept" });
  talk.clock.advance({ seconds: 2 });
  const { id } = await talk.ticketOf(maria);
  await talk.admin.post(`/messages/${id}`, { body: "Sou a Ana" });
  await afterItsSeconds(talk);
  expect(await talk.hears(maria)).toEqual(["Sou a Ana"]);
  expect(await talk.hears(joao)).toEqual([hello]);

  await bulk(talk, { verb: "resolve" });
  talk.clock.advance({ seconds: 2 });
  const menu = await talk.says(maria, "mais uma coisa");
  expect(menu.join()).toContain("Bem-vindo");
  await afterItsSeconds(talk);
  expect(await talk.hears(maria)).toEqual([]);
  expect(await talk.hears(joao)).toEqual(["Até logo, Maria!"]);
});
