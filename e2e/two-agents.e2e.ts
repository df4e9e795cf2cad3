import { messages, tickets, users } from "@prosa/contract";
import { setTimeout } from "node:timers/promises";
import type { Page } from "@playwright/test";
import {
  addCustomer,
  type Customer,
  signInToApi,
  uniqueName,
  createUser,
  createQueue,
  ticketOf,
} from "./support/api.ts";
import { accept, acceptButton, clickTicketAction, row, showMine, showWaiting, write } from "./support/desk.ts";
import { expect, test } from "./support/journey.ts";

test("what one agent does, the other sees without touching anything (T-02, T-04, T-22)", async ({
  at,
  admin,
  customer,
}) => {
  const [vera, igor] = [await createUser(admin, uniqueName("Vera")), await createUser(admin, uniqueName("Igor"))];
  const [here, there] = [await at(vera), await at(igor)];
  await showWaiting(here);
  await showWaiting(there);

  await customer.says("Tem alguém aí?");
  await expect(row(here, customer.name)).toContainText("Tem alguém aí?");
  await expect(row(there, customer.name)).toBeVisible();

  await accept(here, customer.name);
  await expect(row(there, customer.name)).toBeHidden();

  await write(here, "Um momento, por favor.");
  await clickTicketAction(here, "Devolver");
  await expect(row(there, customer.name)).toContainText("Vera: Um momento, por favor.");
  await showWaiting(here);
  await expect(row(here, customer.name)).toContainText("Você: Um momento, por favor.");
});

test("a queue that an admin gives counts at once, also for whoever writes next (U-01, T-06, T-22)", async ({
  at,
  admin,
  line,
  customer,
}) => {
  const [own, given] = [uniqueName("Balcão"), uniqueName("Suporte")];
  const [ownId, givenId] = [await createQueue(admin, own, "#5a6b7c"), await createQueue(admin, given, "#7c6b5a")];
  const about = { queueIds: [ownId], allTicket: false };
  const agent = await createUser(admin, uniqueName("Vera"), about);
  const page = await at(agent);
  await showWaiting(page);
  const putIntoGiven = async (name: string) => {
    const { id } = await ticketOf(admin, name);
    await admin.call(tickets.update, { params: { id }, body: { queueId: givenId } });
  };
  await customer.says("É aqui o suporte?");
  await putIntoGiven(customer.name);

  await admin.call(users.update, { params: { id: agent.id }, body: { queueIds: [ownId, givenId] } });
  await expect(row(page, customer.name)).toBeVisible();
  const next = await addCustomer(admin, line, uniqueName("Próximo"));
  await next.says("E o meu?");
  await putIntoGiven(next.name);
  await expect(row(page, next.name)).toBeVisible();
});

test("of two who accept at once, the second is told who was first, busy with another one too (T-12)", async ({
  at,
  admin,
  line,
  customer,
}) => {
  const [vera, igor] = [await createUser(admin, uniqueName("Vera")), await createUser(admin, uniqueName("Igor"))];
  const [winner, page] = [await signInToApi(admin.url, vera), await at(igor)];
  const other = await addCustomer(admin, line, uniqueName("Outro"));
  await other.says("E a mim?");
  await customer.says("Quem atende?");
  const { id } = await ticketOf(admin, customer.name);
  await showWaiting(page);
  await expect(row(page, customer.name)).toBeVisible();
  await expect(row(page, other.name)).toBeVisible();

  // Hold the request until the colleague has accepted it, and this agent the next one.
  await page.route(`**/tickets/${id}`, async (route) => {
    if (route.request().method() === "PUT") {
      await winner.call(tickets.update, { params: { id }, body: { status: "open", userId: vera.id } });
      await expect.poll(async () => (await ticketOf(admin, other.name)).status).toBe("open");
    }
    await route.continue();
  });
  await acceptButton(page, customer.name).click();
  await acceptButton(page, other.name).click();
  await expect(page.getByText(`${vera.name} já aceitou esta conversa.`)).toBeVisible();
});

test("a press on Aceitar counts for its row, whatever moves meanwhile; each of several at once has its effect (T-08, T-22)", async ({
  at,
  admin,
  line,
}) => {
  const names = ["Um", "Dois", "Três", "Quatro", "Cinco", "Seis"];
  const waiting = await Promise.all(names.map((name) => addCustomer(admin, line, uniqueName(name))));
  for (const each of waiting) {
    await each.says("Alguém?");
    await ticketOf(admin, each.name);
  }
  const [first, second, third, fourth, fifth, sixth] = waiting as [Customer, ...Customer[]] &
    Record<1 | 2 | 3 | 4 | 5, Customer>;
  const statusOf = async ({ name }: Customer) => (await ticketOf(admin, name)).status;
  const held = { isOn: false, packets: [] as { readonly text: string; readonly pass: () => void }[] };
  const page = await at(await createUser(admin, uniqueName("Pia")), {
    prepare: (context) =>
      context.routeWebSocket(/socket\.io/u, (socket) => {
        socket.connectToServer().onMessage((packet) => {
          const pass = () => socket.send(packet);
          if (held.isOn) {
            held.packets.push({ text: String(packet), pass });
          } else {
            pass();
          }
        });
      }),
  });
  let loadPane = () => undefined as void;
  const mayLoadPane = new Promise<void>((resolve) => (loadPane = resolve));
  await page.route(/TicketPane-.*\.js$/u, async (route) => {
    await mayLoadPane;
    await route.continue();
  });
  /** A message that the browser gets when the returned function is called. */
  const comesLate = async (from: Customer, text: string) => {
    held.isOn = true;
    await from.says(text);
    await expect.poll(() => held.packets.some((packet) => packet.text.includes(text))).toBe(true);
    return () => {
      held.isOn = false;
      held.packets.splice(0).forEach(({ pass }) => pass());
    };
  };
  await showWaiting(page);
  await expect(row(page, first.name)).toBeVisible();

  await test.step("of the mouse, while a row below moves to the top", async () => {
    const come = await comesLate(first, "Agora no topo");
    await aimAt(page, second.name);
    await page.mouse.down();
    come();
    await setTimeout(MEANWHILE_MS);
    await page.mouse.up();
    await expect(page).toHaveURL(/\/tickets\/[\w-]{36}/);
    expect(await statusOf(second)).toBe("open");
  });

  await test.step("while the menu gives way to the first conversation, whose code comes now", async () => {
    await showWaiting(page);
    await aimAt(page, third.name);
    await page.mouse.down();
    loadPane();
    await setTimeout(MEANWHILE_MS);
    await page.mouse.up();
    await expect.poll(() => statusOf(third)).toBe("open");
    // its answer has come as well, which gives the keys to its composer
    await expect(page).toHaveURL(new RegExp((await ticketOf(admin, third.name)).uuid));
    await expect(page.getByRole("textbox", { name: "Mensagem" })).toBeFocused();
  });

  await test.step("of the space bar and of Enter", async () => {
    await showWaiting(page);
    let come = await comesLate(first, "Outra vez no topo");
    await acceptButton(page, fourth.name).focus();
    await page.keyboard.down(" ");
    come();
    await setTimeout(MEANWHILE_MS);
    await page.keyboard.up(" ");
    await expect.poll(() => statusOf(fourth)).toBe("open");

    await showMine(page);
    await showWaiting(page);
    come = await comesLate(sixth, "Mais uma vez");
    await row(page, fifth.name).locator("[data-main]").focus();
    come();
    await expect(row(page, sixth.name)).toContainText("Mais uma vez");
    await page.keyboard.press("Enter");
    await expect.poll(() => statusOf(fifth)).toBe("open");
  });

  await test.step("while the answer to the one before comes, which changes the list", async () => {
    let answer = () => undefined as void;
    const { id, uuid } = await ticketOf(admin, first.name);
    await page.route(`**/tickets/${id}`, async (route) => {
      const response = await route.fetch();
      await new Promise<void>((resolve) => (answer = resolve));
      await route.fulfill({ response });
    });
    await showMine(page);
    await showWaiting(page);
    await acceptButton(page, first.name).click();
    await expect.poll(() => statusOf(first)).toBe("open");
    await aimAt(page, sixth.name);
    await page.mouse.down();
    answer();
    await setTimeout(MEANWHILE_MS);
    await page.mouse.up();
    // the one that was accepted last is shown
    await expect(page).toHaveURL(new RegExp((await ticketOf(admin, sixth.name)).uuid));
    expect(page.url()).not.toContain(uuid);
    await showMine(page);
    for (const { name } of waiting) {
      await expect(row(page, name)).toBeVisible();
    }
    await expect(page.getByRole("tab", { name: "Atendendo 6" })).toBeVisible();
  });
});

test("the answer to who started the conversation waits for them, and says so to everybody (T-16, N-02)", async ({
  at,
  admin,
  line,
  customer,
}) => {
  const queueId = await createQueue(admin, uniqueName("Vendas"), "#0a7d56");
  const vera = await createUser(admin, uniqueName("Vera"), { queueIds: [queueId], allTicket: false });
  const igor = await createUser(admin, uniqueName("Igor"), { queueIds: [queueId] });
  await customer.says("Quanto custa?");
  const { id, contactId } = await ticketOf(admin, customer.name);
  await admin.call(tickets.update, { params: { id }, body: { status: "open" } });
  await admin.call(tickets.update, { params: { id }, body: { status: "closed" } });
  const veras = await signInToApi(admin.url, vera);
  await veras.call(tickets.create, { body: { contactId, queueId, whatsappId: line.id } });
  await veras.call(messages.send, { params: { ticketId: id }, body: { body: "Segue a proposta." } });
  await veras.call(tickets.update, { params: { id }, body: { status: "closed" } });
  const [here, there] = [await at(vera), await at(igor)];
  await showWaiting(here);
  await showWaiting(there);
  await customer.says("Fechado!");

  await expect(row(here, customer.name)).toContainText("Espera por você");
  await expect(row(there, customer.name)).toContainText(`Espera por ${vera.name}`);
  await expect(here.getByRole("button", { name: "Conversas não lidas" })).toContainText("1");
  await accept(here, customer.name);
  await expect(row(there, customer.name)).toBeHidden();
});

test("a conversation of a foreign queue is refused, and the agent is back at the list (T-17)", async ({
  at,
  admin,
  customer,
}) => {
  const queueId = await createQueue(admin, uniqueName("Jurídico"), "#7a4fa3");
  await customer.says("É sobre o contrato.");
  const { id, uuid } = await ticketOf(admin, customer.name);
  await admin.call(tickets.update, { params: { id }, body: { queueId, status: "pending", userId: null } });

  const page = await at(await createUser(admin, uniqueName("Caio"), { allTicket: false }));
  await page.goto(`/tickets/${uuid}`);
  await expect(page.getByText("Acesso não permitido")).toBeVisible();
  await expect(page).toHaveURL(/\/tickets$/);
});

test("who looks at a conversation that is deleted is told and led away (T-18)", async ({ at, admin, customer }) => {
  const page = await at(await createUser(admin, uniqueName("Lia")));
  await customer.says("Pode apagar tudo.");
  await accept(page, customer.name);

  const { id } = await ticketOf(admin, customer.name);
  await admin.call(tickets.remove, { params: { id } });
  await expect(page.getByText("A conversa que você via foi excluída.")).toBeVisible();
  await expect(page).toHaveURL(/\/tickets$/);
  await showMine(page);
  await expect(row(page, customer.name)).toBeHidden();
});

/** How long the page has for what comes while a button is pressed, in ms. */
const MEANWHILE_MS = 500;

/** Moves the mouse onto the row's button, as its user does before pressing it. */
async function aimAt(page: Page, name: string): Promise<void> {
  await acceptButton(page, name).hover();
}
