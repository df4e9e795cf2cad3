/** Cards and lanes of the kanban by mouse, keys and fingers, and two people at once. */
import { kanban, tags } from "@prosa/contract";
import type { Locator, Page } from "@playwright/test";
import { createUser, uniqueName, type ApiClient } from "./support/api.ts";
import { expect, test } from "./support/journey.ts";
import {
  boxOf,
  card,
  createLane,
  dragTo,
  handle,
  lane,
  lanesOnServer,
  openBoard,
  putInLane,
  scrollToTop,
  seedCards,
} from "./support/kanban.ts";
import type { Product } from "./support/product.ts";

/** Two lanes beside the open one, and cards in it. */
async function aBoard(product: Product, alone: ApiClient, names: readonly string[] = ["Ana Prado", "Bia Reis"]) {
  const quote = await createLane(alone, "Orçamento", "#1f7ae0");
  const paid = await createLane(alone, "Pago", "#0c7a5a");
  const [first = 0, second = 0] = await seedCards(
    product,
    alone,
    names.map((name) => ({ name })),
  );
  const admin = (name: string) => createUser(alone, uniqueName(name), { profile: "admin" });
  return { quote, paid, first, second, admin };
}

const count = (where: Locator) => where.getByTestId("lane-count");

test("a card moved by mouse carries its lane's tag, a colleague sees it go, and undo brings it back (O-02)", async ({
  at,
  alone,
  product,
}) => {
  const { first, admin } = await aBoard(product, alone);
  const here = await openBoard(await at(await admin("Vera")));
  const there = await openBoard(await at(await admin("Igor")));
  await expect(count(lane(here, "Em aberto"))).toHaveText("2");

  await dragTo(here, handle(here, "Ana Prado"), lane(here, "Pago"));
  await expect(here.getByText("Ticket Tag Adicionado com Sucesso!")).toBeVisible();
  await expect(card(lane(here, "Pago"), "Ana Prado")).toBeVisible();
  await expect(card(lane(there, "Pago"), "Ana Prado")).toBeVisible();
  await expect(card(lane(there, "Em aberto"), "Ana Prado")).toBeHidden();
  await expect(count(lane(there, "Pago"))).toHaveText("1");
  await expect.poll(() => lanesOnServer(alone, first)).toEqual(["Pago"]);

  await here.getByRole("button", { name: "Desfazer" }).click();
  await expect(here.getByText("Ticket Tag Removido!")).toBeVisible();
  await expect(card(lane(there, "Em aberto"), "Ana Prado")).toBeVisible();
  await expect.poll(() => lanesOnServer(alone, first)).toEqual([]);
});

test("a card is moved with the keyboard alone, and a screen reader is told (O-02)", async ({ at, alone, product }) => {
  const { first, admin } = await aBoard(product, alone);
  const page = await openBoard(await at(await admin("Vera")));
  const spoken = page.locator("[aria-live=assertive]");

  await handle(page, "Ana Prado").focus();
  await page.keyboard.press("Space");
  await expect(spoken).toContainText("Ana Prado na mão. Está em Em aberto.");
  await page.keyboard.press("ArrowRight");
  await expect(spoken).toHaveText("Ana Prado sobre Orçamento.");
  await page.keyboard.press("Escape");
  await expect(spoken).toContainText("Movimento cancelado.");
  await expect(handle(lane(page, "Em aberto"), "Ana Prado")).toBeFocused();

  await page.keyboard.press("Enter");
  await expect(spoken).toContainText("na mão");
  await page.keyboard.press("ArrowRight");
  await expect(spoken).toHaveText("Ana Prado sobre Orçamento.");
  await page.keyboard.press("ArrowRight");
  await expect(spoken).toHaveText("Ana Prado sobre Pago.");
  await page.keyboard.press("Enter");
  await expect(spoken).toHaveText("Ana Prado solto em Pago.");
  await expect(handle(lane(page, "Pago"), "Ana Prado")).toBeFocused();
  await expect.poll(() => lanesOnServer(alone, first)).toEqual(["Pago"]);
});

test("arrows go from card to card and past an empty lane, without a Tab for each button (O-02)", async ({
  at,
  alone,
  product,
}) => {
  const { second, admin } = await aBoard(product, alone);
  const page = await openBoard(await at(await admin("Vera")));

  await handle(page, "Ana Prado").focus();
  await page.keyboard.press("ArrowDown");
  await expect(handle(page, "Bia Reis")).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(handle(page, "Ana Prado")).toBeFocused();

  await card(page, "Bia Reis").getByRole("button", { name: "Mover a conversa com Bia Reis" }).click();
  await page.getByRole("menuitem", { name: "Pago" }).click();
  await expect.poll(() => lanesOnServer(alone, second)).toEqual(["Pago"]);
  await handle(page, "Ana Prado").focus();
  await page.keyboard.press("ArrowRight");
  await expect(handle(lane(page, "Pago"), "Bia Reis")).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(handle(page, "Ana Prado")).toBeFocused();
});

test("who cannot drag moves a card by its menu (O-02)", async ({ at, alone, product }) => {
  const { second, admin } = await aBoard(product, alone);
  const page = await openBoard(await at(await admin("Vera")));

  await card(page, "Bia Reis").getByRole("button", { name: "Mover a conversa com Bia Reis" }).click();
  await page.getByRole("menuitem", { name: "Orçamento" }).click();
  await expect(card(lane(page, "Orçamento"), "Bia Reis")).toBeVisible();
  await expect.poll(() => lanesOnServer(alone, second)).toEqual(["Orçamento"]);
});

test("a finger scrolls a lane, and one that rests takes a card along, also past the edge of the screen (O-02)", async ({
  at,
  alone,
  product,
}) => {
  const names = Array.from({ length: 20 }, (_, index) => `Cliente ${String(index + 1).padStart(2, "0")}`);
  const { first, admin } = await aBoard(product, alone, names);
  const page = await openBoard(await at(await admin("Dedo"), { width: 360, hasTouch: true }));
  const finger = await aFinger(page);
  const cards = lane(page, "Em aberto").getByTestId("lane-cards");
  const box = await boxOf(card(page, "Cliente 03"));

  await finger.down(box.x + 80, box.y + 30);
  await finger.moves(box.x + 80, box.y - 130, 6);
  await finger.lifts();
  await expect.poll(() => cards.evaluate((element) => element.scrollTop)).toBeGreaterThan(60);
  await expect.poll(() => lanesOnServer(alone, first)).toEqual([]);

  await scrollToTop(cards);
  const start = await boxOf(card(page, "Cliente 01"));
  await finger.down(start.x + 80, start.y + 30);
  await expect(page.locator("[data-overlay]")).toBeVisible();
  // the edge scrolls the board on while the finger stays there
  await finger.moves(350, start.y + 60, 6);
  await expect(lane(page, "Pago")).toHaveAttribute("data-over", "true");
  await finger.lifts();
  await expect.poll(() => lanesOnServer(alone, first)).toEqual(["Pago"]);
  expect(await cards.evaluate((element) => element.scrollTop)).toBe(0);
});

test("two people who drag one card at once both end with it in the same lane (O-02)", async ({
  at,
  alone,
  product,
}) => {
  const { first, admin } = await aBoard(product, alone);
  const here = await openBoard(await at(await admin("Vera")));
  const there = await openBoard(await at(await admin("Igor")));
  await take(here, "Ana Prado");
  await take(there, "Ana Prado");

  await over(here, lane(here, "Orçamento"));
  await over(there, lane(there, "Pago"));
  await Promise.all([here.mouse.up(), there.mouse.up()]);

  await expect(here.getByText("Ticket Tag Adicionado com Sucesso!")).toBeVisible();
  await expect(there.getByText("Ticket Tag Adicionado com Sucesso!")).toBeVisible();
  const [last = ""] = await lanesOnServer(alone, first);
  for (const page of [here, there]) {
    await expect(card(lane(page, last), "Ana Prado")).toBeVisible();
    await expect(card(page, "Ana Prado")).toHaveCount(1);
    await expect(count(lane(page, last))).toHaveText("1");
  }
});

test("what a colleague moves arrives while another card is in the hand, which stays there (O-02)", async ({
  at,
  alone,
  product,
}) => {
  const { second, quote, admin } = await aBoard(product, alone);
  const page = await openBoard(await at(await admin("Vera")));
  await take(page, "Ana Prado");
  await over(page, lane(page, "Pago"));

  await alone.call(kanban.moveToLane, { params: { ticketId: second, tagId: quote } });
  await expect(card(lane(page, "Orçamento"), "Bia Reis")).toBeVisible();
  await expect(page.locator("[data-overlay]")).toContainText("Ana Prado");
  await page.mouse.up();
  await expect(card(lane(page, "Pago"), "Ana Prado")).toBeVisible();
});

test("a refused move goes back with its reason, and one without a connection says so and can be repeated (O-02)", async ({
  at,
  alone,
  product,
}) => {
  const { first, admin } = await aBoard(product, alone);
  const page = await openBoard(await at(await admin("Vera")));
  const calls = "**/ticket-tags/**";

  await page.route(calls, (route) => route.fulfill({ status: 403, json: { error: "ERR_NO_PERMISSION" } }));
  await dragTo(page, handle(page, "Ana Prado"), lane(page, "Pago"));
  await expect(page.getByRole("status").filter({ hasText: "permissão" })).toBeVisible();
  await expect(card(lane(page, "Em aberto"), "Ana Prado")).toBeVisible();
  await page.unroute(calls);

  await page.route(calls, (route) => route.abort("internetdisconnected"));
  await dragTo(page, handle(page, "Ana Prado"), lane(page, "Pago"));
  await expect(page.getByText("Sem conexão: o cartão voltou para Em aberto.")).toBeVisible();
  await expect(card(lane(page, "Em aberto"), "Ana Prado")).toBeVisible();
  await page.unroute(calls);
  await page.getByRole("button", { name: "Tentar novamente" }).click();
  await expect(card(lane(page, "Pago"), "Ana Prado")).toBeVisible();
  await expect.poll(() => lanesOnServer(alone, first)).toEqual(["Pago"]);
});

test("lanes change places by mouse and by keys, in every browser at once, for who may (O-02)", async ({
  at,
  alone,
  product,
}) => {
  const { admin } = await aBoard(product, alone);
  const here = await openBoard(await at(await admin("Vera")));
  const there = await openBoard(await at(await createUser(alone, uniqueName("Ugo"))));
  await expect.poll(() => namesOfLanes(there)).toEqual(["Em aberto", "Orçamento", "Pago"]);

  await dragTo(here, lane(here, "Pago").getByRole("heading", { level: 2 }), lane(here, "Orçamento"));
  await expect.poll(() => namesOfLanes(here)).toEqual(["Em aberto", "Pago", "Orçamento"]);
  await expect.poll(() => namesOfLanes(there)).toEqual(["Em aberto", "Pago", "Orçamento"]);

  await lane(here, "Pago").getByRole("button", { name: /^Pago/ }).focus();
  await here.keyboard.press("Space");
  await expect(here.locator("[aria-live=assertive]")).toContainText("Pago na mão");
  await here.keyboard.press("ArrowRight");
  await expect(here.locator("[aria-live=assertive]")).toContainText("sobre Orçamento");
  await here.keyboard.press("Space");
  await expect.poll(() => namesOfLanes(there)).toEqual(["Em aberto", "Orçamento", "Pago"]);
  await expect(lane(there, "Pago").getByRole("button", { name: "Mover a coluna Pago" })).toHaveCount(0);
});

test("a lane that is deleted while its card is in the hand leaves the board, and the card is moved all the same (O-02)", async ({
  at,
  alone,
  product,
}) => {
  const { quote, first, admin } = await aBoard(product, alone);
  await putInLane(alone, first, quote);
  const page = await openBoard(await at(await admin("Vera")));
  await expect(card(lane(page, "Orçamento"), "Ana Prado")).toBeVisible();

  await take(page, "Ana Prado");
  await alone.call(tags.remove, { params: { id: quote } });
  await expect(lane(page, "Orçamento")).toHaveCount(0);
  await over(page, lane(page, "Pago"));
  await page.mouse.up();

  await expect(card(lane(page, "Pago"), "Ana Prado")).toBeVisible();
  await expect.poll(() => lanesOnServer(alone, first)).toEqual(["Pago"]);
});

async function namesOfLanes(page: Page): Promise<string[]> {
  return page.getByTestId("board").getByRole("heading", { level: 2 }).allTextContents();
}

/** Takes a card into the hand. */
async function take(page: Page, name: string): Promise<void> {
  const { x, y } = await boxOf(handle(page, name));
  await page.mouse.move(x + 60, y + 20);
  await page.mouse.down();
  await page.mouse.move(x + 80, y + 26, { steps: 3 });
  await expect(page.locator("[data-overlay]")).toBeVisible();
}

async function over(page: Page, target: Locator): Promise<void> {
  const { x, y, width } = await boxOf(target);
  await page.mouse.move(x + width / 2, y + 140, { steps: 5 });
  await expect(target).toHaveAttribute("data-over", "true");
}

/** Raw touch events, so that the browser handles them like a person's. */
async function aFinger(page: Page) {
  const screen = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
    screen.send("Input.dispatchTouchEvent", { type, touchPoints });
  let [atX, atY] = [0, 0];
  return {
    down: async (x: number, y: number) => {
      [atX, atY] = [x, y];
      await touch("touchStart", [{ x, y }]);
    },
    moves: async (x: number, y: number, steps: number) => {
      const [fromX, fromY] = [atX, atY];
      for (let step = 1; step <= steps; step += 1) {
        [atX, atY] = [fromX + ((x - fromX) * step) / steps, fromY + ((y - fromY) * step) / steps];
        await touch("touchMove", [{ x: atX, y: atY }]);
      }
    },
    lifts: () => touch("touchEnd", []),
  };
}
