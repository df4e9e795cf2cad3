import type { Product, Tag, Ticket } from "@prosa/contract";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { feature as productsFeature } from "#server/features/products/feature.ts";
import { feature as tagsFeature } from "#server/features/tags/feature.ts";
import { countStatements } from "#server/platform/db/index.ts";
import { openDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { feature } from "../feature.ts";
import { keepView, keptView } from "../tickets.view-cache.ts";
import type { Names } from "../tickets.view-names.ts";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk([feature, tagsFeature, productsFeature]);
});
afterAll(() => desk.app.close());

async function listed(person: Person): Promise<Ticket[]> {
  return (await person.get<{ tickets: Ticket[] }>("/tickets?showAll=true")).body.tickets;
}

const statementsOf = async (work: () => Promise<unknown>) => (await countStatements(work)).statements.length;

test("a list shows each change at once, though its views are cached (T-05, T-20)", async () => {
  const otherDesk = await desk.otherCompany();
  const admin = await otherDesk.person("admin");
  const { id, contactId } = await otherDesk.ticket({ name: "Ana" });
  const queueId = await otherDesk.queue();
  const tag = (await admin.post<Tag>("/tags", { name: "VIP", color: "#111111" })).body;
  const product = (await admin.post<Product>("/products", { name: "Mesa", type: "" })).body;

  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    nothing: () => Promise.resolve(),
    "a queue": () => admin.put(`/tickets/${id}`, { queueId }),
    "its owner": () => admin.put(`/tickets/${id}`, { status: "open", userId: admin.id }),
    "a message": () =>
      otherDesk.rows(`update tickets set last_message = 'Oi "José"\n', unread_messages = 3 where id = ${id}`),
    "a tag": () => admin.post("/tags/sync", { ticketId: id, tags: [{ id: tag.id }] }),
    "the tag's name": () => admin.put(`/tags/${tag.id}`, { name: "Ouro", color: "#222222" }),
    "a product": () => admin.post(`/ticket-products/${id}/${product.id}`),
    "no product": () => admin.delete(`/ticket-products/${id}/${product.id}`),
    "the contact's name": () => otherDesk.rows(`update contacts set name = 'Ana Beatriz' where id = ${contactId}`),
    "the tag deleted": () => admin.delete(`/tags/${tag.id}`),
    resolved: () => admin.put(`/tickets/${id}`, { status: "closed" }),
  };
  for (const [what, change] of Object.entries(changes)) {
    await change();
    const { body } = await admin.get<Ticket>(`/tickets/${id}`);
    // Only a ticket that is read by itself has its contact's extraInfo.
    const { extraInfo: _left, ...contact } = body.contact;
    expect(await listed(admin), what).toEqual([{ ...body, contact }]);
  }
  const [last] = await listed(admin);
  expect(last).toMatchObject({ status: "closed", tags: [], products: [], queueId, contact: { name: "Ana Beatriz" } });
});

test("a cached view is not read again; of many only the changed one is (T-05)", async () => {
  const otherDesk = await desk.otherCompany();
  const admin = await otherDesk.person("admin");
  const [first] = [await otherDesk.ticket(), await otherDesk.ticket(), await otherDesk.ticket()];
  await listed(admin);

  const unchanged = await statementsOf(() => listed(admin));
  await otherDesk.rows(`update tickets set last_message = 'novo' where id = ${first!.id}`);
  const changed = await statementsOf(() => listed(admin));

  expect([unchanged, changed]).toEqual([1, 2]);
});

test("a kept view is signed once a day, and is another company's or another name's never (T-05)", () => {
  const nobody = new Map();
  const names: Names = { user: nobody, queue: nobody, whatsapp: nobody, tags: nobody, products: nobody };
  let day = "Monday";
  const link = vi.fn<() => string>(() => `https://desk.example/media/${day}`);
  const signer = { media: { link, period: () => day, read: () => undefined }, companyId: 1 };
  const view = `{"name":"José 😀","urlPicture":"media:image/jpeg||company/1/pictures/a"}`;
  keepView("1:1:1", names, view);

  const signed = keptView("1:1:1", names, signer);
  expect(JSON.parse(signed!.toString())).toEqual({ name: "José 😀", urlPicture: "https://desk.example/media/Monday" });
  expect(keptView("1:1:1", names, signer)).toBe(signed);
  expect(link).toHaveBeenCalledTimes(1);
  expect(keptView("1:1:1", { ...names }, signer)).toBeUndefined();
  day = "Tuesday";
  expect(keptView("1:1:1", names, signer)).toBeUndefined();
});

test("what browsers were sent is not read again for a list (T-05, T-22)", async () => {
  const otherDesk = await desk.otherCompany();
  const admin = await otherDesk.person("admin");
  const { id } = await otherDesk.ticket();
  await (await admin.connect()).join("joinTickets", "open");
  await admin.put(`/tickets/${id}`, { status: "open" });
  await desk.app.settle();

  // the page and its count
  expect(await statementsOf(() => listed(admin))).toBe(2);
  expect(await listed(admin)).toMatchObject([{ id, status: "open", userId: admin.id }]);
});

test("two companies, and two users of one company, see their own tickets (T-06)", async () => {
  const [otherDesk, other] = [await desk.otherCompany(), await desk.otherCompany()];
  const [admin, agent, stranger] = [
    await otherDesk.person("admin"),
    await otherDesk.person("user"),
    await other.person("admin"),
  ];
  const { id } = await otherDesk.ticket({ status: "pending", queueId: await otherDesk.queue() });
  const theirs = await other.ticket();
  expect((await listed(admin)).map((ticket) => ticket.id)).toEqual([id]);
  expect(await listed(agent)).toEqual([]);
  expect((await listed(stranger)).map((ticket) => ticket.id)).toEqual([theirs.id]);
});
