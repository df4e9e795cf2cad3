import type { Product, ProductRecord, Tag, Ticket } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { feature as productsFeature } from "#server/features/products/feature.ts";
import { feature as tagsFeature } from "#server/features/tags/feature.ts";
import { openDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { feature } from "../feature.ts";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk([feature, tagsFeature, productsFeature]);
});
afterAll(() => desk.app.close());

const names = (labels: readonly { readonly name: string }[]) => labels.map(({ name }) => name);

async function tagOf(person: Person, name: string): Promise<Tag> {
  return (await person.post<Tag>("/tags", { name, color: "#111111" })).body;
}

async function productOf(person: Person, name: string): Promise<Product> {
  return (await person.post<Product>("/products", { name, type: "" })).body;
}

test("the tags of a ticket are set as a whole; a name that is unknown becomes a tag (T-20)", async () => {
  const agent = await desk.person("user");
  const { id } = await desk.ticket({ status: "open", user: agent });
  const vip = await tagOf(agent, "VIP");
  const old = await tagOf(agent, "Antiga");
  await agent.post("/tags/sync", { ticketId: id, tags: [{ id: old.id }] });

  const { status, body } = await agent.post<{ tags: Tag[] }>("/tags/sync", {
    ticketId: id,
    tags: [{ id: vip.id }, { name: "Orçamento" }],
  });

  expect(status).toBe(200);
  expect(names(body.tags)).toEqual(["Orçamento", "VIP"]);
  const { body: ticket } = await agent.get<Ticket>(`/tickets/${id}`);
  expect(names(ticket.tags)).toEqual(["Orçamento", "VIP"]);
});

test("a name that a tag has already, in whatever case, is that tag (T-20)", async () => {
  const agent = await desk.person("user");
  const { id } = await desk.ticket({ status: "open", user: agent });
  const known = await tagOf(agent, "Garantia");
  const { body } = await agent.post<{ tags: Tag[] }>("/tags/sync", { ticketId: id, tags: [{ name: "garantia" }] });
  expect(body.tags).toEqual([expect.objectContaining({ id: known.id, name: "Garantia" })]);
});

test("colleagues see a new tag at once, and nothing is published when nothing changed (T-20)", async () => {
  const queueId = await desk.queue();
  const agent = await desk.person("user", { queueIds: [queueId] });
  const { id } = await desk.ticket({ queueId });
  const tag = await tagOf(agent, "Urgente");
  const screen = await (await desk.person("user", { queueIds: [queueId] })).connect();
  await screen.join("joinTickets", "pending");

  await agent.post("/tags/sync", { ticketId: id, tags: [{ id: tag.id }] });
  await agent.post("/tags/sync", { ticketId: id, tags: [{ id: tag.id }] });
  await desk.app.settle();
  await screen.flushed();

  const packets = screen.packets.filter(({ event }) => event === `company-${desk.companyId}-ticket`);
  expect(packets.map(({ payload }) => (payload as { ticket: Ticket }).ticket)).toEqual([
    expect.objectContaining({ id, version: 2, tags: [expect.objectContaining({ name: "Urgente" })] }),
  ]);
  screen.close();
});

test("products are added and removed one by one; adding twice is adding once (T-20)", async () => {
  const agent = await desk.person("user");
  const { id } = await desk.ticket({ status: "open", user: agent });
  const table = await productOf(agent, "Mesa Itaúna");
  const work = await productOf(agent, "Montagem");

  await agent.post(`/ticket-products/${id}/${work.id}`);
  await agent.post(`/ticket-products/${id}/${table.id}`);
  const { body } = await agent.post<Product[]>(`/ticket-products/${id}/${table.id}`);
  expect(names(body)).toEqual(["Mesa Itaúna", "Montagem"]);
  const { body: ticket } = await agent.get<Ticket>(`/tickets/${id}`);
  expect(ticket).toMatchObject({ version: 3, products: [{ id: table.id }, { id: work.id }] });

  const { body: left } = await agent.delete<Product[]>(`/ticket-products/${id}/${work.id}`);
  expect(names(left)).toEqual(["Mesa Itaúna"]);
  const { body: read } = await agent.get<Product[]>(`/ticket-products/${id}`);
  expect(read).toEqual(left);
});

test("a tag or product of another company is not found (T-20, N-06)", async () => {
  const agent = await desk.person("user");
  const { id } = await desk.ticket({ status: "open", user: agent });
  const stranger = await (await desk.otherCompany()).person("admin");
  const tag = await tagOf(stranger, "Alheia");
  const product = await productOf(stranger, "Alheio");

  const tagged = await agent.post("/tags/sync", { ticketId: id, tags: [{ id: tag.id }] });
  const sold = await agent.post(`/ticket-products/${id}/${product.id}`);
  expect([tagged, sold]).toMatchObject([{ status: 404 }, { status: 404 }]);
});

test.each([
  ["POST /tags/sync", (who: Caller, id: number) => who.post("/tags/sync", { ticketId: id, tags: [] })],
  ["GET /ticket-products", (who: Caller, id: number) => who.get(`/ticket-products/${id}`)],
  ["POST /ticket-products", (who: Caller, id: number) => who.post(`/ticket-products/${id}/1`)],
  ["DELETE /ticket-products", (who: Caller, id: number) => who.delete(`/ticket-products/${id}/1`)],
])("%s refuses a stranger, another company and who may not see the ticket (T-20)", async (_route, call) => {
  const { id } = await desk.ticket({ queueId: await desk.queue() });
  const stranger = desk.app.as(undefined);
  const other = await (await desk.otherCompany()).person("admin");
  const agent = await desk.person("user");
  expect(await call(stranger, id)).toMatchObject({ status: 401 });
  expect(await call(other, id)).toMatchObject({ status: 404 });
  expect(await call(agent, id)).toMatchObject({ status: 403 });
});

type Caller = Pick<Person, "get" | "post" | "delete">;

test("names come from a cache and are never stale; a message text cannot inject one (T-05)", async () => {
  const admin = await desk.person("admin");
  const { id } = await desk.ticket({ name: '"user":1 "tags":[1]' });
  const shown = async () => (await admin.get<Ticket>(`/tickets/${id}`)).body;
  expect(await shown()).toMatchObject({ contact: { name: '"user":1 "tags":[1]' }, user: null, tags: [], products: [] });

  const { body: tag } = await admin.post<Tag>("/tags", { name: "Zebra", color: "#ff0000" });
  const { body: other } = await admin.post<Tag>("/tags", { name: "Abelha", color: "#00ff00" });
  await admin.post("/tags/sync", { ticketId: id, tags: [{ id: tag.id }, { id: other.id }] });
  expect((await shown()).tags.map(({ name }) => name)).toEqual(["Abelha", "Zebra"]);

  await admin.put(`/tags/${tag.id}`, { name: "Aaa" });
  expect((await shown()).tags.map(({ name }) => name)).toEqual(["Aaa", "Abelha"]);
});

test("a ticket carries the prices of its products, and the product's row says how many tickets have it (O-10, T-20)", async () => {
  const admin = await desk.person("admin");
  const { body: table } = await admin.post<Product>("/products", { name: "Mesa de jantar", price: 850.5 });
  const sold = [await desk.ticket({ status: "open", user: admin }), await desk.ticket({ status: "closed" })];
  for (const { id } of sold) {
    await admin.post(`/ticket-products/${id}/${table.id}`);
  }

  const { body: products } = await admin.get<Product[]>(`/ticket-products/${sold[0]!.id}`);
  expect(products).toEqual([{ id: table.id, name: "Mesa de jantar", type: "", price: 850.5 }]);
  const { body: ticket } = await admin.get<Ticket>(`/tickets/${sold[0]!.id}`);
  expect(ticket.products).toEqual(products);
  const { body: list } = await admin.get<{ products: ProductRecord[] }>("/products?searchParam=mesa%20de%20jantar");
  expect(list.products).toMatchObject([{ id: table.id, ticketsCount: 2 }]);
});
