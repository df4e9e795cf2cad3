/** Set-up and actions on the kanban. */
import { kanban, tags, tickets } from "@prosa/contract";
import { expect, type Locator, type Page } from "@playwright/test";
import { seedKanbanCards, type SeededCard } from "../../server/src/testing/kanban-cards.ts";
import type { ApiClient } from "./api.ts";
import type { Product } from "./product.ts";

/** A tag that is a lane. */
export async function createLane(admin: ApiClient, name: string, color: string): Promise<number> {
  const { id } = await admin.call(tags.create, { body: { name, color, kanban: 1 } });
  return id;
}

export async function putInLane(admin: ApiClient, ticketId: number, tagId: number): Promise<void> {
  await admin.call(kanban.moveToLane, { params: { ticketId, tagId } });
}

/** Writes tickets into the database, the first one with the newest message; resolves to their ids. */
export async function seedCards(
  product: Product,
  { userId }: ApiClient,
  cards: readonly SeededCard[],
): Promise<readonly number[]> {
  return seedKanbanCards(await product.databaseUrl(), userId, cards);
}

/** Shows the board in this browser, and returns it. */
export async function openBoard(page: Page): Promise<Page> {
  await page.goto("/kanban");
  await expect(lane(page, "Em aberto")).toBeVisible();
  return page;
}

export function lane(page: Page, name: string): Locator {
  return page.getByTestId("board").getByRole("region", { name, exact: true });
}

/** The card of a contact, wherever it is or in one lane. */
export function card(where: Page | Locator, name: string): Locator {
  return where.getByRole("listitem").filter({ hasText: name });
}

/** What is focused, picked up and dragged of a card. */
export function handle(where: Page | Locator, name: string): Locator {
  return card(where, name).getByRole("button", { name, exact: false }).first();
}

/** The lanes that hold the ticket, as the server says. */
export async function lanesOnServer(admin: ApiClient, ticketId: number): Promise<string[]> {
  const ticket = await admin.call(tickets.get, { params: { id: ticketId } });
  return ticket.tags.filter((tag) => tag.kanban === 1).map(({ name }) => name);
}

/** Drags by mouse, in steps, as a hand does. */
export async function dragTo(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await boxOf(from), await boxOf(to)];
  await page.mouse.move(start.x + start.width / 2, start.y + 20);
  await page.mouse.down();
  await page.mouse.move(start.x + start.width / 2 + 12, start.y + 24, { steps: 3 });
  await page.mouse.move(end.x + end.width / 2, end.y + 120, { steps: 8 });
  await page.mouse.up();
}

/** Where it is once it rests: a lane that was flung runs on for a while, and a card that goes back is drawn anew. */
export async function boxOf(what: Locator) {
  let box = { x: 0, y: 0, width: 0, height: 0 };
  await expect(async () => {
    await what.scrollIntoViewIfNeeded({ timeout: 1_000 });
    const before = await what.boundingBox();
    await what.page().waitForTimeout(100);
    const after = await what.boundingBox();
    expect(after).toEqual(before);
    expect(after).not.toBeNull();
    box = after ?? box;
  }).toPass();
  return box;
}

/** To the top of a lane, also where a fling still runs on and takes it away again. */
export async function scrollToTop(lane: Locator): Promise<void> {
  await expect(async () => {
    await lane.evaluate((element) => element.scrollTo({ top: 0 }));
    await lane.page().waitForTimeout(300);
    expect(await lane.evaluate((element) => element.scrollTop)).toBe(0);
  }).toPass();
}
