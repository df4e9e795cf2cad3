/** Campaigns: written beside a preview, sent live, stopped, restarted, reported; their pace and variables. */
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { campaigns, campaignSettings, fileLists, tags } from "@prosa/contract";
import {
  addCustomer,
  connectLine,
  createUser,
  photo,
  ticketOf,
  uniqueName,
  type ApiClient,
  type Customer,
} from "./support/api.ts";
import { accessibilityViolations } from "./support/axe.ts";
import { findCrampedControls, findSmallTargets } from "./support/controls.ts";
import { choose, typeWhen } from "./support/fields.ts";
import { expect, test } from "./support/journey.ts";
import { loseAnswer } from "./support/lost-answers.ts";
import { findOverflow, resize } from "./support/sweep.ts";

const WIDTHS = [360, 768, 1366, 1920];

/** A company with a line and so many customers who wrote and have the tag "VIP". */
async function anAudience(admin: ApiClient, size: number) {
  const line = await connectLine(admin, uniqueName("Linha"));
  const tag = await admin.call(tags.create, { body: { name: "VIP", color: "#1f7ae0", kanban: 0 } });
  const customers = [];
  for (let index = 0; index < size; index += 1) {
    const customer = await addCustomer(admin, line, uniqueName("Cliente"));
    await customer.says("Oi");
    const { id: ticketId } = await ticketOf(admin, customer.name);
    await admin.call(tags.sync, { body: { ticketId, tags: [{ id: tag.id, name: tag.name }] } });
    customers.push(customer);
  }
  return { line, tag, customers };
}

const pace = (admin: ApiClient, messageInterval: number) =>
  admin.call(campaignSettings.save, { body: { settings: { messageInterval, longerIntervalAfter: 0 } } });

const preview = (dialog: Locator) => dialog.getByRole("region", { name: "Prévia" });

const contactDrawer = (page: Page) => page.getByRole("complementary", { name: "Dados do contato" });

async function openNew(page: Page, name: string): Promise<Locator> {
  await page.goto("/campaigns");
  await page.getByRole("main").getByRole("button", { name: "Nova campanha" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Nova campanha" });
  await dialog.getByRole("textbox", { name: "Nome" }).fill(name);
  return dialog;
}

test("a campaign is written beside its preview, sent, stopped, restarted and reported (K-03, K-04, K-07)", async ({
  alone,
  at,
}) => {
  const { customers } = await anAudience(alone, 3);
  await pace(alone, 20);
  await alone.call(campaignSettings.save, { body: { settings: { variables: [{ key: "cupom", value: "NATAL10" }] } } });
  const page = await at(await createUser(alone, uniqueName("Dona"), { profile: "admin" }));
  const name = uniqueName("Natal");

  const dialog = await openNew(page, name);
  await dialog.getByRole("button", { name: "Etiqueta" }).click();
  await choose(dialog.getByRole("combobox", { name: "Etiqueta" }), "VIP");
  await expect(dialog.getByText("até 3 contatos")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Texto da mensagem 1" }).fill("Oi {nome}, use *{cupom}* {cupon}");
  await expect(preview(dialog)).toContainText(/Oi Cliente \d+, use NATAL10 \{cupon\}/);
  await dialog.getByRole("button", { name: "Usar {cupom}" }).click();
  await expect(preview(dialog)).toContainText(/use NATAL10 NATAL10/);
  await dialog.getByRole("tab", { name: "Texto 2" }).click();
  await dialog.getByRole("textbox", { name: "Texto da mensagem 2" }).fill("Olá {nome}!");
  const first = await preview(dialog).locator("header b").innerText();
  await preview(dialog).getByRole("button", { name: "Próximo contato" }).click();
  await expect(preview(dialog).locator("header b")).not.toHaveText(first);
  await preview(dialog).getByRole("button", { name: "Texto anterior" }).click();
  await expect(dialog.getByRole("textbox", { name: "Texto da mensagem 1" })).toHaveValue(/use \*\{cupom\}\*/);

  await dialog.getByRole("button", { name: "Enviar agora" }).first().click();
  await dialog.getByRole("button", { name: "Enviar agora" }).last().click();
  const question = page.getByRole("alertdialog", { name: "Enviar agora?" });
  await expect(question).toContainText("até 3 contatos");
  await question.getByRole("button", { name: "Enviar agora" }).click();
  await expect(page.getByText("Campanha iniciada")).toBeVisible();

  const row = page.getByRole("row", { name: new RegExp(name) });
  await expect(row).toContainText("Em Andamento");
  await expect(row).toContainText(/\d de 3/);
  await row.hover();
  await row.getByRole("button", { name: `Parar ${name}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Parar" }).click();
  await expect(page.getByText("Campanha cancelada")).toBeVisible();
  await expect(row).toContainText("Cancelada");

  await pace(alone, 0);
  await row.getByRole("button", { name: `Relatório de ${name}` }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "Reiniciar" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Reiniciar" }).click();
  await expect(page.getByText("Campanha reiniciada")).toBeVisible();
  await expect(page.getByText(/de 3 contatos válidos/)).toBeVisible();

  await page.getByRole("tab", { name: "Contatos" }).click();
  await expect(page.getByRole("row", { name: new RegExp(customers[0]!.name) })).toBeVisible();
  await choose(page.getByRole("combobox", { name: "Filtrar por resultado" }), "Falhou");
  await expect(page.getByText("Nenhum contato com este resultado")).toBeVisible();
  for (const format of ["CSV", "Excel"]) {
    await page.getByRole("button", { name: "Exportar" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: `Planilha ${format}` }).click(),
    ]);
    const file = await readFile(await download.path());
    expect(format === "CSV" ? file.toString().includes(customers[1]!.number) : file.subarray(0, 2).toString()).toBe(
      format === "CSV" ? true : "PK",
    );
  }
});

test("a campaign with a confirmation and files runs live until it is finished, and who wants none says so (K-04, K-06, O-07, P-02)", async ({
  alone,
  at,
}) => {
  const { line, tag, customers } = await anAudience(alone, 3);
  const [agrees, leaves, isTakenOff] = customers as [Customer, Customer, Customer];
  await pace(alone, 0);
  const list = await alone.call(fileLists.create, {
    body: { name: "Catálogo", message: "Veja também:", options: [{ name: "A vitrine" }] },
  });
  const form = new FormData();
  form.set("files", new Blob([await readFile(photo)], { type: "image/jpeg" }), "vitrine.jpg");
  await alone.call(fileLists.upload, { params: { id: list.id }, form });
  const page = await at(await createUser(alone, uniqueName("Dona"), { profile: "admin" }));

  await test.step("an agent takes a contact off, with a note", async () => {
    await page.goto(`/tickets/${(await ticketOf(alone, isTakenOff.name)).uuid}`);
    await contactDrawer(page).getByRole("button", { name: "Parar campanhas" }).click();
    const question = page.getByRole("dialog", { name: "Parar campanhas para este contato?" });
    await question.getByRole("textbox", { name: /^Observação/ }).fill("Pediu por telefone");
    await question.getByRole("button", { name: "Parar", exact: true }).click();
    await expect(contactDrawer(page).getByText(/^Não recebe campanhas desde .*, por Dona/)).toBeVisible();
    await expect(contactDrawer(page).getByText("Observação: Pediu por telefone")).toBeVisible();
  });

  const name = uniqueName("Natal");
  const { id } = await alone.call(campaigns.create, {
    body: {
      name,
      confirmation: true,
      confirmationMessage1: "Posso mandar as novidades, {nome}?",
      message1: "Chegou a coleção de {cidade}Natal",
      tagListId: tag.id,
      fileListId: list.id,
      whatsappIds: [line.id],
      scheduledAt: new Date().toISOString(),
    },
  });
  await page.goto(`/campaign/${id}/report`);
  await expect(page.getByText("Em Andamento").first()).toBeVisible();
  const asked = ({ sees }: Customer) =>
    expect.poll(async () => (await sees()).some(({ text }) => text.startsWith("Posso mandar"))).toBe(true);
  await asked(agrees);
  await asked(leaves);
  await agrees.says("Sim");
  await leaves.says("SAIR");

  // Nobody reloads the page.
  await expect(page.getByText("Finalizada").first()).toBeVisible({ timeout: 60_000 });
  const heard = async () => (await agrees.sees()).filter(({ fromMe }) => !fromMe).map(({ text }) => text);
  await expect.poll(heard).toEqual(expect.arrayContaining(["Chegou a coleção de {cidade}Natal", "Veja também:"]));
  expect((await agrees.sees()).filter(({ kind }) => kind === "image")).toHaveLength(1);
  expect((await isTakenOff.sees()).some(({ text }) => text.startsWith("Posso"))).toBe(false);

  await page.goto(`/tickets/${(await ticketOf(alone, leaves.name)).uuid}`);
  await expect(contactDrawer(page).getByText(/^Não recebe campanhas desde .*, por “sair”/i)).toBeVisible();
});

test("a scheduled campaign says what is missing, is edited, duplicated and deleted (K-03)", async ({ alone, at }) => {
  await anAudience(alone, 1);
  const page = await at(await createUser(alone, uniqueName("Dona"), { profile: "admin" }));
  const name = uniqueName("Aviso");
  const dialog = await openNew(page, name);
  await dialog.getByRole("button", { name: "Etiqueta" }).click();
  await dialog.getByRole("button", { name: "Programar" }).first().click();
  await typeWhen(dialog.getByRole("textbox", { name: "Data e hora" }), "amanhã 9h");
  await dialog.getByRole("button", { name: "Programar" }).last().click();
  await expect(dialog.getByRole("alert").first()).toBeVisible();
  await expect(dialog.getByText("Escreva ao menos uma mensagem ou anexe um arquivo")).toBeVisible();

  await choose(dialog.getByRole("combobox", { name: "Etiqueta" }), "VIP");
  await dialog.getByRole("textbox", { name: "Texto da mensagem 1" }).fill("Amanhã abrimos às 10h");
  await dialog.getByRole("button", { name: "Programar" }).last().click();
  await expect(page.getByText("Campanha programada")).toBeVisible();

  const row = page.getByRole("row", { name: new RegExp(`Editar ${name}`) });
  await expect(row).toContainText("Programada");
  await row.click();
  const edited = page.getByRole("dialog", { name: "Editar campanha" });
  await edited.getByRole("textbox", { name: "Nome" }).fill(`${name} B`);
  await edited.getByRole("button", { name: "Programar" }).last().click();
  await expect(page.getByText("Campanha programada")).toBeVisible();
  const renamed = page.getByRole("row", { name: new RegExp(`Editar ${name} B`) });
  await renamed.hover();
  await renamed.getByRole("button", { name: /^Mais ações/ }).click();
  await page.getByRole("menuitem", { name: "Duplicar" }).click();
  await expect(page.getByText("Campanha duplicada como inativa")).toBeVisible();
  await expect(page.getByText("Inativa", { exact: true })).toBeVisible();
  await renamed.last().hover();
  await renamed
    .last()
    .getByRole("button", { name: /^Mais ações/ })
    .click();
  await page.getByRole("menuitem", { name: "Excluir" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Excluir" }).click();
  await expect(page.getByText("Campanha excluída")).toBeVisible();
});

test("a campaign whose answer was lost starts once, and the form sends what was changed in it (K-03, K-04, U-02)", async ({
  alone,
  at,
}) => {
  const { line, tag } = await anAudience(alone, 1);
  await pace(alone, 0);
  const page = await at(await createUser(alone, uniqueName("Dona"), { profile: "admin" }));
  const named = async (name: string) => (await alone.call(campaigns.list, { query: { searchParam: name } })).records;

  const name = uniqueName("Natal");
  const dialog = await openNew(page, name);
  await dialog.getByRole("button", { name: "Etiqueta" }).click();
  await choose(dialog.getByRole("combobox", { name: "Etiqueta" }), "VIP");
  await dialog.getByRole("textbox", { name: "Texto da mensagem 1" }).fill("Só hoje!");
  await dialog.getByRole("button", { name: "Enviar agora" }).first().click();
  const send = async () => {
    await dialog.getByRole("button", { name: "Enviar agora" }).last().click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Enviar agora" }).click();
  };
  const created = await loseAnswer(page, "POST", /\/campaigns$/u);
  await send();
  await expect.poll(created).toBe(1);
  await expect(dialog.getByRole("button", { name: "Enviar agora" }).last()).toBeEnabled();
  expect(await named(name)).toMatchObject([{ status: "INATIVA" }]);
  // So is the answer to the request that gives it its time: it starts, and can be changed no more.
  const started = await loseAnswer(page, "PUT", /\/campaigns\/\d+$/u);
  await send();
  await expect.poll(started).toBe(1);
  await expect(dialog.getByRole("button", { name: "Enviar agora" }).last()).toBeEnabled();
  expect(await named(name)).not.toMatchObject([{ status: "INATIVA" }]);
  await send();
  await expect(page.getByText("Campanha iniciada")).toBeVisible();
  await expect.poll(async () => (await named(name)).map(({ status }) => status)).toEqual(["FINALIZADA"]);

  const inTwoDays = new Date(Math.floor(Date.now() / 60_000) * 60_000 + 2 * 86_400_000).toISOString();
  const draft = { name: uniqueName("Aviso"), message1: "Oi", tagListId: tag.id, whatsappId: line.id };
  const { id } = await alone.call(campaigns.create, { body: draft });
  const params = { id };
  await page.goto("/campaigns");
  await page.getByRole("row", { name: new RegExp(`Editar ${draft.name}`) }).click();
  const edited = page.getByRole("dialog", { name: "Editar campanha" });
  await expect(edited.getByRole("textbox", { name: "Nome" })).toHaveValue(draft.name);
  await alone.call(campaigns.update, { params, body: { scheduledAt: inTwoDays, message2: "Olá" } });
  await edited.getByRole("textbox", { name: "Texto da mensagem 1" }).fill("Oi, {nome}");
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === "PUT" && one.url().endsWith(`/campaigns/${id}`)),
    edited.getByRole("button", { name: "Salvar" }).click(),
  ]);
  expect(request.postDataJSON()).toEqual({ message1: "Oi, {nome}" });
  await expect(edited).toBeHidden();
  const saved = await alone.call(campaigns.get, { params });
  expect(saved).toMatchObject({
    status: "PROGRAMADA",
    scheduledAt: inTwoDays,
    message1: "Oi, {nome}",
    message2: "Olá",
  });
});

test("a schedule that is taken back after its answer was lost is taken back on the server, and so are settings (K-03, K-04, K-08)", async ({
  alone,
  at,
}) => {
  const { line, tag } = await anAudience(alone, 1);
  const draft = { name: uniqueName("Aviso"), message1: "Oi", tagListId: tag.id, whatsappId: line.id };
  const { id } = await alone.call(campaigns.create, { body: draft });
  const page = await at(await createUser(alone, uniqueName("Dona"), { profile: "admin" }));
  await page.goto("/campaigns");
  await page.getByRole("row", { name: new RegExp(`Editar ${draft.name}`) }).click();
  const dialog = page.getByRole("dialog", { name: "Editar campanha" });
  const choice = (name: string) => dialog.getByRole("group", { name: "Quando" }).getByRole("button", { name });
  const stored = () => alone.call(campaigns.get, { params: { id } });
  await choice("Programar").click();
  await dialog.getByRole("textbox", { name: "Texto da mensagem 1" }).fill("Só hoje!");
  const lost = await loseAnswer(page, "PUT", /\/campaigns\/\d+$/u);
  await dialog.getByRole("button", { name: "Programar" }).last().click();
  await expect.poll(lost).toBe(1);
  await expect(dialog.getByRole("button", { name: "Programar" }).last()).toBeEnabled();
  expect(await stored()).toMatchObject({ status: "PROGRAMADA", message1: "Só hoje!" });

  await choice("Ainda não enviar").click();
  await dialog.getByRole("textbox", { name: "Texto da mensagem 1" }).fill("Oi");
  await dialog.getByRole("button", { name: "Salvar" }).click();
  await expect(page.getByText("Campanha salva com sucesso")).toBeVisible();
  expect(await stored()).toMatchObject({ status: "INATIVA", scheduledAt: null, message1: "Oi" });

  await page.goto("/campaigns-config");
  const interval = page.getByRole("combobox", { name: "Intervalo entre mensagens" });
  const before = await interval.textContent();
  await choose(interval, "10 segundos");
  const save = page.getByRole("main").getByRole("button", { name: "Salvar" }).first();
  const paceLost = await loseAnswer(page, "POST", /\/campaign-settings$/u);
  await save.click();
  await expect.poll(paceLost).toBe(1);
  await choose(interval, before ?? "");
  await save.click();
  const isTenStored = async () =>
    (await alone.call(campaignSettings.list, {})).find(({ key }) => key === "messageInterval")?.value === "10";
  await expect.poll(isTenStored).toBe(false);
});

test("pace and variables are saved, and a key is there once (K-08)", async ({ alone, at }) => {
  const page = await at(await createUser(alone, uniqueName("Dona"), { profile: "admin" }));
  await page.goto("/campaigns-config");
  await choose(page.getByRole("combobox", { name: "Intervalo entre mensagens" }), "10 segundos");
  await choose(page.getByRole("combobox", { name: "Intervalo maior após" }), "Nunca");
  await expect(page.getByText("1.000 contatos por uma conexão levam cerca de 2 h 45 min")).toBeVisible();
  const add = async (key: string, value: string) => {
    await page.getByRole("textbox", { name: "Atalho" }).fill(key);
    await page.getByRole("textbox", { name: "Valor", exact: true }).fill(value);
    await page.getByRole("button", { name: "Adicionar" }).click();
  };
  await add("{cupom}", "NATAL10");
  await add("Cupom", "OUTRO");
  await expect(page.getByText("Este atalho já existe")).toBeVisible();
  // the first: below it are the rules of the lines
  await page.getByRole("button", { name: "Salvar" }).first().click();
  await expect(page.getByText("Configurações salvas")).toBeVisible();

  await page.reload();
  await expect(page.getByRole("textbox", { name: "Valor de cupom" })).toHaveValue("NATAL10");
  await expect(page.getByRole("combobox", { name: "Intervalo entre mensagens" })).toHaveText("10 segundos");
});

test("the dialog and the report of a campaign have no barrier and no cramped control at any width (K-03, K-07, Z-04)", async ({
  alone,
  at,
}) => {
  const { line, tag } = await anAudience(alone, 1);
  const name = `Lançamento ${"muito ".repeat(5)}longo`.slice(0, 50);
  const { id } = await alone.call(campaigns.create, {
    body: {
      name,
      confirmation: true,
      message1: "Oi {nome}",
      message2: "Olá {nome}",
      confirmationMessage1: "Posso?",
      tagListId: tag.id,
      whatsappIds: [line.id],
    },
  });
  const person = await createUser(alone, uniqueName("Dona"), { profile: "admin" });
  const page = await at(person, { width: 1366, hasTouch: true });
  const faults: string[] = [];
  const look = async (what: string) => {
    faults.push(...(await accessibilityViolations(page, "light")).map((fault) => `${what}: ${fault}`));
    for (const width of WIDTHS) {
      faults.push(...(await findOverflow(page, width)).map((fault) => `${what}: ${fault}`));
      faults.push(...(await findCrampedControls(page)).map((fault) => `${what} at ${width}: ${fault}`));
    }
    await resize(page, 360, 780);
    faults.push(...(await findSmallTargets(page)).map((fault) => `${what}: ${fault}`));
  };

  await page.goto("/campaigns");
  await page.getByRole("row", { name: `Editar ${name}` }).click();
  await expect(preview(page.getByRole("dialog"))).toContainText("Posso?");
  await look("dialog");
  await page.goto(`/campaign/${id}/report`);
  await expect(page.getByText("Contatos válidos", { exact: true })).toBeVisible();
  await look("report");
  await page.getByRole("tab", { name: "Contatos" }).click();
  await expect(page.getByText("Ainda sem contatos")).toBeVisible();
  await look("contacts");
  expect(faults).toEqual([]);
});
