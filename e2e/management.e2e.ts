import { readFile } from "node:fs/promises";
import { uniqueName, createUser, password } from "./support/api.ts";
import { signIn } from "./support/desk.ts";
import { choose } from "./support/fields.ts";
import { expect, journeyWidths, test } from "./support/journey.ts";

for (const width of journeyWidths(1440, 360)) {
  test(`an admin imports, merges, takes it back, blocks and exports contacts at ${width} px (C-01, C-03, C-04)`, async ({
    at,
    admin,
  }) => {
    const page = await at(await createUser(admin, uniqueName("Ana"), { profile: "admin" }), { width });
    const name = uniqueName("Importada");
    const base = 5_531_980_000_000 + Math.floor(Math.random() * 9_000_000);
    await page.goto("/contacts");
    await page.locator("input[type=file]").setInputFiles({
      name: "agenda.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(`nome;telefone\r\n${name} Um;${base}\r\n${name} Dois;${base + 1}\r\nSem número;abc\r\n`),
    });
    await expect(page.getByText("2 contatos novos · 1 linha recusada")).toBeVisible();
    await page.getByText("Ver as recusadas").click();
    await expect(page.getByRole("row", { name: /4 Sem número abc Número inválido/ })).toBeVisible();

    await page.getByRole("searchbox").fill(name);
    const first = page.getByRole("row").filter({ hasText: `${name} Um` });
    const second = page.getByRole("row").filter({ hasText: `${name} Dois` });
    await expect(page.getByRole("heading", { name: "Contatos 2" })).toBeVisible();
    await first.hover();
    await first.getByRole("button", { name: "Mais ações" }).click();
    await page.getByRole("menuitem", { name: "Unir com outro contato" }).click();
    await page.getByRole("combobox", { name: "Contato" }).fill(`${name} Dois`);
    await page.getByRole("option").first().click();
    await page.getByRole("button", { name: "Unir contatos" }).click();
    await expect(second).toBeHidden();
    await page.getByRole("button", { name: "Desfazer" }).click();
    await expect(second).toBeVisible();

    await first.hover();
    await first.getByRole("button", { name: "Mais ações" }).click();
    await page.getByRole("menuitem", { name: "Bloquear" }).click();
    await expect(first).toContainText("Bloqueado");

    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Exportar contatos.csv" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("contatos.csv");
    const text = await readFile(await file.path(), "utf8");
    expect(text).toContain("name;number;email\r\n");
    expect(text).toContain(`${name} Um;${base};\r\n`);
  });

  test(`the team is run at ${width} px: add, see online live, delete (U-01, U-02, U-04)`, async ({ at, admin }) => {
    const page = await at(await createUser(admin, uniqueName("Rui"), { profile: "admin" }), { width });
    const name = uniqueName("Atendente");
    const email = `novo-${Date.now()}-${width}@prosa.demo`;
    await page.goto("/users");
    await page.getByRole("button", { name: "Novo usuário" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Salvar" }).click();
    await expect(dialog.getByText("Obrigatório", { exact: true })).toHaveCount(3);
    await dialog.getByRole("textbox", { name: "Nome" }).fill(name);
    await dialog.getByRole("textbox", { name: "E-mail" }).fill(email);
    await dialog.getByRole("textbox", { name: "Senha" }).fill("prosa123");
    await dialog.getByRole("button", { name: "Salvar" }).click();

    const row = page.getByRole("row").filter({ hasText: name });
    await expect(row).toContainText("Offline");
    await at({ email });
    await expect(row).toContainText("Online");

    await row.hover();
    await row.getByRole("button", { name: "Excluir" }).click();
    await expect(page.getByRole("alertdialog")).toContainText("voltam para a espera");
    await page.getByRole("alertdialog").getByRole("button", { name: "Excluir" }).click();
    await expect(row).toBeHidden();
  });

  test(`the dashboard asks for a filter, shows figures and exports them at ${width} px (D-01, D-02, D-03, D-04)`, async ({
    at,
    admin,
  }) => {
    const me = await createUser(admin, uniqueName("Lia"), { profile: "admin" });
    const page = await at(me, { width });
    const products = Promise.withResolvers<void>();
    await page.route("**/products/list*", (route) => products.promise.then(() => route.continue()));
    await page.goto("/");
    await expect(page.getByLabel("Período")).toHaveText("Entre duas datas");
    await expect(page.getByLabel("De", { exact: true })).toHaveValue(/^01\/\d{2}\/\d{4}$/);
    await page.getByLabel("De", { exact: true }).fill("");
    await page.getByLabel("Até").fill("");
    // Products that come late leave what was typed.
    const known = page.waitForResponse("**/products/list*");
    products.resolve();
    await known;
    await page.getByRole("button", { name: "Filtrar" }).click();
    await expect(page.getByText("Parametrize o filtro")).toBeVisible();

    const ranges = page.getByRole("group", { name: "Intervalos" });
    await ranges.getByRole("button", { name: "7 dias" }).click();
    await expect(page.getByLabel("De", { exact: true })).toBeDisabled();
    await expect(page.getByText(/\d% a (mais|menos) vs\. 7 dias anteriores|sem mudança vs\. 7/).first()).toBeVisible();
    await page.reload();
    await expect(ranges.getByRole("button", { pressed: true })).toHaveText("7 dias");
    await ranges.getByRole("button", { name: "Período…" }).click();
    await expect(page.getByLabel("De", { exact: true })).toBeFocused();

    await choose(page.getByLabel("Período"), "Últimos 90 dias");
    await page.getByRole("button", { name: "Filtrar" }).click();
    await expect(page.getByRole("definition")).toHaveCount(5);
    await expect(page.getByRole("row").filter({ hasText: me.name })).toContainText("Online");
    await page.getByText("Ver como tabela").first().click();
    await expect(page.getByRole("columnheader", { name: "Dia" })).toBeVisible();

    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Exportar painel.csv" }).click(),
    ]);
    expect(await readFile(await file.path(), "utf8")).toMatch(
      /Período;[\d/]{10} a [\d/]{10}\r\n[^]*Em atendimento;\d+\r\n/,
    );

    // Figures of the range before do not pass for those of the next one, which are still on their way.
    const shown = page.getByTestId("dashboard-figures");
    const answer = Promise.withResolvers<void>();
    await page.route(/\/dashboard/u, (route) => answer.promise.then(() => route.continue()));
    await ranges.getByRole("button", { name: "30 dias" }).click();
    await expect(shown).toHaveAttribute("aria-busy", "true");
    await expect(page.getByRole("button", { name: "Exportar painel.csv" })).toBeDisabled();
    answer.resolve();
    await expect(shown).toHaveAttribute("aria-busy", "false");
    await expect(page.getByRole("button", { name: "Exportar painel.csv" })).toBeEnabled();

    await ranges.getByRole("button", { name: "Período…" }).click();
    await page.getByLabel("De", { exact: true }).fill("01/01/2001");
    await page.getByRole("button", { name: "Filtrar" }).click();
    await expect(page).toHaveURL(/from=2001-01-01/u);
    await expect(shown).toHaveAttribute("aria-busy", "false");
    await expect(page.getByRole("definition")).toHaveCount(5);
  });
}

test("the dashboard's figures stand while the code of its charts does not come (D-01, D-03)", async ({
  at,
  admin,
  customer,
}) => {
  await customer.says("Bom dia");
  const isLost = { now: true };
  const page = await at(await createUser(admin, uniqueName("Lúcio"), { profile: "admin" }), {
    prepare: (context) =>
      context.route(/\/assets\/Charts-[^/]*\.js/u, (route) => (isLost.now ? route.abort() : route.continue())),
  });
  const asked = page.waitForRequest(/\/assets\/Charts-/u);
  await page.goto("/");
  await asked;
  const shown = page.getByTestId("dashboard-figures");
  const chart = shown.getByRole("region", { name: /Conversas por (dia|hora)/u });
  await chart.getByText("Ver como tabela").click();
  await expect(chart.getByRole("columnheader", { name: /Dia|Hora/u })).toBeVisible();
  await expect(shown.getByRole("definition").first()).toBeVisible();
  await expect(shown.getByRole("region", { name: "Atendentes" }).getByRole("table")).toBeVisible();
  await expect(chart.locator("svg")).toHaveCount(0);

  isLost.now = false;
  await expect(chart.locator("svg").first()).toBeVisible();
});

test("the to-do list ignores blank input, is there again after a reload, and is its user's alone (S-09)", async ({
  at,
  admin,
}) => {
  const page = await at(await createUser(admin, uniqueName("Noé")));
  await page.goto("/todolist");
  const add = async (text: string) => {
    await page.getByRole("textbox", { name: "Nova tarefa" }).fill(text);
    await page.getByRole("button", { name: "Adicionar" }).click();
  };
  await add("Ligar para o fornecedor");
  await add("   ");
  await page.getByRole("button", { name: "Editar “Ligar para o fornecedor”" }).click();
  await page.getByRole("textbox", { name: /Editar/ }).fill("Ligar amanhã");
  await page.getByRole("button", { name: "Salvar" }).click();
  await page.reload();
  const list = page.getByRole("region", { name: "Lista de tarefas" });
  await expect(list.getByText("Ligar amanhã")).toBeVisible();
  await expect(list.getByRole("button", { name: /^Editar/ })).toHaveCount(1);
  await page.getByRole("button", { name: "Excluir “Ligar amanhã”" }).click();
  await expect(page.getByText("Nada a fazer")).toBeVisible();
  // What is written after a deletion stays when that is undone.
  await add("Comprar café");
  await page.getByRole("button", { name: "Desfazer" }).click();
  await expect(list.getByRole("listitem")).toHaveText(["Ligar amanhã", "Comprar café"]);
  await add("Só do Noé");

  // The next user of this browser gets what it kept for everybody, and not what is Noé's.
  await page.getByRole("button", { name: "Minha conta" }).click();
  await page.getByRole("menuitem", { name: "Sair" }).click();
  await page.evaluate(() => localStorage.setItem("tasks", '["De antes"]'));
  await signIn(page, await createUser(admin, uniqueName("Nair")));
  await page.goto("/todolist");
  await expect(list.getByText("De antes")).toBeVisible();
  await expect(list.getByText("Só do Noé")).toBeHidden();
  expect(await page.evaluate(() => localStorage.getItem("tasks"))).toBeNull();
});

test("everybody edits their own name from the account menu (S-10)", async ({ at, admin }) => {
  const page = await at(await createUser(admin, uniqueName("Ivo")));
  const name = uniqueName("Ivo Novo");
  await page.getByRole("button", { name: "Minha conta" }).click();
  await page.getByRole("menuitem", { name: "Meu perfil" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Nome" }).fill(name);
  await page.getByRole("dialog").getByRole("button", { name: "Salvar" }).click();
  await expect(page.locator("header").getByText(name)).toBeVisible();
});

test("a new e-mail or password of one's own asks for the current password (S-10)", async ({ at, admin }) => {
  const ivo = await createUser(admin, uniqueName("Ivo"));
  const page = await at(ivo);
  await page.getByRole("button", { name: "Minha conta" }).click();
  await page.getByRole("menuitem", { name: "Meu perfil" }).click();
  const dialog = page.getByRole("dialog");
  const current = dialog.getByRole("textbox", { name: "Senha atual" });
  const save = () => dialog.getByRole("button", { name: "Salvar" }).click();
  await expect(current).toBeHidden();

  await dialog.getByRole("textbox", { name: "E-mail" }).fill(`nova-${ivo.email}`);
  await save();
  await expect(dialog.getByText("Obrigatório", { exact: true })).toBeVisible();
  await current.fill("errada");
  await save();
  await expect(dialog.getByText("A senha atual não está correta.")).toBeVisible();
  await current.fill(password);
  await save();
  await expect(page.getByText("Perfil salvo")).toBeVisible();
  await expect(dialog).toBeHidden();

  // The new password is the current one from now on.
  await page.getByRole("button", { name: "Minha conta" }).click();
  await page.getByRole("menuitem", { name: "Meu perfil" }).click();
  await expect(dialog.getByRole("textbox", { name: "E-mail" })).toHaveValue(`nova-${ivo.email}`);
  await expect(current).toBeHidden();
  await dialog.getByRole("textbox", { name: "Nova senha" }).fill("outra senha");
  await expect(current).toBeVisible();
});
