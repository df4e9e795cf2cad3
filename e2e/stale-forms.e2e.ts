/** A form that has been open for a while: it sends what was changed in it, and keeps what is typed when others change things. */
import type { Page } from "@playwright/test";
import {
  companies,
  connections,
  contacts,
  fileLists,
  knowledge,
  products,
  prompts,
  queueIntegrations,
  queues,
  quickMessages,
  scheduledMessages,
  settings,
  tags,
  users,
  webhooks,
} from "@prosa/contract";
import { createQueue, createUser, photo, uniqueName } from "./support/api.ts";
import { backInHistory } from "./support/back.ts";
import { choose } from "./support/fields.ts";
import { demo, expect, test } from "./support/journey.ts";
import { loseAnswer } from "./support/lost-answers.ts";

/** Saves the open form; what it sent. */
async function sentBy(page: Page, path: RegExp): Promise<unknown> {
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === "PUT" && path.test(new URL(one.url()).pathname)),
    page.getByRole("dialog").getByRole("button", { name: "Salvar" }).click(),
  ]);
  await expect(page.getByRole("dialog")).toBeHidden();
  return request.postDataJSON();
}

test("a form sends what was changed in it, so that what colleagues changed since it opened stays (U-02, O-06, O-07)", async ({
  at,
  alone,
}) => {
  const owner = await createUser(alone, uniqueName("Dona"), { profile: "admin" });
  const colleague = await createUser(alone, uniqueName("Igor"));
  const third = await createUser(alone, uniqueName("Nina"));
  const page = await at(owner);
  const dialog = page.getByRole("dialog");

  await page.goto("/users");
  await page.getByRole("row").filter({ hasText: colleague.name }).getByText(colleague.name).click();
  await expect(dialog.getByRole("textbox", { name: "Nome" })).toHaveValue(colleague.name);
  const params = { id: colleague.id };
  await alone.call(users.update, { params, body: { profile: "admin" } });
  const renamed = uniqueName("Igor Luz");
  await dialog.getByRole("textbox", { name: "Nome" }).fill(renamed);
  expect(await sentBy(page, /^\/users\/\d+$/u)).toEqual({ name: renamed });
  expect(await alone.call(users.get, { params })).toMatchObject({ name: renamed, profile: "admin" });

  const option = (name: string) => ({ name });
  const list = { name: uniqueName("Catálogo"), message: "Veja", options: [option("Frente")] };
  const { id } = await alone.call(fileLists.create, { body: list });
  await page.goto("/files");
  await page.getByRole("row").filter({ hasText: list.name }).getByText(list.name).click();
  await expect(dialog.getByLabel("Nome")).toHaveValue(list.name);
  await alone.call(fileLists.update, { params: { id }, body: { options: [option("Frente"), option("Verso")] } });
  const named = uniqueName("Catálogo novo");
  await dialog.getByLabel("Nome").fill(named);
  expect(await sentBy(page, /^\/files\/\d+$/u)).toEqual({ name: named });
  const { name, options } = await alone.call(fileLists.get, { params: { id } });
  expect([name, options.map((each) => each.name)]).toEqual([named, ["Frente", "Verso"]]);

  await page.goto("/chats");
  await page.getByRole("button", { name: "Nova conversa interna" }).first().click();
  await dialog.getByLabel("Título").fill("Férias");
  await dialog.getByRole("checkbox", { name: renamed }).check();
  await dialog.getByRole("button", { name: "Salvar" }).click();
  await page.getByRole("button", { name: "Editar conversa" }).click();
  await dialog.getByLabel("Título").fill("Férias e folgas");
  expect(await sentBy(page, /^\/chats\/\d+$/u)).toEqual({ title: "Férias e folgas" });
  // a colleague is deleted while the form that names them is open
  await page.getByRole("button", { name: "Editar conversa" }).click();
  await alone.call(users.remove, { params });
  await dialog.getByRole("checkbox", { name: third.name }).check();
  await sentBy(page, /^\/chats\/\d+$/u);
  await expect(page.getByText(third.name).first()).toBeVisible();
  // the palette leads to the chat that there is with a colleague
  await page.goto(`/chats?with=${third.id}`);
  await expect(page.getByRole("heading", { name: "Férias e folgas" })).toBeVisible();
  // nobody else is left in it: its title can be changed all the same
  await alone.call(users.remove, { params: { id: third.id } });
  await page.reload();
  await page.getByRole("button", { name: "Editar conversa" }).click();
  await dialog.getByLabel("Título").fill("Folgas");
  expect(await sentBy(page, /^\/chats\/\d+$/u)).toEqual({ title: "Folgas" });
});

test("what is typed into a source of knowledge outlives the changes of others; a refused file does not become a text (O-08)", async ({
  at,
  alone,
}) => {
  const add = (name: string) => alone.call(knowledge.create, { body: { name, text: "Abrimos às 8 h." } });
  const [source, other] = [await add("Horários"), await add("Preços")];
  const page = await at(await createUser(alone, uniqueName("Dona"), { profile: "admin" }));
  const dialog = page.getByRole("dialog");
  await page.goto("/knowledge");
  await page.getByRole("row").filter({ hasText: "Horários" }).getByText("Horários").click();
  await dialog.getByRole("textbox", { name: "Texto" }).fill("Abrimos às 9 h.");
  const answered = page.waitForResponse((one) => new URL(one.url()).pathname === `/knowledge/${source.id}`);
  await alone.call(knowledge.update, { params: { id: other.id }, body: { name: "Tabela" } });
  await answered;
  await expect(page.getByRole("row", { includeHidden: true }).filter({ hasText: "Tabela" })).toHaveCount(1);
  await expect(dialog.getByRole("textbox", { name: "Texto" })).toHaveValue("Abrimos às 9 h.");
  expect(await sentBy(page, /^\/knowledge\/\d+$/u)).toEqual({ text: "Abrimos às 9 h." });

  await page.getByRole("button", { name: "Nova fonte" }).first().click();
  await dialog.getByLabel("Nome").fill("Fotos");
  await choose(dialog.getByRole("combobox", { name: "Tipo" }), "Arquivo");
  const file = page.getByTestId("knowledge-file");
  await file.setInputFiles({ name: "foto.pdf", mimeType: "application/pdf", buffer: Buffer.from([0xff, 0xd8, 0xff]) });
  await dialog.getByRole("button", { name: "Salvar" }).click();
  await expect(dialog.getByText("Este tipo de arquivo não é aceito.")).toBeVisible();
  await expect(dialog.getByRole("combobox", { name: "Tipo" })).toBeDisabled();
  await file.setInputFiles({ name: "fotos.txt", mimeType: "text/plain", buffer: Buffer.from("Fotos do salão.") });
  await sentBy(page, /^\/knowledge\/\d+$/u);
  await expect(page.getByRole("row").filter({ hasText: "Fotos" })).toContainText("1 trecho");
});

test("a form closes when it is saved, before the lists come again, and keeps what a colleague added to a contact (C-02)", async ({
  at,
  alone,
}) => {
  const [cpf, city] = [
    { name: "CPF", value: "1" },
    { name: "Cidade", value: "Recife" },
  ];
  const { id } = await alone.call(contacts.create, { body: { name: "Freguesa", number: "5511987650003" } });
  const page = await at(await createUser(alone, uniqueName("Dona"), { profile: "admin" }));
  const dialog = page.getByRole("dialog");
  const open = () => page.getByRole("row").filter({ hasText: "Freguesa" }).getByText("Freguesa").first().click();
  await page.goto("/contacts");
  await open();
  await alone.call(contacts.update, { params: { id }, body: { extraInfo: [cpf] } });
  await dialog.getByRole("button", { name: "Adicionar informação" }).click();
  await dialog.getByLabel("Campo").fill(city.name);
  await dialog.getByLabel("Valor").fill(city.value);
  await page.route(
    (url) => url.pathname === "/contacts",
    () => new Promise<void>(() => undefined),
  );
  expect(await sentBy(page, /^\/contacts\/\d+$/u)).toEqual({ extraInfo: [city], knownExtraInfo: [] });
  expect((await alone.call(contacts.get, { params: { id } })).extraInfo).toEqual([city, cpf]);
  await open();
  await expect(dialog.getByLabel("Campo")).toHaveCount(2);
});

test("the events of a webhook that a colleague ticks and unticks while its form is open stay so beside one's own (V-06)", async ({
  at,
  alone,
}) => {
  const url = "https://loja.example/in";
  const events = ["message.created", "ticket.created"] as const;
  const { id } = await alone.call(webhooks.create, { body: { url, events: [...events] } });
  const page = await at(await createUser(alone, uniqueName("Dona"), { profile: "admin" }));
  const dialog = page.getByRole("dialog");
  await page.goto("/settings?tab=webhooks");
  await page.getByRole("row").filter({ hasText: url }).getByText(url).first().click();
  await expect(dialog.getByRole("checkbox", { name: "Conversa nova" })).toBeChecked();
  const [listed] = await Promise.all([
    page.waitForResponse((answer) => new URL(answer.url()).pathname === "/webhooks"),
    alone.call(webhooks.update, { params: { id }, body: { events: ["message.created", "contact.deleted"] } }),
  ]);
  await listed.finished();
  await dialog.getByRole("checkbox", { name: "Contato novo" }).check();
  const kept = ["message.created", "contact.created", "contact.deleted"];
  expect(await sentBy(page, /^\/webhooks\/\d+$/u)).toEqual({ events: kept });
  expect((await alone.call(webhooks.get, { params: { id } })).events.toSorted()).toEqual(kept.toSorted());
});

test("the operator's forms send what was changed; a due date goes with the word of the trial, which it would end (Y-01, Y-02)", async ({
  at,
}) => {
  const page = await at(demo.operator);
  const dialog = page.getByRole("dialog");
  await page.goto("/settings?tab=plans");
  await page.getByRole("row").filter({ hasText: "Completo" }).getByText("Completo").click();
  await dialog.getByLabel("Usuários").fill("9999");
  expect(await sentBy(page, /^\/plans\/\d+$/u)).toEqual({ users: "9999" });

  await page.getByRole("tab", { name: "Empresas" }).click();
  const row = page.getByRole("row").filter({ hasText: "@prosa.demo" }).first();
  const open = () => row.locator("> *").first().click();
  await open();
  await dialog.getByLabel("Telefone").fill("81 3333-4444");
  expect(await sentBy(page, /^\/companies\/\d+$/u)).toEqual({ phone: "81 3333-4444" });
  await open();
  await dialog.getByLabel("Vencimento").fill("2031-11-30");
  expect(await sentBy(page, /^\/companies\/\d+$/u)).toEqual({ dueDate: "2031-11-30", isTrial: false });
});

test("the forms of a company's records send what was changed in them (C-02, O-01, O-04, O-08, O-09, O-10, Q-01, V-06, W-02)", async ({
  at,
  alone,
}) => {
  const queueId = await createQueue(alone, "Balcão", "#123456");
  const hook = { type: "webhook", urlN8N: "https://hook.example/a" } as const;
  await alone.call(tags.create, { body: { name: "Etiqueta" } });
  await alone.call(products.create, { body: { name: "Produto" } });
  await alone.call(quickMessages.create, { body: { shortcode: "resposta", message: "Oi", geral: true } });
  await alone.call(connections.create, { body: { name: "Linha", provider: "simulator" } });
  await alone.call(prompts.create, { body: { name: "Agente", prompt: "Responda.", queueId } });
  await alone.call(queueIntegrations.create, { body: { name: "Gancho", ...hook } });
  await alone.call(contacts.create, { body: { name: "Freguesa", number: "5511987650002" } });
  const endpoint = {
    url: "https://loja.example/in",
    description: "Loja virtual",
    events: ["message.created" as const],
  };
  await alone.call(webhooks.create, { body: endpoint });
  const page = await at(await createUser(alone, uniqueName("Dona"), { profile: "admin" }));
  const dialog = page.getByRole("dialog");
  const forms = [
    ["/tags", "Etiqueta", "Nome", "name"],
    ["/products", "Produto", "Nome", "name"],
    ["/quick-messages", "resposta", "Mensagem", "message"],
    ["/queues", "Balcão", "Nome", "name"],
    ["/connections", "Linha", "Nome", "name"],
    ["/prompts", "Agente", "Nome", "name"],
    ["/queue-integration", "Gancho", "Nome", "name"],
    ["/contacts", "Freguesa", "Nome", "name"],
    ["/settings?tab=webhooks", "Loja virtual", "Descrição · opcional", "description"],
  ] as const;
  for (const [path, name, label, field] of forms) {
    await page.goto(path);
    const row = page.getByRole("row").filter({ hasText: name });
    await (
      path === "/connections" ? row.getByRole("button", { name: "Editar conexão" }) : row.getByText(name).first()
    ).click();
    const input = dialog.getByRole("textbox", { name: label, exact: true });
    await expect(input).not.toHaveValue("");
    await input.fill("Outra coisa");
    expect([path, await sentBy(page, /\/\d+$/u)]).toEqual([path, { [field]: "Outra coisa" }]);
  }
});

test("what is put back after a lost answer is put back on the server, and asked for before the form is left (U-02, O-01, Q-01, V-06)", async ({
  at,
  alone,
}) => {
  const quick = await alone.call(quickMessages.create, { body: { shortcode: "saudacao", message: "Oi", geral: true } });
  const endpoint = { url: "https://loja.example/in", description: "Loja", events: ["message.created" as const] };
  const hook = await alone.call(webhooks.create, { body: endpoint });
  await alone.call(settings.save, { params: { key: "scheduleType" }, body: { value: "queue" } });
  const queueId = await createQueue(alone, "Balcão", "#123456");
  const page = await at(await createUser(alone, uniqueName("Dona"), { profile: "admin" }));
  const dialog = page.getByRole("dialog");
  const save = dialog.getByRole("button", { name: "Salvar" });
  const failOnce = async (method: "POST" | "PUT", path: RegExp) => {
    const lost = await loseAnswer(page, method, path);
    await save.click();
    await expect.poll(lost).toBe(1);
    await expect(save).toBeEnabled();
  };

  await page.goto("/quick-messages");
  await page.getByRole("row").filter({ hasText: "saudacao" }).getByText("saudacao").first().click();
  const message = dialog.getByRole("textbox", { name: "Mensagem" });
  await message.fill("Volto logo");
  await page.getByTestId("quick-message-file").setInputFiles(photo);
  await failOnce("POST", /\/quick-messages\/\d+\/media-upload$/u);
  await message.fill("Oi");
  await dialog.getByRole("button", { name: /^Tirar o anexo/ }).click();
  await dialog.getByRole("button", { name: "Cancelar" }).click();
  const question = page.getByRole("alertdialog", { name: "Descartar as alterações?" });
  await question.getByRole("button", { name: "Cancelar" }).click();
  expect(await sentBy(page, /^\/quick-messages\/\d+$/u)).toEqual({ message: "Oi" });
  const stored = await alone.call(quickMessages.get, { params: { id: quick.id } });
  expect(stored).toMatchObject({ message: "Oi", mediaName: null });

  const list = { name: "Catálogo", message: "Veja", options: [{ name: "Frente" }] };
  const { id } = await alone.call(fileLists.create, { body: list });
  const captions = async () => (await alone.call(fileLists.get, { params: { id } })).options.map(({ name }) => name);
  await page.goto("/files");
  for (const isTakenOff of [true, false]) {
    await page.getByRole("row").filter({ hasText: "Catálogo" }).getByText("Catálogo").click();
    await dialog.locator("input[type=file]").first().setInputFiles(photo);
    await dialog.getByRole("textbox", { name: "Legenda do arquivo 2" }).fill("Foto");
    await failOnce("PUT", /^\/files\/\d+$/u);
    expect(await captions()).toEqual(["Frente", "Foto"]);
    if (isTakenOff) {
      await dialog.getByRole("button", { name: /^Tirar foto/u }).click();
    }
    await sentBy(page, /^\/files\/\d+$/u);
    expect(await captions()).toEqual(isTakenOff ? ["Frente"] : ["Frente", "Foto"]);
  }

  await page.goto("/settings?tab=webhooks");
  await page.getByRole("row").filter({ hasText: "Loja" }).getByText("Loja").first().click();
  const isActive = dialog.getByRole("switch", { name: "Ativo" });
  await isActive.click();
  await failOnce("PUT", /\/webhooks\/\d+$/u);
  await isActive.click();
  expect(await sentBy(page, /^\/webhooks\/\d+$/u)).toEqual({ isActive: true });
  expect(await alone.call(webhooks.get, { params: { id: hook.id } })).toMatchObject({ isActive: true });

  await page.goto("/queues");
  await page.getByRole("row").filter({ hasText: "Balcão" }).getByText("Balcão").first().click();
  await dialog.getByRole("tab", { name: "Horários" }).click();
  const end = dialog.getByRole("combobox", { name: "Segunda-feira, primeiro período, até" });
  const typeEnd = async (text: string) => {
    await end.click();
    await end.pressSequentially(text);
    await page.keyboard.press("Tab");
  };
  const shown = await end.inputValue();
  const monday = async () => (await alone.call(queues.get, { params: { id: queueId } })).schedules[0]?.endTime;
  await typeEnd("19:00");
  await failOnce("PUT", /\/queue\/\d+$/u);
  expect(await monday()).toBe("19:00");
  await typeEnd(shown);
  await sentBy(page, /^\/queue\/\d+$/u);
  expect(await monday()).toBe(shown);
});

test("the form of a scheduled message leaves its time to whom moved it, and keeps its text in one's own words (O-03)", async ({
  at,
  alone,
}) => {
  const contact = await alone.call(contacts.create, { body: { name: uniqueName("Cliente"), number: "5511987650001" } });
  const inDays = (days: number) => new Date(Math.floor(Date.now() / 60_000) * 60_000 + days * 86_400_000).toISOString();
  const [first, second] = [inDays(0.1), inDays(3)];
  const body = { body: "Bom dia, tudo certo?", contactId: contact.id, sendAt: first };
  const { id } = await alone.call(scheduledMessages.create, { body });
  const page = await at(await createUser(alone, uniqueName("Dona"), { profile: "admin" }));
  const dialog = page.getByRole("dialog");
  await page.goto("/schedules");
  await page.getByRole("tab", { name: "Agenda" }).click();
  await page.getByText(contact.name).first().click();
  await alone.call(scheduledMessages.update, { params: { id }, body: { sendAt: second } });
  await dialog.getByRole("textbox", { name: "Mensagem" }).fill("Boa tarde, tudo certo?");
  expect(await sentBy(page, /^\/schedules\/\d+$/u)).toEqual({ body: "Boa tarde, tudo certo?" });
  expect(await alone.call(scheduledMessages.get, { params: { id } })).toMatchObject({ sendAt: second });
});

test("typed hours are asked for before they are lost, and are laid over what colleagues saved; odd input says why (G-01, G-03)", async ({
  at,
  alone,
}) => {
  await alone.call(settings.save, { params: { key: "scheduleType" }, body: { value: "company" } });
  const owner = await createUser(alone, uniqueName("Dona"), { profile: "admin" });
  const page = await at(owner);
  const { companyId } = await alone.call(users.get, { params: { id: owner.id } });
  const params = { id: companyId };
  await page.goto("/tags");
  await page.getByRole("link", { name: "Configurações", exact: true }).click();
  await page.getByRole("tab", { name: "Horários" }).click();
  const end = page.getByRole("combobox", { name: "Segunda-feira, primeiro período, até" });
  const save = page.getByRole("button", { name: "Salvar" });
  const typeEnd = async (text: string) => {
    await end.click();
    await end.pressSequentially(text);
    await page.keyboard.press("Tab");
  };
  await typeEnd("25:00");
  await expect(end).toHaveValue("25:00");
  await expect(page.getByRole("alert").filter({ hasText: "não foi entendida" })).toBeVisible();
  await expect(save).toBeDisabled();
  await typeEnd("24:00");
  await expect(end).toHaveValue("23:59");

  const question = page.getByRole("alertdialog", { name: "Descartar as alterações?" });
  const chooseOfAccount = async (name: string) => {
    await page.getByRole("button", { name: "Minha conta" }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  for (const leave of [
    () => page.getByRole("tab", { name: "Opções" }).click(),
    () => page.getByRole("link", { name: "Etiquetas" }).click(),
    () => page.getByRole("banner").getByRole("button", { name: "Recarregar" }).click(),
    () => chooseOfAccount("Tarefas"),
    () => chooseOfAccount("Sair"),
    () => backInHistory(page),
  ]) {
    await leave();
    await question.getByRole("button", { name: "Cancelar" }).click();
    await expect(question).toBeHidden();
    await expect(end).toHaveValue("23:59");
  }
  // F5, where the question is the browser's
  const asked = page.waitForEvent("dialog").then(async (browsers) => {
    await browsers.dismiss();
    return browsers.type();
  });
  await page.evaluate(() => location.reload());
  expect(await asked).toBe("beforeunload");
  await expect(end).toHaveValue("23:59");
  const week = (await alone.call(companies.get, { params })).schedules;
  const saturday = week.map((day) => (day.weekdayEn === "saturday" ? { ...day, endTime: "13:00" } : day));
  await alone.call(companies.saveSchedules, { params, body: { schedules: saturday } });
  await expect(page.getByRole("combobox", { name: "Sábado, primeiro período, até" })).toHaveValue("13:00");
  await save.click();
  await expect(page.getByText("Horários atualizados com sucesso.")).toBeVisible();
  const saved = (await alone.call(companies.get, { params })).schedules;
  expect(saved.map(({ endTime }) => endTime)).toEqual(["23:59", "18:00", "18:00", "18:00", "18:00", "13:00", "00:00"]);

  await page.getByRole("tab", { name: "Opções" }).click();
  const minutes = page.getByLabel("Voltar ao mesmo atendente (minutos)");
  const minutesSaved = () => page.waitForResponse((one) => one.url().endsWith("/settings/reopenToAgentMinutes"));
  await minutes.fill("30");
  await Promise.all([minutesSaved(), minutes.press("Enter")]);
  await minutes.fill("-5");
  await minutes.press("Tab");
  await expect(page.getByRole("alert").filter({ hasText: "De 0 a 99999 minutos" })).toBeVisible();
  await expect(minutes).toHaveValue("-5");
  await minutes.fill("");
  await Promise.all([minutesSaved(), minutes.press("Tab")]);
  await expect(minutes).toHaveValue("0");
});
