/** Internal chat between two people of the company. */
import type { BrowserContext, Page } from "@playwright/test";
import { chats } from "@prosa/contract";
import { signInToApi, uniqueName, createUser, type Account } from "./support/api.ts";
import { accessibilityViolations } from "./support/axe.ts";
import { expect, test } from "./support/journey.ts";

interface Shown {
  readonly notice: EventTarget;
  readonly title: string;
  readonly body: string;
}
declare global {
  interface Window {
    shownChats: Shown[];
  }
}

/** Replaces the browser's Notification, and records the calls. */
const noteNotices = (context: BrowserContext) =>
  context.addInitScript(() => {
    window.shownChats = [];
    class Notice extends EventTarget {
      static readonly permission = "granted";
      static requestPermission = () => Promise.resolve("granted");
      readonly close = () => undefined;
      constructor(title: string, { body = "" }: { body?: string } = {}) {
        super();
        window.shownChats.push({ notice: this, title, body });
      }
    }
    Object.assign(window, { Notification: Notice });
  });
const shownIn = (page: Page) => page.evaluate(() => window.shownChats.map(({ title, body }) => ({ title, body })));

const row = (page: Page, title: string) =>
  page.getByRole("list", { name: "Conversas internas" }).getByRole("listitem").filter({ hasText: title });
const bubble = (page: Page, text: string) =>
  page.getByTestId("chat-messages").locator("[data-message]").filter({ hasText: text });
const dot = (page: Page) => page.getByRole("navigation").getByRole("img", { name: "Há mensagens não lidas" });

async function write(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Escreva para a equipe" }).fill(text);
  await page.getByRole("textbox", { name: "Escreva para a equipe" }).press("Enter");
}

async function begin(page: Page, title: string, people: readonly Account[]): Promise<void> {
  await page.getByRole("button", { name: "Nova conversa interna" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Título").fill(title);
  for (const { name } of people) {
    await dialog.getByLabel("Buscar usuário").fill(name);
    await dialog.getByRole("checkbox", { name }).check();
  }
  await dialog.getByRole("button", { name: "Salvar" }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/chats\/[\w-]{36}$/);
}

test("two people talk: dot, bell and notification lead to it, both see it live, reading clears it (O-06, N-03, S-04, S-06)", async ({
  at,
  admin,
}) => {
  const [vera, igor] = [await createUser(admin, uniqueName("Vera")), await createUser(admin, uniqueName("Igor"))];
  const title = uniqueName("Escala");
  const [hers, his] = [await at(vera), await at(igor, { prepare: noteNotices })];
  await expect(his.getByText("ao vivo")).toBeVisible();

  await hers.goto("/chats");
  await hers.getByRole("button", { name: "Nova conversa interna" }).first().click();
  await hers.getByRole("button", { name: "Salvar" }).click();
  await expect(hers.getByText("Por favor, preencha o título da conversa.")).toBeVisible();
  await expect(hers.getByText("Por favor, selecione pelo menos um usuário.")).toBeVisible();
  await hers.getByRole("button", { name: "Cancelar" }).click();
  await begin(hers, title, [igor]);
  await write(hers, "   ");
  await write(hers, "Quem abre no *sábado*?");
  await expect(bubble(hers, "Quem abre no sábado?")).toHaveCount(1);

  // the other user is on the desk
  await expect(dot(his)).toBeVisible();
  await expect.poll(() => shownIn(his)).toEqual([{ title: `${vera.name} · ${title}`, body: "Quem abre no sábado?" }]);
  await his.getByRole("button", { name: "Chats não lidos 1" }).click();
  await expect(his.getByRole("dialog", { name: "Chats não lidos" })).toContainText(title);
  await his.keyboard.press("Escape");
  await his.evaluate(() => window.shownChats[0]?.notice.dispatchEvent(new Event("click")));
  await expect(his).toHaveURL(hers.url());
  await expect(bubble(his, "Quem abre no sábado?")).toContainText(vera.name);
  await expect(dot(his)).toBeHidden();
  await expect(his.getByRole("button", { name: "Chats não lidos", exact: true })).toBeVisible();

  await write(his, "Eu abro.");
  await expect(bubble(hers, "Eu abro.")).toContainText(igor.name);
  await write(hers, "Obrigada!");
  await expect(bubble(his, "Obrigada!")).toBeVisible();
  await expect(dot(hers)).toBeHidden();
  expect(await shownIn(his)).toHaveLength(1);
  await expect(row(his, title)).toContainText("Obrigada!");
});

test("only the owner edits and deletes; whoever is taken out loses the chat before their eyes (O-06)", async ({
  at,
  admin,
}) => {
  const [vera, igor, nina] = [
    await createUser(admin, uniqueName("Vera")),
    await createUser(admin, uniqueName("Igor")),
    await createUser(admin, uniqueName("Nina")),
  ];
  const [hers, his] = [await at(vera), await at(igor)];
  await hers.goto("/chats");
  const title = uniqueName("Férias");
  await begin(hers, title, [igor]);
  await his.goto(hers.url());
  await expect(his.getByRole("heading", { name: title })).toBeVisible();
  await expect(his.getByRole("button", { name: "Editar conversa" })).toBeHidden();
  await expect(his.getByRole("button", { name: "Excluir conversa" })).toBeHidden();

  const renamed = uniqueName("Férias e folgas");
  await hers.getByRole("button", { name: "Editar conversa" }).click();
  const dialog = hers.getByRole("dialog");
  await dialog.getByLabel("Título").fill(renamed);
  await dialog.getByRole("button", { name: "Salvar" }).click();
  await expect(his.getByRole("heading", { name: renamed })).toBeVisible();

  await hers.getByRole("button", { name: "Editar conversa" }).click();
  await dialog.getByRole("checkbox", { name: igor.name }).uncheck();
  await dialog.getByRole("checkbox", { name: nina.name }).check();
  await dialog.getByRole("button", { name: "Salvar" }).click();
  await expect(his.getByText("Esta conversa não está disponível")).toBeVisible();
  await expect(row(his, renamed)).toBeHidden();

  await hers.getByRole("button", { name: "Excluir conversa" }).click();
  await hers.getByRole("alertdialog").getByRole("button", { name: "Excluir" }).click();
  await expect(hers.getByText("Conversa excluída.")).toBeVisible();
  await expect(row(hers, renamed)).toBeHidden();
});

test("older messages come while one reads upwards, and what is not sent waits to be tried again (O-06)", async ({
  at,
  admin,
  product,
}) => {
  const [vera, igor] = [await createUser(admin, uniqueName("Vera")), await createUser(admin, uniqueName("Igor"))];
  const writer = await signInToApi(product.url, igor);
  const { id, uuid } = await writer.call(chats.create, {
    body: { title: uniqueName("Longa"), users: [{ id: vera.id }] },
  });
  for (let n = 1; n <= 70; n += 1) {
    await writer.call(chats.send, { params: { id }, body: { message: `mensagem número ${n}.` } });
  }
  const page = await at(vera);
  await page.goto(`/chats/${uuid}`);
  await expect(bubble(page, "mensagem número 70.")).toBeInViewport();
  await expect(bubble(page, "mensagem número 5.")).toHaveCount(0);
  await page.getByTestId("chat-messages").hover();
  await expect(async () => {
    await page.mouse.wheel(0, -3_000);
    await expect(bubble(page, "mensagem número 1.")).toBeInViewport({ timeout: 500 });
  }).toPass();
  await expect(page.getByTestId("chat-messages").locator("[data-message]")).toHaveCount(70);

  await page.route("**/chats/*/messages", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await write(page, "Cheguei?");
  await expect(page.getByText("Não enviada")).toBeInViewport();
  await page.unroute("**/chats/*/messages");
  await page.getByRole("button", { name: "Tentar de novo" }).click();
  await expect(bubble(page, "Cheguei?")).toHaveCount(1);
  await expect(page.getByText("Não enviada")).toBeHidden();
});

test("on a narrow screen chats and messages are two tabs, on a phone one thing at a time, which everybody can read (O-06, S-11)", async ({
  at,
  admin,
  product,
}) => {
  const [vera, igor] = [await createUser(admin, uniqueName("Vera")), await createUser(admin, uniqueName("Igor"))];
  const writer = await signInToApi(product.url, igor);
  const title = uniqueName("No celular");
  const { id } = await writer.call(chats.create, { body: { title, users: [{ id: vera.id }] } });
  await writer.call(chats.send, { params: { id }, body: { message: "Está por aí?" } });
  const page = await at(vera, { width: 768 });
  await page.goto("/chats");
  const tab = (name: string) => page.getByRole("tab", { name });
  await expect(tab("Chats")).toHaveAttribute("aria-selected", "true");
  await expect(row(page, title)).toContainText("1 não lida");
  await row(page, title).click();
  await expect(tab("Mensagens")).toHaveAttribute("aria-selected", "true");
  await expect(bubble(page, "Está por aí?")).toBeVisible();
  await write(page, "Estou!");
  await expect(bubble(page, "Estou!")).toBeVisible();
  expect(await accessibilityViolations(page, "light")).toEqual([]);
  await tab("Chats").click();
  await expect(row(page, title)).toContainText("Estou!");
  await expect(row(page, title)).not.toContainText("não lida");
  expect(await accessibilityViolations(page, "light")).toEqual([]);

  // a phone shows nothing but the open chat, and the way back
  await page.setViewportSize({ width: 360, height: 780 });
  await expect(tab("Chats")).toHaveAttribute("aria-selected", "true");
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await accessibilityViolations(page, "light")).toEqual([]);
  await row(page, title).click();
  await expect(bubble(page, "Estou!")).toBeVisible();
  await expect(page.getByRole("tab")).toHaveCount(0);
  await expect(page.getByRole("banner").getByText("Olá,")).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await accessibilityViolations(page, "light")).toEqual([]);
  await page.getByRole("button", { name: "Ver as conversas" }).click();
  await expect(tab("Chats")).toHaveAttribute("aria-selected", "true");
  await row(page, title).click();

  await page.evaluate(() => localStorage.setItem("prosa.theme", "dark"));
  await page.reload();
  await expect(bubble(page, "Estou!")).toBeVisible();
  expect(await accessibilityViolations(page, "dark")).toEqual([]);
});
