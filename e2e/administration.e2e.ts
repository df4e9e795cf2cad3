/** An admin's settings: options and opening hours, queues with their bot, lines with every field. */
import { connections, settings } from "@prosa/contract";
import type { Locator, Page } from "@playwright/test";
import { uniqueName, connectLine, createUser, createQueue, type ApiClient } from "./support/api.ts";
import { choose } from "./support/fields.ts";
import { expect, journeyWidths, test } from "./support/journey.ts";

const toast = (page: Page, text: string) => expect(page.getByText(text).first()).toBeVisible();

async function put(admin: ApiClient, key: "scheduleType" | "userRating", value: string): Promise<void> {
  await admin.call(settings.save, { params: { key }, body: { value } });
}

test("on a phone a number of the options has its width beside its label, a tab opens at its top, and no table is wider (D-03, G-01, G-02, S-11)", async ({
  at,
  admin,
}) => {
  const queue = `Donaudampfschifffahrt${uniqueName("kapitaensmuetzen").replaceAll(" ", "").slice(0, 29)}`;
  await createQueue(admin, queue, "#7a4fa4");
  await put(admin, "scheduleType", "company");
  const page = await at(await createUser(admin, uniqueName("Lia"), { profile: "admin" }), { width: 360 });
  await page.goto("/settings");
  const minutes = page.getByRole("textbox", { name: "Voltar ao mesmo atendente (minutos)" });
  expect((await minutes.boundingBox())!.width).toBe(96);
  const label = page.getByText("Voltar ao mesmo atendente (minutos)");
  expect((await label.boundingBox())!.width).toBeGreaterThan(100);

  await page.getByRole("switch").last().scrollIntoViewIfNeeded();
  await page.getByRole("tab", { name: "Horários" }).click();
  await expect(page.getByText("Estes horários valem para todas as filas.")).toBeInViewport();

  await page.getByRole("tab", { name: "Privacidade" }).click();
  const kept = page.getByRole("textbox", { name: queue });
  await expect(kept).toBeVisible();
  expect((await kept.boundingBox())!.width).toBeGreaterThan(200);
  const name = page.getByText(queue);
  expect(await name.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);

  await page.goto("/");
  const attendants = page.getByRole("region", { name: "Atendentes" }).getByRole("region");
  await expect(attendants.getByRole("row", { name: /Lia/u })).toContainText("Online");
  expect(await attendants.evaluate((table) => table.scrollWidth - table.clientWidth)).toBe(0);

  await page.goto("/connections");
  await page.getByRole("button", { name: "Nova conexão" }).click();
  const form = page.getByRole("dialog", { name: "Nova conexão" });
  await form.getByRole("tab", { name: "Robô e tempos" }).click();
  await page.setViewportSize({ width: 360, height: 480 });
  await form
    .getByRole("textbox")
    .last()
    .evaluate((field) => field.scrollIntoView({ block: "start" }));
  await form.getByRole("tab", { name: "Mensagens" }).click();
  const strip = (await form.getByRole("tablist").boundingBox())!;
  expect((await form.getByRole("textbox").first().boundingBox())!.y).toBeGreaterThan(strip.y + strip.height);
  await put(admin, "scheduleType", "disabled");
});

for (const width of journeyWidths(1440, 360)) {
  test(`options are saved at once, the tab of hours comes with them, times are masked, at ${width} px (G-01, G-02, G-03)`, async ({
    at,
    admin,
  }) => {
    await put(admin, "scheduleType", "disabled");
    await put(admin, "userRating", "disabled");
    const page = await at(await createUser(admin, uniqueName("Ana"), { profile: "admin" }), { width });
    await page.goto("/settings");
    const hours = page.getByRole("tab", { name: "Horários" });
    await expect(page.getByRole("tab", { name: "Opções" })).toHaveAttribute("aria-selected", "true");
    await expect(hours).toHaveCount(0);

    await page.getByRole("switch", { name: "Avaliação do atendimento" }).click();
    await toast(page, "Operação atualizada com sucesso.");
    const choice = page.getByRole("combobox", { name: "Expediente" });
    await choose(choice, "Um horário por fila");
    await expect(page.getByRole("link", { name: "Os horários ficam em cada fila" })).toHaveAttribute("href", "/queues");
    await choose(choice, "Um horário para a empresa");
    await expect(page.getByRole("link", { name: "Os horários ficam na aba Horários" })).toBeVisible();
    const reloaded = page.waitForResponse((answer) => new URL(answer.url()).pathname === "/settings" && answer.ok());
    await hours.click();
    await reloaded;

    const monday = page.getByRole("group", { name: "Segunda-feira" });
    const from = monday.getByRole("combobox", { name: "Segunda-feira, primeiro período, das" });
    await from.fill("");
    const opens = width === 360 ? "06:45" : "07:30";
    await from.pressSequentially(opens.replace(":", "h"));
    await from.press("Tab");
    await expect(from).toHaveValue(opens);
    await page.getByRole("button", { name: "Salvar" }).click();
    await toast(page, "Horários atualizados com sucesso.");
    await page.reload();
    await expect(from).toHaveValue(opens);
    await page.getByRole("tab", { name: "Opções" }).click();
    await expect(page.getByRole("switch", { name: "Avaliação do atendimento" })).toBeChecked();

    await put(admin, "scheduleType", "disabled");
    await put(admin, "userRating", "disabled");
    await expect(hours).toHaveCount(0);
  });

  test(`a queue is made, its menu grown to two levels, and the bot walked through in the preview, at ${width} px (Q-01, Q-02, Q-04, Q-10, B-05)`, async ({
    at,
    admin,
  }) => {
    const taken = uniqueName("Ocupada");
    await createQueue(admin, taken, width === 360 ? "#aa1155" : "#aa1166");
    const page = await at(await createUser(admin, uniqueName("Eva"), { profile: "admin" }), { width });
    const name = uniqueName("Suporte Técnico");
    await page.goto("/queues");
    await page.getByRole("button", { name: "Nova fila" }).click();
    const form = page.getByRole("dialog", { name: "Nova fila" });
    await form.getByRole("textbox", { name: "Nome" }).fill("A");
    await form.getByRole("button", { name: "Salvar" }).click();
    await expect(form.getByText("Muito curto! Ao menos 2 caracteres")).toBeVisible();
    await form.getByRole("textbox", { name: "Nome" }).fill(name);
    const color = form.getByRole("textbox", { name: "Código da cor" });
    const free = await color.inputValue();
    await color.fill(width === 360 ? "#aa1155" : "#aa1166");
    await form.getByRole("button", { name: "Salvar" }).click();
    await expect(form.getByText("Esta cor já é usada por outra fila. Escolha outra.")).toBeVisible();
    await color.fill(free);
    await form.getByRole("textbox", { name: "Mensagem de saudação" }).fill("! Qual é o problema, {{atendente}}?");
    await insertVariable(page, form, "Mensagem de saudação", "Saudação");
    await expect(form.getByText("não é uma variável")).toHaveCount(0);
    await form.getByRole("button", { name: "Salvar" }).click();

    const menu = page.getByRole("dialog", { name: `Menu do robô · ${name}` });
    await expect(menu.getByText("Esta fila ainda não tem opções")).toBeVisible();
    await menu.getByRole("button", { name: "Nova opção" }).click();
    await fillOption(page, "Internet", "Qual o defeito?");
    await belowOf(menu, page, "Internet");
    await fillOption(page, "Está lenta", "Desligue por 10 segundos.", "roteador.png");
    await expect(menu.getByRole("treeitem", { name: /Está lenta/ })).toContainText("roteador.png");
    await expect(menu.getByRole("treeitem", { name: /Está lenta/ })).toHaveAttribute("aria-level", "2");

    if (width === 360) {
      await menu.getByRole("tab", { name: "Testar" }).click();
    }
    await expect(menu.getByText("Nenhuma conexão oferece esta fila.")).toBeVisible();
    const phone = menu.getByRole("log", { name: "Prévia" });
    const say = async (text: string, answer: string | RegExp) => {
      await menu.getByRole("textbox", { name: "Escreva como o cliente" }).fill(text);
      await menu.getByRole("button", { name: "Enviar" }).click();
      await expect(phone.getByText(answer).last()).toBeVisible();
    };
    await say("oi", /^Robô: (Bom dia|Boa tarde|Boa noite)! Qual é o problema\?/);
    await say("1", /Está lenta/);
    await say("1", "Desligue por 10 segundos.");
    await expect(phone.getByRole("img", { name: "roteador.png" })).toBeVisible();
    await expect(phone.getByText("Aguardando um atendente")).toBeVisible();

    if (width === 360) {
      await menu.getByRole("tab", { name: "Opções" }).click();
    }
    await menu.getByRole("button", { name: "Ações de Internet" }).click();
    await page.getByRole("menuitem", { name: "Excluir" }).click();
    await expect(page.getByRole("alertdialog")).toContainText("abaixo dela também será excluída");
    await page.getByRole("alertdialog").getByRole("button", { name: "Excluir" }).click();
    await expect(menu.getByRole("treeitem")).toHaveCount(0);
    await menu.getByRole("button", { name: "Fechar" }).click();

    const row = page.getByRole("row").filter({ hasText: name });
    await row.hover();
    await row.getByRole("button", { name: "Excluir" }).click();
    const question = page.getByRole("alertdialog", { name: `Excluir a fila ${name}?` });
    await expect(question).toContainText("ficam sem fila");
    await question.getByRole("button", { name: "Excluir" }).click();
    await expect(page.getByText("Fila excluída.")).toBeVisible();
    await expect(row).toBeHidden();
  });

  test(`a line is made with every field; what is wrong comes to the front, at ${width} px (W-02, Q-10, B-05)`, async ({
    at,
    admin,
  }) => {
    const [one, two] = [uniqueName("Vendas"), uniqueName("Pós-venda")];
    const oneId = await createQueue(admin, one, width === 360 ? "#116655" : "#116644");
    const twoId = await createQueue(admin, two, width === 360 ? "#665511" : "#664411");
    const known = await connectLine(admin, uniqueName("Linha conhecida"));
    const page = await at(await createUser(admin, uniqueName("Rui"), { profile: "admin" }), { width });
    const name = uniqueName("Linha completa");
    await page.goto("/connections");
    await page.getByRole("button", { name: "Nova conexão" }).click();
    const form = page.getByRole("dialog", { name: "Nova conexão" });
    const tab = (label: string) => form.getByRole("tab", { name: label }).click();
    const save = () => form.getByRole("button", { name: "Salvar" }).click();
    await form.getByRole("textbox", { name: "Nome" }).fill(known.name);
    await choose(form.getByRole("combobox", { name: "Tipo" }), /Simulador/);
    await choose(form.getByRole("combobox", { name: "Idioma" }), "Español");
    await form.getByRole("checkbox", { name: two }).check();
    await form.getByRole("checkbox", { name: one }).check();
    await form.getByRole("textbox", { name: "Token da API" }).fill(`segredo-${width}`);
    await tab("Robô e tempos");
    await save();

    await expect(form.getByText("A mensagem de saudação é obrigatória quando há mais de uma fila.")).toBeVisible();
    const greeting = form.getByRole("textbox", { name: "Mensagem de saudação" });
    await greeting.fill("Bem-vindo, {{nme}}! {{cupom}}");
    await expect(form.getByText("{{cupom}} não é uma variável.")).toBeVisible();
    await form.getByRole("button", { name: "Usar {{name}}" }).click();
    await expect(greeting).toBeFocused();
    await expect(greeting).toHaveValue("Bem-vindo, {{name}}! {{cupom}}");
    await expect(form.getByRole("button", { name: /^Usar/ })).toHaveCount(0);
    await greeting.fill("Bem-vindo, !");
    await insertVariable(page, form, "Mensagem de saudação", "Primeiro nome");
    await form.getByRole("textbox", { name: "Mensagem de conclusão" }).fill("Até logo!");
    await form.getByRole("textbox", { name: "Mensagem fora do expediente" }).fill("Voltamos às 8h.");
    await form.getByRole("textbox", { name: "Mensagem de avaliação" }).fill("De 1 a 3?");
    await form.getByRole("textbox", { name: "Mensagem ao encerrar por inatividade" }).fill("Encerramos por aqui.");
    await tab("Robô e tempos");
    await expect(form.getByRole("textbox", { name: "Repetições do menu" })).toHaveValue("3");
    await expect(form.getByRole("textbox", { name: "Silêncio entre menus" })).toHaveValue("0");
    await choose(form.getByRole("combobox", { name: "Transferir para a fila" }), one);
    await form.getByRole("textbox", { name: "Transferir depois de (minutos)" }).fill("15");
    await form.getByRole("textbox", { name: "Encerrar conversa parada" }).fill("90");
    await form.getByRole("textbox", { name: "Repetições do menu" }).fill("5");
    await form.getByRole("textbox", { name: "Silêncio entre menus" }).fill("2");
    await save();
    await expect(form.getByText("Já existe uma conexão com esse nome.")).toBeVisible();
    await form.getByRole("textbox", { name: "Nome" }).fill(name);
    await save();
    await expect(page.getByRole("img", { name: "QR Code para conectar" })).toBeVisible();

    const all = await admin.call(connections.list, {});
    const made = all.find((line) => line.name === name);
    expect(made).toMatchObject({
      provider: "simulator",
      language: "es",
      hasToken: true,
      isDefault: false,
      greetingMessage: "Bem-vindo, {{firstName}}!",
      complationMessage: "Até logo!",
      outOfHoursMessage: "Voltamos às 8h.",
      ratingMessage: "De 1 a 3?",
      expiresInactiveMessage: "Encerramos por aqui.",
      transferQueueId: oneId,
      timeToTransfer: 15,
      expiresTicket: 90,
      maxUseBotQueues: 5,
      timeUseBotQueues: 2,
    });
    expect(made?.queues.map(({ id }) => id)).toEqual([twoId, oneId]);

    await page.keyboard.press("Escape");
    const row = page.getByRole("row").filter({ hasText: name });
    await row.hover();
    await row.getByRole("button", { name: "Excluir conexão" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Excluir" }).click();
    await expect(row).toBeHidden();
  });
}

test("the default line cannot be given up, only handed on (W-02, W-11)", async ({ at, admin }) => {
  const page = await at(await createUser(admin, uniqueName("Lia"), { profile: "admin" }));
  await page.goto("/connections");
  const first = page.getByRole("row").filter({ has: page.getByRole("img", { name: "Sim" }) });
  await first.hover();
  await first.getByRole("button", { name: "Editar conexão" }).click();
  const form = page.getByRole("dialog", { name: "Editar conexão" });
  await form.getByRole("switch", { name: /Conexão padrão/ }).click();
  await form.getByRole("button", { name: "Salvar" }).click();
  await expect(form.getByText("É preciso haver ao menos uma conexão padrão.")).toBeVisible();
});

/**
 * Puts a variable into a text by keyboard, where the cursor stands: before the first "!" (B-05). The cursor then stands
 * behind it.
 */
async function insertVariable(page: Page, form: Locator, field: string, variable: string): Promise<void> {
  const text = form.getByRole("textbox", { name: field });
  const before = await text.inputValue();
  const at = before.indexOf("!");
  await text.evaluate((area: HTMLTextAreaElement, cursor) => area.setSelectionRange(cursor, cursor), at);
  await text.focus();
  await form
    .getByRole("group", { name: `Inserir em: ${field}` })
    .getByRole("button", { name: "Variáveis" })
    .press("Enter");
  const item = page.getByRole("menuitem", { name: variable });
  await expect(page.getByRole("menuitem", { name: "Primeiro nome" })).toBeFocused();
  while (!(await item.evaluate((one) => one === document.activeElement))) {
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await expect(text).toBeFocused();
  const token = (await text.inputValue()).slice(at, (await text.inputValue()).length - (before.length - at));
  expect(token).toMatch(/^\{\{\w+\}\}$/);
  expect(await text.evaluate((area: HTMLTextAreaElement) => area.selectionStart)).toBe(at + token.length);
}

/** The dialog of an option, filled in and saved; with a picture of this name where one is given. */
async function fillOption(page: Page, title: string, message: string, picture?: string): Promise<void> {
  const form = page.getByRole("dialog", { name: "Nova opção" });
  await form.getByRole("textbox", { name: "Título" }).fill(title);
  await form.getByRole("textbox", { name: "Mensagem" }).fill(message);
  if (picture !== undefined) {
    const chosen = page.waitForEvent("filechooser");
    await form.getByRole("button", { name: "Anexar arquivo" }).click();
    await (await chosen).setFiles({ name: picture, mimeType: "image/png", buffer: onePixel });
  }
  await form.getByRole("button", { name: "Salvar" }).click();
  await expect(form).toBeHidden();
}

async function belowOf(menu: Locator, page: Page, title: string): Promise<void> {
  await menu.getByRole("button", { name: `Ações de ${title}` }).click();
  await page.getByRole("menuitem", { name: "Nova opção abaixo desta" }).click();
}

const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
