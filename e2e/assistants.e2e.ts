import type { Locator, Page } from "@playwright/test";
import { knowledge, prompts } from "@prosa/contract";
import { createModelService } from "../server/src/testing/model-service.ts";
import {
  signInToApi,
  uniqueName,
  addCustomer,
  connectLine,
  createCompany,
  createUser,
  createQueue,
} from "./support/api.ts";
import { findCrampedControls } from "./support/controls.ts";
import { accept, bubble } from "./support/desk.ts";
import { choose, optionsOf } from "./support/fields.ts";
import { demo, expect, test } from "./support/journey.ts";

/** A table with a row and its actions, at the width where it is still a table (Z-04). */
async function crampedOnTablet(page: Page): Promise<string[]> {
  const before = page.viewportSize()!;
  await page.setViewportSize({ width: 768, height: before.height });
  const faults = await findCrampedControls(page);
  await page.setViewportSize(before);
  return faults;
}

test("a prompt and an integration are made, chosen in a queue and a line, still there after a reload, and let go of one that is deleted (O-08, O-09, Q-01, W-02)", async ({
  at,
  admin,
}) => {
  // Not the line of the other journeys: what is chosen here would answer their customers.
  const line = await connectLine(admin, uniqueName("Linha"));
  const page = await at(await createUser(admin, uniqueName("Dora"), { profile: "admin" }));
  const [assistant, flow, queue] = [uniqueName("Vendedora virtual"), uniqueName("Pedidos"), uniqueName("Encomendas")];
  await createQueue(admin, queue, "#0d7a5f");

  await page.getByRole("link", { name: "Assistentes de IA" }).click();
  await page.getByRole("button", { name: "Novo assistente" }).first().click();
  const dialog = page.getByRole("dialog");
  const field = (label: string) => dialog.getByLabel(label, { exact: true });
  await expect(field("Máx. de tokens")).toHaveValue("100");
  await expect(field("Temperatura")).toHaveValue("1");
  await expect(field("Máx. de mensagens")).toHaveValue("10");
  expect(await optionsOf(field("Voz"))).toHaveLength(17);
  await expect(field("Região do serviço de voz")).toBeHidden();
  await field("Nome").fill(assistant);
  await field("Instruções").fill("Ajude o cliente a escolher um plano.");
  await field("Chave da API").fill("sk-segredo");
  await field("Endereço da API").fill("https://modelo.invalid/v1");
  await field("Tokens por mês · opcional").fill("50000");
  await save(dialog);
  await expect(dialog.getByText("Informe o setor")).toBeVisible();
  await choose(field("Fila"), "Suporte");
  // what was typed in fields that are hidden then keeps nothing from being saved
  await choose(field("Voz"), "Francisca");
  await field("Região do serviço de voz").fill("Brazil South");
  await choose(field("Voz"), "Texto, sem voz");
  await choose(field("Voz"), "Francisca");
  await expect(field("Região do serviço de voz")).toHaveValue("");
  await field("Chave do serviço de voz").fill("azure-segredo");
  await field("Região do serviço de voz").fill("brazilsouth");
  await save(dialog);
  await expect(page.getByText("Assistente salvo.")).toBeVisible();
  const row = page.getByRole("row").filter({ hasText: assistant });
  await expect(row).toContainText("Suporte");
  await expect(row).toContainText("0 de 50.000");
  expect(await crampedOnTablet(page)).toEqual([]);
  await row.hover();
  await row.getByRole("button", { name: `Testar ${assistant}` }).click();
  await field("Mensagem").fill("oi");
  await field("Mensagem").press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("Não foi possível conectar ao serviço");
  // an answer that comes after a new start belongs to the talk before
  const isRestarted = Promise.withResolvers<void>();
  await page.route("**/prompt/*/test", async (route) => {
    await isRestarted.promise;
    await route.continue();
  });
  const late = page.waitForResponse("**/prompt/*/test");
  await field("Mensagem").fill("oi");
  await field("Mensagem").press("Enter");
  await dialog.getByRole("button", { name: "Recomeçar o teste" }).click();
  isRestarted.resolve();
  await (await late).finished();
  await expect(dialog.getByRole("log").getByRole("alert")).toHaveCount(0);
  await page.unroute("**/prompt/*/test");
  await page.keyboard.press("Escape");
  await expect(row).toContainText("Não foi possível conectar ao serviço");
  await row.click();
  await expect(field("Chave da API")).toHaveValue("");
  await expect(dialog.getByText("Há uma chave guardada.", { exact: false })).toHaveCount(2);
  await expect(field("Voz")).toHaveText("Francisca");
  // a key does not go along to another region
  await field("Região do serviço de voz").fill("eastus");
  await expect(dialog.getByText("A chave guardada é do serviço de antes", { exact: false })).toHaveCount(1);
  await field("Região do serviço de voz").fill("BrazilSouth");
  await expect(dialog.getByText("Há uma chave guardada.", { exact: false })).toHaveCount(2);
  await field("Região do serviço de voz").fill("brazilsouth");
  await page.keyboard.press("Escape");

  // what assistants read, and what a question finds there
  const source = uniqueName("Trocas");
  await page.getByRole("button", { name: "Base de conhecimento" }).click();
  await page.getByRole("button", { name: "Nova fonte" }).first().click();
  await field("Nome").fill(source);
  await choose(field("Tipo"), "Arquivo");
  const text = Buffer.from("# Trocas\nDevolução em até 7 dias, com a nota.");
  await page.getByTestId("knowledge-file").setInputFiles({ name: "trocas.txt", mimeType: "text/plain", buffer: text });
  await save(dialog);
  await expect(page.getByRole("row").filter({ hasText: source })).toContainText("1 trecho");
  await page.getByRole("button", { name: "Testar a busca" }).click();
  await field("Pergunta de um cliente").fill("posso devolver?");
  await field("Pergunta de um cliente").press("Enter");
  await expect(dialog.getByText("Devolução em até 7 dias, com a nota.")).toBeVisible();
  await page.keyboard.press("Escape");

  await page.getByRole("link", { name: "Integrações" }).click();
  await page.getByRole("button", { name: "Nova integração" }).first().click();
  await field("Região").fill("São Paulo");
  await choose(field("Tipo"), "Typebot");
  await field("Nome").fill(flow);
  await save(dialog);
  await expect(dialog.getByText("Obrigatório", { exact: true })).toHaveCount(2);
  // neither the region nor the minutes keep it from being saved once they are hidden
  await field("Expira em (minutos)").fill("-5");
  await choose(field("Tipo"), "n8n");
  await field("Endereço (URL)").fill("http://192.168.0.10/webhook");
  await save(dialog);
  await expect(dialog.getByText("Endereços de redes internas não são aceitos")).toBeVisible();
  await field("Endereço (URL)").fill("https://n8n.example.com/webhook/pedidos");
  await save(dialog);
  await expect(field("Segredo")).toHaveValue(/^whsec_/);
  await page.getByRole("button", { name: "Já copiei" }).click();
  await expect(page.getByRole("row").filter({ hasText: flow })).toContainText("n8n");
  expect(await crampedOnTablet(page)).toEqual([]);
  await page.getByRole("row").filter({ hasText: flow }).hover();
  await page.getByRole("button", { name: `Testar ${flow}` }).click();
  await field("Mensagem").fill("oi");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("A integração não respondeu como esperado.");
  await page.keyboard.press("Escape");

  const ofQueue = () => openForm(page, "/queues", `Editar ${queue}`);
  const ofLine = async () => {
    await openForm(page, "/connections", "Editar conexão", line.name);
    await dialog.getByRole("tab", { name: "Robô e tempos" }).click();
  };
  for (const open of [ofQueue, ofLine]) {
    await open();
    await expect(field("Assistente de IA · opcional")).toHaveText("Nenhum");
    await choose(field("Assistente de IA · opcional"), assistant);
    await choose(field("Integração · opcional"), `${flow} (n8n)`);
    await save(dialog);
    await expect(dialog).toBeHidden();
  }
  for (const open of [ofQueue, ofLine]) {
    await page.reload();
    await open();
    await expect(field("Assistente de IA · opcional")).toHaveText(assistant);
    await expect(field("Integração · opcional")).toHaveText(`${flow} (n8n)`);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  }

  // a colleague deletes it while the queue's form is open
  await ofQueue();
  await expect(field("Assistente de IA · opcional")).toHaveText(assistant);
  const other = await at(await createUser(admin, uniqueName("Eva"), { profile: "admin" }));
  await other.goto("/prompts");
  const gone = other.getByRole("row").filter({ hasText: assistant });
  await gone.hover();
  await gone.getByRole("button", { name: "Excluir" }).click();
  await other.getByRole("alertdialog").getByRole("button", { name: "Excluir" }).click();
  await expect(other.getByText("Assistente excluído.")).toBeVisible();
  await expect(gone).toBeHidden();
  await expect(field("Assistente de IA · opcional")).toHaveText("Nenhum");
  await save(dialog);
  await expect(dialog).toBeHidden();
  await ofQueue();
  await expect(field("Integração · opcional")).toHaveText(`${flow} (n8n)`);
  await choose(field("Integração · opcional"), "Nenhuma");
  await save(dialog);
  await expect(dialog).toBeHidden();
  await ofQueue();
  await expect(field("Integração · opcional")).toHaveText("Nenhuma");
});

test("a company whose plan has neither sees nothing of them, and is sent away from their addresses (O-08, O-09, Q-01, Y-05)", async ({
  at,
  product,
}) => {
  const operator = await signInToApi(product.url, demo.operator);
  const page = await at(await createCompany(operator, { useOpenAi: false, useIntegrations: false }));

  await expect(page.getByRole("navigation").getByRole("link", { name: "Filas e chatbot" })).toBeVisible();
  for (const [name, path] of [
    ["Assistentes de IA", "/prompts"],
    ["Integrações", "/queue-integration"],
  ] as const) {
    await expect(page.getByRole("link", { name })).toHaveCount(0);
    await page.goto(path);
    await expect(page.getByText("Esta empresa não possui permissão para acessar essa página!")).toBeVisible();
    await expect(page).toHaveURL("/");
  }
  await page.goto("/queues");
  await page.getByRole("button", { name: "Nova fila" }).first().click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("textbox", { name: "Mensagem de saudação" })).toBeVisible();
  await expect(dialog.getByLabel("Assistente de IA")).toHaveCount(0);
  await expect(dialog.getByLabel("Integração")).toHaveCount(0);
});

test("an agent takes drafts with their sources, changes and sends one; without the model, and without a clipboard, the desk works as before (O-08)", async ({
  at,
  alone,
}) => {
  const service = await createModelService();
  const line = await connectLine(alone, uniqueName("Linha"));
  const customer = await addCustomer(alone, line, uniqueName("Cliente"));
  const queueId = await createQueue(alone, "Trocas", "#7a4fa3");
  const prompt = { name: "Lia", prompt: "Ajude.", queueId, apiKey: "sk", baseUrl: service.url };
  await alone.call(prompts.create, { body: prompt });
  const manual = "# Trocas\nDevolução em até 7 dias, com a nota.";
  const { id } = await alone.call(knowledge.create, { body: { name: "Manual da loja", text: manual } });
  await expect.poll(async () => (await alone.call(knowledge.get, { params: { id } })).passages).toBe(1);
  await customer.says("posso devolver? comprei ontem");

  const page = await at(await createUser(alone, uniqueName("Ana"), { profile: "admin" }));
  await accept(page, customer.name);
  const [field, dialog] = [page.getByRole("textbox", { name: "Mensagem" }), page.getByRole("dialog")];
  const draft = dialog.getByLabel("Rascunho");
  /** By keyboard: the menu, its entry, and back to where the menu was opened. */
  const ask = async (what: string) => {
    await page.getByRole("button", { name: "Ajuda da IA" }).press("Enter");
    await page.getByRole("menuitem", { name: what }).press("Enter");
  };

  service.answer = () => "Pode devolver em até 7 dias [1].";
  await ask("Sugerir resposta");
  await expect(draft).toHaveValue("Pode devolver em até 7 dias.");
  await expect(dialog).toContainText("Fontes: Manual da loja › Trocas");
  await expect(draft).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.type(" Traga a nota.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(dialog.getByRole("button", { name: "Usar no texto" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(field).toHaveValue("Pode devolver em até 7 dias. Traga a nota.");
  await expect(field).toBeFocused();
  expect(JSON.stringify(await customer.sees())).not.toContain("Traga a nota");
  await page.keyboard.press("Enter");
  await expect(bubble(page, "Pode devolver em até 7 dias. Traga a nota.")).toBeVisible();
  await expect.poll(async () => JSON.stringify(await customer.sees())).toContain("7 dias. Traga a nota.");

  await page.keyboard.type("vc pode vir amanha");
  service.answer = () => "O senhor pode vir amanhã.";
  await ask("Deixar mais formal");
  await expect(draft).toHaveValue("O senhor pode vir amanhã.");
  await dialog.getByRole("button", { name: "Usar no texto" }).press("Enter");
  await expect(field).toHaveValue("O senhor pode vir amanhã.");
  service.answer = ({ messages }) => (messages[0]!.content.includes("Spanish") ? "Puede venir." : "You may come.");
  await ask("Traduzir o que escrevi");
  await expect(draft).toHaveValue("You may come.");
  await choose(dialog.getByLabel("Traduzir para"), "Espanhol");
  await expect(draft).toHaveValue("Puede venir.");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Ajuda da IA" })).toBeFocused();
  await expect(field).toHaveValue("O senhor pode vir amanhã.");

  // a page without HTTPS has no clipboard: it is copied all the same, and where nothing copies, selected
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  service.answer = () => "Quer devolver o que comprou ontem.";
  await ask("Resumir a conversa");
  await expect(draft).toHaveValue("Quer devolver o que comprou ontem.");
  const copy = dialog.getByRole("button", { name: "Copiar" });
  await copy.press("Enter");
  await expect(page.getByText("Copiado.")).toBeVisible();
  await expect(copy).toBeFocused();
  await draft.fill("");
  await draft.press("Control+V");
  await expect(draft).toHaveValue("Quer devolver o que comprou ontem.");
  await page.evaluate(() => (document.execCommand = () => false));
  await copy.press("Enter");
  await expect(page.getByText("O texto está selecionado: copie com Ctrl+C.")).toBeVisible();
  await expect(draft).toBeFocused();
  expect(await draft.evaluate((area: HTMLTextAreaElement) => area.selectionEnd - area.selectionStart)).toBe(34);
  const keep = dialog.getByRole("button", { name: "Guardar como observação" });
  await keep.press("Enter");
  await expect(page.getByText("Observação guardada.")).toBeVisible();

  // A note that is refused says so although its dialog was closed; the one that was opened since stays.
  const refused = Promise.withResolvers<void>();
  await page.route("**/ticket-notes", (route) => refused.promise.then(() => route.fulfill({ status: 500 })), {
    times: 1,
  });
  await ask("Resumir a conversa");
  await keep.press("Enter");
  await page.keyboard.press("Escape");
  await ask("Resumir a conversa");
  refused.resolve();
  await expect(page.getByText("Ocorreu um erro! Tente de novo.")).toBeVisible();
  await expect(draft).toHaveValue("Quer devolver o que comprou ontem.");
  await page.keyboard.press("Escape");

  await service.close();
  await ask("Sugerir resposta");
  await expect(dialog.getByRole("alert")).toContainText(
    "O modelo de IA não respondeu. O seu texto continua como está; tente de novo em instantes.",
  );
  await expect(dialog.getByRole("button", { name: "Tentar de novo" })).toBeVisible();
  await page.keyboard.press("Escape");
  await field.press("Enter");
  await expect.poll(async () => JSON.stringify(await customer.sees())).toContain("O senhor pode vir amanhã.");
});

async function save(dialog: Locator): Promise<void> {
  await dialog.getByRole("button", { name: "Salvar" }).click();
}

async function openForm(page: Page, path: string, action: string, name = ""): Promise<void> {
  await page.goto(path);
  const row = page
    .getByRole("row")
    .filter({ has: page.getByRole("button", { name: action, exact: true }), hasText: name });
  await row.hover();
  await row.getByRole("button", { name: action }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
}
