import { expect, test } from "@playwright/test";
import { password, uniqueName } from "./support/api.ts";
import { accessibilityViolations } from "./support/axe.ts";
import { optionsOf } from "./support/fields.ts";
import { startProduct } from "./support/product.ts";

test("an empty installation leads to its first page, which makes the operator by the code that was printed, once (Z-05)", async ({
  page,
}) => {
  // an empty database in production
  test.slow();
  const product = await startProduct({ NODE_ENV: "production" });
  try {
    const code = /with the code ([\dA-Z-]+)/u.exec(product.printed())?.[1] ?? "";
    const field = (name: string) => page.getByRole("textbox", { name, exact: true });
    const create = page.getByRole("button", { name: "Criar operador" });
    const company = uniqueName("Padaria");

    await page.goto(`${product.url}/contacts`);
    await expect(page).toHaveURL(`${product.url}/setup`);
    await field("Código da instalação").fill("AAAAA-BBBBB");
    await field("Seu nome").fill("Olga");
    await field("E-mail").fill("olga@journey.example");
    await field("Senha").fill(password);
    await field("Nome da empresa").fill(company);
    await create.click();
    await expect(page.getByText("O código não é o que o servidor mostrou por último")).toBeVisible();
    await expect(field("Código da instalação")).toBeFocused();
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await accessibilityViolations(page, "light")).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await page.setViewportSize({ width: 1366, height: 768 });

    await field("Código da instalação").fill(code.toLowerCase());
    await create.click();
    await expect(page).toHaveURL(`${product.url}/tickets`);
    await expect(page.getByText("Tudo pronto. Boas-vindas!")).toBeVisible();
    await expect(page.getByRole("banner")).toContainText("Olga");

    // no simulated line can be made in production: nothing speaks of one
    await page.goto(`${product.url}/connections`);
    await expect(page.getByText("Uma linha é um número de WhatsApp.", { exact: true })).toBeVisible();
    await expect(page.getByRole("link", { name: "Simulador" })).toHaveCount(0);
    await page.getByRole("button", { name: "Nova conexão" }).first().click();
    const form = page.getByRole("dialog", { name: "Nova conexão" });
    expect(await optionsOf(form.getByRole("combobox", { name: "Tipo" }))).toEqual(["WhatsApp"]);

    // the page is gone, for strangers too
    const api = await page.request.get(`${product.url}/setup`, { headers: { accept: "application/json" } });
    expect(api.status()).toBe(404);
  } finally {
    await product.remove();
  }
});
