import type { FoundMessage, Ticket } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asOwner } from "#server/testing/as-owner.ts";
import { openDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { addMessage as addMessageTo, finds } from "#server/testing/searched-desk.ts";
import { feature } from "../feature.ts";

let desk: Desk;
let otherDesk: Desk;
let admin: Person;
beforeAll(async () => {
  desk = await openDesk([feature]);
  otherDesk = await desk.otherCompany();
  admin = await otherDesk.person("admin");
});
afterAll(() => desk.app.close());

/** Adds a message to the ticket; returns its id. */
const addMessage = (ticket: { readonly id: number }, body: string, at = otherDesk) => addMessageTo(ticket, body, at);

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
