/** `npm run screenshots`: the seeded product, every built screen, in both themes and on a phone, into screenshots/. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium, devices, type Browser, type BrowserContextOptions, type Page } from "@playwright/test";
import { signIn } from "./support/desk.ts";
import { startProduct } from "./support/product.ts";
import { screensOf } from "./support/screens.ts";

const folder = join(import.meta.dirname, "../screenshots");
const admin = { email: "admin@prosa.demo" };
const agent = { email: "agente1@prosa.demo" };

const looks: readonly {
  readonly name: string;
  readonly theme: "light" | "dark";
  readonly options: BrowserContextOptions;
}[] = [
  { name: "light", theme: "light", options: { viewport: { width: 1440, height: 900 } } },
  { name: "dark", theme: "dark", options: { viewport: { width: 1440, height: 900 } } },
  { name: "phone", theme: "light", options: { ...devices["Pixel 7"], viewport: { width: 360, height: 780 } } },
];

await mkdir(folder, { recursive: true });
const product = await startProduct();
const browser = await chromium.launch({
  executablePath: process.env["PROSA_CHROMIUM"],
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
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
  });
  const page = await context.newPage();
  const take = async (what: string) => {
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: join(folder, `${what}-${name}.png`) });
  };

  await page.goto("/login");
  await take("login");
  await signIn(page, agent);
  await openAConversation(page);
  await take("conversation");

  await context.clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goto("/login");
  await signIn(page, admin);
  const viewport = page.viewportSize()!;
  await page.setViewportSize({ width: 1440, height: 900 });
  const paths = await screensOf(page);
  await page.setViewportSize(viewport);
  for (const path of paths) {
    await page.goto(path);
    await take(path === "/" ? "dashboard" : path.slice(1).replaceAll("/", "-"));
  }
  await page.goto("/simulator");
  await page.getByRole("listitem").getByRole("button").first().click();
  await take("phone-chat");
  await page.goto("/connections");
  await page.getByRole("button", { name: "Nova conexão" }).click();
  await take("connection-dialog");
  await context.close();
}

/** The first that is being served: it has photos, ticks and both sides. */
async function openAConversation(page: Page): Promise<void> {
  await page.getByRole("tab", { name: /Atendendo/ }).click();
  await page.getByTestId("ticket-list").getByRole("listitem").first().getByRole("button").first().click();
  await page.getByTestId("conversation").waitFor();
}
