/** Contact lists: made, filled from a spreadsheet whose columns are asked for, and checked on WhatsApp. */
import { contactListItems, contactLists, contacts, tags } from "@prosa/contract";
import type { Page } from "@playwright/test";
import { addCustomer, connectLine, createUser, uniqueName } from "./support/api.ts";
import { findCrampedControls } from "./support/controls.ts";
import { choose } from "./support/fields.ts";
import { expect, journeyWidths, test } from "./support/journey.ts";
import { findBarriers, findOverflow } from "./support/sweep.ts";

const showCampaigns = (page: Page) => page.evaluate(() => localStorage.setItem("cshow", "true"));

for (const width of journeyWidths(360, 1366)) {
  test(`a list is made, filled from a spreadsheet, checked on WhatsApp and emptied again, at ${width} px (K-01, K-02)`, async ({
    at,
    alone,
  }) => {
    const line = await connectLine(alone, uniqueName("Linha"));
    const { number } = await addCustomer(alone, line, "Ana Prado");
    const page = await at(await createUser(alone, uniqueName("Dona"), { profile: "admin" }), { width });
    await showCampaigns(page);
    await page.goto("/contact-lists");
    await expect(page.getByText("Junte quem recebe suas campanhas")).toBeVisible();
    const name = "Clientes da promoção de aniversário da loja";
    await page.getByRole("main").getByRole("button", { name: "Nova lista" }).click();
    const form = page.getByRole("dialog", { name: "Nova lista" });
    await form.getByLabel("Nome").fill("A");
    await form.getByRole("button", { name: "Salvar" }).click();
    await expect(form.getByText(/^Muito curto!/u)).toBeVisible();
    await form.getByLabel("Nome").fill(name);
    await form.getByRole("button", { name: "Salvar" }).click();
    await expect(page.getByText("Lista salva.")).toBeVisible();
    expect(await findOverflow(page, width)).toEqual([]);
    const [list] = (await alone.call(contactLists.list, { query: {} })).records;

    await page.getByRole("row").filter({ hasText: name }).getByText(name).click();
    await expect(page).toHaveURL(`/contact-lists/${list!.id}/contacts`);
    await page.getByRole("main").getByRole("button", { name: "Importar" }).first().click();
    const question = page.getByRole("dialog", { name: "Importar contatos de uma planilha?" });
    const example = question.getByRole("link", { name: "Baixar planilha de exemplo" });
    const [download] = await Promise.all([page.waitForEvent("download"), example.click()]);
    expect(download.suggestedFilename()).toBe("lista-exemplo.xlsx");
    expect(await findBarriers(page)).toEqual([]);
    const rows = ["Cliente;Fone;Celular", `Ana Prado;;${number}`, "Bia Reis;;5511900000000", "X;;5511900000001"];
    await question
      .getByLabel("Escolher arquivo")
      .setInputFiles({ name: "clientes.csv", mimeType: "text/csv", buffer: Buffer.from(rows.join("\r\n")) });
    const step = page.getByRole("region", { name: "Quais são as colunas de clientes.csv?" });
    await choose(step.getByRole("combobox", { name: "Coluna Fone" }), "Ignorar");
    await step.getByRole("button", { name: "Importar" }).click();

    await expect(page.getByText("2 contatos novos · 1 linha recusada")).toBeVisible();
    const ana = page.getByRole("row").filter({ hasText: "Ana Prado" });
    const bia = page.getByRole("row").filter({ hasText: "Bia Reis" });
    await expect(ana.getByRole("img", { name: "Está no WhatsApp", exact: true })).toBeVisible();
    await expect(bia.getByRole("img", { name: "Não está no WhatsApp" })).toBeVisible();
    expect(await findBarriers(page)).toEqual([]);
    expect(await findOverflow(page, width)).toEqual([]);
    expect(await findCrampedControls(page)).toEqual([]);

    await page.getByText("Ver as recusadas").click();
    const [report] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Salvar como csv" }).click(),
    ]);
    expect(report.suggestedFilename()).toBe("recusados.csv");

    const { contacts: items } = await alone.call(contactListItems.list, { query: { contactListId: list!.id } });
    const params = { id: items.find((contact) => contact.name === "Bia Reis")!.id };
    await alone.call(contactListItems.remove, { params });
    await expect(bia).toBeHidden();
    await page.getByRole("button", { name: "Voltar às listas" }).click();
    await expect(page.getByRole("row").filter({ hasText: name })).toBeVisible();

    const search = page.getByRole("searchbox");
    await search.fill("z".repeat(250));
    await expect(search).toHaveValue("z".repeat(200));
    await expect(page.getByText("Nada encontrado")).toBeVisible();
    await search.press("Escape");
    // not even while the next key is awaited
    expect(await page.getByText("Junte quem recebe suas campanhas").count()).toBe(0);
    await expect(page.getByRole("row").filter({ hasText: name })).toBeVisible();
  });
}

test("a ticked tag that a colleague deletes is not sent, and a deleted list leaves the screen (K-02)", async ({
  at,
  alone,
}) => {
  const list = await alone.call(contactLists.create, { body: { name: "Aniversário" } });
  await alone.call(contacts.create, { body: { name: "Ana Prado", number: "5511987650009" } });
  const [gone, kept] = [
    await alone.call(tags.create, { body: { name: "Antiga" } }),
    await alone.call(tags.create, { body: { name: "Nova" } }),
  ];
  const page = await at(await createUser(alone, uniqueName("Dona"), { profile: "admin" }));
  const dialog = page.getByRole("dialog");
  await page.goto(`/contact-lists/${list.id}/contacts`);
  await page.getByRole("main").getByRole("button", { name: "Mais ações" }).click();
  await page.getByRole("menuitem", { name: "Preencher da agenda" }).click();
  await dialog.getByRole("checkbox", { name: gone.name }).check();
  await alone.call(tags.remove, { params: { id: gone.id } });
  await expect(dialog.getByRole("checkbox", { name: gone.name })).toBeHidden();
  await dialog.getByLabel(/^Nome ou número contém/u).fill("ana");
  const add = dialog.getByRole("button", { name: "Adicionar à lista" });
  await add.click();
  // The search alone would find more than was asked for.
  await expect(page.getByText("As etiquetas marcadas foram excluídas.")).toBeVisible();
  await dialog.getByRole("checkbox", { name: kept.name }).check();
  await add.click();
  await expect(page.getByText("Ninguém novo foi encontrado.")).toBeVisible();

  await alone.call(contactLists.remove, { params: { id: list.id } });
  await expect(page.getByRole("heading", { name: "Aniversário" })).toBeHidden();
  await expect(page.getByRole("alert").getByRole("button", { name: "Tentar novamente" })).toBeVisible();
});
