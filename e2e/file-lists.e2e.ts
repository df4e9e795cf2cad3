/** File lists: made in the dialog with their files, and sent by an option of the bot. */
import { readFile } from "node:fs/promises";
import { fileLists, queues } from "@prosa/contract";
import { addCustomer, connectLine, createQueue, createUser, photo, uniqueName } from "./support/api.ts";
import { findCrampedControls } from "./support/controls.ts";
import { choose } from "./support/fields.ts";
import { expect, journeyWidths, test } from "./support/journey.ts";
import { findBarriers, findOverflow } from "./support/sweep.ts";

for (const width of journeyWidths(1366, 360)) {
  test(`a list is made with its files and captions, put in order and changed, at ${width} px (O-07)`, async ({
    at,
    alone,
  }) => {
    const page = await at(await createUser(alone, uniqueName("Dona"), { profile: "admin" }), { width });
    await page.goto("/files");
    await page.getByRole("main").getByRole("button", { name: "Nova lista" }).click();
    const dialog = page.getByRole("dialog", { name: "Nova lista" });
    await dialog.getByLabel("Nome").fill("Ab");
    await dialog.getByRole("button", { name: "Salvar" }).click();
    await expect(dialog.getByText(/^nome muito curto/u)).toBeVisible();
    await expect(dialog.getByText("Obrigatório", { exact: true })).toBeVisible();

    const name = "Catálogo de primavera com todos os móveis da linha nova, preços e prazos";
    await dialog.getByLabel("Nome").fill(name);
    await dialog.getByLabel("Mensagem", { exact: true }).fill("Veja o que chegou, {{firstName}}");
    const table = `${"tabela-de-precos-".repeat(5)}.csv`;
    await dialog.getByLabel("Adicionar arquivos").setInputFiles([
      { name: "foto.jpg", mimeType: "image/jpeg", buffer: await readFile(photo) },
      { name: table, mimeType: "text/csv", buffer: Buffer.from("a;b\r\n1;2") },
    ]);
    await dialog.getByLabel("Legenda do arquivo 1").fill("Frente");
    await dialog.getByLabel("Legenda do arquivo 2").fill("Preços");
    expect(await findBarriers(page)).toEqual([]);
    expect(await findCrampedControls(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Mover foto.jpg para baixo" }).click();
    await dialog.getByRole("button", { name: "Salvar" }).click();
    await expect(page.getByText("Lista salva.")).toBeVisible();

    const { files } = await alone.call(fileLists.list, { query: {} });
    expect(files[0]?.options.map((option) => [option.name, option.mediaType])).toEqual([
      ["Preços", "text/csv"],
      ["Frente", "image/jpeg"],
    ]);
    const row = page.getByRole("row").filter({ hasText: name });
    await expect(row).toContainText("2 arquivos");
    expect(await findOverflow(page, width)).toEqual([]);

    await row.getByText(name).click();
    const edit = page.getByRole("dialog", { name: `Editar a lista ${name}` });
    await expect(edit.getByRole("link", { name: "foto.jpg" })).toBeVisible();
    await edit.getByRole("button", { name: "Tirar foto.jpg" }).click();
    await edit.getByRole("button", { name: "Salvar" }).click();
    await expect(row).toContainText("1 arquivo");
  });
}

test("an option of the bot sends its message, and then the message and the files of its list (O-07, Q-02, Q-04)", async ({
  at,
  admin,
}) => {
  const name = uniqueName("Fotos da loja");
  const queueId = await createQueue(admin, uniqueName("Vitrine"), "#3f7a8c");
  const list = await admin.call(fileLists.create, { body: { name, message: "Nossa loja:" } });
  const page = await at(await createUser(admin, uniqueName("Dona"), { profile: "admin" }));
  await page.goto("/files");
  await page.getByText(name).click();
  await page.getByRole("dialog").getByLabel("Adicionar arquivos").setInputFiles(photo);
  await page.getByRole("dialog").getByLabel("Legenda do arquivo 1").fill("A fachada");
  await page.getByRole("dialog").getByRole("button", { name: "Salvar" }).click();
  await expect(page.getByText("Lista salva.")).toBeVisible();
  expect((await admin.call(fileLists.get, { params: { id: list.id } })).options).toMatchObject([{ name: "A fachada" }]);

  const queue = (await admin.call(queues.list)).find(({ id }) => id === queueId)!;
  await page.goto("/queues");
  await page.getByRole("row").filter({ hasText: queue.name }).getByRole("button", { name: "Menu do robô" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Nova opção", exact: true }).first().click();
  const dialog = page.getByRole("dialog", { name: "Nova opção" });
  await dialog.getByLabel("Título").fill("Fotos");
  await dialog.getByRole("textbox", { name: /^Mensagem/u }).fill("Já mando.");
  await choose(dialog.getByLabel("Lista de arquivos"), name);
  await dialog.getByRole("button", { name: "Salvar" }).click();
  await expect(page.getByText("Opção salva.")).toBeVisible();

  const line = await connectLine(admin, uniqueName("Linha"), [queueId]);
  const customer = await addCustomer(admin, line, uniqueName("Ana"));
  const phone = async () => (await customer.sees()).map(({ text }) => text);
  await customer.says("oi");
  await expect.poll(async () => (await phone()).join("\n")).toContain("*[ 1 ]* - Fotos");
  await customer.says("1");
  await expect.poll(async () => (await phone()).slice(-3)).toEqual(["Já mando.", "Nossa loja:", "A fachada"]);
});
