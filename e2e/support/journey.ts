/** `test` of every journey: the started product, a line with customers, and people at their browsers. */
import { test as base, expect, type BrowserContext, type Page } from "@playwright/test";
import type { Connection } from "@prosa/contract";
import {
  signInToApi,
  uniqueName,
  connectLine,
  createCompany,
  createUser,
  removePlanLimits,
  addCustomer,
  password,
  type Account,
  type ApiClient,
  type Customer,
} from "./api.ts";
import { startProduct, type Product } from "./product.ts";

/** The sign-ins of the demo (README). */
export const demo = {
  operator: { name: "Operador", email: "operador@prosa.demo" },
  admin: { name: "Admin", email: "admin@prosa.demo" },
} as const satisfies Record<string, Account>;

interface BrowserOptions {
  readonly width?: number;
  /** Emulate a touch screen. */
  readonly hasTouch?: boolean;
  /** Allows the service worker, which other journeys block (playwright.config.ts). */
  readonly hasWorker?: boolean;
  /** Runs on the browser context before a page is opened. */
  readonly prepare?: (context: BrowserContext) => Promise<unknown>;
}

interface SharedFixtures {
  /** One seeded product for all journeys of a worker. */
  readonly product: Product;
  /** An admin's API client, with an account that no browser uses: a second sign-in would end the session. */
  readonly admin: ApiClient;
  /** A connected simulator line. */
  readonly line: Connection;
}

interface Fixtures {
  /** Opens a browser in which this user is signed in. */
  readonly at: (account: Pick<Account, "email">, options?: BrowserOptions) => Promise<Page>;
  readonly customer: Customer;
  /** The admin of a company without other users, for journeys that depend on all data of a company. */
  readonly alone: ApiClient;
}

/**
 * The widths (px) at which a journey is made: `usual` in each run, `other` too before a release (`PROSA_ALL_WIDTHS=1`).
 * That nothing is clipped or covered is looked for at every width in each run (controls.e2e.ts, menu-sweep.e2e.ts).
 */
export function journeyWidths(usual: number, other: number): readonly number[] {
  return process.env.PROSA_ALL_WIDTHS ? [usual, other] : [usual];
}

export const test = base.extend<Fixtures, SharedFixtures>({
  product: [
    async ({ playwright: _ }, use) => {
      // For the model service of the tests, which is on this machine.
      const product = await startProduct({ LANGUAGE_MODEL_PRIVATE_HOSTS: "on" });
      await use(product);
      await product.remove();
    },
    { scope: "worker", timeout: 240_000 },
  ],
  admin: [
    async ({ product }, use) => {
      await removePlanLimits(await signInToApi(product.url, demo.operator));
      const first = await signInToApi(product.url, demo.admin);
      await use(await signInToApi(product.url, await createUser(first, uniqueName("Preparo"), { profile: "admin" })));
    },
    { scope: "worker" },
  ],
  line: [
    async ({ admin }, use) => {
      await use(await connectLine(admin, uniqueName("Linha")));
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  alone: async ({ product }, use) => {
    const first = await signInToApi(product.url, await createCompany(await signInToApi(product.url, demo.operator)));
    await use(await signInToApi(product.url, await createUser(first, uniqueName("Preparo"), { profile: "admin" })));
  },
  customer: async ({ admin, line }, use) => use(await addCustomer(admin, line, uniqueName("Cliente"))),
  at: async ({ browser, product }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (account, { width = 1440, hasTouch = false, hasWorker = false, prepare } = {}) => {
      const context = await browser.newContext({
        baseURL: product.url,
        viewport: { width, height: 900 },
        hasTouch,
        ...(hasWorker && { serviceWorkers: "allow" }),
      });
      contexts.push(context);
      await prepare?.(context);
      const answer = await context.request.post("/auth/login", { data: { email: account.email, password } });
      const { token, user } = (await answer.json()) as { token: string; user: { id: number; companyId: number } };
      const kept = { token, userId: String(user.id), companyId: String(user.companyId) };
      const page = await context.newPage();
      await page.goto("/favicon.svg");
      await page.evaluate(
        (values) => Object.entries(values).forEach(([key, value]) => localStorage.setItem(key, value)),
        kept,
      );
      await page.goto("/tickets");
      return page;
    });
    await Promise.all(contexts.map((context) => context.close()));
  },
});

export { expect };
