/** The kanban as a screen: board and list, live, the conversation beside it, thousands of cards. */
import { tags, tickets } from "@prosa/contract";
import type { Page } from "@playwright/test";
import { createQueue, createUser, ticketOf, uniqueName } from "./support/api.ts";
import { accessibilityViolations } from "./support/axe.ts";
import { switchLanguage, write } from "./support/desk.ts";
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
  seedCards,
} from "./support/kanban.ts";

const admin = (name: string) => [uniqueName(name), { profile: "admin" }] as const;

test("the kanban shows conversations as a board or as a list, and keeps the choice (O-02)", async ({
  at,
  alone,
  product,
}) => {
  const paid = await createLane(alone, "Pago", "#0c7a5a");
  await seedCards(product, alone, [{ name: "Ana Prado", laneId: paid }, { name: "Bia Reis" }]);
  const page = await at(await createUser(alone, ...admin("Vera")));
  await page.getByRole("navigation").getByRole("link", { name: "Kanban" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Kanban 2");
  await expect(card(lane(page, "Pago"), "Ana Prado")).toContainText("+55 11 90000-0001");
  await expect(card(lane(page, "Em aberto"), "Bia Reis")).toContainText("Mensagem 2");
  expect(await accessibilityViolations(page, "light", "main")).toEqual([]);

  await page.getByPlaceholder("Buscar nome ou número").fill("ANA");
  await expect(card(page, "Bia Reis")).toBeHidden();
  await expect(lane(page, "Em aberto")).toContainText("Nada encontrado nesta coluna");
  // found cards move as well
  await dragTo(page, handle(page, "Ana Prado"), lane(page, "Em aberto"));
  await expect(page.getByText("Ticket Tag Removido!")).toBeVisible();
  await expect(card(lane(page, "Em aberto"), "Ana Prado")).toBeVisible();

  await page.getByRole("button", { name: "Lista" }).click();
  await page.getByRole("button", { name: "Limpar busca" }).click();
  await expect(page.getByRole("row").nth(2)).toContainText("Bia Reis");
  expect(await accessibilityViolations(page, "light", "main")).toEqual([]);
  await page.reload();
  await expect(page.getByRole("columnheader", { name: "Última mensagem" })).toBeVisible();
  await page.getByPlaceholder("Buscar nome ou número").fill("ninguém");
  await expect(page.getByText("Nenhum ticket encontrado")).toBeVisible();
});

test("a company without lanes is told how to make them, and a new one appears on every board (O-02, O-04)", async ({
  at,
  alone,
}) => {
  const page = await at(await createUser(alone, ...admin("Vera")));
  await openBoard(page);
  await expect(page.getByText("Crie as colunas do seu fluxo")).toBeVisible();
  await expect(lane(page, "Em aberto")).toContainText("Nada em aberto");
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByText("Crie as colunas do seu fluxo")).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1366, height: 768 });

  const id = await createLane(alone, "Negociação com a diretoria inteira 🤝", "#e0a53f");
  await expect(lane(page, "Negociação com a diretoria inteira 🤝")).toContainText("Nenhuma conversa aqui");
  await expect(page.getByText("Crie as colunas do seu fluxo")).toBeHidden();
  await alone.call(tags.update, { params: { id }, body: { name: "Acordo" } });
  await expect(lane(page, "Acordo")).toBeVisible();
  expect(await accessibilityViolations(page, "dark", "main")).toEqual([]);
  await switchLanguage(page, "English");
  await expect(lane(page, "Open")).toContainText("Nothing open");
  await switchLanguage(page, "Español");
  await expect(lane(page, "Abiertas")).toContainText("Nada abierto");
});

test("a message moves its card to the top of its lane, and a resolved conversation leaves the board (O-02, T-22)", async ({
  at,
  admin: api,
  customer,
}) => {
  const name = uniqueName("Etapa");
  const laneId = await createLane(api, name, "#7a4fa3");
  await customer.says("Primeiro");
  const { id } = await ticketOf(api, customer.name);
  const { tickets: others } = await api.call(tickets.list, { query: { showAll: "true", status: "pending" } });
  const [other] = others.filter((each) => each.id !== id);
  await putInLane(api, id, laneId);
  await putInLane(api, other!.id, laneId);
  await api.call(tags.sync, { body: { ticketId: other!.id, tags: other!.tags } });
  const page = await at(await createUser(api, ...admin("Vera")));
  await openBoard(page);
  await lane(page, name).scrollIntoViewIfNeeded();

  await putInLane(api, other!.id, laneId);
  await expect(card(lane(page, name), other!.contact.name)).toBeVisible();
  await customer.says("Ainda aí?");
  await expect(lane(page, name).getByRole("listitem").first()).toContainText("Ainda aí?");
  await expect(card(lane(page, name), customer.name)).toContainText("2 mensagens não lidas");

  await api.call(tickets.update, { params: { id }, body: { status: "open" } });
  await api.call(tickets.update, { params: { id }, body: { status: "closed" } });
  await expect(card(page, customer.name)).toBeHidden();
  await expect(lane(page, name).getByTestId("lane-count")).toHaveText("1");
});

test("an agent's board holds their queues' conversations, or but their own, and filters by queue (O-02, T-06)", async ({
  at,
  alone,
  product,
}) => {
  const queueId = await createQueue(alone, "Vendas", "#1f7ae0");
  const agent = await createUser(alone, uniqueName("Ugo"), { queueIds: [queueId], allTicket: false });
  const [first = 0, second = 0, , fourth = 0] = await seedCards(product, alone, [
    { name: "Ana Prado" },
    { name: "Bia Reis", userId: agent.id },
    { name: "Caio Sem Fila" },
    { name: "Dea do Colega" },
  ]);
  const colleague = await createUser(alone, uniqueName("Rui"), { queueIds: [queueId] });
  await alone.call(tickets.update, { params: { id: fourth }, body: { queueId, userId: colleague.id, status: "open" } });
  await alone.call(tickets.update, { params: { id: first }, body: { queueId, status: "pending", userId: null } });
  const page = await at(agent);
  await openBoard(page);
  await expect(card(page, "Ana Prado")).toBeVisible();
  await expect(card(page, "Bia Reis")).toBeVisible();
  await expect(card(page, "Caio Sem Fila")).toHaveCount(0);
  await expect(card(page, "Dea do Colega")).toBeVisible();
  await page.getByRole("switch", { name: "Todas" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Kanban 2");
  await expect(card(page, "Ana Prado")).toBeVisible();
  await expect(card(page, "Dea do Colega")).toHaveCount(0);

  await page.getByRole("button", { name: "Filas: todas" }).click();
  await page.getByRole("option", { name: "Vendas" }).click();
  await page.keyboard.press("Escape");
  await expect(card(page, "Ana Prado")).toBeVisible();
  await alone.call(tickets.update, { params: { id: first }, body: { queueId: null } });
  await expect(card(page, "Ana Prado")).toHaveCount(0);
  expect(await lanesOnServer(alone, second)).toEqual([]);
});

test("a card opens its conversation beside the board, survives a reload, and Escape or its button leads back (O-02, T-07)", async ({
  at,
  admin: api,
  customer,
}) => {
  await customer.says("Quero dois.");
  const { id, uuid } = await ticketOf(api, customer.name);
  const page = await at(await createUser(api, ...admin("Vera")), { width: 1366 });
  await openBoard(page);
  await page.getByPlaceholder("Buscar nome ou número").fill(customer.name);
  await handle(page, customer.name).click();
  await expect(page.getByTestId("conversation")).toContainText("Quero dois.");
  await expect(page.getByRole("textbox", { name: "Mensagem" })).toHaveCount(0);
  await page.getByRole("button", { name: "Fechar", exact: true }).click();
  await expect(page).toHaveURL(/\/kanban$/);

  // by keys alone, where Enter on the card picks it up
  await card(page, customer.name)
    .getByRole("button", { name: `Mover a conversa com ${customer.name}` })
    .press("Enter");
  await page.getByRole("menuitem", { name: `Abrir a conversa com ${customer.name}` }).press("Enter");
  await expect(page.getByTestId("conversation")).toContainText("Quero dois.");
  await expect(card(page, customer.name).getByRole("button", { name: "Aceitar" })).toBeVisible();
  await page.getByRole("button", { name: "Fechar", exact: true }).click();
  await expect(page).toHaveURL(/\/kanban$/);

  await card(page, customer.name).getByRole("button", { name: "Aceitar" }).click();
  await expect(page).toHaveURL(new RegExp(`/kanban/${uuid}$`));
  await write(page, "Separei dois.");
  await expect(page.getByTestId("conversation")).toContainText("Separei dois.");
  await expect(card(page, customer.name)).toContainText("Você: Separei dois.");
  const [board, pane] = [await boxOf(page.getByTestId("board")), await boxOf(page.getByTestId("conversation"))];
  expect(board.width).toBeGreaterThanOrEqual(300);
  expect(pane.width).toBeGreaterThanOrEqual(480);

  await page.reload();
  await expect(page.getByTestId("conversation")).toContainText("Separei dois.");
  await expect(card(page, customer.name)).toBeVisible();
  await handle(page, customer.name).focus();
  await page.keyboard.press("Space");
  // The card is in the hand a moment after the key.
  await expect(page.locator("[data-held]")).toBeVisible();
  await page.keyboard.press("e");
  await page.keyboard.press("Escape");
  await expect(page.getByText("Movimento cancelado.")).toBeAttached();
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/kanban$/);
  await expect(handle(page, customer.name)).toBeFocused();
  await page.goBack();
  await page.getByRole("button", { name: "Fechar", exact: true }).click();
  await expect(page).toHaveURL(/\/kanban$/);
  await expect(handle(page, customer.name)).toBeFocused();
  await page.goBack();
  await expect(page.getByTestId("conversation")).toBeVisible();
  await api.call(tickets.remove, { params: { id } });
  await expect(page.getByText("A conversa que você via foi excluída.")).toBeVisible();
});

test("on a phone the conversation takes the screen and leads back to the board (O-02)", async ({
  at,
  alone,
  product,
}) => {
  const agent = await createUser(alone, uniqueName("Ugo"));
  await seedCards(product, alone, [{ name: "Ana Prado", userId: agent.id }]);
  const page = await at(agent, { width: 360, hasTouch: true });
  await openBoard(page);
  await handle(page, "Ana Prado").tap();
  await expect(page.getByTestId("conversation")).toBeVisible();
  expect((await boxOf(page.getByTestId("conversation"))).width).toBeGreaterThan(350);
  await page.getByRole("button", { name: "Voltar à lista" }).tap();
  await expect(card(page, "Ana Prado")).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

test("five thousand cards: a lane fetches what is looked at, and a drag over the lanes draws no other card anew (O-02)", async ({
  at,
  alone,
  product,
}) => {
  const names = ["Novo", "Orçamento", "Negociação", "Contrato", "Pago", "Entregue"];
  const ids: number[] = [];
  for (const [index, name] of names.entries()) {
    ids.push(await createLane(alone, name, ["#1f7ae0", "#e0a53f", "#0c7a5a"][index % 3]!));
  }
  const seeded = await seedCards(
    product,
    alone,
    Array.from({ length: 5_000 }, (_, index) => ({
      name: `Cliente ${String(index).padStart(4, "0")} de nome comprido 🌸`,
      ...(index % 7 > 0 && { laneId: ids[(index % 7) - 1]! }),
    })),
  );
  const page = await at(await createUser(alone, ...admin("Vera")), { width: 1920 });
  await openBoard(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Kanban 5.000");
  await expect(page.getByRole("listitem").first()).toBeVisible();
  expect(await page.getByRole("listitem").count()).toBeLessThan(120);

  const cards = lane(page, "Em aberto").getByTestId("lane-cards");
  for (let round = 0; round < 5; round += 1) {
    await cards.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
    await expect(lane(page, "Em aberto").getByRole("status")).toHaveCount(0);
  }
  await cards.evaluate((element) => element.scrollTo({ top: 0 }));
  await expect(card(lane(page, "Em aberto"), "Cliente 0000")).toBeVisible();
  const changed = await watchCards(page);
  await dragOverLanes(page);
  expect(await changed.evaluate((names) => [...names])).toEqual([expect.stringContaining("Cliente 0000")]);

  await dragTo(page, handle(page, "Cliente 0000"), lane(page, "Contrato"));
  await expect.poll(() => lanesOnServer(alone, seeded[0]!)).toEqual(["Contrato"]);
});

/** Drags a card over every lane and back to its own. */
async function dragOverLanes(page: Page): Promise<void> {
  const { x, y } = await boxOf(handle(page, "Cliente 0000"));
  await page.mouse.move(x + 60, y + 20);
  await page.mouse.down();
  let from = x + 60;
  for (const to of [300, 700, 1_000, 1_300, 1_600, 1_200, 600, x + 70]) {
    for (let part = 1; part <= 5; part += 1) {
      await page.mouse.move(from + ((to - from) * part) / 5, 500);
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    from = to;
  }
  await expect(page.locator("[data-overlay]")).toBeVisible();
  await page.mouse.up();
}

/** From now on: the texts of the cards in which anything changes. */
async function watchCards(page: Page) {
  return page.evaluateHandle(() => {
    const changed = new Set<string>();
    new MutationObserver((records) => {
      for (const { target, addedNodes } of records) {
        for (const node of [target, ...addedNodes]) {
          const card = (node instanceof Element ? node : node.parentElement)?.closest("[role=listitem]");
          if (card) {
            changed.add(card.textContent);
          }
        }
      }
    }).observe(document.querySelector("[data-testid=board]")!, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    return changed;
  });
}
