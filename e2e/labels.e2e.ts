import { contacts, products, queues, tags, tickets } from "@prosa/contract";
import { uniqueName, createQueue, createUser, type ApiClient } from "./support/api.ts";
import { accessibilityViolations } from "./support/axe.ts";
import { row } from "./support/desk.ts";
import { expect, journeyWidths, test } from "./support/journey.ts";

/** An open ticket of a new contact. */
async function openTicket(admin: ApiClient, name: string): Promise<{ id: number; uuid: string }> {
  const number = `55119${Math.floor(10_000_000 + Math.random() * 89_999_999)}`;
  const { id: contactId } = await admin.call(contacts.create, { body: { name, number } });
  return admin.call(tickets.create, { body: { contactId, userId: admin.userId, status: "open" } });
}

for (const width of journeyWidths(1440, 360)) {
  test(`tags at ${width} px: made without a mouse, made a lane by a supervisor, followed to their conversations, deleted (O-04)`, async ({
    at,
    admin,
  }) => {
    const name = uniqueName("Aguarda orçamento do fornecedor");
    const agent = await at(await createUser(admin, uniqueName("Ana")), { width });
    const tag = (page: typeof agent) => page.getByRole("row").filter({ hasText: name });

    await test.step("an agent makes one by keyboard, and is told whose the lanes are", async () => {
      await agent.goto("/tags");
      await agent.getByRole("button", { name: "Nova etiqueta" }).first().press("Enter");
      const dialog = agent.getByRole("dialog");
      await expect(dialog.getByRole("textbox", { name: "Nome" })).toBeFocused();
      await agent.keyboard.type("ab");
      await agent.keyboard.press("Enter");
      await expect(dialog.getByRole("alert")).toContainText(/muito curt|ao menos 3/i);
      await expect(dialog.getByRole("switch", { name: /Coluna do Kanban/ })).toBeDisabled();
      await expect(dialog).toContainText("Só administradores e supervisores");
      expect(await accessibilityViolations(agent, "light", "[role=dialog]")).toEqual([]);
      await dialog.getByRole("textbox", { name: "Nome" }).fill(name);
      await dialog.getByRole("textbox", { name: "Código da cor" }).fill("#ffe08a");
      await agent.keyboard.press("Enter");
      await expect(agent.getByText("Etiqueta salva.")).toBeVisible();
      await agent.getByRole("searchbox").fill(name.toLowerCase());
      await expect(tag(agent)).toContainText("Não");
      await expect(tag(agent).getByRole("button", { name: "Excluir" })).toHaveCount(0);
    });

    const supervisor = await at(await createUser(admin, uniqueName("Rui"), { profile: "supervisor" }), { width });
    await test.step("a supervisor makes it a lane, which the agent sees at once", async () => {
      await supervisor.goto("/tags");
      await supervisor.getByRole("searchbox").fill(name);
      await tag(supervisor).click();
      await supervisor.getByRole("switch", { name: /Coluna do Kanban/ }).click();
      await supervisor.getByRole("button", { name: "Salvar" }).click();
      await expect(tag(agent)).toContainText("Sim");
      expect(await accessibilityViolations(agent, "light")).toEqual([]);
    });

    const customer = uniqueName("Marcada");
    await test.step("the count leads to the conversations that have it", async () => {
      const [found] = await admin.call(tags.lookup, { query: { searchParam: name } });
      const { id: ticketId } = await openTicket(admin, customer);
      await admin.call(tags.sync, { body: { ticketId, tags: [{ id: found!.id }] } });
      const page = await at(await createUser(admin, uniqueName("Chefe"), { profile: "admin" }), { width });
      await page.goto("/tags");
      await page.getByRole("searchbox").fill(name);
      await tag(page)
        .getByRole("link", { name: `Ver 1 conversa com ${name}` })
        .click();
      await expect(page).toHaveURL(/\/tickets\?tag=\d+$/);
      await expect(page.getByRole("tab", { name: "Busca" })).toHaveAttribute("aria-selected", "true");
      await expect(row(page, customer)).toBeVisible();
      await expect(page.getByRole("row")).toHaveCount(0);

      await page.goBack();
      await page.getByRole("searchbox").fill(name);
      await tag(page).hover();
      await tag(page).getByRole("button", { name: "Excluir" }).click();
      await expect(page.getByRole("alertdialog")).toContainText("Ela sai de 1 conversa. A conversa fica.");
      await page.getByRole("alertdialog").getByRole("button", { name: "Excluir" }).click();
      await expect(tag(agent)).toBeHidden();
    });
  });

  test(`products at ${width} px: priced, added up on a conversation, offered on the dashboard, deleted (O-10, D-04)`, async ({
    at,
    admin,
  }) => {
    const name = uniqueName("Sofá de canto retrátil e reclinável");
    const agent = await at(await createUser(admin, uniqueName("Léo")), { width });
    const product = (page: typeof agent) => page.getByRole("row").filter({ hasText: name });
    await agent.goto("/products");
    await agent.getByRole("button", { name: "Novo produto" }).first().press("Enter");
    const dialog = agent.getByRole("dialog");
    await expect(dialog.getByRole("textbox", { name: "Nome" })).toBeFocused();
    await agent.keyboard.type(name);
    await dialog.getByRole("textbox", { name: /^Tipo/ }).fill("Móvel");
    await dialog.getByRole("textbox", { name: /^Preço/ }).fill("-1");
    await agent.keyboard.press("Enter");
    await expect(dialog.getByRole("alert")).toContainText(/0/);
    expect(await accessibilityViolations(agent, "light", "[role=dialog]")).toEqual([]);
    await dialog.getByRole("textbox", { name: /^Preço/ }).fill("2.490,9o");
    await agent.keyboard.press("Enter");
    await expect(dialog.getByRole("alert")).toHaveText("Digite um número, como 1234,50");
    await dialog.getByRole("textbox", { name: /^Preço/ }).fill("2.490,90");
    await agent.keyboard.press("Enter");
    await expect(agent.getByText("Produto salvo.")).toBeVisible();
    await agent.getByRole("searchbox").fill(name);
    await expect(product(agent)).toContainText(/R\$\s2\.490,90/);
    await product(agent).focus();
    await agent.keyboard.press("Enter");
    await expect(dialog.getByRole("textbox", { name: /^Preço/ })).toHaveValue("2490,90");
    await agent.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(product(agent).getByRole("button", { name: "Excluir" })).toHaveCount(0);
    expect(await accessibilityViolations(agent, "light")).toEqual([]);

    const buyer = uniqueName("Compradora");
    const { id: ticketId, uuid } = await openTicket(admin, buyer);
    const made = (await admin.call(products.lookup, { query: {} })).find((one) => one.name === name)!;
    const extra = await admin.call(products.create, { body: { name: uniqueName("Almofada"), price: 9.1 } });
    const gift = await admin.call(products.create, { body: { name: uniqueName("Brinde") } });
    for (const { id: productId } of [made, extra, gift]) {
      await admin.call(products.addToTicket, { params: { ticketId, productId } });
    }
    const chief = await at(await createUser(admin, uniqueName("Chefe"), { profile: "admin" }), { width });
    await chief.goto(`/tickets/${uuid}`);
    const drawer = chief.getByLabel("Dados do contato");
    await expect(chief.getByRole("textbox", { name: "Mensagem" })).toBeVisible();
    // Beside a wide conversation the drawer is open already; it may come a moment later.
    if (width < 1000) {
      await chief.getByRole("button", { name: new RegExp(`^${buyer}`) }).click();
    }
    await expect(drawer).toContainText(/Soma: R\$\s2\.500,00 \+ 1 sem preço/);

    await chief.goto("/");
    await chief.getByRole("button", { name: /^Produtos: / }).click();
    await expect(chief.getByRole("checkbox", { name })).toBeVisible();

    await chief.goto("/products");
    await chief.getByRole("searchbox").fill(name);
    await product(chief).hover();
    await product(chief).getByRole("button", { name: "Excluir" }).click();
    await expect(chief.getByRole("alertdialog")).toContainText("Ele sai de 1 conversa");
    await chief.getByRole("alertdialog").getByRole("button", { name: "Excluir" }).click();
    await expect(product(agent)).toBeHidden();
  });
}

test("an empty list says that only chosen queues are shown, and a queue that is deleted leaves the filter (T-06, Z-02)", async ({
  at,
  admin,
}) => {
  const name = uniqueName("Trocas");
  const queueId = await createQueue(admin, name, "#4b107d");
  const customer = uniqueName("Ana Prado");
  await openTicket(admin, customer);
  const page = await at(await createUser(admin, uniqueName("Vera"), { profile: "admin" }));
  await page.goto("/tickets");
  await expect(row(page, customer)).toBeVisible();

  await page.getByRole("button", { name: "Filas: todas" }).click();
  await page.getByRole("dialog", { name: "Filas" }).getByRole("option", { name }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByText("Nada nas filas escolhidas")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Nada nas filas escolhidas")).toBeVisible();

  await admin.call(queues.remove, { params: { id: queueId } });
  await expect(row(page, customer)).toBeVisible();
  await expect(page.getByRole("button", { name: "Filas: todas" })).toBeVisible();
});
