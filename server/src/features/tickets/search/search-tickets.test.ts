import type { FoundMessage, Ticket } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { feature } from "../feature.ts";

let desk: Desk;
let place: Desk;
let admin: Person;
beforeAll(async () => {
  desk = await openDesk([feature]);
  place = await desk.otherCompany();
  admin = await place.person("admin");
});
afterAll(() => desk.app.close());

/** What this person finds: the ids of the tickets, newest first. */
const finds = (person: Person, text: string, more = "") =>
  person.list(`searchParam=${encodeURIComponent(text)}&showAll=true${more}`);

let messages = 0;

/** A message of this ticket, with the id it gets. */
async function says(ticket: { readonly id: number }, body: string, at: Desk = place): Promise<number> {
  messages += 1;
  const text = body.replaceAll("'", "''");
  const [row] = await at.rows<{ id: string }>(`
    insert into messages (company_id, ticket_id, contact_id, connection_id, wa_id, from_me, sent_at, body)
    select company_id, id, contact_id, connection_id, 'W${messages}', false, now(), '${text}' from tickets
    where id = ${ticket.id} returning id`);
  return Number(row!.id);
}

test("a message is found by any part of its words, accents and case ignored (T-03)", async () => {
  const ticket = await place.ticket();
  await says(ticket, "A INSTALAÇÃO elétrica do Ângelo ficou para amanhã");
  await says(await place.ticket(), "Nada disso aqui");

  for (const text of ["instalacao", "Instalação", "ELETRICA", "talaç", "angelo", "amanhã elétrica"]) {
    expect(await finds(admin, text), text).toEqual([ticket.id]);
  }
  expect(await finds(admin, "instalacao hidraulica")).toEqual([]);
});

test("signs are signs, in what is typed and in what was written (T-03)", async () => {
  const ticket = await place.ticket();
  await says(ticket, "100% de desconto_novo em C:\\notas (R$ 50,00) 👍🏽 d'água");
  for (const text of ["100%", "o_n", "c:\\n", "50,00)", "(r$", "👍", "d'á", "%", "\\"]) {
    expect(await finds(admin, text), text).toEqual([ticket.id]);
  }
  for (const text of ["1_0%", "desconto%novo", "👎", ".*", "\\d"]) {
    expect(await finds(admin, text), text).toEqual([]);
  }
});

test("a text is two hundred letters at most, in as many words as there may be (T-03)", async () => {
  const ticket = await place.ticket();
  await says(ticket, Array.from({ length: 99 }, (_, n) => `${n}`).join(" "));
  const words = Array.from({ length: 66 }, (_, n) => `${n + 10}`).join(" ");
  expect(await finds(admin, words)).toEqual([ticket.id]);
  expect((await admin.get(`/tickets?searchParam=${"a".repeat(10_000)}`)).status).toBe(400);
});

test("one and two letters begin a word (T-03)", async () => {
  const company = await desk.otherCompany();
  const chief = await company.person("admin");
  const ticket = await company.ticket({ name: "Caio" });
  await says(ticket, "Está ok: bloco\nÉ 12", company);
  for (const text of ["ok", "O", "e", "12", "1", "bloco 12"]) {
    expect(await finds(chief, text), text).toEqual([ticket.id]);
  }
  for (const text of ["k", "ko", "co", "loco ta é k"]) {
    expect(await finds(chief, text), text).toEqual([]);
  }
});

test("who searches finds what they may see: queues, own, without queue (T-03)", async () => {
  const [mine, foreign] = [await place.queue(), await place.queue()];
  const agent = await place.person("user", { queueIds: [mine] });
  const lucky = await place.person("user", { queueIds: [mine], allTicket: true });
  const supervisor = await place.person("supervisor", { queueIds: [mine] });
  const tickets = {
    waiting: await place.ticket({ queueId: mine }),
    foreign: await place.ticket({ queueId: foreign }),
    queueless: await place.ticket(),
    own: await place.ticket({ status: "open", user: agent, queueId: foreign }),
    closed: await place.ticket({ status: "closed", queueId: mine }),
  };
  for (const ticket of Object.values(tickets)) {
    await says(ticket, "o desentupimento da pia");
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
  const [one, other] = [await place.person("user"), await place.person("user")];
  const [tag] = await place.rows<{ id: number }>(
    `insert into tags (company_id, name, color) values (${place.companyId}, 'vip', '#fff') returning id`,
  );
  const both = await place.ticket({ status: "open", user: one });
  const untagged = await place.ticket({ status: "open", user: one });
  const others = await place.ticket({ status: "open", user: other });
  const silent = await place.ticket({ status: "open", user: one });
  for (const ticket of [both, untagged, others]) {
    await says(ticket, "encanamento novo");
  }
  for (const ticket of [both, others, silent]) {
    await place.rows(`insert into ticket_tags values (${place.companyId}, ${ticket.id}, ${tag!.id})`);
  }
  const found = async (more: string) => new Set(await finds(admin, "encanamento", more));

  expect(await found("")).toEqual(new Set([both.id, untagged.id, others.id]));
  expect(await found(`&tags=[${tag!.id}]`)).toEqual(new Set([both.id, others.id]));
  expect(await found(`&users=[${one.id}]`)).toEqual(new Set([both.id, untagged.id]));
  expect(await found(`&tags=[${tag!.id}]&users=[${one.id}]`)).toEqual(new Set([both.id]));
});

test("a text that changes is found as it is now: edited, deleted, moved (T-03)", async () => {
  const ticket = await place.ticket();
  const elsewhere = await place.ticket();
  const id = await says(ticket, "o rascunho antigo");
  await place.rows(`update messages set body = 'a versão final', is_edited = true where id = ${id}`);
  expect(await finds(admin, "rascunho")).toEqual([]);
  expect(await finds(admin, "versao final")).toEqual([ticket.id]);

  await place.rows(`update messages set ticket_id = ${elsewhere.id} where id = ${id}`);
  expect(await finds(admin, "versao final")).toEqual([elsewhere.id]);

  await place.rows(`update messages set is_deleted = true where id = ${id}`);
  expect(await finds(admin, "versao final")).toEqual([]);

  await says(ticket, "some com a conversa");
  await place.rows(`delete from tickets where id = ${ticket.id}`);
  expect(await place.rows(`select from message_texts where ticket_id = ${ticket.id}`)).toEqual([]);
});

test("another company finds nothing, not even by the function that looks past row-level security (T-03)", async () => {
  await says(await place.ticket(), "segredo industrial");
  const company = await desk.otherCompany();
  const asked = "select ticket_id from found_messages(array['%segredo%'], '{}', '{}', 10)";
  expect(await finds(await company.person("admin"), "segredo")).toEqual([]);
  expect(await company.rows(asked)).toEqual([]);
  expect(await company.rows("select from message_texts")).toEqual([]);
  expect(await place.rows(asked)).toHaveLength(1);
});

test("a row says which message, its words marked as they were written (T-03)", async () => {
  const ticket = await place.ticket();
  await says(ticket, "Cotação antiga");
  const newest = await says(ticket, `${"antes ".repeat(20)}a Cotação\nda cotaçao ${"depois ".repeat(40)}`);
  const { body } = await admin.get<{ found: FoundMessage[] }>("/tickets?searchParam=cotacao");
  expect(body.found).toMatchObject([{ ticketId: ticket.id, messageId: newest }]);
  const [before, first, between, second, after] = body.found[0]!.snippet;
  expect([first, between, second]).toEqual(["Cotação", " da ", "cotaçao"]);
  expect(before).toMatch(/^….*antes a $/);
  expect(after).toMatch(/^ depois .*…$/);
  expect((first! + between + second + before + after).length).toBeLessThan(150);

  const named = await place.ticket({ name: "Zuleica" });
  const byName = await admin.get<{ tickets: Ticket[]; found: FoundMessage[] }>("/tickets?searchParam=zuleica");
  expect(byName.body.tickets.map(({ id }) => id)).toEqual([named.id]);
  expect(byName.body.found).toEqual([]);
  expect((await admin.get<{ found?: unknown }>("/tickets?showAll=true")).body.found).toBeUndefined();
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
