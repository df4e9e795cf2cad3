/** How does a search find its way where there are many conversations? */
import type { FoundMessage, Ticket } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { addMessage, addTickets, finds } from "#server/testing/searched-desk.ts";
import { feature } from "../feature.ts";
import { rarityOf } from "./rarity.ts";
import { isRareText } from "./text-sample.queries.ts";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk([feature]);
});
afterAll(() => desk.app.close());

test("a common word fills page after page, newest conversation first, none twice (T-03)", async () => {
  const company = await desk.otherCompany();
  const chief = await company.person("admin");
  await company.rows(`
    with c as (insert into contacts (company_id, name, number)
        select ${company.companyId}, 'c' || n, '5511' || n from generate_series(1, 900) n returning id),
      t as (insert into tickets (company_id, connection_id, contact_id, status, last_message_at)
        select ${company.companyId}, ${company.connectionId}, id, 'closed', now() - id * interval '1 minute' from c
        returning id, contact_id)
    insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, sent_at, body)
    select ${company.companyId}, id, contact_id, ${company.connectionId}, 'c' || id, false, now(),
      case when id % 4 = 0 then 'Bom dia!' when id % 50 = 1 then 'um parafuso de 12 mm (7) 👍' else 'Olá' end from t`);
  const expected = async (condition: string) => {
    const rows = await company.rows<{ id: number }>(
      `select id from tickets where company_id = ${company.companyId} and ${condition} order by last_message_at desc, id desc`,
    );
    return rows.map(({ id }) => id);
  };
  const pages = async (text: string) => {
    const found: number[] = [];
    for (let page = 1, more = 1; more > 0; page += 1) {
      const next = await finds(chief, text, `&pageNumber=${page}`);
      more = next.length;
      found.push(...next);
    }
    return found;
  };

  const rare = await expected("id % 4 <> 0 and id % 50 = 1");
  expect(await pages("bom dia")).toEqual(await expected("id % 4 = 0"));
  expect(await pages("o")).toEqual(await expected("id % 4 <> 0 and id % 50 <> 1"));
  for (const text of ["parafuso", "parafuso 12", "mm um", "(7)", "👍", "👍 12"]) {
    expect(await pages(text), text).toEqual(rare);
  }
});

interface Found {
  readonly tickets: readonly Ticket[];
  readonly found: readonly FoundMessage[];
  readonly count: number;
  readonly countIsLowerBound: boolean;
}

test("what others may see does not fill an agent's search, and an admin gets the newest first (T-03)", async () => {
  const company = await desk.otherCompany();
  const [mine, foreign, short] = [await company.queue(), await company.queue(), await company.queue()];
  const agent = await company.person("user", { queueIds: [mine] });
  const chief = await company.person("admin");
  const search = async (person: Person, text = "parafuso") =>
    (await person.get<Found>(`/tickets?showAll=true&searchParam=${text}`)).body;

  const old = await addTickets(company, {
    count: 200,
    queueId: foreign,
    each: 125,
    text: "parafuso velho",
    age: "30 days",
  });
  const own = await addTickets(company, { count: 5, queueId: mine, each: 1, text: "um parafuso", age: "20 days" });
  await addTickets(company, { count: 600, queueId: mine, each: 1, text: "nada", age: "10 days" });
  await addTickets(company, { count: 98, queueId: short, each: 1, text: "nada", age: "2 days" });
  const inShort = await addTickets(company, { count: 2, queueId: short, each: 1, text: "velho", age: "1 day" });

  const forAgent = await search(agent);
  expect(forAgent.tickets.map(({ id }) => id)).toEqual(own);
  expect(forAgent.found.map(({ ticketId }) => ticketId).toSorted((a, b) => a - b)).toEqual(own);
  expect([forAgent.count, forAgent.countIsLowerBound]).toEqual([5, false]);

  const forChief = await search(chief);
  expect(forChief.tickets.map(({ id }) => id)).toEqual([...own, ...old.slice(0, 35)]);
  expect([forChief.count, forChief.countIsLowerBound]).toEqual([205, false]);

  // of more messages than the index returns at once the person's own list is read to its end
  await addTickets(company, { count: 300, queueId: foreign, each: 100, text: "parafuso velho", age: "40 days" });
  const cut = await search(agent);
  expect(cut.tickets.map(({ id }) => id)).toEqual(own);
  expect([cut.count, cut.countIsLowerBound]).toEqual([5, true]);

  // a short list, and an empty one, is read to its end without the index
  const ofShort = await search(await company.person("user", { queueIds: [short] }), "velho");
  expect(ofShort.tickets.map(({ id }) => id)).toEqual(inShort);
  expect([ofShort.count, ofShort.countIsLowerBound]).toEqual([2, false]);
  const ofNothing = await search(await company.person("user", { queueIds: [await company.queue()] }), "velho");
  expect([ofNothing.tickets, ofNothing.count, ofNothing.countIsLowerBound]).toEqual([[], 0, false]);
});

const sizes = [
  ["of usual size", 0],
  ["that counts as large", 50_000],
] as const;

/** So many more contacts than there are, as far as a search can tell. */
async function countMoreContacts(company: Desk, more: number): Promise<void> {
  await company.rows(`
    update kept_counts set n = n + ${more} where company_id = ${company.companyId} and counted = 'contacts'
      and ctid = (select min(ctid) from kept_counts where company_id = ${company.companyId} and counted = 'contacts')`);
  const rarity = await desk.app.database.inCompany(company.companyId, (ctx) => rarityOf(ctx, company.companyId, "a"));
  expect(rarity.isCompanyLarge).toBe(more > 0);
}

test.each(sizes)("in a company %s a text is found both near and far (T-03)", async (_of, more) => {
  const company = await desk.otherCompany();
  const queueId = await company.queue();
  const add = (count: number, text: string, age: string) => addTickets(company, { count, queueId, each: 1, text, age });
  // One conversation in thirty, so that the nearest 512 have less than a page: the rest is scanned for.
  const otters: number[] = [];
  for (let day = 1; day <= 24; day += 1) {
    otters.push(...(await add(1, "uma lontra", `${day} days`)));
    await add(29, "nada", `${day} days 12 hours`);
  }
  // Five of the nearest, and three so far that only the index finds them.
  const armadillos = [...(await add(5, "um tatu", "1 day")), ...(await add(3, "o tatu fugiu", "90 days"))];
  await countMoreContacts(company, more);

  const chief = await company.person("admin");
  expect(await finds(chief, "lontra")).toEqual(otters);
  expect(await finds(chief, "tatu")).toEqual(armadillos);
});

test("of a name that many have each finds all that they may see, however far back and however many got it since (T-03)", async () => {
  const company = await desk.otherCompany();
  const [mine, foreign] = [await company.queue(), await company.queue()];
  const agent = await company.person("user", { queueIds: [mine] });
  const chief = await company.person("admin");
  const rarity = (text: string) =>
    desk.app.database.inCompany(company.companyId, (ctx) => rarityOf(ctx, company.companyId, text));
  const add = (name: string, count: number, queueId: number, age: string) =>
    addTickets(company, { count, queueId, each: 1, text: "nada", age, name });
  await add("Almeida", 900, foreign, "10 days");
  const old = await add("Almeida", 3, mine, "30 days");
  await add("Bruno", 1_100, mine, "20 days");
  // so many of the newest that the name seems common in the agent's list, and too few for a page
  const fresh = await add("Almeida", 5, mine, "1 day");

  expect(await rarity("almeida")).toEqual({ isInFewMessages: true, names: "many", isCompanyLarge: false });
  expect(await rarity("valdirene")).toEqual({ isInFewMessages: true, names: "few", isCompanyLarge: false });
  expect(await finds(agent, "Almeida")).toEqual([...fresh, ...old]);
  expect(await finds(chief, "Almeida")).toHaveLength(40);
  expect(await finds(chief, "Almeida", "&pageNumber=23")).toHaveLength(28);

  const grown = await add("Valdirene", 250, mine, "2 days");
  const { tickets, countIsLowerBound } = (await chief.get<Found>("/tickets?showAll=true&searchParam=valdirene")).body;
  expect([tickets.map(({ id }) => id), countIsLowerBound]).toEqual([grown.slice(0, 40), true]);
});

test("in a short list an old message of a long conversation is found as well (T-03)", async () => {
  const company = await desk.otherCompany();
  const queueId = await company.queue();
  const add = (count: number, each: number, text: string, age: string) =>
    addTickets(company, { count, queueId, each, text, age });
  const [old] = await add(1, 1, "o violino chegou", "3 days");
  await company.rows(`insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, sent_at, body)
    select company_id, id, contact_id, connection_id, 'v' || n, false, now(), 'nada' from tickets, generate_series(1, 300) n where id = ${old!}`);
  const [fresh] = await add(1, 1, "um violino", "1 day");
  await add(20, 1, "nada", "2 days");
  expect(await finds(await company.person("admin"), "violino")).toEqual([fresh, old]);
});

test("a text that no sampled message of the company holds is rare, by all its words, whatever accents and case (T-03)", async () => {
  const company = await desk.otherCompany();
  const queueId = await company.queue();
  const isRare = (text: string) =>
    desk.app.database.inCompany(company.companyId, (ctx) => isRareText(ctx, company.companyId, text));
  const add = (count: number, text: string, age: string) => addTickets(company, { count, queueId, each: 1, text, age });
  const [old] = await add(1, "a zebra fugiu", "30 days");
  await add(70, "Pedido de pão, nº 27", "2 days");
  await add(1, "dois tucanos", "1 day");
  await addMessage({ id: old! }, "a zebra voltou", company);
  await addMessage(await desk.ticket(), "girafa", desk);

  for (const text of ["zebra", "pedido zebra", "fugiu p", "girafa", "7", "pedido e", "pao -", "dois pao"]) {
    expect(await isRare(text), text).toBe(true);
  }
  for (const text of ["PEDIDO", "pao pedi", "PÃO", "p", "%", "", "tucano", "2 pao", "pao ,"]) {
    expect(await isRare(text), text).toBe(false);
  }
  expect(await finds(await company.person("admin"), "Zébra p")).toEqual([]);
  expect(await finds(await company.person("admin"), "Zébra v")).toEqual([old]);
});

test.each(sizes)("in a company %s a search finds what a comparison finds (T-03)", async (_of, more) => {
  const company = await desk.otherCompany();
  const [mine, foreign] = [await company.queue(), await company.queue()];
  const people = [await company.person("admin"), await company.person("user", { queueIds: [mine] })];
  const words = ["casa", "casaco", "água", "mel", "12", "a-12", "👍", "ok", "Ângela", "fim", "ação", "x_y"];
  // a fixed sequence, so that a failure repeats itself
  let seed = 7;
  const draw = (below: number) => (seed = (seed * 16_807) % 2_147_483_647) % below;
  const textOf = (length: number) => Array.from({ length }, () => words[Math.min(draw(12), draw(12))]!).join(" ");
  const made = Array.from({ length: 150 }, (_, n) => ({
    name: `${textOf(1)} ${n}`,
    queueId: [mine, foreign][draw(2)]!,
    at: new Date(Date.UTC(2026, 0, 1, 0, n)),
    texts: Array.from({ length: draw(4) }, () => textOf(1 + draw(3))),
    id: 0,
  }));
  for (const each of made) {
    const ticket = await company.ticket({
      name: each.name,
      queueId: each.queueId,
      lastMessageAt: each.at,
      number: `99${each.name.split(" ").at(-1)!.padStart(9, "0")}`,
    });
    each.id = ticket.id;
    for (const text of each.texts) {
      await addMessage(ticket, text, company);
    }
  }
  await countMoreContacts(company, more);
  const folded = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const has = (text: string, word: string) =>
    /^[\p{L}\p{N}]{1,2}$/u.test(word)
      ? new RegExp(`(^|[^\\p{L}\\p{N}])${folded(word)}`, "u").test(folded(text))
      : folded(text).includes(folded(word));

  for (const text of [
    "casa",
    "casaco",
    "agua mel",
    "12",
    "ok",
    "👍",
    "a-12",
    "angela",
    "o",
    "casa 👍",
    "acao fim",
    "x_y",
    "zzz",
  ]) {
    for (const [n, person] of people.entries()) {
      const expected = made
        .filter(({ queueId }) => n === 0 || queueId === mine)
        .filter(
          ({ name, texts }) =>
            folded(name).includes(folded(text)) ||
            texts.some((each) => text.split(" ").every((word) => has(each, word))),
        )
        .map(({ id }) => id)
        .toReversed();
      const found: number[] = [];
      for (let page = 1; page <= 5; page += 1) {
        found.push(...(await finds(person, text, `&pageNumber=${page}`)));
      }
      expect(
        found.map((id) => made.findIndex((each) => each.id === id)),
        text,
      ).toEqual(expected.map((id) => made.findIndex((each) => each.id === id)));
    }
  }
});
