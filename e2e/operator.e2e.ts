/** The operator creates, renews and deletes companies. */
import type { Locator, Page } from "@playwright/test";
import { uniqueName, password } from "./support/api.ts";
import { choose, optionsOf } from "./support/fields.ts";
import { demo, expect, journeyWidths, test } from "./support/journey.ts";

for (const width of journeyWidths(1440, 360)) {
  test(`the operator makes a company, whose admin signs in; its due date colours its row and moves on by the button; deleted, its people are out, at ${width} px (G-01, Y-01)`, async ({
    at,
  }) => {
    const page = await at(demo.operator, { width });
    await page.goto("/settings");
    await page.getByRole("tab", { name: "Empresas" }).click();
    const name = uniqueName("Padaria");
    const email = `padaria${width}@prosa.demo`;

    await page.getByRole("button", { name: "Nova empresa" }).click();
    const form = page.getByRole("dialog", { name: "Nova empresa" });
    await form.getByRole("textbox", { name: "Nome" }).fill(name);
    await form.getByRole("button", { name: "Salvar" }).click();
    await expect(form.getByRole("alert")).not.toHaveCount(0);
    await form.getByRole("textbox", { name: "E-mail" }).fill(email);
    await form.getByRole("textbox", { name: "Senha do administrador" }).fill(password);
    await choose(form.getByRole("combobox", { name: "Plano" }), "Completo");
    await form.getByLabel("Vencimento").fill(dayFromToday(5));
    await save(page, form);

    // Companies of other journeys may fill the first page.
    const search = page.getByRole("searchbox", { name: "Nome, e-mail ou telefone" });
    await search.fill(name);
    const row = page.getByRole("row").filter({ hasText: name });
    await expect(row).toContainText("vence em 5 dias");
    await expect(row).toHaveAttribute("data-tone", "yellow");

    const edit = page.getByRole("dialog", { name: `Editar ${name}` });
    await row.getByText(name).click();
    await edit.getByLabel("Vencimento").fill(dayFromToday(-4));
    await save(page, edit);
    await expect(row).toContainText("venceu há 4 dias");
    await expect(row).toHaveAttribute("data-tone", "red");

    await row.getByText(name).click();
    await edit.getByLabel("Vencimento").fill("2031-11-30");
    expect(await optionsOf(edit.getByRole("combobox", { name: "Recorrência" }))).toEqual(["Mensal"]);
    await edit.getByRole("button", { name: "+ 1 mês" }).click();
    await expect(edit.getByLabel("Vencimento")).toHaveValue("30/12/2031");
    await save(page, edit);
    await paysQuarterly(page, email);
    await page.reload();
    await search.fill(name);
    // found: no other row moves from under the press any more
    await expect(page.getByRole("row")).toHaveCount(width === 1440 ? 2 : 1); // with the titles
    await row.getByText(name).click();
    await expect(edit.getByRole("combobox", { name: "Recorrência" })).toHaveText("Trimestral");
    await edit.getByLabel("Vencimento").fill("2031-11-30");
    await edit.getByRole("button", { name: "+ 3 meses" }).click();
    await expect(edit.getByLabel("Vencimento")).toHaveValue("29/02/2032");
    await save(page, edit);
    await expect(row).toContainText("29/02/2032");
    await expect(row).not.toHaveAttribute("data-tone");

    const theirs = await at({ email });
    await expect(theirs.getByText(name).first()).toBeVisible();

    if (width === 1440) {
      await supportsCompany(page, theirs, row, name);
      await page.goto("/settings?tab=companies");
      await search.fill(name);
    }

    await row.hover();
    await row.getByRole("button", { name: "Excluir" }).click();
    const question = page.getByRole("alertdialog", { name: "Deseja realmente excluir esse registro?" });
    await expect(question).toContainText(name);
    await question.getByRole("button", { name: "Excluir" }).click();
    await expect(page.getByText("Operação realizada com sucesso!").first()).toBeVisible();
    await expect(row).toBeHidden();
    await expect(theirs).toHaveURL(/\/login/);

    if (width === 1440) {
      await page.getByRole("tab", { name: "Diagnóstico" }).click();
      const socket = page.getByRole("listitem").filter({ hasText: "WebSocket deste navegador" });
      await expect(socket).toContainText("passa pelo proxy");
    }
  });
}

test("steps of the warm-up plan are removed by keyboard one after another; a number that cannot be read stays in its step (P-03, S-11)", async ({
  at,
}) => {
  const page = await at(demo.operator);
  await page.goto("/settings?tab=warm-up");
  const card = page.getByRole("region", { name: "Plano de aquecimento" });
  const bin = (day: number) => card.getByRole("button", { name: `Remover o passo do dia ${day}`, exact: true });
  await card.getByLabel("Passo 4: conversas por dia").fill("3,5");
  await bin(2).focus();
  await page.keyboard.press("Enter");
  await expect(bin(3)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(bin(5)).toBeFocused();
  await expect(card.getByLabel("Passo 2: conversas por dia")).toHaveValue("3,5");
  await expect(card.getByRole("alert")).toHaveText("Digite um número inteiro");

  await bin(30).focus();
  await page.keyboard.press("Enter");
  await expect(card.getByRole("button", { name: "Adicionar passo" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(bin(22)).toBeVisible();
  await card.getByRole("button", { name: "Cancelar" }).click();
  await expect(card.getByLabel("Passo 4: conversas por dia")).toHaveValue("70");
  await expect(bin(30)).toBeVisible();
  await expect(card.getByRole("alert")).toHaveCount(0);
});

/** The operator asks, the company's admin consents, both see where the support is, and the way leads back (V-01). */
async function supportsCompany(page: Page, theirs: Page, row: Locator, name: string): Promise<void> {
  await row.hover();
  await row.getByRole("button", { name: `Pedir acesso a ${name}` }).click();
  const asks = page.getByRole("dialog", { name: `Pedir acesso a ${name}` });
  await asks.getByRole("textbox", { name: "Motivo" }).fill("A linha caiu de novo");
  await asks.getByRole("button", { name: "Pedir acesso" }).click();
  await expect(theirs.getByRole("status").filter({ hasText: "pede acesso à sua empresa" })).toContainText(
    "A linha caiu de novo",
  );
  await theirs.getByRole("button", { name: "Autorizar" }).click();

  await row.hover();
  await row.getByRole("button", { name: `Entrar como suporte em ${name}` }).click();
  const enters = page.getByRole("dialog", { name: `Entrar em ${name}` });
  await enters.getByRole("textbox", { name: "Senha" }).fill(password);
  await enters.getByRole("button", { name: "Entrar" }).click();
  const inside = page.getByRole("status").filter({ hasText: `Você está em ${name} como suporte` });
  await expect(inside).toBeVisible();
  await expect(theirs.getByRole("status").filter({ hasText: "Operador, do suporte, está conectado" })).toBeVisible();
  // What only the payer may read has no row there.
  await page.goto("/settings");
  await expect(page.getByText("Fuso horário", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: /Dados de cobrança/u })).toBeHidden();
  // Nothing is ordered in the company's name.
  await page.goto("/subscription");
  await expect(page.getByRole("link", { name: "Ver faturas" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Assine agora" })).toBeHidden();
  await inside.getByRole("button", { name: "Sair" }).click();
  await expect(inside).toBeHidden();
  await expect(theirs.getByRole("button", { name: "Encerrar acesso" })).toBeHidden();
}

async function save(page: Page, form: Locator): Promise<void> {
  await form.getByRole("button", { name: "Salvar" }).click();
  await expect(form).toBeHidden();
  await expect(page.getByText("Operação realizada com sucesso!").first()).toBeVisible();
}

/** The form offers a month; over the API a company may have another recurrence. Uses the same session: a second sign-in would end it. */
async function paysQuarterly(page: Page, email: string): Promise<void> {
  const headers = { authorization: `Bearer ${await page.evaluate(() => localStorage.getItem("token"))}` };
  const all = (await (await page.request.get("/companies/list", { headers })).json()) as {
    id: number;
    email: string;
  }[];
  const id = all.find((company) => company.email === email)?.id;
  const answer = await page.request.put(`/companies/${id}`, { headers, data: { recurrence: "TRIMESTRAL" } });
  expect(answer.status()).toBe(200);
}

/** A date in the time zone of the demo's companies. */
function dayFromToday(days: number): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: "America/Sao_Paulo" }).format(Date.now() + days * 86_400_000);
}
