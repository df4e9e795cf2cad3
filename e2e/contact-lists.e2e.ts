/** Contact lists: made, filled from a spreadsheet whose columns are asked for, and checked on WhatsApp. */
import { contactListItems, contactLists } from "@prosa/contract";
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

    const { contacts } = await alone.call(contactListItems.list, { query: { contactListId: list!.id } });
    const params = { id: contacts.find((contact) => contact.name === "Bia Reis")!.id };
    await alone.call(contactListItems.remove, { params });
    await expect(bia).toBeHidden();
    await page.getByRole("button", { name: "Voltar às listas" }).click();
    await expect(page.getByRole("row").filter({ hasText: name })).toBeVisible();
  });
}
