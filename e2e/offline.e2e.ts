import { called, hire } from "./support/api.ts";
import { accept, bubble, write } from "./support/desk.ts";
import { expect, test } from "./support/journey.ts";

test("what is written without a network goes out once when it is back, reload or not (M-05)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await hire(admin, called("Téo")));
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
  const page = await at(await hire(admin, called("Ravi")));
  await customer.says("Oi?");
  await accept(page, customer.name);

  let lost = 0;
  await page.route(/\/messages\/\d+$/, async (route) => {
    if (route.request().method() === "POST" && lost === 0) {
      lost += 1;
      // The server has it; the browser never learns.
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
