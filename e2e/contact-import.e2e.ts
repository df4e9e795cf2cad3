/** An address book whose columns the import does not understand by itself. */
import type { Page } from "@playwright/test";
import { createUser, uniqueName } from "./support/api.ts";
import { choose as chooseOption } from "./support/fields.ts";
import { expect, journeyWidths, test } from "./support/journey.ts";
import { findBarriers } from "./support/sweep.ts";

async function choose(page: Page, lines: readonly string[]): Promise<void> {
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "clientes.csv", mimeType: "text/csv", buffer: Buffer.from(lines.join("\r\n")) });
}

for (const width of journeyWidths(1366, 360)) {
  test(`a sheet with two numbers asks for its columns, and imports nothing meanwhile, at ${width} px (C-03)`, async ({
    at,
    alone,
  }) => {
    const page = await at(await createUser(alone, uniqueName("Dona"), { profile: "admin" }), { width });
    await page.goto("/contacts");
    await choose(page, [
      "Relatório de clientes",
      "",
      "Razão Social;Fone;Celular;Cidade",
      "Padaria Sol;(11) 3333-4444;(11) 98888-7777;Campinas",
      ";;(11) 98888-6666;Santos",
    ]);
    const step = page.getByRole("region", { name: "Quais são as colunas de clientes.csv?" });
    await expect(step).toContainText("Mais de uma coluna pode ser o número.");
    await expect(step.getByRole("combobox", { name: "Coluna Celular" })).toHaveText("Número");
    await expect(step.getByRole("row", { name: /Padaria Sol/ })).toContainText("Campinas");
    await expect(page.getByText("Ainda não há contatos")).toBeVisible();
    expect(await findBarriers(page)).toEqual([]);
    // Wholly: a page that is too wide for a phone is clipped, and its buttons are out of reach.
    await expect(step.getByRole("button", { name: "Importar" })).toBeInViewport({ ratio: 1 });

    await chooseOption(step.getByRole("combobox", { name: "Coluna Razão Social" }), "Ignorar");
    await expect(step).toContainText("Escolha a coluna do nome e a do número.");
    await expect(step.getByRole("button", { name: "Importar" })).toBeDisabled();
    await chooseOption(step.getByRole("combobox", { name: "Coluna Razão Social" }), "Nome");
    await chooseOption(step.getByRole("combobox", { name: "Coluna Cidade" }), "Informação extra");
    await step.getByRole("button", { name: "Importar" }).click();

    await expect(page.getByText("1 contato novo · 1 linha recusada")).toBeVisible();
    await page.getByText("Ver as recusadas").click();
    await expect(page.getByRole("row", { name: /5 \(11\) 98888-6666 Falta o nome/ })).toBeVisible();
    await page
      .getByRole("row", { name: /Padaria Sol/ })
      .getByText("Padaria Sol")
      .click();
    const fields = page.getByRole("dialog").getByRole("textbox");
    await expect
      .poll(() => fields.evaluateAll((all) => all.map((field) => (field as HTMLInputElement).value)))
      .toContain("Campinas");
  });
}

test("a sheet without headings takes its first line along, and a file that is none says so in the user's language (C-03)", async ({
  at,
  alone,
}) => {
  const page = await at(await createUser(alone, uniqueName("Dona"), { profile: "admin" }));
  await page.goto("/contacts");
  await choose(page, ["Ana Luz,21 98765-0001", "Bia Reis,21 98765-0002"]);
  const step = page.getByRole("region", { name: "Quais são as colunas de clientes.csv?" });
  await expect(step.getByRole("switch", { name: "A linha 1 tem os títulos das colunas" })).not.toBeChecked();
  await step.getByRole("button", { name: "Importar" }).click();
  await expect(page.getByText("2 contatos novos")).toBeVisible();

  await page.evaluate(() => localStorage.setItem("prosa.language", "en"));
  await page.reload();
  await choose(page, []);
  await expect(page.getByText("The file has no rows with contacts.")).toBeVisible();
});
