/** The outside world's way in and out: the messages API, API keys and webhooks (X-01, X-02, V-06). */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createUser, uniqueName } from "./support/api.ts";
import { choose } from "./support/fields.ts";
import { expect, test } from "./support/journey.ts";
import { loseAnswer } from "./support/lost-answers.ts";
import { canRun, exampleLanguages, runExample } from "./support/run-example.ts";
import { findBarriers } from "./support/sweep.ts";

test("an admin sends by the messages API's page, makes and revokes a key, and adds a webhook (X-01, X-02, V-06)", async ({
  at,
  admin,
  line,
  customer,
}, testInfo) => {
  const page = await at(await createUser(admin, uniqueName("Nina"), { profile: "admin" }));
  const dialog = page.getByRole("dialog");

  await page.getByRole("link", { name: "API de mensagens" }).click();
  await choose(page.getByLabel("Conexão", { exact: true }), line.name);
  await page.getByRole("button", { name: "Gerar novo token" }).click();
  const token = page.getByLabel("Token", { exact: true });
  await expect(token).toHaveValue(/^[0-9a-f]{64}$/u);
  const bearer = `Bearer ${await token.inputValue()}`;
  // each example, as the page prints it but for the number, is run and sends
  const folder = testInfo.outputPath();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "nota.pdf"), "%PDF-1.4 nota");
  const sentIds = { Texto: [] as string[], Arquivo: [] as string[] };
  for (const language of exampleLanguages) {
    await page.getByRole("tab", { name: language }).click();
    const isInstalled = await canRun(language);
    for (const kind of ["Texto", "Arquivo"] as const) {
      const shown = page.getByLabel(`${kind}, ${language}`, { exact: true });
      await expect(shown).toContainText(bearer);
      if (isInstalled) {
        const code = (await shown.innerText()).replace("5511988887777", customer.number);
        const printed = await runExample(language, code, folder);
        const messageId = /messageId["']?: ?["']([^"']+)/u.exec(printed)?.[1];
        expect([language, kind, printed, messageId]).not.toContain(undefined);
        sentIds[kind].push(messageId!);
      } else {
        testInfo.annotations.push({ type: "not run", description: `${kind} in ${language}: not installed here` });
      }
    }
  }
  // the texts have one idempotency key, as copied: one message
  expect([new Set(sentIds.Texto).size, new Set(sentIds.Arquivo).size]).toEqual([1, sentIds.Arquivo.length]);
  const received = async () => (await customer.sees()).map((message) => JSON.stringify(message));
  const having = async (words: string) => (await received()).filter((message) => message.includes(words)).length;
  await expect.poll(() => having("Seu pedido saiu para entrega.")).toBe(1);
  await expect.poll(() => having("A nota do seu pedido")).toBe(sentIds.Arquivo.length);

  const said = uniqueName("Seu pedido saiu");
  const text = page.getByRole("region", { name: "Testar texto" });
  await text.getByLabel("Número").fill(customer.number);
  await text.getByLabel("Mensagem").fill(said);
  await text.getByRole("button", { name: "Enviar" }).click();
  await expect(text.getByRole("status")).toContainText("Mensagem enviada");
  await expect.poll(async () => JSON.stringify(await customer.sees())).toContain(said);
  await expect(async () => {
    await text.getByRole("button", { name: "Ver estado" }).click();
    await expect(text.getByRole("status")).toContainText(/"status": "(sent|delivered|read)"/u, { timeout: 1_000 });
  }).toPass();

  const file = page.getByRole("region", { name: "Testar arquivo" });
  await file.getByLabel("Número").fill(customer.number);
  await file.getByLabel("Legenda").fill("A nota");
  await file.locator("input[type=file]").setInputFiles({
    name: "nota.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("R$ 10"),
  });
  await file.getByRole("button", { name: "Enviar" }).click();
  await expect(file.getByRole("status")).toContainText("messageId");

  const keyName = uniqueName("Loja");
  await page.goto("/settings?tab=api-keys");
  await page.getByRole("button", { name: "Nova chave" }).first().click();
  await dialog.getByLabel("Nome").fill(keyName);
  await dialog.getByRole("button", { name: "Criar chave" }).click();
  await expect(dialog.getByText("Escolha ao menos uma permissão.")).toBeVisible();
  await dialog.getByLabel("Contatos: Mudar", { exact: true }).check();
  await expect(dialog.getByLabel("Contatos: Ler", { exact: true })).toBeChecked();
  expect(await findBarriers(page)).toEqual([]);
  const lost = await loseAnswer(page, "POST", /\/api-keys$/u);
  await dialog.getByRole("button", { name: "Criar chave" }).click();
  await expect.poll(lost).toBe(1);
  await expect(dialog.getByRole("button", { name: "Criar chave" })).toBeEnabled();
  // Pressed again it is the same key.
  await dialog.getByRole("button", { name: "Criar chave" }).click();
  const headers = { authorization: `Bearer ${await dialog.getByLabel("Chave", { exact: true }).inputValue()}` };
  await expect(dialog.getByRole("button", { name: "Copiar" })).toBeFocused();
  await dialog.getByRole("button", { name: "Já copiei" }).click();
  const read = async (path: string) => (await fetch(`${admin.url}${path}`, { headers })).status;
  expect([await read("/contacts"), await read("/tickets")]).toEqual([200, 403]);
  const keyRow = page.getByRole("row").filter({ hasText: keyName });
  await expect(keyRow).toHaveCount(1);
  await keyRow.hover();
  await keyRow.getByRole("button", { name: `Revogar a chave ${keyName}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revogar" }).click();
  await expect(keyRow).toContainText("Revogada");
  await expect(keyRow).toContainText("Contatos (mudar)");
  // its button has gone: the next Tab goes on in the content
  await expect(page.locator("#content")).toBeFocused();
  expect(await read("/contacts")).toBe(401);

  const hookName = uniqueName("Estoque");
  await page.getByRole("tab", { name: "Webhooks" }).click();
  await page.getByRole("button", { name: "Novo webhook" }).first().click();
  await dialog.getByLabel("Endereço (URL)").fill("http://127.0.0.1:9/in");
  await dialog.getByLabel("Descrição").fill(hookName);
  await dialog.getByLabel("Conversa nova").check();
  await dialog.getByRole("button", { name: "Salvar" }).click();
  await expect(dialog.getByText("Endereços de redes internas não são aceitos")).toBeVisible();
  await dialog.getByLabel("Endereço (URL)").fill("https://hooks.nowhere.invalid/in");
  await dialog.getByRole("button", { name: "Salvar" }).click();
  await expect(dialog.getByLabel("Segredo", { exact: true })).toHaveValue(/^whsec_/u);
  await dialog.getByRole("button", { name: "Já copiei" }).click();
  const hookRow = page.getByRole("row").filter({ hasText: hookName });
  await expect(hookRow).toContainText("Ligado");
  await hookRow.hover();
  await hookRow.getByRole("button", { name: `Entregas de ${hookName}` }).click();
  await dialog.getByRole("button", { name: "Enviar teste", exact: true }).press("Enter");
  const delivery = dialog.getByRole("listitem").filter({ hasText: "Teste" });
  await expect(delivery).toContainText("Falhou", { timeout: 40_000 });
  await expect(dialog.getByRole("button", { name: "Enviar teste", exact: true })).toBeFocused();
  await delivery.getByRole("button", { name: "Reenviar Teste" }).press("Enter");
  await expect(delivery).toContainText("Falhou", { timeout: 40_000 });
  await expect(delivery.getByRole("button", { name: "Reenviar Teste" })).toBeFocused();
  expect(await findBarriers(page)).toEqual([]);
});
