import { called, hire } from "./support/api.ts";
import { signIn } from "./support/desk.ts";
import { expect, test } from "./support/journey.ts";

test("both fields are needed, wrong ones are named, and the snackbar stays six seconds (A-01, A-02)", async ({
  page,
  admin,
}) => {
  const someone = await hire(admin, called("Iara"));
  await page.goto("/login");
  await page.getByRole("button", { name: "Entrar" }).click();
  await expect(page.getByText("Por favor, preencha todos os campos")).toBeVisible();

  await page.getByLabel("Email").fill(someone.email);
  await page.getByRole("textbox", { name: "Senha" }).fill("errada");
  await page.getByRole("button", { name: "Entrar" }).click();
  const wrong = page.getByText("Email ou senha incorretos");
  await expect(wrong).toBeVisible();
  const shownAt = Date.now();
  await expect(wrong).toBeHidden();
  expect(Date.now() - shownAt).toBeGreaterThan(4_500);

  await signIn(page, someone);
});

test("a stranger is sent to sign in, and who is signed in is sent on (A-08)", async ({ page, admin }) => {
  const someone = await hire(admin, called("Davi"));
  await page.goto("/connections");
  await expect(page).toHaveURL(/\/login$/);
  await signIn(page, someone);

  await page.goto("/login");
  await expect(page).toHaveURL(/\/tickets$/);
});

test("an agent does not get into the screens of admins, nor sees them in the menu (S-02)", async ({ at, admin }) => {
  const page = await at(await hire(admin, called("Raul")));
  await expect(page.getByRole("link", { name: "Conversas" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Conexões" })).toHaveCount(0);
  await page.goto("/connections");
  await expect(page.getByText("Acesso não permitido")).toBeVisible();
  await expect(page).toHaveURL(/\/tickets$/);
});

test("the same account on another computer ends the first session, and says so (A-07)", async ({ at, admin }) => {
  const someone = await hire(admin, called("Nina"));
  const first = await at(someone);
  await expect(first.getByText("ao vivo")).toBeVisible();

  // It shows for a second, then the page begins anew.
  const told = expect(first.getByText("Sua conta foi acessada em outro computador.")).toBeVisible();
  const second = await at(someone);
  await told;
  await expect(first).toHaveURL(/\/login$/);
  expect(await first.evaluate(() => localStorage.getItem("token"))).toBeNull();
  await second.reload();
  await expect(second.getByRole("tab", { name: /Aguardando/ })).toBeVisible();
});

test("signing out ends the session on the server too (A-06)", async ({ at, admin }) => {
  const page = await at(await hire(admin, called("Otto")));
  await page.getByRole("button", { name: "Minha conta" }).click();
  await page.getByRole("menuitem", { name: "Sair" }).click();
  await expect(page).toHaveURL(/\/login$/);
  const answer = await page.request.post("/auth/refresh_token");
  expect(answer.ok()).toBe(false);
});
