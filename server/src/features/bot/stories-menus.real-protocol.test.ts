import { companies, defaultSchedules, fileLists, queueOptions } from "@prosa/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBotStories, photo } from "#server/testing/bot-stories.ts";
import type { BotStories, Customer, Shop } from "#server/testing/bot-stories.ts";
import { announcesPerson, isMenu } from "#server/testing/bot-words.ts";
import { aCompany, aQueue } from "#server/testing/factories.ts";

/** Behaviour 5 on customers' phones: answers in any dress, each place with its own count, and never silence. */
let stories: BotStories;
let shop: Shop;
/** One repetition of a menu at each place. */
let strict: Shop;

beforeAll(async () => {
  stories = await openBotStories();
  [shop, strict] = await Promise.all([stories.shop(), stories.shop({ maxUseBotQueues: 1 })]);
});

afterAll(() => stories.end());

const containing = (text: string): unknown => expect.stringContaining(text);
const queueMenu = containing("Bem-vindo\n\n*[ 1 ]* - Vendas\n*[ 2 ]* - Suporte");
const salesMenu = containing("Olá de Vendas\n\n*[ 1 ]* - Preços\n*[ 2 ]* - Prazos");
const support = containing("Olá do Suporte");

/** Says these a minute apart; returns all that the phone got. */
async function says(customer: Customer, ...texts: readonly string[]): Promise<string[]> {
  const phone: string[] = [];
  for (const text of texts) {
    phone.push(...(await customer.says(text)));
    stories.clock.advance({ minutes: 1 });
  }
  return phone;
}

/** A file list with a picture for each caption. */
async function aFileList({ admin }: Shop, message: string, captions: readonly string[]): Promise<number> {
  const options = captions.map((name) => ({ name }));
  const { body: list } = await admin.call(fileLists.create, { body: { name: "Catálogo", message, options } });
  const form = new FormData();
  captions.forEach((_, index) => form.append("files", new File([photo.image], `${index}.png`, { type: "image/png" })));
  expect((await admin.post(fileLists.upload.path.replace(":id", String(list.id)), form)).status).toBe(200);
  return list.id;
}

/** Thursdays only, from nine; the stories play on a Wednesday. */
const onThursdays = defaultSchedules.map((day) =>
  day.weekdayEn === "thursday"
    ? { ...day, startTime: "09:00", endTime: "18:00" }
    : { ...day, startTime: "00:00", endTime: "00:00" },
);

describe("what customers write", () => {
  test.each(["1", "1.", "*1*", "[1]", "1️⃣", "um", "opção 1", "Opcao 1", "Vendas", "vendas!", "VENDAS", "vend"])(
    "%j chooses the first queue (B-02, Q-03)",
    async (answer) => {
      const ana = shop.customer();
      await says(ana, "oi");
      expect(await ana.says(answer)).toEqual([salesMenu]);
    },
  );

  test.each(["dois", "opção 2", "Prazos", "praz", "PRAZOS."])(
    "%j chooses the second option, with and without accents (B-02, Q-04)",
    async (answer) => {
      const ana = shop.customer();
      await says(ana, "oi", "1");
      expect(await ana.says(answer)).toEqual([containing("Sobre Prazos")]);
    },
  );

  test("a beginning that fits two titles chooses none of them (B-02)", async () => {
    const twins = await stories.shop({
      queuesOf: async (company) => [
        await aQueue(company, { name: "Vendas no varejo", greetingMessage: "Varejo" }),
        await aQueue(company, { name: "Vendas no atacado", greetingMessage: "Atacado" }),
      ],
    });
    const ana = twins.customer();
    await says(ana, "oi");
    expect((await says(ana, "vendas")).filter(isMenu)).toHaveLength(1);
    expect(await ana.says("vendas no atac")).toEqual([containing("Atacado")]);
  });

  test.each([
    ["pt", ["sair", "atendente", "humano", "pessoa"], /sair|atendente/i],
    ["en", ["exit", "agent", "sair"], /exit|agent/i],
    ["es", ["salir", "agente"], /salir|agente/i],
  ] as const)(
    "in %s each menu prints a word that leads to a person, and %j do (B-03, Q-04)",
    async (language, words, printed) => {
      const here = await stories.shop({ language });
      for (const word of words) {
        const ana = here.customer();
        const menus = await says(ana, "oi", "1", "1");
        expect(menus.map((text) => isMenu(text) && printed.test(text))).toEqual([true, true, true]);
        expect(await ana.says(word)).toEqual([expect.toSatisfy(announcesPerson, "announces a person")]);
        expect(await ana.ticket()).toMatchObject({ status: "pending", chatbot: false });
      }
    },
  );

  test("after a leaf 0 and # lead back, until a person accepts (B-03, Q-04)", async () => {
    const ana = shop.customer();
    expect(await says(ana, "oi", "1", "2")).toEqual([queueMenu, salesMenu, containing("Sobre Prazos")]);
    expect(await says(ana, "0")).toEqual([salesMenu]);
    expect(await says(ana, "2")).toEqual([containing("Sobre Prazos")]);
    expect(await says(ana, "#")).toEqual([queueMenu]);
    expect(await says(ana, "2")).toEqual([support]);
    expect(await says(ana, "#")).toEqual([queueMenu]);
    await says(ana, "2");
    await ana.agent("open");
    expect(await says(ana, "#", "0", "1")).toEqual([]);
  });

  test("with one queue the greeting and the queue's own words come in one message (B-01, Q-03)", async () => {
    const clinic = await stories.shop({
      settings: { sendGreetingMessageOneQueues: "enabled" },
      queuesOf: async (company) => [await aQueue(company, { name: "Recepção", greetingMessage: "Aqui é a Recepção" })],
    });
    const phone = await clinic.customer().says("oi");
    expect(phone).toEqual([expect.stringMatching(/Bem-vindo[^]*Aqui é a Recepção/)]);
  });
});

describe("never silent", () => {
  test("each place has a count of its own: a slip in the queue menu costs the options none (B-03, Q-05)", async () => {
    const ana = strict.customer();
    await says(ana, "oi");
    expect(await says(ana, "xyz")).toEqual(expect.arrayContaining([queueMenu]));
    expect(await says(ana, "1")).toEqual([salesMenu]);
    const slip = await says(ana, "xyz");
    expect(slip.join("\n")).toMatch(/não entend/i);
    expect(slip).toEqual(expect.arrayContaining([salesMenu]));
    expect(await says(ana, "1")).toEqual([containing("Sobre Preços")]);
  });

  test("giving up says that a person comes, and then the bot is silent (B-03, Q-05)", async () => {
    const ana = strict.customer();
    const phone = await says(ana, "oi", "quero", "aquele", "sofá", "azul", "por favor");
    expect(phone.filter(announcesPerson)).toHaveLength(1);
    expect(phone.at(-1)).toSatisfy(announcesPerson);
    expect(phone.filter(isMenu).length).toBeLessThanOrEqual(2);
    expect(await ana.ticket()).toMatchObject({ status: "pending", queueId: null, chatbot: false });
  });

  test("a closed queue without a text says when it opens; sair meets no promise there (B-03, Q-06)", async () => {
    const bank = await stories.shop({
      settings: { scheduleType: "queue" },
      queuesOf: async (company) => [
        await aQueue(company, { name: "Vendas" }),
        await aQueue(company, { name: "Financeiro", schedules: onThursdays }),
      ],
    });
    const ana = bank.customer();
    await says(ana, "oi");
    const closed = await says(ana, "2");
    expect(closed).toEqual([expect.stringMatching(/\b0?9(:00|h)/)]);
    expect([...closed, ...(await says(ana, "sair"))].filter(announcesPerson)).toEqual([]);
    expect(await ana.ticket()).toMatchObject({ status: "pending", queue: { name: "Financeiro" }, unreadMessages: 3 });
  });

  test("a closed company without a text says when it opens, once an hour; sair meets no promise (B-03, Q-06)", async () => {
    const office = await stories.shop();
    const params = { id: office.company.id };
    await office.admin.call(companies.saveSchedules, { params, body: { schedules: onThursdays } });
    await office.admin.put("/settings/scheduleType", { value: "company" });
    const ana = office.customer();
    expect(await says(ana, "oi")).toEqual([expect.stringMatching(/\b0?9(:00|h)/)]);
    const rest = await says(ana, "tem alguém?", "sair", "olá?");
    expect([rest.filter(isMenu), rest.filter(announcesPerson)]).toEqual([[], []]);
    expect(await ana.ticket()).toMatchObject({ status: "pending", unreadMessages: 4 });
  });

  test("the bot of a company that did not pay promises nobody (B-03)", async () => {
    const late = await stories.shop({ maxUseBotQueues: 1 });
    const operator = await aCompany(stories.app, { isOperator: true });
    const params = { id: late.company.id };
    const { status } = await stories.app
      .as(operator.admin)
      .call(companies.update, { params, body: { dueDate: "2026-11-10" } });
    expect(status).toBe(200);
    const [ana, bia] = [late.customer("Ana"), late.customer("Bia")];
    const phone = [...(await says(ana, "oi", "1", "sair")), ...(await says(bia, "oi", "a", "b", "c", "sair"))];
    expect(phone.filter(announcesPerson)).toEqual([]);
    // Its admin gets to the invoices only, so the database is asked.
    const [ticket] = await late.query<{ status: string; unread_messages: number }>(
      `select status, unread_messages from tickets t join contacts c on c.id = t.contact_id where c.number = '${bia.person.number}'`,
    );
    expect(ticket).toEqual({ status: "pending", unread_messages: 5 });
  });

  test.each(["file list", "picture"])(
    "a leaf with only a %s says that a person comes, and sends it (B-03, Q-04, O-07)",
    async (kind) => {
      const gallery = await stories.shop();
      const [sales] = gallery.queues;
      const leaf = await gallery.option(sales!, { title: "Fotos", message: "" });
      if (kind === "file list") {
        await gallery.admin.call(queueOptions.update, {
          params: { id: leaf },
          body: { fileListId: await aFileList(gallery, "Nosso catálogo, {{firstName}}", ["Frente", ""]) },
        });
      }
      if (kind === "picture") {
        const form = new FormData();
        form.set("file", new File([photo.image], "sofa.png", { type: "image/png" }));
        expect((await gallery.admin.post(queueOptions.upload.path.replace(":id", String(leaf)), form)).status).toBe(
          200,
        );
      }
      const ana = gallery.customer();
      await says(ana, "oi", "1");
      const phone = await ana.says("3");
      const isPicture = (text: string) => text.startsWith("[image]");
      expect(phone.filter(isPicture)).toHaveLength(kind === "picture" ? 1 : 2);
      if (kind === "file list") {
        expect(phone.slice(1)).toEqual(["Nosso catálogo, Ana", "[image] Frente", "[image]"]);
      }
      expect(phone.filter(announcesPerson)).toHaveLength(1);
      expect(await ana.ticket()).toMatchObject({ status: "pending", chatbot: false, queue: { name: "Vendas" } });
    },
  );
});

test("variables work in the texts of connection, queue and option, by each name that companies write (B-05)", async () => {
  const named = await stories.shop({
    greetingMessage: "{{ms}}, {{firstName}}!",
    queuesOf: async (company) => [
      await aQueue(company, { name: "Vendas", greetingMessage: "{{nome}}, são {{hora}}" }),
      await aQueue(company, { name: "Suporte" }),
    ],
  });
  await named.option(named.queues[0]!, { title: "Prazos", message: "Dois dias, {{Name}}. {{greeting}}! {{codigo}}" });
  const ana = named.customer("Ana");
  const hour = new Intl.DateTimeFormat("pt-BR", { timeZone: "America/Sao_Paulo", hour: "2-digit", minute: "2-digit" });
  const [greeting] = await ana.says("oi");
  expect(greeting).toMatch(/^Bom dia, Ana!/);
  const now = hour.format(stories.clock.now());
  expect(await ana.says("1")).toEqual([containing(`Ana, são ${now}`)]);
  expect(await ana.says("1")).toEqual([containing("Dois dias, Ana. Bom dia! {{codigo}}")]);
});
