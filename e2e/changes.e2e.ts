import { connections } from "@prosa/contract";
import { uniqueName, connectLine, createUser, addCustomer } from "./support/api.ts";
import { accept, bubble, chooseInBubble, write } from "./support/desk.ts";
import { expect, test } from "./support/journey.ts";

test("an edit that cannot arrive is shown so, with what the contact still sees (M-10, W-01)", async ({ at, admin }) => {
  const line = await connectLine(admin, uniqueName("Linha"));
  const customer = await addCustomer(admin, line, uniqueName("Cliente"));
  const page = await at(await createUser(admin, uniqueName("Lia")));
  await customer.says("Quanto custa?");
  await accept(page, customer.name);
  await write(page, "São 90 reais.");
  await expect(bubble(page, "São 90 reais.").getByRole("img", { name: /Enviada|Entregue|Lida/ })).toBeVisible();

  // The line is disconnected, so the edit waits; then the line is deleted.
  const params = { id: line.id };
  await admin.call(connections.stop, { params });
  await expect.poll(async () => (await admin.call(connections.get, { params })).status).toBe("DISCONNECTED");
  await chooseInBubble(page, "São 90 reais.", "Editar");
  await write(page, "São 95 reais.");
  const edited = bubble(page, "São 95 reais.");
  await expect(edited).toBeVisible();
  await expect(edited.getByRole("alert")).toBeHidden();

  await admin.call(connections.remove, { params });
  await expect(edited.getByRole("alert")).toContainText("O contato ainda vê o texto anterior. A conexão foi excluída.");
  await expect(edited.getByRole("button", { name: "Tentar de novo" })).toBeVisible();
});
