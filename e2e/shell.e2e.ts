import type { BrowserContext } from "@playwright/test";
import { connections, quickMessages, simulator, tickets } from "@prosa/contract";
import { io } from "socket.io-client";
import { uniqueName, connectLine, createQueue, createUser, addCustomer, ticketOf } from "./support/api.ts";
import { bubble, row, showMine, showWaiting, signIn, typeQuickly } from "./support/desk.ts";
import { expect, test } from "./support/journey.ts";

declare global {
  interface Window {
    /** Time of the last keystroke, by the page's clock. */
    lastKey: number;
  }
}

test("a connection that needs a look puts a mark on its entry, two seconds after load and live (S-03)", async ({
  at,
  admin,
  alone,
}) => {
  const boss = await createUser(alone, uniqueName("Chefe"), { profile: "admin" });
  const line = await connectLine(alone, uniqueName("Linha"));
  const foreign = await connectLine(admin, uniqueName("Linha"));
  await admin.call(simulator.fault, { params: { id: foreign.id }, body: { kind: "loggedOut" } });
  const page = await at(boss);
  const entry = page.getByRole("navigation").getByRole("link", { name: /Conexões/ });
  await expect(entry).toBeVisible();

  await alone.call(simulator.fault, { params: { id: line.id }, body: { kind: "loggedOut" } });
  await expect(entry).toContainText("!");

  // Another company's line still needs attention.
  await alone.call(connections.remove, { params: { id: line.id } });
  await expect(entry).not.toContainText("!");
  await admin.call(connections.remove, { params: { id: foreign.id } });
});

test("the top bar greets, changes the light, and keeps how loud notifications are (S-04, S-05)", async ({
  at,
  admin,
}) => {
  const boss = await createUser(admin, uniqueName("Chefe"), { profile: "admin" });
  const page = await at(boss);
  const bar = page.getByRole("banner");
  await expect(bar).toContainText(`Olá, ${boss.name}`);
  await expect(bar.getByText("ao vivo")).toBeVisible();

  const theme = page.locator("html");
  const before = await theme.getAttribute("data-theme");
  await bar.getByRole("button", { name: /Usar tema (escuro|claro)/ }).click();
  await expect(theme).not.toHaveAttribute("data-theme", before ?? "");

  await bar.getByRole("button", { name: "Volume das notificações" }).click();
  const slider = page.getByRole("slider", { name: "Volume das notificações" });
  await expect(slider).toHaveValue("1");
  await slider.press("ArrowLeft");
  await expect(slider).toHaveValue("0.9");
  expect(await page.evaluate(() => localStorage.getItem("volume"))).toBe("0.9");
  await page.keyboard.press("Escape");
  await expect(slider).toBeHidden();
  await bar.getByRole("button", { name: "Volume das notificações" }).click();
  await slider.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Buscar em tudo" })).toBeFocused();
  await page.keyboard.press("Escape");

  await expect(page.getByText(/\d+\.\d+\.\d+ · 6\.0\.0/)).toBeVisible();
  const reloaded = page.waitForEvent("load");
  await bar.getByRole("button", { name: "Recarregar" }).click();
  await reloaded;
  await expect(bar.getByText("ao vivo")).toBeVisible();
});

test("the desk asks each call once when it starts, and misses nothing that happens meanwhile (N-05)", async ({
  at,
  admin,
  customer,
}) => {
  const boss = await createUser(admin, uniqueName("Chefe"), { profile: "admin" });
  await customer.says("Antes de abrir");
  const { uuid } = await ticketOf(admin, customer.name);
  const page = await at(boss);
  // what the first page still asks for is not counted
  await page.goto("about:blank");
  const asked: string[] = [];
  page.on("request", (request) => {
    if (["fetch", "xhr"].includes(request.resourceType())) {
      asked.push(`${request.method()} ${request.url().replace(/^.*?\/\/[^/]*/, "")}`);
    }
  });
  // Something happens between the first answers and the live connection.
  let said: Promise<void> | undefined;
  await page.route(/socket\.io-client|\/assets\/socket/, async (route) => {
    said ??= customer.says("Enquanto abria");
    await said;
    await route.continue();
  });
  await page.goto(`/tickets/${uuid}`);
  await expect(page.getByRole("banner").getByText("ao vivo")).toBeVisible();
  await expect(bubble(page, "Antes de abrir")).toBeVisible();
  await expect(bubble(page, "Enquanto abria")).toBeVisible();

  // a message, of this or another customer, counts the waiting anew
  const twice = asked.filter((call, at) => asked.indexOf(call) !== at && !call.includes("/tickets/counts"));
  expect(twice).toEqual([]);
});

test("the browser keeps what the specification names, and forgets the person on the way out (A-12)", async ({
  page,
  admin,
}) => {
  const agent = await createUser(admin, uniqueName("Lia"));
  await page.goto("/login");
  await signIn(page, agent);
  const kept = () => page.evaluate(() => Object.keys(localStorage));
  expect(await kept()).toEqual(expect.arrayContaining(["token", "companyId", "userId"]));

  await page.getByRole("banner").getByRole("button", { name: "Minha conta" }).click();
  await page.getByRole("menuitem", { name: "Sair" }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect((await kept()).filter((key) => ["token", "companyId", "userId", "companyDueDate"].includes(key))).toEqual([]);
});

test("a row says whose conversation it is, where it came in, what was said and when (T-04)", async ({
  at,
  admin,
  line,
}) => {
  const customer = await addCustomer(admin, line, uniqueName("Maria Antonieta de Vasconcelos"));
  const agent = await createUser(admin, uniqueName("Rui"));
  await customer.says("Preciso de ajuda");
  await ticketOf(admin, customer.name);

  const page = await at(agent);
  await showWaiting(page);
  const mine = row(page, customer.name);
  await expect(mine).toContainText("Preciso de ajuda");
  await expect(mine).toContainText(line.name);
  await expect(mine).toContainText("Sem fila");
  await expect(mine).toContainText(/\d{2}:\d{2}/);
  await expect(mine.getByText("1", { exact: true })).toBeVisible();
  await expect(mine.getByRole("button", { name: "Aceitar" })).toBeVisible();

  const phone = await at(agent, { width: 360 });
  await showWaiting(phone);
  const shortened = [...customer.name].slice(0, 10).join("");
  await expect(phone.getByTestId("ticket-list").getByText(`${shortened}…`).first()).toBeVisible();
});

test("a search asks once, half a second after the last key, and in lower case; a form is sent once (E-04)", async ({
  at,
  admin,
}) => {
  const page = await at(await createUser(admin, uniqueName("Zilda")));
  await page.goto("/contacts");
  const field = page.getByRole("searchbox");
  await expect(field).toBeVisible();
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const text = searchParams.get("searchParam");
    if (pathname === "/contacts" && text) {
      asked.push(text);
    }
  });
  const answered = page.waitForResponse((answer) => answer.url().includes("searchParam=maria"));
  await page.evaluate(() => document.addEventListener("input", (event) => (window.lastKey = event.timeStamp), true));
  await typeQuickly(field, " MARIA");
  await answered;
  // Both times are by the page's clock: a slow machine makes the pause longer, never shorter.
  const pause = await page.evaluate(() => {
    const calls = performance.getEntriesByType("resource").filter(({ name }) => name.includes("searchParam=maria"));
    return calls.map(({ startTime }) => startTime - window.lastKey);
  });
  expect(pause).toEqual([expect.any(Number)]);
  expect(pause[0]).toBeGreaterThanOrEqual(500);
  expect(asked).toEqual(["maria"]);

  const sent: string[] = [];
  await page.route("**/contacts", async (route) => {
    if (route.request().method() === "POST") {
      sent.push(route.request().url());
    }
    await route.fallback();
  });
  await page.getByRole("button", { name: "Novo contato" }).first().click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Nome", { exact: true }).fill(uniqueName("Impaciente"));
  await form.getByLabel("Número").fill("+55 11 98888-7766");
  for (let press = 0; press < 3; press += 1) {
    await page.keyboard.press("Enter");
  }
  await expect(page.getByText("Contato salvo com sucesso!")).toBeVisible();
  expect(sent).toHaveLength(1);
});

test("a click previews who waits, and nobody notices; Enter on the row accepts (T-07, M-14, Z-01)", async ({
  at,
  admin,
  line,
  customer,
}) => {
  await customer.says("Alguém aí?");
  const { id, uuid } = await ticketOf(admin, customer.name);
  const queueId = await createQueue(admin, uniqueName("Balcão"), "#245a66");
  await admin.call(tickets.update, { params: { id }, body: { queueId } });
  const [boss, agent] = [
    await at(await createUser(admin, uniqueName("Chefe"), { profile: "admin" })),
    await at(await createUser(admin, uniqueName("Téo"), { queueIds: [queueId], allTicket: false })),
  ];
  for (const page of [boss, agent]) {
    await (page === boss ? showWaiting(page) : page.getByRole("tab", { name: /Aguardando/ }).click());
    await row(page, customer.name).locator("[data-main]").click();
    await expect(bubble(page, "Alguém aí?")).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Mensagem" })).toHaveCount(0);
    await expect(page.getByRole("region", { name: "Prévia da conversa" })).toBeVisible();
  }
  const ticket = await admin.call(tickets.get, { params: { id } });
  expect([ticket.status, ticket.userId, ticket.unreadMessages]).toEqual(["pending", null, 1]);

  // by its address the list shows where it is, also when another one was shown before
  await showMine(boss);
  await boss.goto("/contacts");
  await boss.goto(`/tickets/${uuid}`);
  await expect(row(boss, customer.name)).toBeVisible();

  // who waits longest is first; the other order is a choice that is kept, and so is the list, over a reload
  const later = await addCustomer(admin, line, uniqueName("Depois"));
  await later.says("Eu também.");
  await admin.call(tickets.update, { params: { id: (await ticketOf(admin, later.name)).id }, body: { queueId } });
  const rows = agent.getByTestId("ticket-list").getByRole("listitem");
  const both = [new RegExp(customer.name), new RegExp(later.name)];
  await expect(rows).toHaveText(both);
  await expect(agent.getByRole("heading", { name: "Agora" })).toBeVisible();
  await agent.getByRole("button", { name: "Ordem: mais antigas primeiro" }).click();
  await agent.getByRole("menuitem", { name: "mais recentes" }).click();
  await expect(rows).toHaveText(both.toReversed());
  await agent.reload();
  await expect(rows).toHaveText(both.toReversed());

  await row(agent, customer.name).locator("[data-main]").press("Enter");
  await expect(agent.getByRole("textbox", { name: "Mensagem" })).toBeFocused();
  // the list follows it to where it is now; the other one still waits
  await expect(agent.getByRole("tab", { name: /Atendendo/ })).toHaveAttribute("aria-selected", "true");
  await expect(row(agent, customer.name).locator("[aria-current=true]")).toBeVisible();
  await expect(row(agent, later.name)).toHaveCount(0);
  await expect(agent.getByRole("textbox", { name: "Mensagem" })).toBeFocused();

  // a tab that nobody sees reads nothing, not even when it is loaded again
  await agent.addInitScript(() => {
    Object.defineProperty(document, "visibilityState", { configurable: true, value: "hidden" });
  });
  await agent.reload();
  await customer.says("Ainda aí?");
  await expect(bubble(agent, "Ainda aí?")).toBeVisible();
  await agent.reload();
  await expect(bubble(agent, "Ainda aí?")).toBeVisible();
  await expect(agent.getByText("1 nova desde")).toBeVisible();
  const unread = async () => (await admin.call(tickets.get, { params: { id } })).unreadMessages;
  expect(await unread()).toBe(1);
  await agent.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "visible" });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await expect.poll(unread).toBe(0);
});

/** A company's subscription that ends in three days: prepares its users' browsers. */
function aSubscriptionThatEnds() {
  const threeDays = new Date(Date.now() + 3 * 86_400_000);
  const dueDate = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Sao_Paulo" }).format(threeDays);
  const prepare = (context: BrowserContext) =>
    context.route("**/auth/me", async (route) => {
      const answer = await route.fetch();
      const user = (await answer.json()) as { company: object };
      await route.fulfill({ response: answer, json: { ...user, company: { ...user.company, dueDate } } });
    });
  return { dueDate, prepare, warning: "Sua assinatura vence em 3 dia(s)" };
}

test("a subscription that ends in three days is warned about, and its date stands in the bar (A-04, S-04)", async ({
  at,
  admin,
}) => {
  const { dueDate, prepare, warning } = aSubscriptionThatEnds();
  const page = await at(await createUser(admin, uniqueName("Chefe"), { profile: "admin" }), { prepare });
  // a toast says the same for some seconds
  await expect(page.getByText(warning).first()).toBeVisible();
  await expect(page.getByRole("banner")).toContainText(`ativa até ${dueDate.split("-").toReversed().join("/")}`);
});

test("why a screen is refused is read before the warning of the end of the subscription (A-04, S-02, O-05)", async ({
  at,
  admin,
}) => {
  const { prepare, warning } = aSubscriptionThatEnds();
  const page = await at(await createUser(admin, uniqueName("Vera")), { prepare });
  const toasts = page.getByRole("status");
  for (const [path, refusal] of [
    ["/announcements", "Esta empresa não possui permissão para acessar essa página!"],
    ["/connections", "Acesso não permitido"],
  ] as const) {
    await page.goto(path);
    await expect(toasts.filter({ hasText: refusal })).toBeVisible();
    await toasts.getByRole("button", { name: "Fechar" }).click();
    await expect(toasts.filter({ hasText: warning })).toBeVisible();
  }
});

test("one tab too many says so, and is live by itself once another one is closed (V-04)", async ({
  at,
  admin,
  product,
}) => {
  const page = await at(await createUser(admin, uniqueName("Abas")));
  const chip = page.getByRole("banner").getByRole("status");
  await expect(chip).toHaveText("ao vivo");

  // The other tabs: lines of the same session.
  const token = await page.evaluate(() => localStorage.getItem("token"));
  const others = Array.from({ length: 19 }, () =>
    io(product.url, { transports: ["websocket"], reconnection: false, forceNew: true, auth: { token } }),
  );
  await Promise.all(others.map((other) => new Promise((resolve) => other.once("ready", resolve))));
  const late = await page.context().newPage();
  await late.clock.install();
  await late.goto("/tickets");
  const lateChip = late.getByRole("banner").getByRole("status");
  await expect(lateChip).toHaveText("abas demais");
  await expect(chip).toHaveText("ao vivo");

  others.pop()?.disconnect();
  // It asks again half a minute later.
  await late.clock.fastForward(30_000);
  await expect(lateChip).toHaveText("ao vivo");
  others.forEach((other) => other.disconnect());
});

test("Ctrl K finds conversations, contacts, colleagues, replies, screens and actions, in groups (Z-03)", async ({
  at,
  admin,
  line,
}) => {
  const name = uniqueName("Zoraide");
  const customer = await addCustomer(admin, line, name);
  const agent = await createUser(admin, uniqueName("Zilda"));
  const colleague = await createUser(admin, uniqueName("Zenaide"));
  const word = uniqueName("trocado").replace(" ", "");
  await customer.says(`Tem ${word}?`);
  const { uuid, contactId } = await ticketOf(admin, name);
  await admin.call(tickets.update, {
    params: { id: (await ticketOf(admin, name)).id },
    body: { status: "open", userId: agent.id },
  });
  await admin.call(quickMessages.create, {
    body: { shortcode: word, message: `Sim, temos ${word}.`, geral: true },
  });
  const page = await at(agent);
  const palette = page.getByRole("dialog", { name: "Buscar em tudo" });
  const field = palette.getByRole("combobox", { name: "Buscar em tudo" });
  const group = (title: string) => palette.getByRole("group", { name: title });
  const find = async (text: string) => {
    await page.keyboard.press("Control+k");
    await expect(field).toBeFocused();
    await page.keyboard.type(text);
  };

  // a conversation by a word in it, and a reply by its text
  await expect(page.getByRole("banner").getByText("ao vivo")).toBeVisible();
  await find(word);
  await expect(group("Conversas").getByRole("option", { name })).toContainText(word);
  await expect(group("Respostas rápidas").getByRole("option", { name: `/${word}` })).toBeVisible();
  await expect(group("Conversas").getByRole("option", { name })).toHaveAttribute("data-highlighted", "");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/tickets/${uuid}$`));
  await expect(bubble(page, word)).toBeVisible();

  // the reply goes into the open conversation's composer
  await find(`/${word}`.slice(1));
  await group("Respostas rápidas")
    .getByRole("option", { name: `/${word}` })
    .click();
  await expect(page.getByRole("textbox", { name: "Mensagem" })).toHaveValue(`Sim, temos ${word}.`);

  // a contact's conversation, a colleague's chat
  await find(name);
  await group("Contatos").getByRole("option", { name }).click();
  await expect(page.getByRole("dialog", { name: "Nova conversa" })).toContainText(name);
  await page.keyboard.press("Escape");
  expect(contactId).toBeGreaterThan(0);

  await find(colleague.name);
  await group("Equipe").getByRole("option", { name: colleague.name }).click();
  await expect(page.getByRole("dialog", { name: /conversa/i })).toContainText(colleague.name);
  await page.keyboard.press("Escape");

  // a screen and an action; nothing is said to be nothing
  await find("respostas");
  await expect(group("Telas").getByRole("option", { name: "Respostas rápidas" })).toBeVisible();
  await field.fill("tema");
  await expect(group("Ações").getByRole("option", { name: /Usar tema/ })).toBeVisible();
  await field.fill("qwxz qwxz");
  await expect(palette.getByText("Nada encontrado para “qwxz qwxz”")).toBeVisible();
  // the keyboard goes on in the screen that was chosen
  await field.fill("respostas");
  await expect(group("Telas").getByRole("option", { name: "Respostas rápidas" })).toBeVisible();
  await group("Telas").getByRole("option", { name: "Respostas rápidas" }).click();
  await expect(page).toHaveURL(/\/quick-messages$/);
  await expect(page.locator("#content:focus, #content :focus")).toBeVisible();
});
