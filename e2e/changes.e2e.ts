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

test("what is edited or deleted changes where it is quoted, in the conversation and above the field (M-09, M-10)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Téo")));
  await customer.says("Quanto custa?");
  await accept(page, customer.name);
  await write(page, "São 90 reais.");
  await expect(bubble(page, "São 90 reais.").getByRole("img", { name: /Enviada|Entregue|Lida/ })).toBeVisible();
  await chooseInBubble(page, "São 90 reais.", "Responder");
  await write(page, "Com frete.");
  const quoting = bubble(page, "Com frete.");
  await expect(quoting).toContainText("São 90 reais.");
  const inFirst = async (action: string) => {
    const first = bubble(page, "reais.").first();
    await first.hover();
    await first.getByRole("button", { name: "Ações da mensagem" }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };

  await inFirst("Editar");
  await write(page, "São 95 reais.");
  await expect(quoting).toContainText("São 95 reais.");

  await inFirst("Responder");
  const preview = page.getByRole("button", { name: "Cancelar", exact: true }).locator("..");
  await expect(preview).toContainText("São 95 reais.");
  await inFirst("Apagar para todos");
  await page.getByRole("alertdialog").getByRole("button", { name: "Apagar" }).click();
  await expect(quoting).toContainText("Mensagem apagada");
  await expect(quoting).not.toContainText("reais");
  await expect(preview).toContainText("Mensagem apagada");
});

test("an edit that is saved late leaves alone what is quoted or typed by then (M-10)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Rita")));
  await customer.says("Quanto custa?");
  await accept(page, customer.name);
  await write(page, "São 90 reais.");
  await expect(bubble(page, "São 90 reais.").getByRole("img", { name: /Enviada|Entregue|Lida/ })).toBeVisible();
  const field = page.getByRole("textbox", { name: "Mensagem" });
  /** Saves an edit whose answer is held; returns what lets it come. */
  const saveLate = async (before: string, after: string) => {
    const held = Promise.withResolvers<void>();
    await page.route(
      /\/messages\/edit\/\d+$/u,
      async (route) => {
        const answer = await route.fetch();
        await held.promise;
        await route.fulfill({ response: answer });
      },
      { times: 1 },
    );
    await chooseInBubble(page, before, "Editar");
    await write(page, after);
    return async () => {
      const answered = page.waitForResponse(/\/messages\/edit\/\d+$/u);
      held.resolve();
      await (await answered).finished();
    };
  };

  const first = await saveLate("São 90 reais.", "São 95 reais.");
  await chooseInBubble(page, "Quanto custa?", "Responder");
  await first();
  await expect(bubble(page, "São 95 reais.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Cancelar", exact: true })).toBeVisible();
  await field.press("Escape");

  const second = await saveLate("São 95 reais.", "São 97 reais.");
  await field.fill("São 97 reais com frete.");
  await second();
  await expect(bubble(page, "São 97 reais.")).toBeVisible();
  await expect(field).toHaveValue("São 97 reais com frete.");
  await page.keyboard.press("Enter");
  await expect(bubble(page, "São 97 reais com frete.")).toBeVisible();
  await expect(field).toHaveValue("");
});

test("an edit that is refused after its conversation was left says so, and comes back when it is edited again (M-10)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Nara")));
  await customer.says("Quanto custa?");
  await accept(page, customer.name);
  await write(page, "São 90 reais.");
  await expect(bubble(page, "São 90 reais.").getByRole("img", { name: /Enviada|Entregue|Lida/ })).toBeVisible();
  const field = page.getByRole("textbox", { name: "Mensagem" });
  const edits = /\/messages\/edit\/\d+$/u;
  const held = Promise.withResolvers<void>();
  await page.route(edits, (route) => held.promise.then(() => route.fulfill({ status: 500 })), { times: 1 });
  await chooseInBubble(page, "São 90 reais.", "Editar");
  await write(page, "São 95 reais.");
  await page.getByRole("link", { name: "Contatos" }).click();
  await expect(field).toBeHidden();
  held.resolve();
  await expect(page.getByText(`A edição na conversa com ${customer.name} não foi salva.`)).toBeVisible();

  await page.goBack();
  await chooseInBubble(page, "São 90 reais.", "Editar");
  await expect(field).toHaveValue("São 95 reais.");
  await field.press("Enter");
  await expect(bubble(page, "São 95 reais.")).toBeVisible();
  await chooseInBubble(page, "São 95 reais.", "Editar");
  await expect(field).toHaveValue("São 95 reais.");

  // Refused while it is shown it stays in the field, until it is cancelled.
  await page.route(edits, (route) => route.fulfill({ status: 500 }), { times: 1 });
  await write(page, "São 99 reais.");
  await expect(page.getByText("Ocorreu um erro! Tente de novo.")).toBeVisible();
  await expect(field).toHaveValue("São 99 reais.");
  await field.press("Escape");
  await chooseInBubble(page, "São 95 reais.", "Editar");
  await expect(field).toHaveValue("São 95 reais.");
});
