import { setTimeout } from "node:timers/promises";
import { messages } from "@prosa/contract";
import { uniqueName, createUser, ticketOf } from "./support/api.ts";
import { accept, bubble, row, showMine, write } from "./support/desk.ts";
import { expect, test } from "./support/journey.ts";

test("what is written without a network goes out once when it is back, reload or not (M-05)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Téo")));
  await customer.says("Alô?");
  await accept(page, customer.name);
  await expect(bubble(page, "Alô?")).toBeVisible();

  await page.context().setOffline(true);
  await write(page, "Escrito no túnel");
  await expect(page.getByTestId("conversation").getByText("Escrito no túnel")).toBeVisible();
  await page.context().setOffline(false);
  await page.reload();

  await expect(bubble(page, "Escrito no túnel").getByRole("img", { name: /Entregue|Lida/ })).toBeVisible();
  await expect(page.getByTestId("conversation").getByText("Escrito no túnel")).toHaveCount(1);
  expect((await customer.sees()).filter(({ text }) => text.includes("Escrito no túnel"))).toHaveLength(1);
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
