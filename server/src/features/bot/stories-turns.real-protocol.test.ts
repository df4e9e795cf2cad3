import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBotStories, photo, sticker, voiceNote } from "#server/testing/bot-stories.ts";
import type { BotStories, Shop } from "#server/testing/bot-stories.ts";
import { isMenu } from "#server/testing/bot-words.ts";

/** Behaviour 5, rule 6, on customers' phones: a turn is all that was said since the last answer, and gets one answer. */
let stories: BotStories;
let shop: Shop;
let strict: Shop;

beforeAll(async () => {
  stories = await openBotStories();
  [shop, strict] = await Promise.all([stories.shop(), stories.shop({ maxUseBotQueues: 1 })]);
});

afterAll(() => stories.end());

const containing = (text: string): unknown => expect.stringContaining(text);
const queueMenu = containing("Bem-vindo\n\n*[ 1 ]* - Vendas\n*[ 2 ]* - Suporte");
const salesMenu = containing("Olá de Vendas\n\n*[ 1 ]* - Preços\n*[ 2 ]* - Prazos");
const sendTheNumber = expect.stringMatching(/número/i);
const hello = ["oi", "bom dia", "tudo bem?", "queria saber de um sofá"];
const album = [{ raw: { albumMessage: { expectedImageCount: 5 } } }, ...Array.from({ length: 5 }, () => photo)];

describe("a burst of texts", () => {
  test("a new customer's four texts within seconds get one menu, and the 1 that follows its queue (B-01, Q-03)", async () => {
    const ana = shop.customer();
    const phone: string[] = [];
    for (const text of hello) {
      phone.push(...(await ana.says(text)));
      stories.clock.advance({ seconds: 1 });
    }
    expect(phone).toEqual([queueMenu]);
    stories.clock.advance({ seconds: 20 });
    expect(await ana.says("1")).toEqual([salesMenu]);
    expect(await ana.ticket()).toMatchObject({ status: "pending", queue: { name: "Vendas" } });
  });

  test("the same four sent at once (B-01, Q-03)", async () => {
    const ana = shop.customer();
    expect(await ana.says(...hello)).toEqual([queueMenu]);
    stories.clock.advance({ seconds: 20 });
    expect(await ana.says("2")).toEqual([containing("Olá do Suporte")]);
  });

  test("four texts that waited while the line was down get one menu, and all are stored (B-01, Q-03)", async () => {
    const ana = shop.customer();
    await shop.whileOffline(async () => {
      for (const text of hello) {
        await ana.person.sends(shop.number, text);
        stories.clock.advance({ minutes: 1 });
      }
    });
    expect(await ana.receives()).toEqual([queueMenu]);
    expect((await ana.messages()).flatMap(({ fromMe, body }) => (fromMe ? [] : [body]))).toEqual(hello);
    stories.clock.advance({ seconds: 20 });
    expect(await ana.says("1")).toEqual([salesMenu]);
  });

  test("a choice among words that waited while the line was down is what is answered (B-01, B-02)", async () => {
    const ana = shop.customer();
    expect(await ana.says("oi")).toEqual([queueMenu]);
    await shop.whileOffline(async () => {
      for (const text of ["quero falar de um sofá", "1"]) {
        stories.clock.advance({ seconds: 30 });
        await ana.person.sends(shop.number, text);
      }
    });
    expect(await ana.receives()).toEqual([salesMenu]);
  });

  test("several wrong answers within seconds are one wrong answer (B-01, Q-05)", async () => {
    const ana = shop.customer();
    await ana.says("oi");
    const phone: string[] = [];
    stories.clock.advance({ minutes: 1 });
    for (const text of ["quero um sofá", "de três lugares", "azul", "entregam?"]) {
      phone.push(...(await ana.says(text)));
      stories.clock.advance({ seconds: 1 });
    }
    expect(phone.filter(isMenu)).toHaveLength(1);
    expect(phone.join("\n")).toMatch(/não entend/i);
    stories.clock.advance({ minutes: 1 });
    expect(await ana.says("1")).toEqual([salesMenu]);
  });

  test("two customers who write at once are answered once each (B-01, Q-03)", async () => {
    const [ana, rui] = [shop.customer(), shop.customer("Rui")];
    await Promise.all([ana.says(...hello), rui.says("olá", "oi?")]);
    for (const each of [ana, rui]) {
      expect(each.person.inbox(shop.number).map(({ text }) => text)).toEqual([queueMenu]);
    }
  });
});

describe("files", () => {
  test("an album of five photos gets one menu, voice notes no further one (B-01, Q-03)", async () => {
    const ana = shop.customer();
    expect(await ana.says(...album)).toEqual([queueMenu]);
    const later: string[] = [];
    for (let note = 0; note < 3; note += 1) {
      stories.clock.advance({ minutes: 1 });
      later.push(...(await ana.says(voiceNote)));
    }
    expect(later.filter(isMenu)).toEqual([]);
    expect(await ana.messages()).toHaveLength(1 + 5 + 3 + later.length);
    expect(await ana.says("2")).toEqual([containing("Olá do Suporte")]);
  });

  test("a caption is read as a text: 1 under a photo is a choice (B-02, Q-03)", async () => {
    const ana = shop.customer();
    await ana.says("oi");
    stories.clock.advance({ minutes: 1 });
    expect(await ana.says({ ...photo, caption: "1" })).toEqual([salesMenu]);
  });

  test("a sticker, a voice note, a place are no wrong answers (B-01, Q-05)", async () => {
    const ana = strict.customer();
    await ana.says("oi");
    const phone: string[] = [];
    for (const content of [sticker, voiceNote, { location: { latitude: -23.5, longitude: -46.6 } }, sticker]) {
      stories.clock.advance({ minutes: 1 });
      phone.push(...(await ana.says(content)));
    }
    expect(phone.filter(isMenu)).toEqual([]);
    stories.clock.advance({ minutes: 1 });
    const slip = await ana.says("xyz");
    expect(slip.filter(isMenu)).toHaveLength(1);
    expect(slip.join("\n")).toMatch(/não entend/i);
    stories.clock.advance({ minutes: 1 });
    expect(await ana.says("1")).toEqual([salesMenu]);
  });

  test("photos in the menu are answered once an episode, with the wish for a number (B-01, B-03)", async () => {
    const ana = shop.customer();
    expect(await ana.says("oi")).toEqual([queueMenu]);
    stories.clock.advance({ minutes: 1 });
    const first = await ana.says(photo);
    expect(first).toEqual([sendTheNumber]);
    expect(first.filter(isMenu)).toEqual([]);
    stories.clock.advance({ minutes: 1 });
    expect(await ana.says(photo)).toEqual([]);
    stories.clock.advance({ minutes: 1 });
    expect(await ana.says("1")).toEqual([salesMenu]);
    stories.clock.advance({ minutes: 1 });
    expect(await ana.says(photo, voiceNote)).toEqual([]);
  });
});
