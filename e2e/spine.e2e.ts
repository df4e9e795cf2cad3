import { test as base, expect, type Page } from "@playwright/test";
import { photo } from "./support/api.ts";
import { accept, bubble, chooseInBubble, row, showMine, signIn, write } from "./support/desk.ts";
import { choose } from "./support/fields.ts";
import { demo } from "./support/journey.ts";
import { startProduct, type Product } from "./support/product.ts";

/** Starts a product of its own, because this journey kills it. */
const test = base.extend<{ readonly own: Product }>({
  own: async ({ browserName: _ }, use) => {
    const own = await startProduct();
    await use(own);
    await own.remove();
  },
});

test("from an empty folder to an answered customer, through a fallen line and a killed server (W-01, W-03, W-05, W-07, M-02, M-10, M-15, T-08)", async ({
  own,
  browser,
}) => {
  const context = await browser.newContext({ baseURL: own.url });
  const desk = await context.newPage();

  await test.step("the demo's admin signs in", async () => {
    expect(own.printed()).toContain("admin@prosa.demo");
    await desk.goto("/");
    await signIn(desk, demo.admin);
  });

  await test.step("a new simulator line shows its QR, and the phone scans it", async () => {
    await desk.getByRole("link", { name: "Conexões" }).click();
    await desk.getByRole("button", { name: "Nova conexão" }).click();
    await desk.getByRole("textbox", { name: "Nome" }).fill("Loja da Praça");
    await choose(desk.getByRole("combobox", { name: "Tipo" }), /Simulador/);
    await desk.getByRole("button", { name: "Salvar" }).click();
    await expect(desk.getByRole("img", { name: "QR Code para conectar" })).toBeVisible();
    await desk.getByRole("button", { name: "Ler com o telefone do simulador" }).click();
    await expect(desk.getByRole("dialog")).toBeHidden();
    await expect(lineState(desk)).toHaveAttribute("data-status", "CONNECTED");
  });

  const phone = await context.newPage();
  await test.step("a new contact writes a text and sends a photo", async () => {
    await desk
      .getByRole("row", { name: /Loja da Praça/ })
      .getByRole("button", { name: "Abrir telefone" })
      .click();
    await expect(desk).toHaveURL(/\/simulator\/\d+/);
    await phone.goto(desk.url());
    await phone.getByRole("textbox", { name: "Nome da pessoa" }).fill("Marina Freitas");
    await phone.getByRole("button", { name: "Adicionar" }).click();
    await phone.getByRole("textbox", { name: "Mensagem" }).fill("Oi! O portão chegou torto.");
    await phone.getByRole("button", { name: "Enviar como Marina Freitas" }).click();
    await phone.getByTestId("phone-attach").setInputFiles(photo);
    await expect(phone.getByTestId("phone-chat").getByRole("img", { name: "Foto" })).toBeVisible();
  });

  await test.step("the agent accepts and sees both", async () => {
    await desk.getByRole("link", { name: "Conversas" }).click();
    await accept(desk, "Marina Freitas");
    await expect(bubble(desk, "O portão chegou torto.")).toBeVisible();
    const shown = desk.getByTestId("conversation").getByRole("img").first();
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(480);
  });

  await test.step("the answer arrives, and its ticks go to read", async () => {
    await write(desk, "Trocamos sem custo.");
    await expect(phone.getByTestId("phone-chat").getByText("Trocamos sem custo.")).toBeVisible();
    await expect(bubble(desk, "Trocamos sem custo.").getByRole("img", { name: "Lida" })).toBeVisible();
  });

  await test.step("the agent edits, then deletes; the customer does too", async () => {
    await chooseInBubble(desk, "Trocamos sem custo.", "Editar");
    await desk.getByRole("textbox", { name: "Mensagem" }).fill("Trocamos amanhã, sem custo.");
    await desk.getByRole("textbox", { name: "Mensagem" }).press("Enter");
    await expect(phone.getByTestId("phone-chat").getByText("Trocamos amanhã, sem custo.")).toBeVisible();

    await chooseInBubble(desk, "Trocamos amanhã, sem custo.", "Apagar para todos");
    await desk.getByRole("alertdialog").getByRole("button", { name: "Apagar" }).click();
    await expect(phone.getByTestId("phone-chat").getByText("Mensagem apagada")).toBeVisible();

    await phone.getByText("Oi! O portão chegou torto.").hover();
    await phoneBubble(phone, "O portão chegou torto.").getByRole("button", { name: "Ações" }).click();
    await phone.getByRole("menuitem", { name: "Editar" }).click();
    await phone.getByRole("textbox", { name: "Mensagem" }).fill("O portão veio amassado.");
    await phone.getByRole("button", { name: "Enviar como Marina Freitas" }).click();
    await expect(bubble(desk, "O portão veio amassado.")).toBeVisible();
  });

  await test.step("the line falls and comes back", async () => {
    await phone.getByRole("button", { name: "Derrubar a linha" }).click();
    await desk.getByRole("link", { name: "Conexões" }).click();
    await desk
      .getByRole("row", { name: /Loja da Praça/ })
      .getByRole("button", { name: "Histórico da linha" })
      .click();
    await expect(desk.getByRole("dialog")).toContainText(/428|closed|caiu/);
    await desk.keyboard.press("Escape");
    await expect(lineState(desk)).toHaveAttribute("data-status", "CONNECTED");
  });

  await test.step("the killed server comes back with everything, the line connected", async () => {
    await own.kill();
    await own.start();
    await desk.goto("/connections");
    await expect(lineState(desk)).toHaveAttribute("data-status", "CONNECTED", { timeout: 30_000 });
    await desk.getByRole("link", { name: "Conversas" }).click();
    await showMine(desk);
    await row(desk, "Marina Freitas")
      .getByRole("button", { name: /Marina Freitas/ })
      .click();
    await expect(bubble(desk, "O portão veio amassado.")).toBeVisible();
    await expect(bubble(desk, "Mensagem apagada")).toBeVisible();

    await phone.reload();
    await phone.getByRole("button", { name: /Marina Freitas/ }).click();
    await phone.getByRole("textbox", { name: "Mensagem" }).fill("Vocês ainda estão aí?");
    await phone.getByRole("button", { name: "Enviar como Marina Freitas" }).click();
    await expect(bubble(desk, "Vocês ainda estão aí?")).toBeVisible();
  });
  await context.close();
});

function lineState(page: Page) {
  return page.getByRole("row", { name: /Loja da Praça/ }).locator("[data-status]");
}

function phoneBubble(page: Page, text: string) {
  return page.locator("[data-sim-message]").filter({ hasText: text });
}
