/** The preview of the bot beside its editor: an admin plays a customer who sends more than texts, and lets things happen. */
import { queueOptions, settings } from "@prosa/contract";
import type { Locator, Page } from "@playwright/test";
import { createQueue, createUser, uniqueName } from "./support/api.ts";
import { expect, journeyWidths, test } from "./support/journey.ts";

for (const width of journeyWidths(360, 1366)) {
  test(`the preview plays a burst, a photo, an hour later, closing time and a resolve, at ${width} px (B-01, B-02, B-03)`, async ({
    at,
    admin,
  }) => {
    await admin.call(settings.save, { params: { key: "userRating" }, body: { value: "enabled" } });
    const name = uniqueName("Encomendas");
    const queueId = await createQueue(admin, name, width === 360 ? "#7a3c0d" : "#7a5c0d");
    for (const title of ["Bolos", "Salgados"]) {
      await admin.call(queueOptions.create, { body: { queueId, title, message: `Sobre ${title}` } });
    }
    const page = await at(await createUser(admin, uniqueName("Eva"), { profile: "admin" }), { width });
    const { menu, phone, write } = await openPreview(page, name, width);
    const lines = phone.locator("> div");

    const asked = recordPreviewRequests(page);
    for (const text of ["oi", "bom dia", "tudo bem?"]) {
      await write.fill(text);
      await write.press("Enter");
    }
    await expect(phone.getByText("Cliente: tudo bem?")).toBeVisible();
    await expect(phone).toHaveAttribute("aria-busy", "false");
    await expect(lines).toHaveText([
      /^(\d\d\/\d\d\/\d{4} )?\d\d:\d\d$/u,
      "Cliente: oi",
      /^Robô: .*Bolos/su,
      new RegExp(`Fila ${name}`, "u"),
      "Cliente: bom dia",
      /^Rápido demais para ter lido o menu/u,
      "Cliente: tudo bem?",
      /^Rápido demais para ter lido o menu/u,
    ]);
    expect(asked.times).toEqual(asked.times.toSorted());
    expect(asked.most).toBe(1);

    await write.fill("1");
    await menu.getByRole("button", { name: "Foto com legenda" }).click();
    await expect(phone.getByText("Sobre Bolos")).toBeVisible();
    await expect(phone.getByText("Aguardando um atendente")).toBeVisible();
    await expect(write).toHaveValue("");
    await menu.getByRole("button", { name: "Áudio" }).click();
    await menu.getByRole("button", { name: "Figurinha" }).click();
    await expect(phone.getByText("Cliente: Figurinha")).toBeVisible();

    await menu.getByRole("button", { name: "Uma hora depois" }).click();
    await expect(phone.getByText(/\d\d:\d\d – uma hora depois$/u)).toBeVisible();

    await menu.getByRole("button", { name: "Resolver" }).click();
    await expect(phone.getByText("Um atendente resolveu a conversa")).toBeVisible();
    await expect(phone.getByText("Muito satisfeito")).toBeVisible();
    await expect(menu.getByRole("button", { name: "Resolver" })).toBeDisabled();
    await write.fill("nota 3");
    await write.press("Enter");
    await expect(phone.getByText("Avaliação: 3")).toBeVisible();
    await write.fill("obrigada! 🙏");
    await write.press("Enter");
    await expect(phone.getByText("A conversa continua resolvida.")).toBeVisible();

    await menu.getByRole("button", { name: "Recomeçar" }).click();
    await expect(phone).toHaveText(/Converse como um cliente/u);
    await menu.getByRole("button", { name: "Fechado agora" }).click();
    await expect(menu.getByRole("button", { name: "Fechado agora" })).toHaveAttribute("aria-pressed", "true");
    await write.fill("oi");
    await write.press("Enter");
    await expect(phone.getByText(/^Robô: /u)).toBeVisible();
    await expect(phone.getByText("Bolos")).toHaveCount(0);
    await admin.call(settings.save, { params: { key: "userRating" }, body: { value: "disabled" } });
  });
}

test("the preview tells a failed and a slow answer, and its choices stay through a cancelled dialog and a change (B-03)", async ({
  at,
  admin,
}) => {
  const name = uniqueName("Entregas");
  const queueId = await createQueue(admin, name, "#0d5c7a");
  await admin.call(queueOptions.create, { body: { queueId, title: "Prazos" } });
  const page = await at(await createUser(admin, uniqueName("Rui"), { profile: "admin" }), { width: 1366 });
  const { menu, phone, write } = await openPreview(page, name, 1366);
  const dots = phone.locator("> [aria-hidden]");

  await page.route("**/bot/preview", async (route) => route.abort());
  await write.fill("oi");
  await write.press("Enter");
  await expect(phone.getByText("Não deu certo. Tente de novo.")).toBeVisible();
  await expect(dots).toHaveCount(0);
  await page.unroute("**/bot/preview");

  const slow = Promise.withResolvers<void>();
  await page.route("**/bot/preview", async (route) => {
    await slow.promise;
    await route.continue();
  });
  await write.fill("oi");
  await write.press("Enter");
  await expect(dots).toBeVisible();
  slow.resolve();
  await expect(phone.getByText("Prazos")).toBeVisible();
  await expect(dots).toHaveCount(0);

  await menu.getByRole("button", { name: "Fechado agora" }).click();
  await menu.getByRole("button", { name: "Nova opção" }).click();
  await page.getByRole("dialog", { name: "Nova opção" }).getByRole("button", { name: "Cancelar" }).click();
  await expect(phone.getByText("Prazos")).toBeVisible();
  await menu.getByRole("button", { name: "Nova opção" }).click();
  await page.getByRole("dialog", { name: "Nova opção" }).getByRole("textbox", { name: "Título" }).fill("Fretes");
  await page.keyboard.press("Enter");
  await expect(phone).toHaveText(/Converse como um cliente/u);
  await expect(menu.getByRole("button", { name: "Fechado agora" })).toHaveAttribute("aria-pressed", "true");
});

async function openPreview(
  page: Page,
  queue: string,
  width: number,
): Promise<{ readonly menu: Locator; readonly phone: Locator; readonly write: Locator }> {
  await page.goto("/queues");
  const row = page.getByRole("row").filter({ hasText: queue });
  await row.hover();
  await row.getByRole("button", { name: "Menu do robô" }).click();
  const menu = page.getByRole("dialog", { name: `Menu do robô · ${queue}` });
  if (width === 360) {
    await menu.getByRole("tab", { name: "Testar" }).click();
  }
  return {
    menu,
    phone: menu.getByRole("log", { name: "Prévia" }),
    write: menu.getByRole("textbox", { name: "Escreva como o cliente" }),
  };
}

/** The times that the preview's requests carry, and how many of them were under way at once at most. */
function recordPreviewRequests(page: Page): { readonly times: string[]; most: number } {
  const asked = { times: [] as string[], most: 0 };
  const underWay = new Set<unknown>();
  const isPreview = (request: { url: () => string }) => new URL(request.url()).pathname.endsWith("/bot/preview");
  page.on("request", (request) => {
    if (isPreview(request)) {
      underWay.add(request);
      asked.times.push((request.postDataJSON() as { at: string }).at);
      asked.most = Math.max(asked.most, underWay.size);
    }
  });
  page.on("requestfinished", (request) => underWay.delete(request));
  return asked;
}
