import { readdir, readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { createUser, password, uniqueName } from "./support/api.ts";
import { signIn } from "./support/desk.ts";
import { expect, test } from "./support/journey.ts";

test("a stranger signs up with a plan and is at /login, and gets in (A-09)", async ({ page }) => {
  const company = uniqueName("Oficina");
  const email = `${company.toLowerCase().replace(/[^a-z0-9]/gu, "")}@example.com`;
  await page.goto("/login");
  await page.getByRole("link", { name: "Criar conta" }).click();
  await page.getByLabel("Nome da empresa").fill(company);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Telefone").pressSequentially("11987654321");
  await expect(page.getByLabel("Telefone")).toHaveValue("(11) 98765-4321");
  await page.getByRole("textbox", { name: "Senha" }).fill(password);
  await page.getByRole("radio").first().check();
  const isTold = page.getByText("Cadastro realizado com sucesso!").waitFor();
  // faster than a person, it is refused as a robot's
  await expect(async () => {
    if (page.url().endsWith("/signup")) {
      await page.getByRole("button", { name: "Criar conta" }).click({ timeout: 1_500 });
    }
    await expect(page).toHaveURL("/login", { timeout: 1_500 });
  }).toPass();
  await isTold;
  await signIn(page, { email });
  await expect(page.getByRole("heading", { name: "Primeiros passos" })).toBeVisible();
});

test("a forgotten password is reset by the code of the mail, in two steps (A-10)", async ({ page, admin, product }) => {
  const someone = await createUser(admin, uniqueName("Rita"));
  await page.goto("/login");
  await page.getByRole("link", { name: "Esqueci minha senha" }).click();
  await page.getByLabel("E-mail").fill("ninguem@example.com");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Email não encontrado")).toBeVisible();
  await page.getByLabel("E-mail").fill(someone.email);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Email enviado com sucesso!")).toBeVisible();
  const code = await mailedCode(product.dataDir, someone.email);
  await page.getByLabel("Código").fill("AAAAA-AAAAA");
  await page.getByRole("textbox", { name: "Nova senha", exact: true }).fill("uma nova senha");
  await page.getByRole("textbox", { name: "Confirme a nova senha" }).fill("outra");
  await page.keyboard.press("Enter");
  const rule = "Sua senha precisa ter no mínimo 8 caracteres, sendo uma letra maiúscula, uma minúscula e um número.";
  await expect(page.getByText(rule)).toBeVisible();
  await expect(page.getByText("As senhas não correspondem")).toBeVisible();
  await page.getByRole("textbox", { name: "Nova senha", exact: true }).fill("Nova senha 1");
  await page.getByRole("textbox", { name: "Confirme a nova senha" }).fill("Nova senha 1");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "não é válido" })).toBeVisible();
  await page.getByLabel("Código").fill(code);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Senha redefinida com sucesso.")).toBeVisible();
  await expect(page).toHaveURL("/login");
});

test("a second factor is set up on the profile and asked at the next sign-in (V-03)", async ({ page, admin, at }) => {
  const someone = await createUser(admin, uniqueName("Davi"));
  const inside = await at(someone);
  await inside.getByRole("button", { name: "Minha conta" }).click();
  await inside.getByRole("menuitem", { name: "Meu perfil" }).click();
  await inside.getByRole("button", { name: "Segurança e sessões" }).click();
  await expect(inside.getByText("Esta sessão")).toBeVisible();
  await inside.getByRole("button", { name: "Configurar" }).click();
  await inside.getByLabel("Senha atual").fill(password);
  await inside.keyboard.press("Enter");
  await expect(inside.getByRole("img", { name: "QR Code" })).toBeVisible();
  const key = (await inside.getByTestId("totp-key").textContent())?.replaceAll(" ", "") ?? "";
  const app = new TOTP({ secret: Secret.fromBase32(key) });
  await inside.getByLabel("Código").fill(app.generate());
  await inside.keyboard.press("Enter");
  await expect(inside.getByRole("heading", { name: "Códigos de recuperação" })).toBeVisible();
  await inside.getByRole("button", { name: "Guardei os códigos" }).click();
  await expect(inside.getByText("Restam 10 códigos")).toBeVisible();
  await renewsCodesWhileAnswersWait(inside);
  const recovery = (await inside.getByRole("dialog").getByRole("listitem").first().textContent()) ?? "";
  await inside.getByRole("button", { name: "Guardei os códigos" }).click();

  await page.goto("/login");
  await page.getByLabel("E-mail").fill(someone.email);
  await page.getByRole("textbox", { name: "Senha" }).fill(password);
  await page.keyboard.press("Enter");
  await page.getByLabel("Código").fill("000000");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "não está correto" })).toBeVisible();
  await page.getByLabel("Código").fill(recovery);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/tickets");
  await expect(inside).toHaveURL("/login");
});

test("a passkey is made on the profile, and signs in alone and after a password (V-03)", async ({ page, admin }) => {
  const someone = await createUser(admin, uniqueName("Lena"));
  await addAuthenticator(page);
  await page.goto("/login");
  await signIn(page, someone);
  await page.getByRole("button", { name: "Minha conta" }).click();
  await page.getByRole("menuitem", { name: "Meu perfil" }).click();
  await page.getByRole("button", { name: "Segurança e sessões" }).click();
  await page.getByRole("button", { name: "Adicionar chave de acesso" }).click();
  await page.getByLabel("Senha atual").fill(password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Códigos de recuperação" })).toBeVisible();
  // Shown once, they are not lost by a key.
  await page.keyboard.press("Escape");
  const question = page.getByRole("alertdialog", { name: "Você guardou os códigos?" });
  await question.getByRole("button", { name: "Cancelar" }).click();
  await expect(page.getByRole("heading", { name: "Códigos de recuperação" })).toBeVisible();
  await page.getByRole("button", { name: "Guardei os códigos" }).click();
  await expect(page.getByText(/Criada em/u)).toBeVisible();
  await page.getByRole("button", { name: "Encerrar e sair" }).click();
  await expect(page).toHaveURL("/login");

  await page.getByRole("button", { name: "Usar chave de acesso" }).click();
  await expect(page).toHaveURL("/tickets");
  await page.getByRole("button", { name: "Minha conta" }).click();
  await page.getByRole("menuitem", { name: "Sair" }).click();
  await page.getByLabel("E-mail").fill(someone.email);
  await page.getByRole("textbox", { name: "Senha" }).fill(password);
  await page.getByRole("button", { name: "Entrar", exact: true }).click();
  await page.getByRole("button", { name: "Usar chave de acesso" }).click();
  await expect(page).toHaveURL("/tickets");
});

/** New recovery codes on a slow network: neither Escape nor the later answer of a new passkey takes them off the screen. */
async function renewsCodesWhileAnswersWait(page: Page): Promise<void> {
  await addAuthenticator(page);
  const ofPasskey = await holdAnswer(page, "/auth/passkeys");
  const ofCodes = await holdAnswer(page, "/auth/two-factor/recovery-codes");
  const heading = page.getByRole("heading", { name: "Códigos de recuperação" });
  await page.getByRole("button", { name: "Adicionar chave de acesso" }).click();
  await page.getByLabel("Senha atual").fill(password);
  await page.keyboard.press("Enter");
  await ofPasskey.given;
  await page.getByRole("button", { name: "Novos códigos de recuperação" }).click();
  await page.getByLabel("Senha atual").fill(password);
  await page.keyboard.press("Enter");
  await ofCodes.given;
  await page.keyboard.press("Escape");
  ofCodes.release();
  await expect(heading).toBeVisible();
  ofPasskey.release();
  await expect(page.getByText("Chave de acesso adicionada")).toBeVisible();
  await expect(heading).toBeVisible();
}

/** Holds the next answer to a POST: `given` once the server has given it, on its way until `release`. */
async function holdAnswer(
  page: Page,
  path: string,
): Promise<{ readonly given: Promise<void>; readonly release: () => void }> {
  const given = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() !== "POST") {
      await route.continue();
      return;
    }
    const response = await route.fetch();
    given.resolve();
    await released.promise;
    await route.fulfill({ response });
  });
  return { given: given.promise, release: () => released.resolve() };
}

/** A sensor of fingers that says yes at once. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Without a mail server mails are files. */
async function mailedCode(dataDir: string, email: string): Promise<string> {
  let code: string | undefined;
  await expect
    .poll(async () => {
      const files = await readdir(`${dataDir}/outbox`).catch(() => []);
      const mails = await Promise.all(files.map((file) => readFile(`${dataDir}/outbox/${file}`, "utf8")));
      const mail = mails.find((text) => text.includes(`To: ${email}`));
      code = /^[0-9A-Z]{5}-[0-9A-Z]{5}$/mu.exec(mail ?? "")?.[0];
      return code;
    })
    .toBeDefined();
  return code ?? "";
}
