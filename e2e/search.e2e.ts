/** The search tab: finds messages by any part of their text, and jumps to the message. */
import { simulator, tags, tickets } from "@prosa/contract";
import type { Page } from "@playwright/test";
import { uniqueName, createUser, addCustomer, ticketOf } from "./support/api.ts";
import { accept, bubble, row, typeQuickly } from "./support/desk.ts";
import { expect, test } from "./support/journey.ts";

async function openSearch(page: Page) {
  await page.getByRole("tab", { name: "Buscar" }).click();
  return page.getByRole("searchbox");
}

test("typing finds words of a message after a pause, shows them marked, and a click goes there (T-03)", async ({
  at,
  admin,
  line,
}) => {
  const customer = await addCustomer(admin, line, uniqueName("Heloísa"));
  await customer.says("Boa tarde, o *AQUECÊDOR* do _banheiro_ não liga mais desde ontem");
  for (let n = 1; n <= 45; n += 1) {
    await customer.says(`Linha ${n} da conversa`);
  }
  const page = await at(await createUser(admin, uniqueName("Iara")));
  await accept(page, customer.name);
  await expect(bubble(page, "Linha 45 da conversa")).toBeInViewport();
  await expect(bubble(page, "banheiro")).toHaveCount(0);

  const asked: (string | null)[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.pathname === "/tickets" && url.searchParams.get("searchParam")) {
      asked.push(url.searchParams.get("searchParam"));
    }
  });
  const field = await openSearch(page);
  await typeQuickly(field, "Banheiro QUECEDOR");
  const found = row(page, customer.name);
  await expect(found.locator("mark")).toHaveText(["QUECÊDOR", "banheiro"]);
  await expect(page.getByTestId("ticket-list").getByRole("listitem")).toHaveCount(1);
  await expect(found).toContainText("AQUECÊDOR do banheiro não liga");
  expect(asked).toEqual(["banheiro quecedor"]);

  await found.getByRole("button", { name: customer.name }).click();
  await expect(bubble(page, "banheiro")).toBeInViewport();
  await expect(bubble(page, "Linha 45 da conversa")).toHaveCount(0);

  // once more, after scrolling back to the end
  await page.getByRole("button", { name: "Ir para o fim" }).click();
  await expect(bubble(page, "Linha 45 da conversa")).toBeInViewport();
  await found.getByRole("button", { name: customer.name }).click();
  await expect(bubble(page, "banheiro")).toBeInViewport();

  // opened by a jump, it shows what has changed since it was left (Z-06)
  await page.getByRole("button", { name: "Ir para o fim" }).click();
  await expect(bubble(page, "Linha 45 da conversa")).toBeInViewport();
  await page.getByRole("link", { name: "Conversas" }).click();
  await expect(page).toHaveURL(/\/tickets$/);
  const newest = (await customer.sees()).at(-1)!;
  await admin.call(simulator.say, {
    params: { id: line.id, number: customer.number },
    body: { body: "Linha 45, corrigida", edit: newest.id },
  });
  await found.getByRole("button", { name: customer.name }).click();
  await expect(bubble(page, "banheiro")).toBeInViewport();
  await page.getByRole("button", { name: "Ir para o fim" }).click();
  await expect(bubble(page, "Linha 45, corrigida")).toBeInViewport();

  // what was gone to stays in sight when all of it is fetched again, as when the conversation is closed elsewhere (M-09)
  await found.getByRole("button", { name: customer.name }).click();
  await expect(bubble(page, "banheiro")).toBeInViewport();
  const again = page.waitForResponse(/\/messages\/\d+\?.*before=/u);
  const { id } = await ticketOf(admin, customer.name);
  await admin.call(tickets.update, { params: { id }, body: { status: "closed" } });
  await (await again).finished();
  await expect(page.getByRole("note").filter({ hasText: "Esta conversa foi resolvida" })).toBeVisible();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await expect(bubble(page, "banheiro")).toBeInViewport();

  await field.fill("banheiro geladeira");
  await expect(found).toHaveCount(0);
});

test("a search that is emptied does not come back with the next letter (T-03)", async ({ at, admin, customer }) => {
  const word = `sifão${Date.now()}`;
  await customer.says(`O ${word} vaza`);
  const page = await at(await createUser(admin, uniqueName("Ivete"), { profile: "admin" }));
  const field = await openSearch(page);
  await field.fill(word);
  await expect(row(page, customer.name)).toBeVisible();
  // Emptied and typed into at once, however slow the machine is; what the list shows meanwhile.
  const shown = await field.evaluate(async (input: HTMLInputElement) => {
    const list = () => document.querySelector("[data-testid=ticket-list]")?.textContent ?? "";
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const texts: string[] = [];
    input.select();
    document.execCommand("delete");
    await painted();
    texts.push(list());
    document.execCommand("insertText", false, "zzqx");
    await painted();
    texts.push(list());
    return texts;
  });
  expect(shown.join()).not.toContain(customer.name);
  await expect(page.getByText("Nada encontrado")).toBeVisible();
});

test("text, tag and agent narrow the search; only an admin chooses agents (T-03)", async ({ at, admin, line }) => {
  const agent = await createUser(admin, uniqueName("Otto"));
  const word = `torneira${Date.now()}`;
  const names = [uniqueName("Com etiqueta"), uniqueName("Sem etiqueta"), uniqueName("De ninguém")];
  const [tagged = "", untagged = "", unowned = ""] = names;
  for (const name of names) {
    await (await addCustomer(admin, line, name)).says(`A ${word} pinga`);
  }
  const [first, second] = [await ticketOf(admin, tagged), await ticketOf(admin, untagged)];
  const tag = await admin.call(tags.create, { body: { name: uniqueName("Vazamento"), color: "#aa5500", kanban: 0 } });
  await admin.call(tags.sync, { body: { ticketId: first.id, tags: [tag] } });
  for (const { id } of [first, second]) {
    await admin.call(tickets.update, { params: { id }, body: { status: "open", userId: agent.id } });
  }

  const page = await at(await createUser(admin, uniqueName("Diretora"), { profile: "admin" }));
  const rows = page.getByTestId("ticket-list").getByRole("listitem");
  await (await openSearch(page)).fill(word.slice(3));
  await expect(rows).toHaveCount(3);

  await page.getByRole("button", { name: "Atendentes" }).click();
  await page.getByRole("dialog", { name: "Atendentes" }).getByRole("option", { name: agent.name }).click();
  await page.keyboard.press("Escape");
  await expect(row(page, unowned)).toHaveCount(0);
  await expect(rows).toHaveCount(2);

  await page.getByRole("button", { name: "Etiquetas" }).click();
  await page.getByRole("dialog", { name: "Etiquetas" }).getByRole("option", { name: tag.name }).click();
  await page.keyboard.press("Escape");
  await expect(rows).toHaveCount(1);
  await expect(row(page, tagged)).toBeVisible();

  const own = await at(agent);
  await openSearch(own);
  await expect(own.getByRole("button", { name: "Etiquetas" })).toBeVisible();
  await expect(own.getByRole("button", { name: "Atendentes" })).toHaveCount(0);
});

test("a search that stopped before it knew all matches says so beside its filters, also on a phone (T-03)", async ({
  at,
  admin,
  line,
}) => {
  const customer = await addCustomer(admin, line, uniqueName("Otília"));
  await customer.says("Quero o catálogo de ferragens");
  const page = await at(await createUser(admin, uniqueName("Joana")));
  // a company with so many conversations takes minutes to make; the server's part is tested beside its search
  await page.route(/\/tickets\?.*searchParam=ferragens/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), count: 41, countIsLowerBound: true } });
  });
  await typeQuickly(await openSearch(page), "ferragens");
  const note = page.getByRole("status").filter({ hasText: "41 ou mais" });
  await expect(note).toBeInViewport();
  for (const width of [1366, 360]) {
    await page.setViewportSize({ width, height: 740 });
    await expect(note).toBeInViewport({ ratio: 1 });
  }

  await page.getByRole("searchbox").fill("catálogo");
  await expect(row(page, customer.name)).toBeVisible();
  await expect(note).toHaveCount(0);
});
