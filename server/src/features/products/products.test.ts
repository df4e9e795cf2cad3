import { products } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aUser } from "#server/testing/factories.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test("a product's price is stored, changed and taken away; one without a price has none (O-10)", async () => {
  const agent = app.as(await aUser(await aCompany(app)));
  const made = (await agent.call(products.create, { body: { name: "Plano Ouro", price: 149.9 } })).body;
  expect(made).toEqual({ id: made.id, name: "Plano Ouro", type: "", price: 149.9, ticketsCount: 0 });
  const plain = (await agent.call(products.create, { body: { name: "Sem preço" } })).body;
  expect(plain.price).toBeNull();

  const params = { id: made.id };
  expect((await agent.call(products.get, { params })).body.price).toBe(149.9);
  expect((await agent.call(products.list, { query: {} })).body.products.map(({ price }) => price)).toEqual([
    149.9,
    null,
  ]);
  expect((await agent.call(products.lookup, { query: {} })).body[0]).toMatchObject({ price: 149.9 });

  // a change without a price keeps it, and digits are a number
  expect((await agent.call(products.update, { params, body: { type: "Assinatura" } })).body.price).toBe(149.9);
  expect((await agent.call(products.update, { params, body: { price: "99.5" } })).body.price).toBe(99.5);
  expect((await agent.call(products.update, { params, body: { price: "" } })).body.price).toBeNull();
});

test.each([-1, 0.001, 10_000_000, "caro"])("a price of %s is refused (O-10, E-03)", async (price) => {
  const agent = app.as(await aUser(await aCompany(app)));
  expect((await agent.call(products.create, { body: { name: "Plano", price } })).status).toBe(400);
});
