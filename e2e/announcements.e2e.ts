import { announcements } from "@prosa/contract";
import type { Page } from "@playwright/test";
import { signInToApi, uniqueName, createUser, photo } from "./support/api.ts";
import { accessibilityViolations } from "./support/axe.ts";
import { choose } from "./support/fields.ts";
import { demo, expect, journeyWidths, test } from "./support/journey.ts";

const bell = (page: Page) => page.locator("header").getByRole("button", { name: /^Informativos/ });
const panel = (page: Page) => page.getByRole("dialog", { name: "Informativos" });

for (const width of journeyWidths(360, 1440)) {
  test(`what the operator announces comes live to the bell of another company, and goes again, at ${width} px (O-05, S-04)`, async ({
    at,
    admin,
  }) => {
    const agent = await at(await createUser(admin, uniqueName("Rute")), { width });
    // mark the announcements of the demo and of earlier journeys as seen
    await bell(agent).click();
    await expect(panel(agent).getByText("Boas-vindas ao Prosa")).toBeVisible();
    await agent.keyboard.press("Escape");
    await expect(bell(agent)).not.toHaveText(/\d/);
    const operator = await at(demo.operator, { width });
    await operator.goto("/announcements");
    await operator.getByRole("button", { name: "Novo informativo" }).first().click();
    const form = operator.getByRole("dialog");
    await form.getByRole("button", { name: "Salvar" }).click();
    await expect(form.getByText("Obrigatório", { exact: true })).toHaveCount(2);

    const title = uniqueName("Manutenção no domingo");
    await form.getByLabel("Título").fill(title);
    await form.getByLabel("Texto").fill("Das 2h às 4h.\nVeja https://prosa.example/avisos");
    await expect(form.getByLabel("Prioridade")).toHaveText("Baixa");
    await choose(form.getByLabel("Prioridade"), "Alta");
    await expect(form.getByRole("switch")).toBeChecked();
    await form.getByLabel("Imagem").setInputFiles(photo);
    await form.getByRole("button", { name: "Salvar" }).click();
    await expect(operator.getByText("Operação realizada com sucesso!")).toBeVisible();
    const row = operator.getByRole("row").filter({ hasText: title });
    await expect(row).toContainText("Alta");
    await expect(row).toContainText("foto.jpg");
    await expect(row).toContainText("Ativo");

    await expect(bell(agent)).toHaveText("Informativos 1");
    await bell(agent).click();
    const entry = panel(agent).getByRole("button").filter({ hasText: title });
    await expect(entry).toContainText("Prioridade alta");
    await expect(entry).toContainText("Novo");
    expect((await panel(agent).boundingBox())?.width).toBe(Math.min(350, width - 16));
    expect(await accessibilityViolations(agent, "light", "[role=dialog]")).toEqual([]);
    await entry.click();
    const viewer = agent.getByRole("dialog", { name: title });
    await expect(viewer).toContainText("Prioridade alta");
    await expect(viewer.getByRole("link", { name: "prosa.example" })).toBeVisible();
    await expect(viewer.locator("img")).not.toHaveJSProperty("naturalWidth", 0);
    expect(await accessibilityViolations(agent, "light", "[role=dialog]")).toEqual([]);
    await agent.keyboard.press("Escape");
    await expect(viewer).toBeHidden();
    // seen, also after a reload
    await expect(bell(agent)).not.toHaveText(/\d/);
    await agent.reload();
    await bell(agent).click();
    await expect(entry).toBeVisible();
    await expect(entry).not.toContainText("Novo");

    const changed = uniqueName("Manutenção na segunda");
    await row.click();
    await form.getByLabel("Título").fill(changed);
    await form.getByRole("button", { name: "Tirar a imagem foto.jpg" }).click();
    await form.getByRole("button", { name: "Salvar" }).click();
    await expect(panel(agent).getByText(changed)).toBeVisible();
    await expect(panel(agent).getByText(title)).toBeHidden();
    const changedRow = operator.getByRole("row").filter({ hasText: changed });
    await expect(changedRow).not.toContainText("foto.jpg");

    await changedRow.click();
    await form.getByRole("switch").uncheck();
    await form.getByRole("button", { name: "Salvar" }).click();
    await expect(panel(agent).getByText(changed)).toBeHidden();
    await expect(changedRow).toContainText("Inativo");
    await changedRow.click();
    await form.getByRole("switch").check();
    await form.getByRole("button", { name: "Salvar" }).click();
    await expect(panel(agent).getByText(changed)).toBeVisible();

    await changedRow.hover();
    await changedRow.getByRole("button", { name: "Excluir" }).click();
    await operator.getByRole("alertdialog").getByRole("button", { name: "Excluir" }).click();
    await expect(changedRow).toBeHidden();
    await expect(panel(agent).getByText(changed)).toBeHidden();
  });
}

test("the operator's screen is nobody else's, and a file that is no image is not taken (O-05, S-02)", async ({
  at,
  admin,
  product,
}) => {
  const page = await at(await createUser(admin, uniqueName("Nilo"), { profile: "admin" }));
  await expect(page.getByRole("navigation").getByRole("link", { name: "Informativos" })).toHaveCount(0);
  await page.goto("/announcements");
  await expect(page.getByText("Esta empresa não possui permissão")).toBeVisible();
  await expect(page).toHaveURL(({ pathname }) => pathname === "/");

  const operator = await at(demo.operator);
  await operator.getByRole("navigation").getByRole("link", { name: "Informativos" }).click();
  await operator.getByRole("button", { name: "Novo informativo" }).first().click();
  const form = operator.getByRole("dialog");
  const title = uniqueName("Aviso com imagem falsa");
  await form.getByLabel("Título").fill(title);
  await form.getByLabel("Texto").fill("Texto");
  const lie = { buffer: Buffer.from("apenas palavras") };
  await form.getByLabel("Imagem").setInputFiles({ ...lie, name: "nota.txt", mimeType: "text/plain" });
  await expect(operator.getByText("Escolha uma imagem PNG ou JPEG.")).toBeVisible();
  await form.getByLabel("Imagem").setInputFiles({ ...lie, name: "nota.png", mimeType: "image/png" });
  await form.getByRole("button", { name: "Salvar" }).click();
  await expect(operator.getByText("Este tipo de arquivo não é aceito.")).toBeVisible();
  await form.getByRole("button", { name: "Tirar a imagem nota.png" }).click();
  await form.getByRole("button", { name: "Salvar" }).click();
  await expect(form).toBeHidden();

  const other = await signInToApi(product.url, await createUser(admin, uniqueName("Leo")));
  const { records } = await other.call(announcements.list, { query: { searchParam: title } });
  expect(records).toMatchObject([{ title, mediaPath: null }]);
});

test("a next page of the bell that fails says so, and comes when it is tried again (S-04)", async ({ at, admin }) => {
  const agent = await at(await createUser(admin, uniqueName("Rita")));
  // As where there are more than one page holds.
  await agent.route(/\/announcements\?.*pageNumber=1\b/u, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), hasMore: true } });
  });
  await agent.route(/\/announcements\?.*pageNumber=2\b/u, (route) => route.fulfill({ status: 500 }));
  await bell(agent).click();
  const more = panel(agent).getByRole("button", { name: "Ver mais" });
  await more.click();
  const failed = panel(agent).getByRole("alert");
  await expect(failed).toContainText("Ocorreu um erro! Tente de novo.");
  await expect(more).toBeHidden();
  await expect(panel(agent).getByText("Boas-vindas ao Prosa")).toBeVisible();

  await agent.unroute(/\/announcements\?.*pageNumber=2\b/u);
  await failed.getByRole("button", { name: "Tentar novamente" }).click();
  await expect(failed).toBeHidden();
  await expect(more).toBeHidden();
});
