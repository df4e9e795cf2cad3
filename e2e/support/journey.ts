/** `test` of every journey: the started product, a line with customers, and people at their browsers. */
import { test as base, expect, type BrowserContext, type Page } from "@playwright/test";
import type { Connection } from "@prosa/contract";
import {
  callAs,
  called,
  connectLine,
  foundCompany,
  hire,
  liftLimits,
  meet,
  password,
  type Account,
  type Caller,
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
  /** A screen for fingers. */
  readonly hasTouch?: boolean;
  /** Keeps the service worker, which journeys do without otherwise (playwright.config.ts). */
  readonly hasWorker?: boolean;
  /** Done to the browser before a page of ours is in it. */
  readonly prepare?: (context: BrowserContext) => Promise<unknown>;
}

interface SharedFixtures {
  /** One seeded product for all journeys of a worker. */
  readonly product: Product;
  /** Prepares over the API, with an account that no browser uses: a sign-in would end the other's session. */
  readonly admin: Caller;
  /** A connected simulator line. */
  readonly line: Connection;
}

interface Fixtures {
  /** A browser in which this person is signed in. */
  readonly at: (account: Pick<Account, "email">, options?: BrowserOptions) => Promise<Page>;
  readonly customer: Customer;
  /** An admin of a company in which nobody else is, for what depends on all that a company has. */
  readonly alone: Caller;
}

export const test = base.extend<Fixtures, SharedFixtures>({
  product: [
    async ({ playwright: _ }, use) => {
      const product = await startProduct();
      await use(product);
      await product.remove();
    },
    { scope: "worker", timeout: 240_000 },
  ],
  admin: [
    async ({ product }, use) => {
      await liftLimits(await callAs(product.url, demo.operator));
      const first = await callAs(product.url, demo.admin);
      await use(await callAs(product.url, await hire(first, called("Preparo"), { profile: "admin" })));
    },
    { scope: "worker" },
  ],
  line: [
    async ({ admin }, use) => {
      await use(await connectLine(admin, called("Linha")));
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  alone: async ({ product }, use) => {
    const first = await callAs(product.url, await foundCompany(await callAs(product.url, demo.operator)));
    await use(await callAs(product.url, await hire(first, called("Preparo"), { profile: "admin" })));
  },
  customer: async ({ admin, line }, use) => use(await meet(admin, line, called("Cliente"))),
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
