/** Every dialog, menu and popover: accessibility (axe, both themes), and Escape. */
import { connections, contacts, products, scheduledMessages } from "@prosa/contract";
import type { Locator, Page } from "@playwright/test";
import { uniqueName, createUser, addCustomer, ticketOf } from "./support/api.ts";
import { accept, bubble, row, showWaiting } from "./support/desk.ts";
import { demo, expect, test } from "./support/journey.ts";
import { createLane, seedCards } from "./support/kanban.ts";
import { findBarriers } from "./support/sweep.ts";

/** A dialog or menu, and how it is opened. */
interface Opener {
  readonly name: string;
  readonly open: (page: Page) => Promise<unknown>;
  /** Its locator, if it is neither a dialog nor a menu. */
  readonly within?: string;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();
const choose = (opener: string, item: string | RegExp) => async (page: Page) => {
  await press(opener)(page);
  await page.getByRole("menuitem", { name: item }).click();
};
/** A button of the row with this name, or of the first. */
const onRow =
  (action: string, name = "") =>
  async (page: Page) => {
    const found = page.getByRole("row").filter({ has: page.getByRole("button", { name: action }), hasText: name });
    await found.first().hover();
    await found.first().getByRole("button", { name: action }).click();
  };

/** The customers who wait in the list. */
const somebody = uniqueName("Espera");

const overTheDesk: Readonly<Record<string, readonly Opener[]>> = {
  "the frame": [
    { name: "bell", open: press(/^Conversas não lidas/) },
    { name: "volume", open: press("Volume das notificações") },
    { name: "account", open: press("Minha conta") },
    { name: "profile", open: choose("Minha conta", "Meu perfil") },
    { name: "notifications", open: choose("Minha conta", "Notificações") },
    { name: "palette", open: press("Buscar em tudo") },
    {
      name: "keys",
      async open(page) {
        // beside an open conversation a letter is text, until Escape gives the keys to the list
        await page.getByRole("textbox", { name: "Mensagem" }).press("Escape");
        await page.keyboard.press("?");
      },
    },
  ],
  "the list": [
    { name: "new conversation", open: press("Nova conversa") },
    { name: "queues", open: press(/^Filas: todas/) },
    {
      name: "bar of the chosen",
      within: "[role=toolbar]",
      async open(page) {
        await showWaiting(page);
        await row(page, somebody).getByRole("button", { name: somebody }).focus();
        await page.keyboard.press("x");
      },
    },
  ],
  "the ticket": [
    { name: "more options", open: press("Mais opções") },
    { name: "transfer", open: choose("Mais opções", "Transferir") },
    { name: "schedule", open: choose("Mais opções", "Agendar mensagem") },
    { name: "delete", open: choose("Mais opções", "Excluir conversa") },
    { name: "contact", open: press("Editar contato") },
    { name: "tags", open: press("Editar: Etiquetas") },
    { name: "products", open: press("Adicionar: Produtos") },
    { name: "note", within: "aside", open: press("Nova: Notas") },
  ],
  "the conversation": [
    { name: "emoji", open: press("Emoji") },
    { name: "quick replies", open: press("Respostas rápidas") },
    { name: "variables", open: press("Variáveis") },
    {
      name: "menu of a message",
      async open(page) {
        await bubble(page, "Veja a foto").hover();
        await bubble(page, "Veja a foto").getByRole("button", { name: "Ações da mensagem" }).click();
      },
    },
    {
      name: "photo",
      open: (page) => bubble(page, "Veja a foto").getByRole("button", { name: "Ampliar foto" }).click(),
    },
  ],
};

for (const [part, openers] of Object.entries(overTheDesk)) {
  test(`what opens over ${part} of the desk holds the accessibility rules in both themes, and Escape closes it (S-11)`, async ({
    at,
    admin,
    line,
    customer,
  }) => {
    test.slow();
    if (part === "the list") {
      await (await addCustomer(admin, line, somebody)).says("Alguém aí?");
    }
    await customer.sendsPhoto("Veja a foto");
    const page = await at(await createUser(admin, uniqueName("Noé"), { profile: "admin" }));
    await accept(page, customer.name);
    const { uuid } = await ticketOf(admin, customer.name);
    for (const opener of openers) {
      await look(page, `/tickets/${uuid}`, opener);
    }
  });
}

const neverScanned = uniqueName("Linha sem QR lido");

const overTheLists: Readonly<Record<string, readonly Opener[]>> = {
  "/contacts": [
    { name: "new contact", open: press("Novo contato") },
    { name: "import", open: press("Importar contatos") },
    { name: "import from WhatsApp", open: choose("Importar contatos", "Do WhatsApp") },
    {
      name: "merge",
      async open(page) {
        await onRow("Mais ações")(page);
        await page.getByRole("menuitem", { name: "Unir" }).click();
      },
    },
  ],
  "/quick-messages": [{ name: "quick reply", open: press("Nova resposta") }],
  "/connections": [
    { name: "new line", open: press("Nova conexão") },
    { name: "QR", open: onRow("QR Code", neverScanned) },
    { name: "history", open: onRow("Histórico da linha") },
    { name: "delete", open: onRow("Excluir conexão") },
  ],
  "/queues": [
    { name: "new queue", open: press("Nova fila") },
    { name: "menu and preview", open: onRow("Menu do robô") },
    {
      name: "option",
      async open(page) {
        await onRow("Menu do robô")(page);
        await page.getByRole("dialog").getByRole("button", { name: "Nova opção", exact: true }).first().click();
        await expect(page.getByRole("dialog", { name: "Nova opção" })).toBeVisible();
      },
    },
  ],
  "/users": [{ name: "user", open: press("Novo usuário") }],
  "/tags": [{ name: "tag", open: press("Nova etiqueta") }],
  "/products": [{ name: "product", open: press("Novo produto") }],
  "/schedules": [{ name: "schedule", open: press(/^Agendar$/) }],
  "/prompts": [{ name: "assistant", open: press("Novo assistente") }],
  "/queue-integration": [{ name: "integration", open: press("Nova integração") }],
  "/files": [{ name: "file list", open: press("Nova lista") }],
  "/settings": [
    // What voice control hears is what is seen: "Editar".
    { name: "billing details and token", open: press("Editar: Dados de cobrança e token") },
  ],
};

for (const [path, openers] of Object.entries(overTheLists)) {
  test(`what opens over ${path} holds the accessibility rules in both themes, and Escape closes it (S-11)`, async ({
    at,
    admin,
  }) => {
    test.slow();
    if (path === "/connections") {
      await admin.call(connections.create, { body: { name: neverScanned, provider: "simulator", queueIds: [] } });
    }
    const page = await at(await createUser(admin, uniqueName("Noa"), { profile: "admin" }));
    for (const opener of openers) {
      await look(page, path, opener);
    }
  });
}

test("what opens over the operator's tabs holds the accessibility rules in both themes, and Escape closes it (S-11, G-01)", async ({
  at,
}) => {
  test.slow();
  const page = await at(demo.operator);
  await look(page, "/settings?tab=companies", { name: "new company", open: press("Nova empresa") });
  await look(page, "/settings?tab=companies", {
    name: "billing and token of a company",
    async open() {
      await press("Nova empresa")(page);
      await page.getByRole("dialog").getByRole("tab", { name: "Cobrança e token" }).click();
      await expect(page.getByRole("dialog").getByRole("textbox", { name: "CEP" })).toBeVisible();
    },
  });
  await look(page, "/settings?tab=plans", { name: "plan", open: press("Novo plano") });
  await look(page, "/settings?tab=helps", { name: "help video", open: press("Novo vídeo") });
  await look(page, "/announcements", { name: "announcement", open: press("Novo informativo") });
});

test("what opens over the kanban, and over records that exist, holds the accessibility rules in both themes, and Escape closes it (S-11, O-02)", async ({
  at,
  alone,
  product,
}) => {
  test.slow();
  const laneId = await createLane(alone, "Pago", "#0c7a5a");
  await createLane(alone, "Enviado", "#e0a53f");
  await seedCards(product, alone, [{ name: "Ana Prado", laneId }]);
  await alone.call(products.create, { body: { name: "Sofá", price: 10 } });
  const { id } = await alone.call(contacts.create, { body: { name: "Bia Reis", number: "5511912345678" } });
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  await alone.call(scheduledMessages.create, { body: { body: "Até já", contactId: id, sendAt } });

  const page = await at(await createUser(alone, uniqueName("Noa"), { profile: "admin" }));
  await look(page, "/kanban", { name: "menu of a card", open: press(/^Mover a conversa com/) });
  await look(page, "/kanban", { name: "menu of a lane", open: press(/^Mover a coluna/) });
  for (const [path, record] of [
    ["/tags", "Pago"],
    ["/products", "Sofá"],
    ["/contacts", "Bia Reis"],
  ] as const) {
    await look(page, path, { name: record, open: () => page.getByRole("row").getByText(record).first().click() });
  }
  await look(page, "/schedules", { name: "schedule", open: press(/Bia Reis/) });
});

test("a dialog or a month that cannot be fetched says so, leaves what is typed below, and comes with the next click (S-10, O-03)", async ({
  at,
  admin,
}) => {
  const page = await at(await createUser(admin, uniqueName("Noa")));
  const chunks = /assets\/(?:auth|Calendar|EmojiPicker)-.*\.js$/u;
  const toast = page.getByRole("status").filter({ hasText: "Não foi possível abrir." });
  const look = async (opener: Locator, opened: Locator, field: Locator) => {
    await field.fill("Ainda não salvo");
    await page.route(chunks, (route) => route.abort());
    await opener.click();
    await expect(toast).toBeVisible();
    await expect(opened).toBeHidden();
    await expect(field).toHaveValue("Ainda não salvo");
    await page.unroute(chunks);
    await toast.getByRole("button", { name: "Fechar" }).click();
    await opener.click();
    await expect(opened).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(opened).toBeHidden();
    await expect(field).toHaveValue("Ainda não salvo");
  };

  await page.goto("/schedules");
  await choose("Minha conta", "Meu perfil")(page);
  const profile = page.getByRole("dialog", { name: "Meu perfil" });
  const security = profile.getByRole("button", { name: "Segurança e sessões" });
  await look(security, page.getByRole("dialog", { name: "Segurança e sessões" }), profile.getByLabel("Nome"));
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog").getByRole("button", { name: "Descartar" }).click();

  await press(/^Agendar$/u)(page);
  const form = page.getByRole("dialog", { name: "Agendar mensagem" });
  const message = form.getByRole("textbox", { name: "Mensagem" });
  await look(form.getByRole("button", { name: /Abrir calendário/u }), page.getByRole("grid"), message);
});

test("a menu that was just closed by Escape opens again at once, and the page below is free (S-11)", async ({
  at,
  admin,
}) => {
  const page = await at(await createUser(admin, uniqueName("Ida")));
  const account = page.getByRole("button", { name: "Minha conta" });
  const menu = page.getByRole("menu");
  await account.click();
  await expect(menu).toBeVisible();
  await page.keyboard.press("Escape");
  await account.click();
  await expect(menu).toBeVisible();

  // its own button closes it, and the same click does not reopen it
  await account.click();
  await expect(menu).toBeHidden();
  await expect(account).toHaveAttribute("aria-expanded", "false");

  await account.click();
  await page.getByRole("button", { name: "Volume das notificações" }).click();
  await expect(menu).toBeHidden();
  await expect(page.getByRole("slider", { name: "Volume das notificações" })).toBeVisible();
});

/** What lies over a screen. */
const layers = ":is([role=dialog], [role=alertdialog], [role=menu])";

/** Opens it over this screen, checks it in both themes, and closes it: the next one needs no new page. */
async function look(page: Page, path: string, { name, open, within }: Opener): Promise<void> {
  await test.step(name, async () => {
    if (!page.url().endsWith(path)) {
      await page.goto(path);
    }
    await expect(page.getByRole("main").getByRole("button").first()).toBeVisible();
    await expect(page.getByRole("main").getByRole("progressbar")).toHaveCount(0);
    await open(page);
    const selector = within ?? layers;
    const shown = page.locator(selector).filter({ visible: true });
    await expect(shown.first()).toBeVisible();
    await expect(shown.getByRole("progressbar")).toHaveCount(0);
    expect.soft(await findBarriers(page, selector), name).toEqual([]);
    if (within === undefined) {
      await closeAll(page);
    } else {
      await page.reload(); // a part of the screen, which has keys of its own
    }
  });
}

/** Closes what lies over the screen, one layer after the other. */
async function closeAll(page: Page): Promise<void> {
  // The picker of emoji has dialogs and menus of its own inside.
  const open = page.locator(`${layers}:not(${layers} *)`).filter({ visible: true });
  for (let count = await open.count(); count > 0; count -= 1) {
    await page.keyboard.press("Escape");
    await expect(open).toHaveCount(count - 1);
  }
}
