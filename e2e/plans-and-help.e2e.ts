import { helps } from "@prosa/contract";
import type { Page } from "@playwright/test";
import { uniqueName, createUser } from "./support/api.ts";
import { demo, expect, journeyWidths, test } from "./support/journey.ts";

const video = "dQw4w9WgXcQ";

test("the operator adds, changes and deletes plans; one that a company has stays (Y-02, G-01)", async ({ at }) => {
  const page = await at(demo.operator);
  await page.goto("/settings?tab=plans");
  const used = page.getByRole("row").filter({ hasText: "Completo" });
  await expect(used).toContainText("R$ 199,90");

  const name = uniqueName("Plano básico");
  await page.getByRole("button", { name: "Novo plano" }).click();
  const dialog = page.getByRole("dialog");
  const field = (label: string) => dialog.getByLabel(label, { exact: true });
  await expect(field("Usuários")).toHaveValue("0");
  await expect(dialog.getByRole("switch", { checked: true })).toHaveCount(8);
  await dialog.getByRole("button", { name: "Salvar" }).click();
  await expect(dialog.getByText("Obrigatório", { exact: true })).toBeVisible();
  await field("Nome").fill(name);
  await field("Valor por mês (R$)").fill("49.9");
  await field("Usuários").fill("3");
  await field("Conexões").fill("1");
  await field("Filas").fill("2");
  await field("Kanban").uncheck();
  await dialog.getByLabel("Oferecido no cadastro").uncheck();
  await dialog.getByRole("button", { name: "Salvar" }).click();
  await expect(page.getByText("Operação realizada com sucesso!")).toBeVisible();

  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("Não oferecido");
  await expect(row).toContainText("R$ 49,90");
  await expect(row).toContainText("Campanhas, Agendamentos, Chat interno, API externa, Assistentes de IA, Integrações");

  await row.click();
  await expect(field("Kanban")).not.toBeChecked();
  await expect(field("Filas")).toHaveValue("2");
  await field("Nome").fill("Completo");
  await dialog.getByRole("button", { name: "Salvar" }).click();
  await expect(dialog.getByText("Este nome já está em uso.")).toBeVisible();
  await expect(page.getByText(/Verifique se já existe um plano com o mesmo nome/)).toBeVisible();
  await field("Nome").fill(name);
  await field("Filas").fill("9");
  await dialog.getByRole("button", { name: "Salvar" }).click();
  await expect(dialog).toBeHidden();
  await expect(row.getByRole("cell", { name: "9", exact: true })).toBeVisible();

  await remove(page, "Completo");
  await expect(page.getByText("Não foi possível realizar a operação. Isto ainda está em uso")).toBeVisible();
  await expect(used).toBeVisible();
  await remove(page, name);
  await expect(page.getByText("Operação realizada com sucesso!")).toBeVisible();
  await expect(row).toBeHidden();
});

for (const width of journeyWidths(360, 1440)) {
  test(`a help video of the operator is a card for everybody, played over the page at ${width} px (Y-03)`, async ({
    at,
    admin,
  }) => {
    const title = uniqueName("Primeiros passos");
    const page = await at(demo.operator, { width, prepare: withoutInternet });
    await page.goto("/settings");
    await page.getByRole("tab", { name: "Ajuda" }).click();
    await page.getByRole("button", { name: "Novo vídeo" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Título").fill(title);
    await dialog.getByLabel("Código do vídeo").fill("https://vimeo.com/12345");
    await dialog.getByRole("button", { name: "Salvar" }).click();
    await expect(dialog.getByText("Código do vídeo inválido")).toBeVisible();
    await dialog.getByLabel("Código do vídeo").fill(`https://www.youtube.com/watch?v=${video}&t=3s`);
    await dialog.getByLabel("Descrição").fill("Como aceitar e responder uma conversa.");
    await dialog.getByRole("button", { name: "Salvar" }).click();
    await expect(page.getByText("Operação realizada com sucesso!")).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: title })).toContainText(video);

    const agent = await at(await createUser(admin, uniqueName("Ivo")), { width, prepare: withoutInternet });
    await agent.goto("/helps");
    const cards = agent.getByRole("main").getByRole("listitem");
    const card = cards.filter({ hasText: title });
    await expect(card).toContainText("Como aceitar e responder uma conversa.");
    await expect(agent.getByRole("heading", { level: 1 })).toHaveText(`Ajuda ${await cards.count()}`);
    // the thumbnail cannot be fetched: the drawn placeholder remains
    await expect(card.locator("[data-picture] img")).toHaveCount(0);

    await card.getByRole("button").click();
    const player = agent.getByRole("dialog").locator("iframe");
    await expect(player).toHaveAttribute("src", `https://www.youtube-nocookie.com/embed/${video}?autoplay=1&rel=0`);
    await expect(player.contentFrame().getByText("o vídeo")).toBeVisible();
    await agent.keyboard.press("Escape");
    await expect(agent.getByRole("dialog")).toBeHidden();

    await card.getByRole("button").click();
    await player.contentFrame().getByText("o vídeo").click();
    await expect(agent.getByRole("dialog").getByRole("group")).toBeFocused();
    await agent.keyboard.press("Escape");
    await expect(agent.getByRole("dialog")).toBeHidden();

    await remove(page, title);
    await expect(page.getByRole("row").filter({ hasText: title })).toBeHidden();
  });
}

test("an admin has no tab of the operator, and every tab asks the server again (Y-04, G-01)", async ({
  at,
  admin,
  product,
}) => {
  const page = await at(await createUser(admin, uniqueName("Lia"), { profile: "admin" }));
  await page.goto("/settings?tab=plans");
  await expect(page.getByRole("tab", { selected: true })).toHaveText("Opções");
  await expect(page.getByRole("tab", { name: /Planos|Ajuda|Empresas/ })).toHaveCount(0);

  const operator = await at(demo.operator);
  await operator.goto("/settings?tab=helps");
  await expect(operator.getByRole("button", { name: "Novo vídeo" }).first()).toBeVisible();
  await operator.getByRole("tab", { name: "Planos" }).click();
  await expect(operator.getByRole("row").filter({ hasText: "Completo" })).toBeVisible();
  const title = uniqueName("De fora");
  const token = await operator.evaluate(() => localStorage.getItem("token"));
  const made = await operator.request.post(`${product.url}${helps.create.path}`, {
    headers: { authorization: `Bearer ${token}` },
    data: { title, video },
  });
  expect(made.ok()).toBe(true);
  await operator.getByRole("tab", { name: "Ajuda" }).click();
  await expect(operator.getByRole("row").filter({ hasText: title })).toBeVisible();
});

/** Blocks thumbnails, and replaces the video service's player by a local page. */
function withoutInternet(context: ReturnType<Page["context"]>): Promise<unknown> {
  return Promise.all([
    context.route("https://i.ytimg.com/**", (route) => route.abort()),
    context.route("https://www.youtube-nocookie.com/**", (route) =>
      route.fulfill({ contentType: "text/html; charset=utf-8", body: "<p>o vídeo</p>" }),
    ),
  ]);
}

async function remove(page: Page, name: string): Promise<void> {
  const row = page.getByRole("row").filter({ hasText: name });
  await row.hover();
  await row.getByRole("button", { name: "Excluir" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("Deseja realmente excluir esse registro?");
  await question.getByRole("button", { name: "Excluir" }).click();
}
