/** What is wrong with a screen that anybody could see: words, width, an alert, the console, a barrier. */
import { expect, type ConsoleMessage, type Page } from "@playwright/test";
import { accessibilityViolations } from "./axe.ts";

export const languages = ["pt", "en", "es"] as const;
export type Language = (typeof languages)[number];

/**
 * Words that a screen of another language would show, and that nobody writes into a name or a message; that every text is
 * translated, `translations.test.ts` says.
 */
const foreign: Readonly<Record<Language, RegExp>> = {
  pt: /\b(Search|Save|Settings|Loading|Configuración|Buscar en|Guardar|Conexiones|Usuarios)\b/u,
  en: /\b(Salvar|Guardar|Conexões|Conexiones|Usuários|Usuarios|Configurações|Configuración|Carregando|Cargando)\b/u,
  es: /\b(Salvar|Save|Settings|Conexões|Usuários|Configurações|Carregando|Loading)\b/u,
};
/** What people wrote, a conversation or a name, is in their own language: only the words of the product are read. */
const written = "main :is(li, tbody, [role=listitem], [role=cell], [role=gridcell])";
/** `undefined` and the like, a value that was never filled in, or an error's code. */
const raw = /\b(undefined|NaN|\[object Object\])\b|\{[a-z]\w*\}|\bERR_[A-Z_]+\b/u;
/** A key that nobody translated: `tickets.accept`, `fail_unknown`. */
const key = /^[a-z]+([A-Z][a-z]+)*([._][a-zA-Z]+)+$/u;

/** Errors of the console and of scripts, as they come. */
export function listenForErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("console", (entry: ConsoleMessage) => {
    if (entry.type() === "error") {
      errors.push(`console: ${entry.text()}`);
    }
  });
  page.on("pageerror", ({ message }) => errors.push(`script: ${message}`));
  return errors;
}

/** Opens a screen as people do, by its entry, or by its address where it has none; resolves when nothing loads any more. */
export async function openScreen(page: Page, path: string): Promise<void> {
  const entry = page.getByRole("navigation").locator(`a[href="${path}"]`);
  if ((await entry.count()) === 0) {
    await page.goto(path);
  } else if (new URL(page.url()).pathname !== path) {
    // React keeps the screen before on the page until the chunk of the next one is there.
    await page.getByRole("main").evaluate((main) => main.firstElementChild?.setAttribute("data-left", ""));
    await entry.click();
    await expect(page.locator("[data-left]")).toHaveCount(0);
  }
  // The simulator goes on to its first line.
  await expect(page).toHaveURL(({ pathname }) => pathname === path || pathname.startsWith(`${path}/`));
  await expect(page.getByRole("main")).not.toBeEmpty();
  // A running campaign shows how far it is; only what has no end in sight is loading.
  await expect(page.locator("[role=progressbar]:not([aria-valuenow]), [aria-busy=true]")).toHaveCount(0);
}

/** Wrong words and alerts of what is shown in this language. */
export async function findWrongWords(page: Page, language: Language): Promise<string[]> {
  const { words, texts, said, lang } = await page.evaluate((data) => {
    const ofProduct = (selector: string) =>
      [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.closest(data) === null);
    return {
      words: ofProduct("nav, header, h1, h2, h3, th, label, button, input, [role=tab]")
        .flatMap((element) => [element.innerText, element.ariaLabel ?? "", element.getAttribute("placeholder") ?? ""])
        .join("\n"),
      texts: ofProduct("body *")
        .filter((element) => element.checkVisibility())
        .flatMap((element) => [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE))
        .flatMap((text) => text.textContent!.split(/\s+/u)),
      said: [...document.querySelectorAll<HTMLElement>("[role=alert]")].map((element) => element.innerText.trim()),
      lang: document.documentElement.lang,
    };
  }, written);
  return [
    ...texts.filter((word) => key.test(word)).map((word) => `key "${word}"`),
    ...[raw, foreign[language]].flatMap((pattern) => pattern.exec(words)?.[0] ?? []).map((word) => `word "${word}"`),
    ...said.filter((text) => text !== "").map((text) => `says "${text}"`),
    ...(lang.startsWith(language) ? [] : [`lang of the page is ${lang}`]),
  ];
}

/** Makes the window so large, in px, and waits for the menu, which follows the width a moment later (S-01). */
export async function resize(page: Page, width: number, height = 900): Promise<void> {
  await page.setViewportSize({ width, height });
  // A dialog hides it from screen readers only.
  const menu = page.getByRole("navigation", { includeHidden: true }).first();
  await expect(menu).toBeVisible({ visible: width >= 600 });
}

/** Whether page or screen scroll sideways at this width (px); leaves the window so wide. */
export async function findOverflow(page: Page, width: number): Promise<string[]> {
  await resize(page, width);
  const wide = await page.evaluate(() =>
    Math.max(document.documentElement.scrollWidth, document.querySelector("main")?.scrollWidth ?? 0),
  );
  return wide > width ? [`${wide} px wide at ${width}`] : [];
}

/** What axe sees of the screen, or of what matches `within`, in both themes, as wide as the window is. */
export async function findBarriers(page: Page, within?: string): Promise<string[]> {
  const faults: string[] = [];
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
    faults.push(...(await accessibilityViolations(page, theme, within)).map((fault) => `${theme}: ${fault}`));
  }
  return faults;
}
