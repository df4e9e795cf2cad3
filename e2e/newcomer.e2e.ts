import type { Locator, Page } from "@playwright/test";
import { createCompany, password, signInToApi, uniqueName } from "./support/api.ts";
import { accessibilityViolations } from "./support/axe.ts";
import { bubble, row, showWaiting, signIn } from "./support/desk.ts";
import { choose } from "./support/fields.ts";
import { demo, expect, test } from "./support/journey.ts";

test("a newcomer is led to the first answered customer and to a colleague, who gets in by a link (Z-05)", async ({
  product,
  page,
  browser,
}) => {
  // seven screens, a line that is linked, and two browsers
  test.slow();
  const boss = await createCompany(await signInToApi(product.url, demo.operator));
  const steps = page.getByRole("region", { name: "Primeiros passos" });
  const phone = page.getByRole("complementary", { name: /^Celular · / });

  await test.step("the desk of a new company shows the steps, and none is done", async () => {
    await page.goto("/login");
    await signIn(page, boss);
    await expect(steps.getByText("0 de 4")).toBeVisible();
    expect(await doneIn(page)).toEqual([]);
    expect(await accessibilityViolations(page, "light")).toEqual([]);
  });

  await test.step("on a phone they are what is seen first", async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    await page.reload();
    await expect(steps).toBeVisible();
    await page.getByRole("tab", { name: "Atendimentos" }).click();
    await expect(page.getByText("Nenhuma conversa em atendimento")).toBeVisible();
    await expect(steps).toBeHidden();
    await page.setViewportSize({ width: 1366, height: 768 });
  });

  await test.step("they can be hidden, and are back at a click", async () => {
    await steps.getByRole("button", { name: "Ocultar", exact: true }).click();
    await expect(steps).toBeHidden();
    await page.reload();
    await page.getByRole("button", { name: "Mostrar os primeiros passos" }).click();
    await expect(steps).toBeVisible();
  });

  await test.step("an empty list offers its first record once", async () => {
    await page.goto("/queues");
    await expect(page.getByText("Crie a primeira fila")).toBeVisible();
    await expect(page.getByRole("button", { name: "Nova fila" })).toHaveCount(1);
    await page.goto("/tickets");
  });

  await test.step("a line of the simulator is connected, and the step ticks itself", async () => {
    await steps.getByRole("link", { name: "Criar conexão" }).click();
    // the word that opened the dialog has left the address
    await expect(page).toHaveURL(/\/connections$/);
    await page.getByRole("textbox", { name: "Nome" }).fill("Linha da loja");
    await choose(page.getByRole("combobox", { name: "Tipo" }), /Simulador/);
    await page.getByRole("button", { name: "Salvar" }).click();
    await page.getByRole("button", { name: "Ler com o telefone do simulador" }).click();
    await expect(page.getByRole("dialog")).toBeHidden();
    await page.goto("/tickets");
    await expect.poll(() => doneIn(page)).toEqual(["line"]);
  });

  await test.step("the phone opens beside the desk, and a customer writes", async () => {
    await steps.getByRole("button", { name: "Abrir o celular ao lado" }).click();
    await phone.getByRole("textbox", { name: "Nome da pessoa" }).fill("Marina Freitas");
    await phone.getByRole("button", { name: "Adicionar" }).click();
    await phone.getByRole("textbox", { name: "Mensagem" }).fill("Oi! Vocês abrem hoje?");
    await phone.getByRole("textbox", { name: "Mensagem" }).press("Enter");
    await expect.poll(() => doneIn(page)).toEqual(["line", "message"]);
  });

  await test.step("the conversation is answered in the same window", async () => {
    await showWaiting(page);
    await row(page, "Marina Freitas").getByRole("button", { name: "Aceitar" }).click();
    await expect(page).toHaveURL(/\/tickets\/[\w-]{36}/);
    await deskComposer(page).fill("Abrimos até as 18h.");
    await deskComposer(page).press("Enter");
    await expect(phone.getByText("Abrimos até as 18h.")).toBeVisible();
  });

  await test.step("letters typed on the phone stay there: none is a command or text of the desk", async () => {
    await phone.getByRole("button", { name: "Pessoas" }).focus();
    await page.keyboard.type("er?");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(deskComposer(page)).toHaveValue("");
    await expect(bubble(page, "Abrimos até as 18h.")).toBeVisible();
    await expect(phone).toBeVisible();
  });

  await test.step("the phone stays over a reload and other screens, and has a tab where there is no room", async () => {
    await page.reload();
    await expect(phone).toBeVisible();
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.getByRole("tab", { name: "Celular" }).click();
    await phone.getByRole("button", { name: /Marina Freitas/ }).click();
    await expect(phone.getByText("Abrimos até as 18h.")).toBeVisible();
    await page.setViewportSize({ width: 1366, height: 768 });
    await phone.getByRole("button", { name: "Fechar o celular" }).click();
    await expect(phone).toBeHidden();
  });

  const email = `${uniqueName("bia").replace(" ", ".")}@journey.example`;
  const link = await test.step("somebody is invited by link, and the list says so", async () => {
    await page.goto("/tickets");
    await steps.getByRole("link", { name: "Convidar por link" }).click();
    await page
      .getByRole("dialog")
      .getByLabel(/^E-?mail/)
      .fill(email);
    await page.getByRole("button", { name: "Criar o link" }).click();
    const field = page.getByRole("textbox", { name: "Link do convite" });
    await expect(field).toHaveValue(/\/convite\/[\w-]{43}$/);
    const url = await field.inputValue();
    await page.keyboard.press("Escape");
    const invited = page.getByRole("row", { name: new RegExp(email.split("@")[0]!) });
    await expect(invited).toContainText("convite pendente · expira em 7 dias");
    return url;
  });

  const context = await browser.newContext({ baseURL: product.url });
  const colleague = await context.newPage();
  await test.step("a link that was replaced is dead, and says what to do", async () => {
    const invited = page.getByRole("row", { name: new RegExp(email.split("@")[0]!) });
    await invited.hover();
    await invited.getByRole("button", { name: "Copiar novo link" }).click();
    await expect(page.getByRole("textbox", { name: "Link do convite" })).not.toHaveValue(link);
    await colleague.goto(link);
    await expect(colleague.getByRole("alert")).toContainText("Peça outro a quem convidou você.");
  });

  await test.step("the colleague opens the new one, chooses a password and is at the desk", async () => {
    await colleague.goto(await page.getByRole("textbox", { name: "Link do convite" }).inputValue());
    await expect(colleague.getByText(`convidou você para atender os clientes de ${boss.name}`)).toBeVisible();
    await expect(colleague).toHaveURL(/\/convite$/);
    await colleague.reload();
    expect(await accessibilityViolations(colleague, "light")).toEqual([]);
    await colleague.getByRole("button", { name: "Entrar" }).click();
    await expect(colleague.getByRole("alert").first()).toBeVisible();
    await colleague.getByRole("textbox", { name: "Seu nome" }).fill("Bia Souza");
    await colleague.getByRole("textbox", { name: "Crie uma senha" }).fill(password);
    await colleague.getByRole("button", { name: "Entrar" }).click();
    await expect(colleague).toHaveURL(/\/tickets$/);
    await expect(colleague.getByRole("banner")).toContainText("Bia Souza");
    // an agent has no checklist
    await expect(colleague.getByText("Escolha uma conversa")).toBeVisible();
  });

  await test.step("the admin's list follows, and with a queue the steps are gone", async () => {
    await page.keyboard.press("Escape");
    await expect(page.getByRole("row", { name: /Bia Souza/ })).toContainText(/on-?line/i);
    await page.goto("/tickets");
    await expect.poll(() => doneIn(page)).toEqual(["line", "message", "colleague"]);
    await steps.getByRole("link", { name: "Criar fila" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Nome" }).fill("Vendas");
    await page.getByRole("button", { name: "Salvar" }).click();
    // the menu of a queue opens once the queue is made
    await expect(page.getByRole("dialog", { name: "Menu do robô · Vendas" })).toBeVisible();
    await page.goto("/tickets");
    await expect(page.getByText("Escolha uma conversa")).toBeVisible();
    await expect(steps).toBeHidden();
  });
  await context.close();
});

test("the desk of the demo, which is full, shows no first steps, and asks for the lines once (Z-05)", async ({
  page,
}) => {
  let lists = 0;
  page.on("request", (request) => (lists += new URL(request.url()).pathname === "/whatsapp" ? 1 : 0));
  const asked = page.waitForResponse((answer) => answer.url().endsWith("/first-steps"));
  await page.goto("/login");
  await signIn(page, { email: "admin@prosa.demo" });
  await asked;
  await expect(page.getByText("Escolha uma conversa")).toBeVisible();
  await expect(page.getByRole("region", { name: "Primeiros passos" })).toBeHidden();
  await page.waitForLoadState("networkidle");
  expect(lists).toBe(1);
});

/** The field of the agent: the phone has one of the same name. */
function deskComposer(page: Page): Locator {
  return page.locator("textarea").and(page.getByRole("textbox", { name: "Mensagem" }));
}

async function doneIn(page: Page): Promise<(string | null)[]> {
  return page
    .locator("[data-step][data-done]")
    .evaluateAll((rows) => rows.map((each) => each.getAttribute("data-step")));
}
