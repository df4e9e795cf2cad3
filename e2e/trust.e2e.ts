/** Trust: the audit log is read and verified; a contact's data is exported and erased; days of keeping have a preview. */
import { contacts, privacy, queues, users } from "@prosa/contract";
import { addCustomer, connectLine, createUser, signInToApi, uniqueName } from "./support/api.ts";
import { choose } from "./support/fields.ts";
import { expect, journeyWidths, test } from "./support/journey.ts";
import { findBarriers, findOverflow } from "./support/sweep.ts";

for (const width of journeyWidths(360, 1366)) {
  test(`an admin reads the audit log, exports and erases a contact, imports a chat, exports everything, and sets days, at ${width} px (V-01, V-02, E-09)`, async ({
    at,
    alone,
  }) => {
    const line = await connectLine(alone, uniqueName("Linha"));
    const person = "Maria Aparecida de Albuquerque e Vasconcelos";
    const { number } = await addCustomer(alone, line, person);
    await alone.call(contacts.create, { body: { name: person, number } });
    const name = "Suporte técnico e pós-venda da loja";
    const { id } = await alone.call(queues.create, { body: { name, color: "#1f7ae0" } });
    await alone.call(queues.update, { params: { id }, body: { greetingMessage: "Olá" } });
    const former = await createUser(alone, uniqueName("Saiu"), { profile: "admin" });
    const left = await signInToApi(alone.url, former);
    const exchange = uniqueName("Troca");
    await left.call(queues.create, { body: { name: exchange, color: "#0f766e" } });
    await alone.call(users.remove, { params: { id: left.userId } });
    const page = await at(await createUser(alone, uniqueName("Dona"), { profile: "admin" }), { width });

    await page.goto("/settings?tab=audit");
    const changed = page.getByRole("row").filter({ hasText: "Fila alterada" });
    await expect(changed.getByText(name)).toBeVisible();
    await page.getByRole("button", { name: "Verificar" }).click();
    expect(await findOverflow(page, width)).toEqual([]);
    expect(await findBarriers(page)).toEqual([]);
    // What is being typed of a day stays, and counts once it is whole.
    const from = page.getByRole("textbox", { name: "De", exact: true });
    await from.fill("01/01/2020");
    await from.press("End");
    await page.keyboard.press("Backspace");
    await expect(from).toHaveValue("01/01/202");
    await page.keyboard.type("1");
    await expect(from).toHaveValue("01/01/2021");
    await expect(changed.getByText(name)).toBeVisible();
    // Whoever was deleted since is in no list of people.
    await page.getByRole("button", { name: former.name }).first().click();
    await expect(changed).toBeHidden();
    await expect(page.getByRole("row").filter({ hasText: "Fila criada" })).toHaveCount(1);
    await choose(page.getByRole("combobox", { name: "Pessoa" }), "Todas as pessoas");
    await choose(page.getByRole("combobox", { name: "Alvo" }), "Conexão");
    await expect(changed).toBeHidden();
    await expect(page.getByRole("row").filter({ hasText: "Conexão criada" })).toBeVisible();
    const [csv] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Exportar" }).click(),
    ]);
    expect(csv.suggestedFilename()).toBe("auditoria.csv");

    await page.goto("/contacts");
    const maria = page.getByRole("row").filter({ hasText: "Maria Aparecida" });
    await maria.hover();
    await maria.getByRole("button", { name: "Mais ações" }).click();
    await page.getByRole("menuitem", { name: "Exportar dados" }).click();
    const exports = page.getByRole("dialog", { name: /^Exportar dados/u });
    await exports.getByRole("button", { name: "Exportar" }).click();
    const [zip] = await Promise.all([
      page.waitForEvent("download"),
      exports.getByRole("button", { name: "Baixar" }).click(),
    ]);
    expect(zip.suggestedFilename()).toMatch(/^contato-\d+\.zip$/u);
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press("Escape");

    await maria.hover();
    await maria.getByRole("button", { name: "Mais ações" }).click();
    await page.getByRole("menuitem", { name: "Importar conversa do WhatsApp" }).click();
    const history = page.getByRole("dialog", { name: "Importar conversa do WhatsApp" });
    const chat = ["Maria: Bom dia", "Loja: Oi, Maria", "Loja: Pronto"].map((text) => `12/03/2024 14:05 - ${text}`);
    await history
      .locator("input[type=file]")
      .setInputFiles({ name: "chat.txt", mimeType: "text/plain", buffer: Buffer.from(chat.join("\n")) });
    await expect(history).toContainText("3 mensagens e nenhum arquivo, de 12/03/2024 a 12/03/2024.");
    await history.getByRole("radio", { name: "Loja 2 mensagens" }).check();
    expect(await findBarriers(page)).toEqual([]);
    expect(await findOverflow(page, width)).toEqual([]);
    await history.getByRole("button", { name: "Importar" }).click();
    await expect(history).toContainText("3 novas");
    await page.keyboard.press("Escape");

    await maria.hover();
    await maria.getByRole("button", { name: "Mais ações" }).click();
    await page.getByRole("menuitem", { name: "Apagar dados" }).click();
    const erase = page.getByRole("dialog", { name: /^Apagar dados/u });
    await erase.getByRole("textbox").fill("5511");
    await erase.getByRole("button", { name: "Apagar dados" }).click();
    await expect(erase.getByText("Não confere com o contato.")).toBeVisible();
    expect(await findBarriers(page)).toEqual([]);
    await erase.getByRole("textbox").fill(number);
    await erase.getByRole("button", { name: "Apagar dados" }).click();
    await expect(maria).toBeHidden();

    await page.goto("/settings?tab=privacy");
    await expect(page.getByText(/^Concluído/u)).toBeVisible();
    await page.getByLabel("Toda a empresa (dias)").fill("365");
    await page.getByLabel(`Fila ${name} (dias)`).fill("30");
    await page.getByRole("button", { name: "Ver quantas" }).click();
    await expect(page.getByText(/seriam apagados esta noite/u)).toBeVisible();
    await page.getByRole("button", { name: "Salvar" }).click();
    await expect(page.getByText("Prazo de guarda atualizado.")).toBeVisible();
    // What was set at the queue meanwhile is not undone by saving another one here.
    const [queue] = (await alone.call(privacy.retention)).queues;
    await alone.call(queues.update, { params: { id: queue!.id }, body: { retentionDays: 90 } });
    await page.getByLabel("Toda a empresa (dias)").fill("400");
    await page.getByRole("button", { name: "Salvar" }).click();
    await expect(page.getByLabel(`Fila ${name} (dias)`)).toHaveValue("90");
    await expect
      .poll(() => alone.call(privacy.retention))
      .toMatchObject({
        companyDays: 400,
        queues: [{ days: 90 }, { days: null }],
      });
    // The first digits of what is no number as a whole are not saved.
    const days = page.getByLabel("Toda a empresa (dias)");
    await days.selectText();
    await days.pressSequentially("1,825");
    const saves: string[] = [];
    page.on("request", (request) => request.method() === "PUT" && saves.push(request.url()));
    await days.press("Tab");
    await expect(page.getByRole("alert").filter({ hasText: "Digite um número inteiro" })).toBeVisible();
    await page.getByRole("button", { name: "Salvar" }).click();
    await expect(days).toBeFocused();
    expect(saves).toEqual([]);
    await days.fill("400");
    await page.getByRole("button", { name: "Exportar tudo" }).click();
    const [all] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Baixar" }).click(),
    ]);
    expect(all.suggestedFilename()).toMatch(/^empresa-.*\.tar\.zst$/u);
    expect(await findOverflow(page, width)).toEqual([]);
    expect(await findBarriers(page)).toEqual([]);

    await page.goto("/settings?tab=protection");
    const gap = page.getByLabel("Intervalo mínimo");
    const kept = await gap.inputValue();
    await gap.selectText();
    await gap.pressSequentially("2,5");
    await gap.press("Tab");
    await page.getByRole("button", { name: "Salvar" }).click();
    await expect(gap).toBeFocused();
    expect(saves).toEqual([]);
    await page.getByRole("button", { name: "Cancelar" }).click();
    await expect(gap).toHaveValue(kept);

    // Its days go with a queue: the question says so. One that comes late does not take the place of another one.
    await page.goto("/queues");
    const counted = Promise.withResolvers<void>();
    await page.route("**/privacy/retention/preview", (route) => counted.promise.then(() => route.continue()));
    const question = page.getByRole("alertdialog");
    const askFor = async (queue: string) => {
      const row = page.getByRole("row").filter({ hasText: queue });
      await row.hover();
      await row.getByRole("button", { name: "Excluir" }).click();
    };
    await askFor(name);
    await askFor(exchange);
    await expect(question).toBeVisible();
    const asking = page.locator("[aria-busy=true]");
    await expect(asking).toHaveCount(1);
    counted.resolve();
    await expect(asking).toHaveCount(0);
    await expect(question).not.toContainText("guardado por");
    await question.getByRole("button", { name: "Cancelar" }).click();
    await expect(question).toBeHidden();
    await askFor(name);
    await expect(question).toContainText("guardado por 90 dias");
  });
}
