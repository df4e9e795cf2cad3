/** A form that has been open for a while: it sends what was changed in it, and keeps what is typed when others change things. */
import type { Page } from "@playwright/test";
import { fileLists, knowledge, users } from "@prosa/contract";
import { createUser, uniqueName } from "./support/api.ts";
import { choose } from "./support/fields.ts";
import { demo, expect, test } from "./support/journey.ts";

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
