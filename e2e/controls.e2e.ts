/** Controls of the desk and of dialogs at every width, and under a finger; the other screens are the menu sweep's. */
import type { Page } from "@playwright/test";
import { connections, type Connection } from "@prosa/contract";
import { addCustomer, connectLine, createQueue, createUser, uniqueName, type ApiClient } from "./support/api.ts";
import { findCrampedControls, findSmallTargets } from "./support/controls.ts";
import { row, showWaiting } from "./support/desk.ts";
import { expect, test } from "./support/journey.ts";
import { screensOf } from "./support/screens.ts";
import { findOverflow, openScreen } from "./support/sweep.ts";

const LAPTOP = 1366;
const PHONE = 360;
/** The laptop last: on it the next screen is opened. */
const WIDTHS = [PHONE, 768, 1440, 1920, LAPTOP];

/** The dialogs that are opened most, by their button. */
const dialogs = [
  { path: "/tickets", button: "Nova conversa" },
  { path: "/schedules", button: "Agendar" },
  { path: "/contacts", button: "Novo contato" },
  { path: "/quick-messages", button: "Nova resposta" },
  { path: "/tags", button: "Nova etiqueta" },
  { path: "/queues", button: "Nova fila" },
  { path: "/files", button: "Nova lista" },
  { path: "/users", button: "Novo usuário" },
  { path: "/connections", button: "Nova conexão" },
] as const;

test("no control of the desk and its dialogs is clipped or under another one, whatever the width (Z-04)", async ({
  at,
  alone,
}) => {
  test.setTimeout(300_000);
  const { name } = await aDeskOfLongNames(alone);
  const page = await at(await createUser(alone, uniqueName("Vitória"), { profile: "admin" }), { width: LAPTOP });
  const faults: string[] = [];
  const look = async (what: string) => {
    for (const width of WIDTHS) {
      faults.push(...(await findOverflow(page, width)).map((fault) => `${what}: ${fault}`));
      faults.push(...(await findCrampedControls(page)).map((fault) => `${what} at ${width}: ${fault}`));
    }
  };

  await openWaiting(page, name);
  await look("preview");
  await page.getByRole("button", { name: "Aceitar para responder" }).click();
  await expect(page.getByRole("textbox", { name: "Mensagem" })).toBeVisible();
  await look("conversation");
  await page
    .getByRole("button", { name: /^Dados de/ })
    .last()
    .click();
  await expect(page.getByRole("dialog", { name: "Contato" })).toBeVisible();
  await look("contact");
  await page.keyboard.press("Escape");

  await openScreen(page, "/connections");
  await look("/connections");
  for (const { path, button } of dialogs) {
    await openDialog(page, path, button);
    await look(button);
  }
  expect(faults).toEqual([]);
});

test("what a finger touches on a phone is 44 px wide and high, and seen whole (Z-04, S-11)", async ({ at, alone }) => {
  test.setTimeout(300_000);
  const { name } = await aDeskOfLongNames(alone);
  const person = await createUser(alone, uniqueName("Dedo"), { profile: "admin" });
  const page = await at(person, { width: LAPTOP, hasTouch: true });
  const paths = await screensOf(page);
  await page.setViewportSize({ width: PHONE, height: 740 });
  const faults: string[] = [];
  const look = async (what: string) => {
    const found = [...(await findSmallTargets(page)), ...(await findCrampedControls(page))];
    faults.push(...found.map((fault) => `${what}: ${fault}`));
  };

  for (const path of paths) {
    await page.goto(path);
    await openScreen(page, path);
    await look(path);
  }
  for (const { path, button } of dialogs) {
    await openDialog(page, path, button);
    await look(button);
  }

  await page.goto("/tickets");
  await openWaiting(page, name);
  await look("preview");
  await page.getByRole("button", { name: "Aceitar para responder" }).tap();
  await expect(page.getByRole("textbox", { name: "Mensagem" })).toBeVisible();
  await look("conversation");
  await page.getByRole("button", { name: "Mais opções", exact: true }).tap();
  await expect(page.getByRole("menu")).toBeVisible();
  await look("menu");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name }).filter({ visible: true }).first().tap();
  const contact = page.getByRole("dialog", { name: "Contato" });
  await expect(contact.getByRole("button", { name: "Fechar" })).toBeVisible();
  await look("contact");
  const close = await contact.getByRole("button", { name: "Fechar" }).boundingBox();
  const picture = await contact.locator("[data-letters]").first().boundingBox();
  expect(picture?.y, "the picture is below the buttons").toBeGreaterThanOrEqual((close?.y ?? 0) + (close?.height ?? 0));
  expect(faults).toEqual([]);
});

/** A contact waits, and contact, queue, colleague and a second line, not linked, have names that fit nowhere. */
async function aDeskOfLongNames(admin: ApiClient): Promise<{ readonly line: Connection; readonly name: string }> {
  const queueId = await createQueue(admin, "Pós-venda, trocas, devoluções e garantias", "#7a4fa3");
  await createUser(admin, uniqueName("Maria Antonieta de Albuquerque"), { profile: "supervisor", queueIds: [queueId] });
  const line = await connectLine(admin, "WhatsApp da filial de São José do Rio Preto");
  await admin.call(connections.create, {
    body: { name: "WhatsApp da matriz em Santana do Parnaíba", provider: "simulator" },
  });
  const customer = await addCustomer(admin, line, `${"Ana".repeat(9)} 🌻`);
  await customer.says("Oi, ainda tem a mesa de seis lugares?");
  return { line, name: customer.name };
}

/** Opens the preview of a contact who waits. */
async function openWaiting(page: Page, name: string): Promise<void> {
  await showWaiting(page);
  await row(page, name).locator("[data-main]").click();
  await expect(page.getByRole("button", { name: "Aceitar para responder" })).toBeVisible();
}

async function openDialog(page: Page, path: string, button: string): Promise<void> {
  await page.goto(path);
  await page.getByRole("main").getByRole("button", { name: button }).first().click();
  await expect(page.getByRole("dialog").locator("input").first()).toBeVisible();
}
