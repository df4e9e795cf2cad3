import type { Page } from "@playwright/test";
import { uniqueName, createUser } from "./support/api.ts";
import { signIn } from "./support/desk.ts";
import { expect, test } from "./support/journey.ts";

test("both fields are needed, wrong ones are named, and the snackbar stays six seconds (A-01, A-02)", async ({
  page,
  admin,
}) => {
  const someone = await createUser(admin, uniqueName("Iara"));
  await page.goto("/login");
  await page.getByRole("button", { name: "Entrar" }).click();
  await expect(page.getByText("Por favor, preencha todos os campos")).toBeVisible();

  await page.getByLabel("E-mail").fill(someone.email);
  await page.getByRole("textbox", { name: "Senha" }).fill("errada");
  const stays = howLongStays(page, "Email ou senha incorretos");
  await page.getByRole("button", { name: "Entrar" }).click();
  expect(await stays).toBeGreaterThanOrEqual(5_900);

  await signIn(page, someone);
  await expect(page.getByText("Login efetuado com sucesso!")).toBeVisible();
});

test("what cannot be fetched beside them takes neither the form to sign in away nor the way to sign out (A-01, S-04)", async ({
  page,
  at,
  admin,
}) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto("/login");
  await expect(page.getByLabel("E-mail")).toBeVisible();
  expect(asked.filter((url) => url.includes("LoginScene"))).toEqual([]);

  await page.route("**/LoginScene*", (route) => route.abort());
  const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("LoginScene"));
  await page.setViewportSize({ width: 1440, height: 900 });
  await failed;
  await page.getByLabel("E-mail").fill("ana@exemplo.com");
  await expect(page.getByRole("button", { name: "Entrar" })).toBeVisible();

  const phone = await at(await createUser(admin, uniqueName("Nara")), {
    width: 360,
    // nor the desk
    prepare: (context) =>
      context.route(/VolumeSlider|Bell|MessageNotifier|KeptConversations|Notices/u, (route) => route.abort()),
  });
  await expect(phone.getByRole("tab", { name: /^Atendendo/u })).toBeVisible();
  const missed = phone.waitForEvent("requestfailed", (request) => request.url().includes("VolumeSlider"));
  await phone.locator("header").getByRole("button", { name: "Minha conta" }).click();
  await missed;
  await phone.getByRole("menuitem", { name: "Sair" }).click();
  await expect(phone).toHaveURL(/\/login$/u);
});

test("a signed-in user who opens a public address gets to /, and one who signs in to /tickets (A-08)", async ({
  page,
  at,
  admin,
}) => {
  const boss = await createUser(admin, uniqueName("Chefe"), { profile: "admin" });
  const inside = await at(boss);
  for (const path of ["/login", "/signup", "/forgetpsw"]) {
    // A cold load: the session is restored while the address is open.
    await inside.goto(path);
    await expect(inside).toHaveURL("/");
  }
  await page.goto("/contacts");
  await expect(page).toHaveURL("/login");
  // Another person: a second sign-in of the first would reload that page while the journey ends and closes it.
  await signIn(page, await createUser(admin, uniqueName("Chefe"), { profile: "admin" }));
  await expect(page).toHaveURL("/tickets");
});

test("a server that fails is told as it is known: which part, that an error occurred, and how to go on (E-01, E-02)", async ({
  at,
  admin,
}) => {
  const page = await at(await createUser(admin, uniqueName("Vera")));
  await expect(page.getByText("ao vivo")).toBeVisible();
  const broken = { status: 500, json: { error: "ERR_INTERNAL", message: "relation does not exist", requestId: "r1" } };
  await page.route(/\/tickets(\?|\/u\/)/u, (route) =>
    route.request().resourceType() === "document" ? route.fallback() : route.fulfill(broken),
  );
  await page.goto("/tickets/00000000-0000-4000-8000-000000000000");

  const said = page.getByRole("alert");
  await expect(said.filter({ hasText: "Erro ao buscar informações dos tickets" })).toContainText("Ocorreu um erro!");
  await expect(said.filter({ hasText: "Erro ao obter informações da conversa" })).toContainText("Ocorreu um erro!");
  await expect(page.getByText("relation")).toHaveCount(0);

  await page.unroute(/\/tickets(\?|\/u\/)/u);
  await said.filter({ hasText: "tickets" }).getByRole("button", { name: "Tentar novamente" }).click();
  await expect(page.getByText("Nenhuma conversa em atendimento")).toBeVisible();
});

test("the source is offered at sign-in and in the menu, and the parts of others are named", async ({ page, admin }) => {
  const source = page.getByRole("link", { name: "Código-fonte" });
  await page.goto("/login");
  await expect(source).toHaveAttribute("href", "/source");
  await signIn(page, await createUser(admin, uniqueName("Fonte")));
  await expect(source).toBeVisible();
  const opened = page.waitForEvent("popup");
  await source.click();
  await expect((await opened).getByText("GNU Affero General Public License")).toBeVisible();

  const parts = await (await page.request.get("/third-party-licences.txt")).text();
  expect(parts).toContain("react-dom");
  expect(parts).toContain("Permission is hereby granted");
});

test("a stranger is sent to sign in, and who is signed in is sent on (A-08)", async ({ page, admin }) => {
  const someone = await createUser(admin, uniqueName("Davi"));
  await page.goto("/connections");
  await expect(page).toHaveURL(/\/login$/);
  await signIn(page, someone);

  await page.goto("/login");
  await expect(page).toHaveURL(/\/tickets$/);
});

test("an agent does not get into the screens of admins, nor sees them in the menu (S-02)", async ({ at, admin }) => {
  const page = await at(await createUser(admin, uniqueName("Raul")));
  await expect(page.getByRole("link", { name: "Conversas" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Conexões" })).toHaveCount(0);
  await page.goto("/connections");
  await expect(page.getByText("Acesso não permitido")).toBeVisible();
  await expect(page).toHaveURL(/\/tickets$/);
});

test("the same account on another computer ends the first session, and says so (A-07)", async ({ at, admin }) => {
  const someone = await createUser(admin, uniqueName("Nina"));
  const first = await at(someone);
  await expect(first.getByText("ao vivo")).toBeVisible();

  // The message is shown for a second, then the page reloads.
  const told = expect(first.getByText("Sua conta foi acessada em outro computador.")).toBeVisible();
  const second = await at(someone);
  await told;
  await expect(first).toHaveURL(/\/login$/);
  // asked again only where the page went away under the question
  let token: string | null = "unknown";
  await expect(async () => {
    token = await first.evaluate(() => localStorage.getItem("token"));
  }).toPass();
  expect(token).toBeNull();
  // The sentence stays, however late somebody looks, until the next sign-in.
  const why = first.getByRole("alert").filter({ hasText: "Sua conta foi acessada em outro computador" });
  await first.reload();
  await expect(why).toBeVisible();
  await second.reload();
  await expect(second.getByRole("tab", { name: /Aguardando/ })).toBeVisible();
  await signIn(first, await createUser(admin, uniqueName("Nilo")));
  await first.getByRole("button", { name: "Minha conta" }).click();
  await first.getByRole("menuitem", { name: "Sair" }).click();
  await expect(first).toHaveURL(/\/login$/);
  await expect(why).toBeHidden();
});

test("signing out ends the session on the server too (A-06)", async ({ at, admin }) => {
  const page = await at(await createUser(admin, uniqueName("Otto")));
  await page.getByRole("button", { name: "Minha conta" }).click();
  await page.getByRole("menuitem", { name: "Sair" }).click();
  await expect(page).toHaveURL(/\/login$/);
  const answer = await page.request.post("/auth/refresh_token");
  expect(answer.ok()).toBe(false);
});

/** How long this text was shown (ms, by the page's clock): a busy machine makes it longer, never shorter. */
function howLongStays(page: Page, words: string): Promise<number> {
  return page.evaluate(
    (text) =>
      new Promise<number>((resolve) => {
        let since: number | undefined;
        const look = () => {
          if (document.body.textContent.includes(text)) {
            since ??= performance.now();
          } else if (since !== undefined) {
            resolve(performance.now() - since);
          }
        };
        new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
      }),
    words,
  );
}
