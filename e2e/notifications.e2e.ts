/** Notifications, the bell, and presence in a conversation. */
import { messages, tickets } from "@prosa/contract";
import type { BrowserContext, Page } from "@playwright/test";
import {
  uniqueName,
  createUser,
  addCustomer,
  createQueue,
  ticketOf,
  type ApiClient,
  type Customer,
} from "./support/api.ts";
import { bubble, row, showMine } from "./support/desk.ts";
import { choose } from "./support/fields.ts";
import { expect, journeyWidths, test } from "./support/journey.ts";

/** A notification as the browser was asked to show it. */
interface Shown {
  readonly title: string;
  readonly body: string;
  /** How long it was shown (ms); undefined while it is shown. */
  readonly stayedMs?: number;
}

/** Calls recorded in the page by the fakes below. */
interface Ears {
  readonly shown: (Shown & { readonly notice: EventTarget })[];
  rings: number;
}
declare global {
  interface Window {
    ears: Ears;
  }
}

/** Replaces the browser's Notification and audio, and records the calls. */
function listen(): void {
  window.ears = { shown: [], rings: 0 };
  class Notice extends EventTarget {
    static readonly permission = "granted";
    static requestPermission = () => Promise.resolve("granted");
    readonly #at: number;
    readonly #entry: { notice: EventTarget; title: string; body: string; stayedMs?: number };

    constructor(title: string, { body = "" }: { body?: string } = {}) {
      super();
      this.#at = performance.now();
      this.#entry = { notice: this, title, body };
      window.ears.shown.push(this.#entry);
    }
    close(): void {
      this.#entry.stayedMs ??= performance.now() - this.#at;
    }
  }
  Object.assign(window, { Notification: Notice });
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function ring(this: OscillatorNode, when?: number): void {
    window.ears.rings += 1;
    start.call(this, when);
  };
}

const ears = (context: BrowserContext) => context.addInitScript(listen);

function shownIn(page: Page): Promise<Shown[]> {
  return page.evaluate(() => window.ears.shown.map(({ title, body, stayedMs }) => ({ title, body, stayedMs })));
}

/** A ticket of a new customer, owned by this user. */
async function serve(
  admin: ApiClient,
  { id: userId }: { readonly id: number },
  customer: Customer,
): Promise<{ readonly id: number; readonly uuid: string }> {
  await customer.says("Bom dia");
  const { id, uuid } = await ticketOf(admin, customer.name);
  await admin.call(tickets.update, { params: { id }, body: { status: "open", userId } });
  return { id, uuid };
}

for (const width of journeyWidths(1440, 360)) {
  test(`a new message of mine rings and shows for 3 s, a click opens it; others do not, at ${width} px (N-01)`, async ({
    at,
    admin,
    line,
    customer,
  }) => {
    const vera = await createUser(admin, uniqueName("Vera"), { allTicket: true });
    const igor = await createUser(admin, uniqueName("Igor"));
    const [waiting, ofIgor] = [
      await addCustomer(admin, line, uniqueName("Espera")),
      await addCustomer(admin, line, uniqueName("Do Igor")),
    ];
    const { id, uuid } = await serve(admin, vera, customer);
    await serve(admin, igor, ofIgor);
    const page = await at(vera, { width, prepare: ears });
    await showMine(page);
    await expect(row(page, customer.name)).toBeVisible();

    await waiting.says("Alguém?");
    await ofIgor.says("E o meu pedido?");
    await admin.call(messages.send, { params: { ticketId: id }, body: { body: "Já respondo." } });
    // Two first messages that cross are asked for again, and the notification would say so.
    await expect.poll(async () => (await customer.sees()).map(({ text }) => text).join()).toContain("Já respondo.");
    await customer.says("Chegou o sofá?");
    await expect.poll(() => shownIn(page)).toMatchObject([{ title: customer.name, body: "Chegou o sofá?" }]);
    await expect.poll(() => page.evaluate(() => window.ears.rings)).toBeGreaterThan(0);
    await expect.poll(async () => (await shownIn(page))[0]?.stayedMs ?? 0).toBeGreaterThan(2_900);

    await customer.says("Oi?");
    await expect.poll(async () => (await shownIn(page)).length).toBe(2);
    await page.evaluate(() => window.ears.shown[1]?.notice.dispatchEvent(new Event("click")));
    await expect(page).toHaveURL(`/tickets/${uuid}`);
    await expect(bubble(page, "Oi?")).toBeVisible();

    await customer.says("Você está lendo?");
    await expect(bubble(page, "Você está lendo?")).toBeVisible();
    const other = await addCustomer(admin, line, uniqueName("Outra"));
    await serve(admin, vera, other);
    await other.says("E eu?");
    await expect.poll(async () => (await shownIn(page)).at(-1)).toMatchObject({ title: other.name, body: "E eu?" });
    expect((await shownIn(page)).map(({ body }) => body)).not.toContain("Você está lendo?");
  });
}

test("a conversation that one of my tabs shows rings in none, on the board too; one that is covered rings, and asks before it closes a form (N-01)", async ({
  at,
  admin,
  line,
  customer,
}) => {
  const vera = await createUser(admin, uniqueName("Vera"));
  const { uuid } = await serve(admin, vera, customer);
  const other = await addCustomer(admin, line, uniqueName("Outra"));
  await serve(admin, vera, other);
  const board = await at(vera, { prepare: ears });
  await board.goto("/kanban");
  const reading = await board.context().newPage();
  await reading.goto(`/kanban/${uuid}`);
  await expect(bubble(reading, "Bom dia")).toBeVisible();
  for (const page of [board, reading]) {
    await expect(page.getByText("ao vivo")).toBeVisible();
  }
  const told = async () => [...(await shownIn(board)), ...(await shownIn(reading))].map(({ body }) => body);

  await customer.says("Você está lendo o quadro?");
  await expect(bubble(reading, "Você está lendo o quadro?")).toBeVisible();
  await other.says("E eu?");
  await expect.poll(told).toEqual(["E eu?"]);
  await board.close();

  await reading.setViewportSize({ width: 800, height: 900 });
  await reading.goto(`/tickets/${uuid}`);
  await expect(bubble(reading, "Você está lendo o quadro?")).toBeVisible();
  await reading.getByRole("tab", { name: "Atendimentos" }).click();
  await expect(reading.getByTestId("conversation")).toBeHidden();
  await customer.says("Ninguém me vê.");
  await expect.poll(() => shownIn(reading)).toMatchObject([{ title: customer.name, body: "Ninguém me vê." }]);
  const clickLast = () => reading.evaluate(() => window.ears.shown.at(-1)?.notice.dispatchEvent(new Event("click")));
  await clickLast();
  await expect(bubble(reading, "Ninguém me vê.")).toBeVisible();

  await reading.goto("/quick-messages");
  await reading.getByRole("button", { name: "Nova resposta" }).first().click();
  const form = reading.getByRole("dialog", { name: "Nova resposta rápida" });
  await form.getByLabel("Atalho").fill("bomdia");
  await customer.says("Oi?");
  await expect.poll(() => shownIn(reading)).toMatchObject([{ body: "Oi?" }]);
  await clickLast();
  const question = reading.getByRole("alertdialog");
  await question.getByRole("button", { name: "Cancelar" }).click();
  await expect(form.getByLabel("Atalho")).toHaveValue("bomdia");
  await clickLast();
  await question.getByRole("button", { name: "Descartar" }).click();
  await expect(reading).toHaveURL(`/tickets/${uuid}`);

  // The desk stays where it leads to, and what was discarded does not.
  await reading.getByRole("tab", { name: "Atendimentos" }).click();
  await reading.getByRole("button", { name: "Nova conversa" }).first().click();
  const start = reading.getByRole("dialog", { name: "Nova conversa" });
  await choose(start.getByLabel("Conexão"), line.name);
  await clickLast();
  await question.getByRole("button", { name: "Descartar" }).click();
  await expect(start).toBeHidden();
  await expect(bubble(reading, "Oi?")).toBeVisible();
});

test("a message in a queue that I do not serve does not ring (N-01)", async ({ at, admin, line, customer }) => {
  const vera = await createUser(admin, uniqueName("Vera"), {
    queueIds: [await createQueue(admin, uniqueName("Minha"), "#2f6f4e")],
  });
  const foreign = await createQueue(admin, uniqueName("Alheia"), "#4e2f6f");
  const { id } = await serve(admin, vera, customer);
  const mine = await addCustomer(admin, line, uniqueName("Minha Cliente"));
  await serve(admin, vera, mine);
  await admin.call(tickets.update, { params: { id }, body: { queueId: foreign } });
  const page = await at(vera, { prepare: ears });
  await expect(page.getByText("ao vivo")).toBeVisible();

  await customer.says("Fila errada?");
  await mine.says("Fila certa!");
  await expect.poll(() => shownIn(page)).toMatchObject([{ title: mine.name, body: "Fila certa!" }]);
});

test("a browser without notifications rings, and leaves a line in its log (N-01)", async ({ at, admin, customer }) => {
  const vera = await createUser(admin, uniqueName("Vera"));
  await serve(admin, vera, customer);
  const page = await at(vera, {
    prepare: async (context) => {
      await ears(context);
      await context.addInitScript(() => Reflect.deleteProperty(window, "Notification"));
    },
  });
  await showMine(page);
  const said = page.waitForEvent("console", (line) => line.text().includes("does not support notifications"));
  await customer.says("Toca aí");
  await said;
  await expect.poll(() => page.evaluate(() => window.ears.rings)).toBeGreaterThan(0);
});

test("waiting conversations stand in the bell of who may see all, not in the others' (N-02)", async ({
  at,
  admin,
  line,
  customer,
}) => {
  const all = await createUser(admin, uniqueName("Todas"), { allTicket: true });
  const own = await createUser(admin, uniqueName("Suas"), { allTicket: false });
  const theirs = await addCustomer(admin, line, uniqueName("Cliente Própria"));
  await serve(admin, own, theirs);
  const [hers, his] = [await at(all), await at(own, { width: 360 })];
  const bell = async (page: Page) => {
    await page.getByRole("button", { name: /^Conversas não lidas/ }).click();
    return page.getByRole("dialog", { name: "Conversas não lidas" });
  };

  await customer.says("Estou na fila");
  await theirs.says("Sou dele");
  const waiting = (await bell(hers)).getByRole("listitem").filter({ hasText: customer.name });
  await expect(waiting).toContainText("Aguardando");
  await expect((await bell(his)).getByRole("listitem")).toHaveText([new RegExp(theirs.name)]);

  await waiting.getByRole("button").click();
  await expect(hers).toHaveURL(/\/tickets\/[\w-]{36}/);
});

test("a browser is turned on for pushes and asks for a test, with the worker's own subscription (N-01)", async ({
  at,
  admin,
}) => {
  const page = await at(await createUser(admin, uniqueName("Lia")), {
    hasWorker: true,
    async prepare(context) {
      // The browser vendor's push service is on the internet, and the headless shell shows no notices and refuses them.
      await context.addInitScript(() => {
        Object.defineProperty(Notification, "permission", { get: () => "granted" });
        Object.assign(Notification, { requestPermission: () => Promise.resolve("granted") });
        let made: object | null = null;
        const given = {
          endpoint: "https://push.example/abc",
          toJSON: () => ({
            endpoint: "https://push.example/abc",
            keys: {
              p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
              auth: "BTBZMqHH6r4Tts7J_aSIgg",
            },
          }),
          unsubscribe: () => {
            made = null;
            return Promise.resolve(true);
          },
        };
        Object.assign(PushManager.prototype, {
          subscribe: () => Promise.resolve((made = given)),
          getSubscription: () => Promise.resolve(made),
        });
      });
    },
  });
  await page.getByRole("button", { name: "Minha conta" }).click();
  await page.getByRole("menuitem", { name: "Notificações" }).click();
  const dialog = page.getByRole("dialog", { name: "Notificações" });
  const push = dialog.getByRole("switch", { name: /Avisar com o navegador fechado/ });
  await expect(dialog.getByRole("button", { name: "Enviar um teste" })).toBeDisabled();
  await push.click();
  await expect(push).toBeChecked();
  await dialog.getByRole("button", { name: "Enviar um teste" }).click();
  await expect(page.getByText("Teste enviado a 1 aparelho")).toBeVisible();
  await push.click();
  await expect(push).not.toBeChecked();
});

test("who else looks at a conversation is seen, and who is writing in it (T-22, N-04)", async ({
  at,
  admin,
  customer,
}) => {
  const vera = await createUser(admin, uniqueName("Vera"));
  const chief = await createUser(admin, uniqueName("Chefe"), { profile: "admin" });
  const { uuid } = await serve(admin, vera, customer);
  const [here, there] = [await at(vera), await at(chief)];
  await here.goto(`/tickets/${uuid}`);
  await expect(bubble(here, "Bom dia")).toBeVisible();
  await there.goto(`/tickets/${uuid}`);
  const seen = here.getByText(`${chief.name} também está vendo esta conversa`);
  await expect(seen).toBeVisible();

  await here.getByRole("textbox", { name: "Mensagem" }).pressSequentially("Um instante");
  await expect(there.getByText(`${vera.name} está escrevendo…`)).toBeVisible();

  await there.goto("/contacts");
  await expect(seen).toBeHidden();
});
