import type { FoundMessage, Ticket } from "@prosa/contract";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { asOwner } from "#server/testing/as-owner.ts";
import { openDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { feature } from "../feature.ts";
import { rarityOf } from "./rarity.ts";
import { isRareText } from "./text-sample.queries.ts";

// some write tens of thousands of messages
vi.setConfig({ testTimeout: 120_000 });

let desk: Desk;
let otherDesk: Desk;
let admin: Person;
beforeAll(async () => {
  desk = await openDesk([feature]);
  otherDesk = await desk.otherCompany();
  admin = await otherDesk.person("admin");
});
afterAll(() => desk.app.close());

/** Ids of the tickets that a search by this user finds, newest first. */
const finds = (person: Person, text: string, more = "") =>
  person.list(`searchParam=${encodeURIComponent(text)}&showAll=true${more}`);

let messages = 0;

/** Adds a message to the ticket; returns its id. */
async function addMessage(ticket: { readonly id: number }, body: string, at: Desk = otherDesk): Promise<number> {
  messages += 1;
  const text = body.replaceAll("'", "''");
  const [row] = await at.rows<{ id: string }>(`
    insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, sent_at, body)
    select company_id, id, contact_id, connection_id, 'W${messages}', false, now(), '${text}' from tickets
    where id = ${ticket.id} returning id`);
  return Number(row!.id);
}

test("a message is found by any part of its words, accents and case ignored (T-03)", async () => {
  const ticket = await otherDesk.ticket();
  await addMessage(ticket, "A INSTALAÇÃO elétrica do Ângelo ficou para amanhã");
  await addMessage(await otherDesk.ticket(), "Nada disso aqui");

  for (const text of ["instalacao", "Instalação", "ELETRICA", "talaç", "angelo", "amanhã elétrica"]) {
    expect(await finds(admin, text), text).toEqual([ticket.id]);
  }
  expect(await finds(admin, "instalacao hidraulica")).toEqual([]);
});

test("punctuation matches literally, in the search text and in messages (T-03)", async () => {
  const ticket = await otherDesk.ticket();
  await addMessage(ticket, "100% de desconto_novo em C:\\notas (R$ 50,00) 👍🏽 d'água");
  for (const text of ["100%", "o_n", "c:\\n", "50,00)", "(r$", "👍", "d'á", "%", "\\"]) {
    expect(await finds(admin, text), text).toEqual([ticket.id]);
  }
  for (const text of ["1_0%", "desconto%novo", "👎", ".*", "\\d"]) {
    expect(await finds(admin, text), text).toEqual([]);
  }
});

test("a word is found between any white space, in long addresses, and where folding splits it (T-03)", async () => {
  // found_messages() itself: the scan of the newest conversations does not use the dictionary of words
  const company = await desk.otherCompany();
  const ids = async (like: string) =>
    (
      await company.rows<{ id: number }>(
        `select message_id::int as id from found_messages(array['${like}'], '{}', '{}', 10) order by 1`,
      )
    ).map(({ id }) => id);
  const ticket = await company.ticket();
  const address = `https://loja.example/?${"cupom=abcdefghij&".repeat(200)}fim=zebra-${"1234567890".repeat(300)}fundo`;
  const long = await addMessage(ticket, address, company);
  const spaced = await addMessage(ticket, "linha\tcoluna\r\nponte\u00a0aérea\u2003larga ½ xícara", company);
  const both = await addMessage(ticket, "zebra coluna", company);

  expect(await ids("%zebra-123%")).toEqual([long]);
  expect(await ids("%890fundo%")).toEqual([long]);
  expect(await ids(`%${"1234567890".repeat(19)}%`)).toEqual([long]);
  expect(await ids("%zebra%")).toEqual([long, both]);
  for (const like of ["%linha%", "%ponte%", "%aerea%", "%larga%", "%xicara%", "% 1/2%"]) {
    expect(await ids(like), like).toEqual([spaced]);
  }
  expect(await ids("%linhacoluna%")).toEqual([]);
});

test("a text that is a part of very many words is found in each message once (T-03)", async () => {
  const company = await desk.otherCompany();
  const ticket = await company.ticket();
  const written: number[] = [];
  for (let n = 0; n < 40; n += 1) {
    written.push(await addMessage(ticket, `banana${n} bananada${n} zum${n} fim`, company));
  }
  const found = (patterns: string) =>
    company.rows<{ id: number }>(
      `select message_id::int as id from found_messages(array[${patterns}], '{}', '{}', 100) order by 1`,
    );
  expect(await found("'%banana%'")).toEqual(written.map((id) => ({ id })));
  expect(await found("'%banana%', '%zum%'")).toEqual(written.map((id) => ({ id })));
  expect(await found("'%banana%', '%zum7%'")).toEqual([{ id: written[7]! }]);
  expect(await found("'%banana1%', '%zum%', '%fim%'")).toHaveLength(11);
});

test("whoever has most of all messages finds its own alone, and so does the other company (T-03)", async () => {
  const [most, few] = [await desk.otherCompany(), await desk.otherCompany()];
  // more words than are looked up one by one
  const words = Array.from({ length: 40 }, (_, n) => `a${String.fromCodePoint(98 + (n % 20))}nanica${n}`);
  const ids = new Map<Desk, number[]>();
  for (const company of [most, few]) {
    const ticket = await company.ticket();
    const own: number[] = [];
    for (const word of words) {
      own.push(await addMessage(ticket, `${word} 12`, company));
    }
    ids.set(company, own);
  }
  const [any] = await most.rows<{ id: number }>(`select id from tickets where company_id = ${most.companyId}`);
  await most.rows(`insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, sent_at, body)
    select company_id, id, contact_id, connection_id, 'most' || n, false, now(), 'nada de mais'
    from tickets, generate_series(1, 4000) n where id = ${any!.id}`);
  await asOwner(desk.app.database.url, "analyze message_texts");
  for (const [company, own] of ids) {
    const found = await company.rows<{ id: number }>(
      "select message_id::int as id from found_messages(array['%nanica%'], array['(^|[ ])1'], '{}', 1000) order by 1",
    );
    expect(found.map(({ id }) => id)).toEqual(own);
  }
});

test("a word that two people write first at the same time is found in both messages (T-03)", async () => {
  const company = await desk.otherCompany();
  const chief = await company.person("admin");
  const tickets = [await company.ticket(), await company.ticket()];
  await Promise.all(tickets.map((ticket) => addMessage(ticket, "paralelepípedo inédito", company)));
  const asked = "select ticket_id from found_messages(array['%lelepiped%'], '{}', '{}', 10)";
  expect(await company.rows(asked)).toHaveLength(2);
  expect(new Set(await finds(chief, "paralelepipedo"))).toEqual(new Set(tickets.map(({ id }) => id)));
});

test("a search text has at most two hundred characters, in any number of words (T-03)", async () => {
  const ticket = await otherDesk.ticket();
  await addMessage(ticket, Array.from({ length: 99 }, (_, n) => `${n}`).join(" "));
  const words = Array.from({ length: 66 }, (_, n) => `${n + 10}`).join(" ");
  expect(await finds(admin, words)).toEqual([ticket.id]);
  expect((await admin.get(`/tickets?searchParam=${"a".repeat(10_000)}`)).status).toBe(400);
});

test("one or two letters match the beginning of a word (T-03)", async () => {
  const company = await desk.otherCompany();
  const chief = await company.person("admin");
  const ticket = await company.ticket({ name: "Caio" });
  await addMessage(ticket, "Está ok: bloco\nÉ 12", company);
  for (const text of ["ok", "O", "e", "12", "1", "bloco 12"]) {
    expect(await finds(chief, text), text).toEqual([ticket.id]);
  }
  for (const text of ["k", "ko", "co", "loco ta é k"]) {
    expect(await finds(chief, text), text).toEqual([]);
  }
});

test("a user finds the tickets that they may see: of their queues, their own, without a queue (T-03)", async () => {
  const [mine, foreign] = [await otherDesk.queue(), await otherDesk.queue()];
  const agent = await otherDesk.person("user", { queueIds: [mine] });
  const lucky = await otherDesk.person("user", { queueIds: [mine], allTicket: true });
  const supervisor = await otherDesk.person("supervisor", { queueIds: [mine] });
  const tickets = {
    waiting: await otherDesk.ticket({ queueId: mine }),
    foreign: await otherDesk.ticket({ queueId: foreign }),
    queueless: await otherDesk.ticket(),
    own: await otherDesk.ticket({ status: "open", user: agent, queueId: foreign }),
    closed: await otherDesk.ticket({ status: "closed", queueId: mine }),
  };
  for (const ticket of Object.values(tickets)) {
    await addMessage(ticket, "o desentupimento da pia");
  }
  const names = async (person: Person, more = "") => {
    const ids = await finds(person, "desentupimento", more);
    return Object.entries(tickets)
      .filter(([, { id }]) => ids.includes(id))
      .map(([name]) => name);
  };

  expect(await names(agent)).toEqual(["waiting", "own", "closed"]);
  expect(await names(lucky)).toEqual(["waiting", "queueless", "closed"]);
  expect(await names(supervisor)).toEqual(["waiting", "queueless", "closed"]);
  expect(await names(admin)).toEqual(["waiting", "foreign", "queueless", "own", "closed"]);
  expect(await names(admin, `&queueIds=[${foreign}]`)).toEqual(["foreign", "own"]);
  expect(await names(admin, "&status=closed")).toEqual(["closed"]);
});

test("text, tag and user narrow one another (T-03)", async () => {
  const [one, other] = [await otherDesk.person("user"), await otherDesk.person("user")];
  const [tag] = await otherDesk.rows<{ id: number }>(
    `insert into tags (company_id, name, color) values (${otherDesk.companyId}, 'vip', '#fff') returning id`,
  );
  const both = await otherDesk.ticket({ status: "open", user: one });
  const untagged = await otherDesk.ticket({ status: "open", user: one });
  const others = await otherDesk.ticket({ status: "open", user: other });
  const silent = await otherDesk.ticket({ status: "open", user: one });
  for (const ticket of [both, untagged, others]) {
    await addMessage(ticket, "encanamento novo");
  }
  for (const ticket of [both, others, silent]) {
    await otherDesk.rows(`insert into ticket_tags values (${otherDesk.companyId}, ${ticket.id}, ${tag!.id})`);
  }
  const found = async (more: string) => new Set(await finds(admin, "encanamento", more));

  expect(await found("")).toEqual(new Set([both.id, untagged.id, others.id]));
  expect(await found(`&tags=[${tag!.id}]`)).toEqual(new Set([both.id, others.id]));
  expect(await found(`&users=[${one.id}]`)).toEqual(new Set([both.id, untagged.id]));
  expect(await found(`&tags=[${tag!.id}]&users=[${one.id}]`)).toEqual(new Set([both.id]));
});

test("a message is found by its current text: after an edit, a deletion, a move (T-03)", async () => {
  const ticket = await otherDesk.ticket();
  const elsewhere = await otherDesk.ticket();
  const id = await addMessage(ticket, "o rascunho antigo");
  await otherDesk.rows(`update messages set body = 'a versão final', is_edited = true where id = ${id}`);
  expect(await finds(admin, "rascunho")).toEqual([]);
  expect(await finds(admin, "versao final")).toEqual([ticket.id]);

  await otherDesk.rows(`update messages set ticket_id = ${elsewhere.id} where id = ${id}`);
  expect(await finds(admin, "versao final")).toEqual([elsewhere.id]);

  await otherDesk.rows(`update messages set is_deleted = true where id = ${id}`);
  expect(await finds(admin, "versao final")).toEqual([]);

  await addMessage(ticket, "some com a conversa");
  await otherDesk.rows(`delete from tickets where id = ${ticket.id}`);
  expect(await otherDesk.rows(`select from message_texts where ticket_id = ${ticket.id}`)).toEqual([]);
});

test("another company finds nothing, not even by the function that looks past row-level security (T-03)", async () => {
  await addMessage(await otherDesk.ticket(), "segredo industrial");
  const company = await desk.otherCompany();
  const asked = "select ticket_id from found_messages(array['%segredo%'], '{}', '{}', 10)";
  expect(await finds(await company.person("admin"), "segredo")).toEqual([]);
  expect(await company.rows(asked)).toEqual([]);
  expect(await company.rows("select from message_texts")).toEqual([]);
  expect(await company.rows("select from message_words")).toEqual([]);
  expect(await otherDesk.rows(asked)).toHaveLength(1);
});

test("a row has the matching message, with the matches marked in their original spelling (T-03)", async () => {
  const ticket = await otherDesk.ticket();
  await addMessage(ticket, "Cotação antiga");
  const newest = await addMessage(ticket, `${"antes ".repeat(20)}a Cotação\nda cotaçao ${"depois ".repeat(40)}`);
  const { body } = await admin.get<{ found: FoundMessage[] }>("/tickets?searchParam=cotacao");
  expect(body.found).toMatchObject([{ ticketId: ticket.id, messageId: newest }]);
  const [before, first, between, second, after] = body.found[0]!.snippet;
  expect([first, between, second]).toEqual(["Cotação", " da ", "cotaçao"]);
  expect(before).toMatch(/^….*antes a $/);
  expect(after).toMatch(/^ depois .*…$/);
  expect((first! + between + second + before + after).length).toBeLessThan(150);

  // a pattern's own characters, the beginning of a word, an emoji at the edge
  const odd = await otherDesk.ticket();
  await addMessage(odd, `${"👍".repeat(30)} 50% (já) [x] hojá`);
  for (const [text, marked] of [
    ["50%", ["50%"]],
    ["(ja)", ["(já)"]],
    ["[x] ho", ["[x]", "ho"]],
  ] as const) {
    const answer = await admin.get<{ found: FoundMessage[] }>(`/tickets?searchParam=${encodeURIComponent(text)}`);
    const { snippet } = answer.body.found.find(({ ticketId }) => ticketId === odd.id)!;
    expect(snippet.filter((_part, n) => n % 2 === 1)).toEqual(marked);
    expect(snippet.join("")).toMatch(/^…(👍)+ /u);
  }

  const named = await otherDesk.ticket({ name: "Zuleica" });
  const byName = await admin.get<{ tickets: Ticket[]; found: FoundMessage[] }>("/tickets?searchParam=zuleica");
  expect(byName.body.tickets.map(({ id }) => id)).toEqual([named.id]);
  expect(byName.body.found).toEqual([]);
  expect((await admin.get<{ found?: unknown }>("/tickets?showAll=true")).body.found).toBeUndefined();
});

test("a match names who of the company wrote it: an agent, the bot, the phone; of the contact nobody (T-03, Z-02)", async () => {
  const agent = await otherDesk.person("user");
  const ticket = await otherDesk.ticket();
  const authorOf = async (word: string, columns: string) => {
    const id = await addMessage(ticket, `${word} do jardim`);
    await otherDesk.rows(`update messages set ${columns} where id = ${id}`);
    const { body } = await admin.get<{ found: FoundMessage[] }>(`/tickets?searchParam=${word}`);
    return body.found.map(({ author }) => author);
  };
  const ours = (id: number) => `from_me = true, client_id = '00000000-0000-4000-8000-00000000000${id}'`;

  expect(await authorOf("girassol", "from_me = false")).toEqual([null]);
  expect(await authorOf("hortelã", `${ours(1)}, user_id = ${agent.id}`)).toEqual([
    { kind: "user", user: { id: agent.id, name: agent.name } },
  ]);
  expect(await authorOf("begônia", `${ours(2)}, is_automatic = true`)).toEqual([{ kind: "bot" }]);
  expect(await authorOf("orquídea", "from_me = true")).toEqual([{ kind: "phone" }]);
});

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

/** Tickets of a queue, each with so many messages of a text; the first ones are the newest. Returns their ids. */
async function addTickets(
  company: Desk,
  {
    count,
    queueId,
    each,
    text,
    age,
    name = "c",
  }: { count: number; queueId: number; each: number; text: string; age: string; name?: string },
): Promise<number[]> {
  messages += 1;
  const rows = await company.rows<{ id: number }>(`
    with c as (insert into contacts (company_id, name, number)
        select ${company.companyId}, '${name} ' || n, '55${messages}' || n from generate_series(1, ${count}) n returning id),
      t as (insert into tickets (company_id, connection_id, contact_id, queue_id, status, last_message_at)
        select ${company.companyId}, ${company.connectionId}, id, ${queueId}, 'closed', now() - interval '${age}' - id * interval '1 second'
        from c returning id, contact_id),
      m as (insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, sent_at, body)
        select ${company.companyId}, id, contact_id, ${company.connectionId}, 'm' || id || '-' || k, false, now(), '${text}'
        from t, generate_series(1, ${each}) k)
    select id from t order by id`);
  return rows.map(({ id }) => id);
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
  await addMessage(await otherDesk.ticket(), "girafa", otherDesk);

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
