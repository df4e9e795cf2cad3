/**
 * A network that drops again and again; `OFFLINE_STORM=long npm test -- e2e offline-storm` is the long form. A storm is
 * repeated with OFFLINE_STORM_SEED.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Page, WebSocketRoute } from "@playwright/test";
import { messages } from "@prosa/contract";
import { uniqueName, createUser, addCustomer, ticketOf, type Customer } from "./support/api.ts";
import { accept, bubble, row, showMine, write } from "./support/desk.ts";
import { expect, test } from "./support/journey.ts";

const isLong = process.env["OFFLINE_STORM"] === "long";
const SENDS = isLong ? 100 : 30;
const PAUSE_MS = isLong ? 2_000 : 900;

test("what is written while the network comes and goes arrives once and in order (M-05, N-05)", async ({
  at,
  admin,
  line,
}) => {
  test.setTimeout(isLong ? 900_000 : 180_000);
  const seed = process.env["OFFLINE_STORM_SEED"] ?? String(Date.now() % 1_000_000);
  test.info().annotations.push({ type: "seed", description: seed });
  console.log(`OFFLINE_STORM_SEED=${seed}`);
  const chance = randomFrom(Number(seed));
  const page = await at(await createUser(admin, uniqueName("Téo")));
  const weather = await aNetwork(page);
  const [ana, bia, quiet] = [
    await addCustomer(admin, line, uniqueName("Ana")),
    await addCustomer(admin, line, uniqueName("Bia")),
    await addCustomer(admin, line, uniqueName("Cid")),
  ];
  for (const customer of [ana, bia, quiet]) {
    await customer.says("Alô?");
    await accept(page, customer.name);
    // Until then the composer may still be the one of the conversation before.
    await expect(page.locator("header").getByTitle(customer.name)).toBeVisible();
  }
  await composer(page).fill("um rascunho que fica");

  const written = new Map<Customer, string[]>([
    [ana, []],
    [bia, []],
  ]);
  for (let n = 1; n <= SENDS; n += 1) {
    await weather.turn(chance());
    const customer = chance() < 0.5 ? ana : bia;
    await open(page, customer);
    // Ends in a punctuation mark: "recado 3" followed by the bubble's time would read as "recado 301:20".
    await write(page, `recado ${n}!`);
    written.get(customer)!.push(`recado ${n}!`);
    if (n === Math.floor(SENDS / 2)) {
      await weather.offline();
      await write(page, "no escuro");
      written.get(customer)!.push("no escuro");
      await expect(pendingMessages(page).filter({ hasText: "no escuro" })).toContainText("Esperando a rede");
      await composer(page).fill("meio dito");
      await weather.online();
      await page.reload();
      await expect(composer(page)).toHaveValue("meio dito");
    }
    await pause(chance() * PAUSE_MS);
  }
  await weather.online();

  for (const [customer, texts] of written) {
    await open(page, customer);
    await expect(pendingMessages(page)).toHaveCount(0, { timeout: 60_000 });
    await expect.poll(() => textsAt(customer), { timeout: 30_000 }).toEqual(texts);
    await expect(bubble(page, texts.at(-1)!)).toHaveCount(1);
  }
  await open(page, quiet);
  await expect(composer(page)).toHaveValue("um rascunho que fica");
});

test("what the server refuses stands there with the reason and goes out again on a click (M-02, M-05, Z-02)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Téo")));
  await customer.says("Alô?");
  await accept(page, customer.name);
  const { id } = await ticketOf(admin, customer.name);

  await page.route(`**${messages.send.path.replace(":ticketId", String(id))}`, (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 403, json: { error: "ERR_NO_PERMISSION", code: "ERR_NO_PERMISSION" } })
      : route.continue(),
  );
  await write(page, "recado recusado");
  await expect(pendingMessages(page).getByRole("alert")).toBeVisible();
  await showMine(page);
  await expect(row(page, customer.name)).toContainText("Não enviada");
  await page.unrouteAll();
  await write(page, "recado seguinte");
  await expect.poll(() => textsAt(customer)).toEqual(["recado seguinte"]);

  await pendingMessages(page).getByRole("button", { name: "Tentar de novo" }).click();
  await expect(pendingMessages(page)).toHaveCount(0);
  await expect(row(page, customer.name)).not.toContainText("Não enviada");
  await expect.poll(() => textsAt(customer)).toEqual(["recado seguinte", "recado recusado"]);
});

async function open(page: Page, customer: Customer): Promise<void> {
  await showMine(page);
  await row(page, customer.name).getByRole("button").first().click();
  await expect(page.locator("header").getByTitle(customer.name)).toBeVisible();
  await expect(composer(page)).toBeVisible();
}

const composer = (page: Page) => page.getByRole("textbox", { name: "Mensagem" });

/** Messages in this browser's outbox. */
const pendingMessages = (page: Page) => page.getByTestId("conversation").locator("[data-pending]");

/** The company's messages on the customer's phone, from top to bottom. */
async function textsAt(customer: Customer): Promise<string[]> {
  return (await customer.sees()).flatMap(({ text }) => /recado \w+!?|no escuro/u.exec(text) ?? []);
}

/** Cuts the browser's network: requests and the socket, which Chromium's offline switch does not cut. */
async function aNetwork(page: Page) {
  const sockets = new Set<WebSocketRoute>();
  let isOffline = false;
  await page.routeWebSocket(/socket\.io/u, (socket) => {
    if (isOffline) {
      void socket.close();
      return;
    }
    socket.connectToServer();
    sockets.add(socket);
  });
  await page.reload();

  const drop = async () => {
    await Promise.all([...sockets].map((socket) => socket.close()));
    sockets.clear();
  };
  const set = async (to: boolean) => {
    isOffline = to;
    await page.context().setOffline(to);
    if (to) {
      await drop();
    }
  };
  return {
    offline: () => set(true),
    online: () => set(false),
    /** Three turns of ten change the network, one of ten ends the socket alone. */
    async turn(dice: number) {
      if (dice < 0.3) {
        await set(!isOffline);
      } else if (dice < 0.4) {
        await drop();
      }
    },
  };
}

/** Numbers from 0 to 1 that are the same for a seed (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
