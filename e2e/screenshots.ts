/** `npm run screenshots`: every built screen and its dialogs, in both themes and on a phone, with long names and with nothing, into screenshots/. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { companies, connections, contacts, helps, plans, prompts, queueIntegrations } from "@prosa/contract";
import { chromium, devices, type Browser, type BrowserContextOptions, type Page } from "@playwright/test";
import { signInToApi, createUser, createQueue } from "./support/api.ts";
import { signIn } from "./support/desk.ts";
import { startProduct } from "./support/product.ts";
import { screensOf } from "./support/screens.ts";

const folder = join(import.meta.dirname, "../screenshots");
const admin = { email: "admin@prosa.demo" };
const agent = { email: "agente1@prosa.demo" };
const operator = { email: "operador@prosa.demo" };

const looks: readonly {
  readonly name: string;
  readonly theme: "light" | "dark";
  readonly options: BrowserContextOptions;
}[] = [
  { name: "light", theme: "light", options: { viewport: { width: 1440, height: 900 } } },
  { name: "dark", theme: "dark", options: { viewport: { width: 1440, height: 900 } } },
  { name: "phone", theme: "light", options: { ...devices["Pixel 7"], viewport: { width: 360, height: 780 } } },
];

/** Dialogs of a screen: by the name of their button, or of the action on the first row. */
const dialogs: readonly {
  readonly path: string;
  readonly name: string;
  readonly open: (page: Page) => Promise<unknown>;
}[] = [
  { path: "/connections", name: "connection-dialog", open: press("Nova conexão") },
  { path: "/connections", name: "line-history", open: onRow("Histórico da linha") },
  { path: "/connections", name: "confirm", open: onRow("Excluir conexão") },
  { path: "/queues", name: "queue-dialog", open: press("Nova fila") },
  { path: "/queues", name: "bot-menu", open: onRow("Menu do robô") },
  { path: "/prompts", name: "prompt-dialog", open: press("Novo assistente") },
  { path: "/queue-integration", name: "integration-dialog", open: press("Nova integração") },
  { path: "/files", name: "file-list-dialog", open: press("Nova lista") },
  { path: "/users", name: "user-dialog", open: press("Novo usuário") },
  { path: "/contacts", name: "contact-dialog", open: press("Novo contato") },
  { path: "/quick-messages", name: "quick-message-dialog", open: press("Nova resposta") },
  { path: "/tags", name: "tag-dialog", open: press("Nova etiqueta") },
  { path: "/products", name: "product-dialog", open: press("Novo produto") },
  { path: "/tickets", name: "new-ticket", open: press("Nova conversa") },
  { path: "/tickets", name: "bell", open: press(/^Conversas não lidas/) },
  { path: "/tickets", name: "account-menu", open: press("Minha conta") },
  { path: "/tickets", name: "palette", open: press("Buscar em tudo") },
  { path: "/tickets", name: "help", open: (page) => page.keyboard.press("?") },
];

/** The operator's tabs, which nobody else's settings have (G-01). */
const operatorTabs: readonly { readonly tab: string; readonly form: string }[] = [
  { tab: "companies", form: "Nova empresa" },
  { tab: "plans", form: "Novo plano" },
  { tab: "helps", form: "Novo vídeo" },
];

await mkdir(folder, { recursive: true });
const product = await startProduct();
const browser = await chromium.launch({
  executablePath: process.env["PROSA_CHROMIUM"],
  // the language of native form fields, which a page cannot choose
  args: ["--no-sandbox", "--disable-gpu", "--lang=pt-BR"],
  env: { ...process.env, LANGUAGE: "pt_BR" },
});
try {
  await giveLongNames();
  for (const look of looks) {
    await picture(browser, look);
  }
} finally {
  await browser.close();
  await product.remove();
}
console.log(`The pictures are in ${folder}.`);

async function picture(on: Browser, { name, theme, options }: (typeof looks)[number]): Promise<void> {
  const context = await on.newContext({
    ...options,
    baseURL: product.url,
    locale: "pt-BR",
    timezoneId: "America/Sao_Paulo",
    colorScheme: theme,
    reducedMotion: "reduce",
    serviceWorkers: "block",
  });
  const page = await context.newPage();
  const take = async (what: string) => {
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: join(folder, `${what}-${name}.png`) });
  };

  await page.goto("/login");
  await take("login");
  await signIn(page, agent);
  await page.getByText("Login efetuado com sucesso!").waitFor({ state: "hidden" });
  await openAConversation(page);
  await take("conversation");

  await signInAs(page, operator);
  for (const { tab, form } of operatorTabs) {
    await page.goto(`/settings?tab=${tab}`);
    await page.getByRole("row").first().waitFor();
    await take(`settings-${tab}`);
    await press(form)(page);
    await page.getByRole("dialog").waitFor();
    await take(`settings-${tab}-dialog`);
  }

  await signInAs(page, admin);
  const viewport = page.viewportSize()!;
  await page.setViewportSize({ width: 1440, height: 900 });
  const paths = await screensOf(page);
  await page.setViewportSize(viewport);
  for (const path of paths) {
    await page.goto(path);
    await take(fileOf(path));
  }
  await page.goto("/simulator");
  await page.getByRole("listitem").getByRole("button").first().click();
  await take("phone-chat");
  for (const { path, name: what, open } of dialogs) {
    await page.goto(path);
    await page.getByRole("main").getByRole("button").first().waitFor();
    await open(page);
    await page.locator("[role=dialog], [role=alertdialog], [role=menu]").first().waitFor();
    await take(what);
  }
  await withNothing(page);
  for (const path of ["/contacts", "/quick-messages", "/connections", "/queues", "/tickets"]) {
    await page.goto(path);
    await take(`${fileOf(path)}-empty`);
  }
  await context.close();
}

async function signInAs(page: Page, account: { readonly email: string }): Promise<void> {
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goto("/login");
  await signIn(page, account);
}

function fileOf(path: string): string {
  return path === "/" ? "dashboard" : path.slice(1).replaceAll("/", "-");
}

/** The first open ticket: it has photos, ticks and both sides. */
async function openAConversation(page: Page): Promise<void> {
  await page.getByRole("tab", { name: /Atendendo/ }).click();
  await page.getByTestId("ticket-list").getByRole("listitem").first().getByRole("button").first().click();
  await page.getByTestId("conversation").waitFor();
}

/** Overlong names of a queue, user, line, contact, company, plan and video; some have no space to break at. */
async function giveLongNames(): Promise<void> {
  const caller = await signInToApi(product.url, admin);
  const queueId = await createQueue(caller, "Pós-venda, trocas, devoluções e garantias", "#7a4fa3");
  await createUser(caller, "Maria Antonieta de Albuquerque Vasconcelos", {
    profile: "supervisor",
    queueIds: [queueId],
  });
  const name = "WhatsApp da filial de São José do Rio Preto";
  await caller.call(connections.create, { body: { name, provider: "simulator" } });
  await caller.call(prompts.create, {
    body: { name: `Vendedora ${"Antonieta".repeat(6)}`, prompt: "Ajude a escolher. ".repeat(60), queueId },
  });
  await caller.call(queueIntegrations.create, {
    body: { type: "n8n", name: "Pedidos".repeat(7), urlN8N: "https://n8n.exemplo.com/webhook/pedidos" },
  });
  await caller.call(contacts.create, {
    body: { name: `${"Ana".repeat(13)}🌻🌻🌻`, number: "5511987650001", email: `${"ana".repeat(20)}@exemplo.com` },
  });

  const owner = await signInToApi(product.url, operator);
  const unbroken = `${"Distribuidora".repeat(3)}🌻🌻🌻`;
  const plan = await owner.call(plans.create, {
    body: { name: unbroken, users: 3, connections: 1, queues: 2, value: 99.9 },
  });
  await owner.call(companies.create, {
    body: { name: unbroken, email: `${"contato".repeat(8)}@exemplo.com`, planId: plan.id, password: "prosa123" },
  });
  await owner.call(helps.create, {
    body: {
      title: `${"Primeirospassos".repeat(4)} 🌻`,
      video: "dQw4w9WgXcQ",
      description: "Como começar. ".repeat(12),
    },
  });
}

/** A new company: all lists are empty. */
async function withNothing(page: Page): Promise<void> {
  const nothing = {
    contacts: [],
    records: [],
    quickMessages: [],
    queueIntegrations: [],
    tickets: [],
    count: 0,
    hasMore: false,
  };
  await page.route(/\/(contacts|quick-messages|queueIntegration|tickets)\?/, (route) =>
    route.fulfill({ json: nothing }),
  );
  await page.route(/\/(whatsapp|queue)\/?(\?.*)?$/, (route) => route.fulfill({ json: [] }));
  await page.route(/\/prompt$/, (route) => route.fulfill({ json: { prompts: [] } }));
}

function press(name: string | RegExp) {
  return (page: Page) => page.getByRole("button", { name }).first().click();
}

function onRow(action: string) {
  return async (page: Page) => {
    const button = page.getByRole("row").getByRole("button", { name: action }).first();
    await button.focus();
    await button.click();
  };
}
