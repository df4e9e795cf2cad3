/** What a plan includes, and what happens in open browsers when that changes. */
import { companies, plans, type PlanFlag } from "@prosa/contract";
import { createCompany, createUser, signInToApi, uniqueName } from "./support/api.ts";
import { demo, expect, test } from "./support/journey.ts";

const refusal = {
  pt: "Esta empresa não possui permissão para acessar essa página! Estamos lhe redirecionando.",
  en: "This company is not allowed to open that page! Taking you back.",
  es: "¡Esta empresa no tiene permiso para abrir esa página! Redirigiendo…",
} as const;

declare global {
  interface Window {
    /** How long the refused screen's address stayed under the toast, in ms. */
    stayedMs: number;
  }
}

/** Runs in the page, which a busy machine slows together with its clock: the journey itself could look too late. */
function watchRefusal(text: string): void {
  const leave = (since: number) => {
    if (location.pathname === "/") {
      window.stayedMs = performance.now() - since;
    } else {
      requestAnimationFrame(() => leave(since));
    }
  };
  // Told with the change itself: a frame may come late, and the timer of the redirect would have begun before it.
  new MutationObserver((_, observer) => {
    if (document.body?.textContent.includes(text)) {
      observer.disconnect();
      leave(performance.now());
    }
  }).observe(document, { childList: true, subtree: true, characterData: true });
}

for (const [language, text] of Object.entries(refusal)) {
  test(`announcements are refused to all but the operator by the specified toast, and lead to / after a second, in ${language} (O-05)`, async ({
    at,
    admin,
  }) => {
    const boss = await createUser(admin, uniqueName("Chefe"), { profile: "admin" });
    const page = await at(boss, {
      prepare: (context) => context.addInitScript((chosen) => localStorage.setItem("prosa.language", chosen), language),
    });
    await page.addInitScript(watchRefusal, text);
    await page.goto("/announcements");
    await expect(page.getByText(text)).toBeVisible();
    await expect(page).toHaveURL("/");
    expect(await page.evaluate(() => window.stayedMs)).toBeGreaterThan(900);
  });
}

test("a feature taken off the plan leaves the open menu and its open screen, and comes back (Y-05, S-02)", async ({
  at,
  product,
}) => {
  const operator = await signInToApi(product.url, demo.operator);
  const every = { users: 9, connections: 9, queues: 9, value: 1, isPublic: false };
  const plan = await operator.call(plans.create, { body: { ...every, name: uniqueName("Sob medida") } });
  const poor = await operator.call(plans.create, {
    body: { ...every, name: uniqueName("Sem nada"), ...off("useOpenAi", "useInternalChat", "useIntegrations") },
  });
  const account = await createCompany(operator);
  const own = (await operator.call(companies.lookup)).find(({ email }) => email === account.email);
  const changePlan = (planId: number) =>
    operator.call(companies.update, { params: { id: own?.id ?? 0 }, body: { planId } });
  await changePlan(plan.id);

  const page = await at(account);
  const menu = page.getByRole("navigation");
  const change = (flags: Partial<Record<PlanFlag, boolean>>) =>
    operator.call(plans.update, { params: { id: plan.id }, body: flags });

  for (const [flag, entry, path] of [
    ["useOpenAi", "Assistentes de IA", "/prompts"],
    ["useIntegrations", "Integrações", "/queue-integration"],
    ["useInternalChat", "Chat interno", "/chats"],
  ] as const) {
    const link = menu.getByRole("link", { name: entry });
    await link.click();
    await expect(page).toHaveURL(path);
    await change({ [flag]: false });
    await expect(link).toBeHidden({ timeout: 5_000 });
    await expect(page.getByText(refusal.pt)).toBeVisible();
    await expect(page).toHaveURL("/");
    await change({ [flag]: true });
    await expect(link).toBeVisible({ timeout: 5_000 });
  }

  await changePlan(poor.id);
  await expect(menu.getByRole("link", { name: "Chat interno" })).toBeHidden({ timeout: 5_000 });
  await expect(menu.getByRole("link", { name: "Assistentes de IA" })).toBeHidden();
  await changePlan(plan.id);
  await expect(menu.getByRole("link", { name: "Chat interno" })).toBeVisible({ timeout: 5_000 });
});

function off(...flags: readonly PlanFlag[]): Partial<Record<PlanFlag, boolean>> {
  return Object.fromEntries(flags.map((flag) => [flag, false]));
}
