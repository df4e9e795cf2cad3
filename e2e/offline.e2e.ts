import { setTimeout } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { connections, messageRules, messages, simulator, tags, tickets } from "@prosa/contract";
import { uniqueName, addCustomer, connectLine, createUser, photo, signInToApi, ticketOf } from "./support/api.ts";
import { accept, bubble, chooseInBubble, clickTicketAction, row, showMine, signIn, write } from "./support/desk.ts";
import { expect, test } from "./support/journey.ts";

test("what is written without a network goes out once when it is back, reload or not, and its row says so (M-05, Z-02)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Téo")));
  await customer.says("Alô?");
  await accept(page, customer.name);
  await expect(bubble(page, "Alô?")).toBeVisible();
  await showMine(page);
  const waits = row(page, customer.name).getByRole("img", { name: "Aguardando envio" });

  await chooseInBubble(page, "Alô?", "Responder");
  await page.context().setOffline(true);
  await write(page, "Escrito no túnel");
  await expect(page.getByTestId("conversation").getByText("Escrito no túnel")).toBeVisible();
  // as it will stand there when it is stored: what it answers above it, and the signature not in it
  const pending = page.getByTestId("conversation").locator("[data-pending]");
  await expect(pending.getByRole("button", { name: "Ir para a mensagem citada" })).toContainText("Alô?");
  await expect(pending).not.toContainText("Téo");
  await expect(waits).toBeVisible();
  await expect(row(page, customer.name)).toContainText("Você: Escrito no túnel");
  await page.context().setOffline(false);
  await page.reload();

  await expect(bubble(page, "Escrito no túnel").getByRole("img", { name: /Entregue|Lida/ })).toBeVisible();
  await expect(page.getByTestId("conversation").getByText("Escrito no túnel")).toHaveCount(1);
  await showMine(page);
  await expect(row(page, customer.name)).toContainText("Você: Escrito no túnel");
  await expect(waits).toBeHidden();
  expect((await customer.sees()).filter(({ text }) => text.includes("Escrito no túnel"))).toHaveLength(1);
});

test("a machine that wakes before its network comes to the desk without a click, also with a token that is over (N-05)", async ({
  at,
  admin,
}) => {
  const page = await at(await createUser(admin, uniqueName("Sônia")));
  await expect(page.getByText("ao vivo")).toBeVisible();
  await page.evaluate(() => {
    const [head, claims = "", signature] = (localStorage.getItem("token") ?? "").split(".");
    const over = { ...(JSON.parse(atob(claims.replace(/-/gu, "+").replace(/_/gu, "/"))) as object), exp: 1 };
    localStorage.setItem("token", [head, btoa(JSON.stringify(over)), signature].join("."));
  });
  await page.route("**/auth/*", (route) => route.abort());
  await page.reload();
  const retry = page.getByRole("button", { name: "Tentar novamente" });
  await expect(retry).toBeVisible();
  await retry.click();
  await expect(retry).toBeEnabled();

  await page.unroute("**/auth/*");
  await expect(page.getByText("ao vivo")).toBeVisible();
});

test("the socket's code that does not arrive is fetched again, and where it is gone a reload is offered (N-05)", async ({
  at,
  admin,
}) => {
  const page = await at(await createUser(admin, uniqueName("Saulo")));
  const code = "**/assets/socket*.js";
  const live = page.getByText("ao vivo");
  await expect(live).toBeVisible();
  let asked = 0;
  await page.route(code, (route) => {
    asked += 1;
    return asked === 1 ? route.abort() : route.continue();
  });
  await page.reload();
  await expect(live).toBeVisible();
  expect(asked).toBeGreaterThan(1);

  await page.unroute(code);
  await page.route(code, (route) => route.fulfill({ status: 404 }));
  await page.reload();
  await expect(page.getByText("sem conexão")).toBeVisible();
  const notice = page.getByRole("status").filter({ hasText: "Uma parte do Prosa não pôde ser carregada" });
  await expect(notice).toBeVisible();
  await page.unroute(code);
  await notice.getByRole("button", { name: "Recarregar" }).click();
  await expect(live).toBeVisible();
  await expect(notice).toBeHidden();
});

test("where one of the page's first files is lost it says so, and comes by itself when the server answers (N-05)", async ({
  at,
  admin,
}) => {
  const page = await at(await createUser(admin, uniqueName("Lia")));
  await expect(page.getByText("ao vivo")).toBeVisible();
  await page.route("**/assets/kit-*.js", (route) => route.abort());
  await page.route("**/build.txt", (route) => route.abort());
  await page.reload();
  const notice = page.getByRole("alert");
  await expect(notice).toContainText("O Prosa não pôde ser carregado");
  await expect(notice.getByRole("button", { name: "Tentar de novo" })).toBeVisible();

  await page.unrouteAll();
  await expect(page.getByText("ao vivo")).toBeVisible();
});

test("code that does not arrive takes neither the conversation nor what is typed away, and is fetched again (N-05, M-06)", async ({
  at,
  admin,
  customer,
}) => {
  const isLost = { now: true };
  const page = await at(await createUser(admin, uniqueName("Ivo")), {
    prepare: (context) =>
      context.route(/\/assets\/(AttachmentTray|voice)-[^/]*\.js/u, (route) =>
        isLost.now ? route.abort() : route.continue(),
      ),
  });
  await customer.says("Tem foto?");
  await accept(page, customer.name);
  const message = page.getByRole("textbox", { name: "Mensagem" });
  await page.getByRole("button", { name: "Gravar mensagem de voz" }).click();
  await expect(page.getByText("Não foi possível abrir.", { exact: false })).toBeVisible();

  await message.fill("Segue");
  await page.getByTestId("attach-input").setInputFiles(photo);
  await expect(bubble(page, "Tem foto?")).toBeVisible();
  await expect(message).toHaveValue("Segue");

  // the server is there: after a release only a reload would bring it
  const notice = page.getByRole("status").filter({ hasText: "Recarregue a página para ver tudo." });
  await expect(notice).toBeVisible();

  isLost.now = false;
  await expect(page.getByRole("list", { name: /arquivo/ })).toContainText("foto.jpg", { timeout: 15_000 });
  await expect(notice).toBeHidden();
  await expect(message).toHaveValue("Segue");
});

test("a change without a network says so, and is not made by itself when much has changed (N-05, T-10)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Rosa")));
  await customer.says("Ainda estou esperando.");
  await accept(page, customer.name);
  await page.context().setOffline(true);
  await clickTicketAction(page, "Resolver");
  await expect(page.getByText(/Sem conexão/).last()).toBeVisible();
  await page.context().setOffline(false);
  await customer.says("Mais uma coisa!");
  await expect(bubble(page, "Mais uma coisa!")).toBeVisible();
  expect(await ticketOf(admin, customer.name)).toMatchObject({ status: "open" });
});

test("a page of a list that fails is asked for once, says so, and comes when it is tried again (O-04)", async ({
  at,
  alone,
}) => {
  for (let number = 10; number < 31; number += 1) {
    await alone.call(tags.create, { body: { name: `Etiqueta ${number}` } });
  }
  const page = await at(await createUser(alone, uniqueName("Rute"), { profile: "admin" }));
  let asked = 0;
  await page.route(/\/tags\?.*pageNumber=2/u, (route) => {
    asked += 1;
    return route.fulfill({ status: 500 });
  });
  await page.goto("/tags");
  const last = page.getByRole("row").filter({ hasText: "Etiqueta 30" });
  await page.getByRole("row").last().scrollIntoViewIfNeeded();
  const failed = page.getByRole("alert").filter({ hasText: "Tentar novamente" });
  await expect(failed).toBeVisible();
  const before = asked;
  await page.mouse.wheel(0, -200);
  await page.mouse.wheel(0, 400);
  await setTimeout(2_000);
  expect(asked).toBe(before);

  await page.unroute(/\/tags\?.*pageNumber=2/u);
  await failed.getByRole("button", { name: "Tentar novamente" }).click();
  await expect(last).toBeVisible();
  await expect(failed).toBeHidden();
});

test("older messages that fail are asked for once, say so, and come when it is tried again (M-01)", async ({
  at,
  admin,
  customer,
}) => {
  const older = /\/messages\/\d+\?.*before=/u;
  const page = await at(await createUser(admin, uniqueName("Otto")));
  for (let n = 1; n <= 30; n += 1) {
    await customer.says(`linha ${n}.`);
  }
  let asked = 0;
  await page.route(older, (route) => {
    asked += 1;
    return route.fulfill({ status: 500 });
  });
  await accept(page, customer.name);
  await expect(bubble(page, "linha 30.")).toBeVisible();
  await page.getByTestId("conversation").hover();
  const failed = page.getByRole("alert").filter({ hasText: "As mensagens anteriores não puderam ser carregadas." });
  await expect(async () => {
    await page.mouse.wheel(0, -2_000);
    await expect(failed).toBeVisible({ timeout: 5_000 });
  }).toPass();
  const before = asked;
  await page.mouse.wheel(0, 100);
  await page.mouse.wheel(0, -200);
  await setTimeout(2_000);
  expect(asked).toBe(before);

  await page.unroute(older);
  await failed.getByRole("button", { name: "Tentar de novo" }).click();
  await expect(failed).toBeHidden();
  await expect(async () => {
    await page.mouse.wheel(0, -2_000);
    await expect(bubble(page, "linha 1.")).toBeInViewport({ timeout: 1_000 });
  }).toPass();
});

test("an answer that is lost on its way back does not send the message twice (M-05)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Ravi")));
  await customer.says("Oi?");
  await accept(page, customer.name);

  let lost = 0;
  await page.route(/\/messages\/\d+$/, async (route) => {
    if (route.request().method() === "POST" && lost === 0) {
      lost += 1;
      // The server stored the message; the browser never gets the answer.
      await route.fetch();
      await route.abort("connectionreset");
    } else {
      await route.continue();
    }
  });
  await write(page, "Uma vez só");
  await expect(bubble(page, "Uma vez só").getByRole("img", { name: /Entregue|Lida/ })).toBeVisible();
  await expect.poll(() => lost).toBe(1);
  await expect(page.getByTestId("conversation").getByText("Uma vez só")).toHaveCount(1);
  expect((await customer.sees()).filter(({ text }) => text.includes("Uma vez só"))).toHaveLength(1);
});

test("a tick that comes while a conversation is being opened is not missed (N-05, M-02)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Nina")));
  await customer.says("Chegou?");
  await accept(page, customer.name);
  await write(page, "Leia quando puder");
  await expect(bubble(page, "Leia quando puder").getByRole("img", { name: "Entregue" })).toBeVisible();

  // Hold the join of the conversation's room until the ack event has passed.
  const held: (() => void)[] = [];
  await page.routeWebSocket(/socket\.io/u, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((packet) => {
      const pass = () => server.send(packet);
      if (String(packet).includes("joinChatBox")) {
        held.push(pass);
      } else {
        pass();
      }
    });
  });
  await page.goto("/tickets");
  await showMine(page);
  await row(page, customer.name).getByRole("button").first().click();
  await expect.poll(() => held.length).toBe(1);

  const { id } = await ticketOf(admin, customer.name);
  const ack = async () => {
    const query = { pageNumber: 1, peek: "true" } as const;
    const { messages: all } = await admin.call(messages.list, { params: { ticketId: id }, query });
    return all.find(({ body }) => body.includes("Leia quando puder"))?.ack;
  };
  await customer.looks();
  await expect.poll(ack).toBeGreaterThanOrEqual(3);
  held.forEach((pass) => pass());
  await expect(bubble(page, "Leia quando puder").getByRole("img", { name: "Lida" })).toBeVisible();
});

test("a conversation that begins between the list's answer and the live line is not missed (N-05, T-22)", async ({
  at,
  admin,
  customer,
}) => {
  let isBetween = true;
  let hasSpoken = false;
  const page = await at(await createUser(admin, uniqueName("Olga")), {
    prepare: async (context) => {
      // The socket opens only after the ticket exists, and the list's first response, from before it, arrives after both.
      await context.routeWebSocket(/socket\.io/u, async (socket) => {
        await expect.poll(() => isBetween).toBe(false);
        socket.connectToServer();
      });
      await context.route(
        (url) => url.pathname === "/tickets" && url.searchParams.get("status") === "pending",
        async (route) => {
          const answer = await route.fetch();
          if (!hasSpoken) {
            // The list may be requested twice at once; the customer writes once.
            hasSpoken = true;
            await customer.says("Tem alguém aí?");
            await ticketOf(admin, customer.name);
            isBetween = false;
            await setTimeout(2_000);
          }
          await route.fulfill({ response: answer });
        },
      );
    },
  });

  await accept(page, customer.name);
  await expect(bubble(page, "Tem alguém aí?")).toBeVisible();
});

test("text, files and a note that were not sent stay by user, in every tab, until they are sent (Z-02, M-06, M-11)", async ({
  at,
  admin,
  line,
  customer,
}) => {
  const me = await createUser(admin, uniqueName("Rita"));
  const other = await addCustomer(admin, line, uniqueName("Outro"));
  await other.says("E eu?");
  await customer.says("Me manda a foto?");
  const page = await at(me);
  const message = page.getByRole("textbox", { name: "Mensagem" });
  const attached = page.getByRole("list", { name: /arquivo/ });
  const open = async (name: string) => row(page, name).getByRole("button", { name }).click();
  await accept(page, other.name);
  await accept(page, customer.name);
  await showMine(page);

  await test.step("they survive another conversation and F5, the caption and the note too", async () => {
    await message.fill("Segue a foto");
    await page.getByTestId("attach-input").setInputFiles(photo);
    await attached.getByRole("textbox", { name: /^Legenda/ }).fill("de frente");
    await page.getByRole("tab", { name: "Nota" }).click();
    await page.getByRole("textbox", { name: "Nota para a equipe" }).fill("pediu duas vezes");
    await open(other.name);
    await expect(message).toHaveValue("");
    await expect(attached).toBeHidden();
    await open(customer.name);
    await expect(message).toHaveValue("Segue a foto");
    // the cursor stands behind the draft
    await expect(message).toBeFocused();
    await page.keyboard.type("!");
    await expect(message).toHaveValue("Segue a foto!");
    await page.keyboard.press("Backspace");

    await page.reload();
    await expect(message).toHaveValue("Segue a foto");
    await expect(attached).toContainText("foto.jpg");
    await expect(attached.getByRole("textbox", { name: /^Legenda/ })).toHaveValue("de frente");
    await page.getByRole("tab", { name: "Nota" }).click();
    await expect(page.getByRole("textbox", { name: "Nota para a equipe" })).toHaveValue("pediu duas vezes");
    await page.getByRole("tab", { name: "Responder" }).click();
  });

  await test.step("what is quoted comes back with its text, and what Ctrl+Z brings back stays in its conversation (M-09, Z-06)", async () => {
    const cancelQuote = page.getByRole("button", { name: "Cancelar" });
    await chooseInBubble(page, "Me manda a foto?", "Responder");
    await expect(cancelQuote).toBeVisible();
    await open(other.name);
    await expect(bubble(page, "E eu?")).toBeVisible();
    await expect(cancelQuote).toBeHidden();
    await message.press("Control+z");
    await expect(message).toHaveValue("");
    await open(customer.name);
    await expect(message).toHaveValue("Segue a foto");
    await expect(cancelQuote).toBeVisible();
    await cancelQuote.click();
    await expect(cancelQuote).toBeHidden();
    await expect(message).toHaveValue("Segue a foto");
  });

  await test.step("gone back to, it stands at its end with what came since, below a line (A.8, Z-06)", async () => {
    await bubble(page, "Me manda a foto?").hover();
    await bubble(page, "Me manda a foto?").getByRole("button", { name: "Ações da mensagem" }).click();
    // by itself, as where a conversation is taken away: the user's Back would close the menu
    await page.evaluate(() => history.back());
    await expect(bubble(page, "E eu?")).toBeVisible();
    await expect(page.getByRole("menu")).toBeHidden();
    // the sign after the number keeps it apart from the time that stands behind it
    const texts = Array.from({ length: 12 }, (_, index) => `Ainda aí, ${index + 1}?`);
    for (const text of texts) {
      await customer.says(text);
    }
    await expect(row(page, customer.name)).toContainText("12");
    await open(customer.name);
    await expect(page.getByText(/^12 novas desde/)).toBeAttached();
    await expect(bubble(page, "Ainda aí, 12?")).toBeInViewport({ ratio: 1 });
    // of those that are kept one is shown, and found
    await expect(page.getByRole("log")).toHaveCount(1);
    await expect(bubble(page, "E eu?")).toHaveCount(0);
    await open(other.name);
    await open(customer.name);
    await expect(bubble(page, "Ainda aí, 12?")).toBeInViewport({ ratio: 1 });
    await expect(page.getByText(/novas desde/)).toHaveCount(0);
  });

  await test.step("what a second tab quotes takes the field of a half note not away (M-09, T-21)", async () => {
    const note = page.getByRole("textbox", { name: "Nota para a equipe" });
    await page.getByRole("tab", { name: "Nota" }).click();
    await note.fill("cliente devedor, ");
    const second = await page.context().newPage();
    await second.goto(page.url());
    await chooseInBubble(second, "Ainda aí, 12?", "Responder");
    await expect(second.getByRole("button", { name: "Cancelar" })).toBeVisible();
    await second.close();

    await page.keyboard.type("não prometer");
    await expect(note).toHaveValue("cliente devedor, não prometer");
    await page.keyboard.press("Enter");
    await expect(note).toHaveValue("");
    await page.getByRole("tab", { name: "Responder" }).click();
    await expect(message).toHaveValue("Segue a foto");
    await expect(page.getByRole("button", { name: "Cancelar" })).toBeHidden();
    expect((await customer.sees()).map(({ text }) => text).join()).not.toContain("prometer");
  });

  await test.step("a second tab shows them, and forgets them when the first one sends", async () => {
    const second = await page.context().newPage();
    // A busy browser tells of the text later than of the files: that must not bring back what was sent.
    await second.addInitScript((lateMs) => {
      window.addEventListener("storage", (event) => {
        if (event.isTrusted) {
          event.stopImmediatePropagation();
          window.setTimeout(() => window.dispatchEvent(new StorageEvent("storage", { key: event.key })), lateMs);
        }
      });
    }, 500);
    await second.goto(page.url());
    await expect(second.getByRole("textbox", { name: "Mensagem" })).toHaveValue("Segue a foto");
    await expect(second.getByRole("list", { name: /arquivo/ })).toContainText("foto.jpg");
    await message.press("Enter");
    await expect(second.getByRole("textbox", { name: "Mensagem" })).toHaveValue("");
    await expect(second.getByRole("list", { name: /arquivo/ })).toBeHidden();
    // with its text it had brought the quotation of the tab before back
    // those of what is on its way go with it
    await expect(second.getByRole("button", { name: "Cancelar" })).toHaveCount(0);
    await second.close();
    await expect.poll(async () => (await customer.sees()).map(({ text }) => text).join()).toContain("de frente");
  });

  await test.step("an edit shows the text without the signature, keeps it, and survives another conversation and F5 (M-10)", async () => {
    await write(page, "Chega na quinta");
    await expect(bubble(page, "Chega na quinta").getByRole("img", { name: /Entregue|Lida/ })).toBeVisible();
    await message.fill("fica");
    const second = await page.context().newPage();
    await second.goto(page.url());
    await chooseInBubble(second, "Chega na quinta", "Editar");
    await expect(second.getByRole("textbox", { name: "Mensagem" })).toHaveValue("Chega na quinta");
    await second.close();
    await expect(message).toHaveValue("fica");
    await chooseInBubble(page, "Chega na quinta", "Editar");
    await expect(message).toHaveValue("Chega na quinta");
    await message.fill("Chega na sexta");
    await open(other.name);
    await expect(message).toHaveValue("");
    await open(customer.name);
    await expect(message).toHaveValue("Chega na sexta");
    await page.reload();
    await expect(message).toHaveValue("Chega na sexta");
    await message.press("Enter");
    await expect(message).toHaveValue("fica");
    await expect
      .poll(async () => (await customer.sees()).map(({ text }) => text))
      .toContain(`*${me.name}*\nChega na sexta`);
  });

  await test.step("a question about one of its messages is not left standing over another conversation", async () => {
    await chooseInBubble(page, "Chega na sexta", "Apagar para todos");
    await expect(page.getByRole("alertdialog")).toBeVisible();
    await page.evaluate(() => history.back());
    await expect(bubble(page, "E eu?")).toBeVisible();
    await expect(page.getByRole("alertdialog")).toBeHidden();
    await open(customer.name);
    await expect(bubble(page, "Chega na sexta")).toBeVisible();
  });

  await test.step("a text over the limit says by how much, is not sent, and stays (A.11)", async () => {
    await message.fill("a".repeat(messageRules.maxBody));
    await expect(page.getByRole("alert")).toContainText(`por ${me.name.length + 3} letras`);
    await message.press("Enter");
    await expect(message).toHaveValue("a".repeat(messageRules.maxBody));
    await message.fill("rascunho de despedida");
    await expect(page.getByRole("alert")).toBeHidden();
  });

  await test.step("signing out forgets them", async () => {
    await page.getByTestId("attach-input").setInputFiles(photo);
    await expect(attached).toBeVisible();
    await page.getByRole("button", { name: "Minha conta" }).click();
    await page.getByRole("menuitem", { name: "Sair" }).click();
    await expect(page).toHaveURL(/\/login/);
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("prosa.draft")))).toEqual(
      [],
    );
  });
});

test("the composer says that the line is down; what is sent then goes out by itself, or its row says that it failed (A.9, Z-02)", async ({
  at,
  admin,
  line: otherLine,
}) => {
  const line = await connectLine(admin, uniqueName("Frágil"));
  const customer = await addCustomer(admin, line, uniqueName("Cliente"));
  await customer.says("Vocês entregam?");
  const page = await at(await createUser(admin, uniqueName("Yara")));
  await accept(page, customer.name);
  const notice = page.getByText(`${line.name} está sem conexão com o WhatsApp.`);
  await expect(page.getByRole("textbox", { name: "Mensagem" })).toBeFocused();
  await expect(notice).toBeHidden();

  await admin.call(connections.stop, { params: { id: line.id } });
  await expect(notice).toBeVisible();
  // an agent may not see the connections
  await expect(page.getByRole("link", { name: "Ver conexões" })).toBeHidden();
  await write(page, "Entregamos, sim.");
  // whoever disconnects a line unlinks it: it is linked again
  await admin.call(connections.start, { params: { id: line.id }, body: {} });
  const now = async () => admin.call(connections.get, { params: { id: line.id }, query: {} });
  await expect.poll(async () => (await now()).qrcode).not.toBe("");
  await admin.call(simulator.scan, { params: { id: line.id } });
  await expect(notice).toBeHidden();
  await expect(bubble(page, "Entregamos, sim.").getByRole("img", { name: /Entregue|Lida/ })).toBeVisible();

  const colleague = await at(await createUser(admin, uniqueName("Ivo"), { profile: "admin" }));
  const failedRow = (each: Page) => row(each, customer.name).filter({ hasText: /Não enviada .+: Amanhã cedo\./u });
  await test.step("what the line cannot deliver any more is said by the row, to colleagues and after F5", async () => {
    await admin.call(connections.stop, { params: { id: line.id } });
    await expect(notice).toBeVisible();
    await write(page, "Amanhã cedo.");
    await showMine(page);
    await showMine(colleague);
    await expect(row(colleague, customer.name)).toContainText("Amanhã cedo.");
    await expect(failedRow(colleague)).toBeHidden();

    await admin.call(connections.remove, { params: { id: line.id } });
    await expect(page.getByText("A conexão desta conversa foi excluída")).toBeVisible();
    await expect(failedRow(page)).toBeVisible();
    await expect(failedRow(colleague)).toBeVisible();
    await page.reload();
    await expect(failedRow(page)).toBeVisible();
  });

  await test.step("once it is sent again, no row says so", async () => {
    await admin.call(simulator.addPerson, {
      params: { id: otherLine.id },
      body: { name: customer.name, number: customer.number },
    });
    const { id } = await ticketOf(admin, customer.name);
    await admin.call(tickets.update, { params: { id }, body: { whatsappId: otherLine.id } });
    await bubble(page, "Amanhã cedo.").getByRole("button", { name: "Tentar de novo" }).click();
    await expect(bubble(page, "Amanhã cedo.").getByRole("img", { name: /Entregue|Lida/ })).toBeVisible();
    for (const each of [page, colleague]) {
      await expect(row(each, customer.name)).toContainText("Amanhã cedo.");
      await expect(failedRow(each)).toBeHidden();
    }
  });
});

test("what the browser keeps is painted before the server answers, and is gone after sign-out (Z-06)", async ({
  at,
  product,
  admin,
  customer,
}) => {
  const agent = await createUser(admin, uniqueName("Lia"));
  const page = await at(agent, { hasWorker: true });
  await customer.says("Guardada no navegador");
  await accept(page, customer.name);
  await expect(bubble(page, "Guardada no navegador")).toBeVisible();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const countOf = async (kind: string) => (await page.evaluate(keptKinds)).filter((each) => each === kind).length;
  await expect.poll(() => countOf("messages")).toBeGreaterThan(0);
  await expect.poll(() => countOf("ticket")).toBeGreaterThan(0);
  await showMine(page);
  await expect(row(page, customer.name)).toBeVisible();
  await expect.poll(() => countOf("desk")).toBeGreaterThan(0);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain("Guardada");

  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**", async (route) => {
    // The page itself and its scripts come as ever; the worker fetches them.
    if (!route.request().serviceWorker() && route.request().resourceType() === "fetch") {
      await answered;
    }
    await route.continue();
  });
  await page.reload({ waitUntil: "commit" });
  await expect(bubble(page, "Guardada no navegador")).toBeVisible();
  await expect(row(page, customer.name)).toBeVisible();
  answer();
  await customer.says("E esta veio depois");
  await expect(bubble(page, "E esta veio depois")).toBeVisible();

  // what came since is below the line, though its messages come first, and have marked it as read by then (Z-02)
  const { id, uuid } = await ticketOf(admin, customer.name);
  const unread = async () => (await admin.call(tickets.get, { params: { id } })).unreadMessages;
  await expect.poll(unread).toBe(0);
  // without the worker the session is asked for first, and what was said before it is not told again by the socket
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.unregister());
  await page.goto("about:blank");
  await page.unroute("**");
  await customer.says("Enquanto ninguém olhava");
  await expect.poll(unread).toBe(1);
  const { promise: counted, resolve: count } = Promise.withResolvers<void>();
  await page.route(/\/tickets(\?|\/u\/)/u, async (route) => {
    await counted;
    await route.continue();
  });
  await page.goto(`/tickets/${uuid}`);
  await expect(bubble(page, "Enquanto ninguém olhava")).toBeVisible();
  await expect.poll(unread).toBe(0);
  count();
  await expect(page.getByTestId("new-since")).toContainText("1 nova desde");

  await page.getByRole("button", { name: "Minha conta" }).click();
  await page.getByRole("menuitem", { name: "Sair" }).click();
  await expect(page).toHaveURL(/\/login/);
  await expect.poll(() => page.evaluate(keptKinds)).toEqual([]);

  // what may not be seen any more is not kept, nor what belonged to a session that was taken over
  await signIn(page, agent);
  await page.goto(`/tickets/${uuid}`);
  await expect.poll(() => countOf("messages")).toBeGreaterThan(0);
  await admin.call(tickets.remove, { params: { id } });
  await page.goto(`/tickets/${uuid}`);
  await expect.poll(() => countOf("messages")).toBe(0);
  expect(await countOf("desk")).toBeGreaterThan(0);
  await signInToApi(product.url, agent);
  await expect(page).toHaveURL(/\/login/);
  await expect.poll(() => page.evaluate(keptKinds)).toEqual([]);
});

test("the list is where an opened conversation is now, not where it was when the browser kept it (Z-06, A.8)", async ({
  at,
  admin,
  customer,
}) => {
  const agent = await createUser(admin, uniqueName("Lia"));
  const page = await at(agent);
  await customer.says("Ainda espero");
  const { id, uuid } = await ticketOf(admin, customer.name);
  await page.goto(`/tickets/${uuid}`);
  await expect(page.getByRole("tab", { name: /Aguardando/, selected: true })).toBeVisible();
  await showMine(page);
  await expect.poll(() => page.evaluate(keptKinds)).toContain("ticket");
  await page.goto("about:blank");
  await admin.call(tickets.update, { params: { id }, body: { status: "open", userId: agent.id } });
  await page.goto(`/tickets/${uuid}`);
  await expect(bubble(page, "Ainda espero")).toBeVisible();
  await expect(row(page, customer.name)).toBeVisible();
  await expect(page.getByRole("tab", { name: /Atendendo/, selected: true })).toBeVisible();
});

/** Runs in the page: the kind of each record that it keeps. */
function keptKinds(): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const request = indexedDB.open("prosa.kept", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("records", { keyPath: "name" });
    request.onsuccess = () => {
      const all = request.result.transaction("records").objectStore("records").getAll() as IDBRequest<
        { kind: string }[]
      >;
      all.onsuccess = () => {
        request.result.close();
        resolve(all.result.map(({ kind }) => kind));
      };
    };
  });
}
