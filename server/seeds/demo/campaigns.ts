import { campaignBody, instantOf, sendingDefaults, wallClockOf } from "@prosa/contract";
import { createCampaign } from "#server/features/campaigns/index.ts";
import { companyLocaleOf } from "#server/features/companies/index.ts";
import { createContactList, createItem } from "#server/features/contact-lists/index.ts";
import { saveSendingRules } from "#server/features/sending/index.ts";
import { createPerson } from "#server/features/simulator/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";

const list = "Clientes do clube Aurora";
const people: readonly (readonly [name: string, number: string])[] = [
  ["Alice Barros", "5511970010001"],
  ["Bruno Peixoto", "5521970010002"],
  ["Cecília Ramos", "5531970010003"],
  ["Davi Queiroz", "5541970010004"],
  ["Elaine Furtado", "5551970010005"],
  ["Fábio Nogueira", "5561970010006"],
];
/** The simulator has no phone for numbers that end so. */
const nobody = ["Gisele Prates", "5571970010000"] as const;

/** From the start of the demo until its first campaign begins (ms): its line is linked by then. */
const startsAfterMs = 90_000;

/**
 * Seeds a contact list, a campaign that the demo's line sends within its first minutes, so that a newcomer can watch it and then
 * has a finished one, and another one in three days.
 */
export async function seedCampaigns(ctx: Ctx, connectionId: number): Promise<void> {
  for (const [name, number] of people) {
    await createPerson(ctx, connectionId, { name, number });
  }
  const { id: contactListId } = await createContactList(ctx, list);
  for (const [name, number] of [...people, nobody]) {
    await createItem(ctx, { contactListId, name, number, email: "" });
  }
  // A demo that is started in the evening sends, too.
  const { minGapSeconds, hours } = sendingDefaults;
  await saveSendingRules(ctx, { minGapSeconds, hours: { ...hours, isOn: false }, lines: [] });
  const now = ctx.now().getTime();
  const { timeZone } = await companyLocaleOf(ctx);
  const inThreeDays = wallClockOf(new Date(now + 3 * 86_400_000), timeZone).slice(0, 10);
  const body = { whatsappId: connectionId, contactListId };
  await createCampaign(
    ctx,
    campaignBody.parse({
      ...body,
      name: "Boas-vindas ao clube",
      message1: "Oi, {nome}! Agora você é do clube Aurora: frete grátis em todas as compras. 💙",
      message2: "Olá, {nome}! Seu cadastro no clube Aurora está pronto: frete grátis em todas as compras. 💙",
      scheduledAt: new Date(now + startsAfterMs).toISOString(),
    }),
  );
  await createCampaign(
    ctx,
    campaignBody.parse({
      ...body,
      name: "Coleção de verão",
      confirmation: true,
      confirmationMessage1: "Oi, {nome}! Posso mandar as fotos da coleção de verão?",
      message1: "Chegou a coleção de verão! Qual peça combina mais com você?",
      scheduledAt: instantOf(`${inThreeDays}T10:00`, timeZone)?.toISOString(),
    }),
  );
}
