import { invitations, queueIntegrations } from "@prosa/contract";
import type { QueueIntegrationBody } from "@prosa/contract";
import { createBotScenario } from "./bot-scenario.ts";
import type { BotScenario, FakeLineApp } from "./bot-scenario.ts";

export type IntegrationLine = BotScenario & { readonly integrationId: number; readonly secret: string };

/** A line whose conversations an integration has from the start. */
export async function anIntegrationLine(
  fakeLineApp: FakeLineApp,
  body: Partial<QueueIntegrationBody> & Pick<QueueIntegrationBody, "type" | "name">,
): Promise<IntegrationLine> {
  const scenario = await createBotScenario(fakeLineApp);
  const made = await scenario.admin.call(queueIntegrations.create, { body });
  const integrationId = made.body.id;
  await scenario.admin.put(`/whatsapp/${scenario.connection.id}`, { integrationId });
  // The nightly sweep runs now: by the moved clock, files that are stored during the test are weeks old.
  await scenario.app.settle();
  return { ...scenario, integrationId, secret: made.body.secret ?? "" };
}

/** The id of an agent of the line's company who has not accepted their invitation. */
export async function anInvitedAgent({ admin }: Pick<BotScenario, "admin">): Promise<number> {
  return (await admin.call(invitations.create, { body: { email: "convidada@example.com" } })).body.user.id;
}
