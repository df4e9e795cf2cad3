/** Every entry of everybody's menu: in three languages, both themes, on a laptop and on a phone. */
import type { Page } from "@playwright/test";
import type { Profile } from "@prosa/contract";
import { createUser, uniqueName } from "./support/api.ts";
import { demo, expect, test } from "./support/journey.ts";
import { screensOf } from "./support/screens.ts";
import { findBarriers, findOverflow, findWrongWords, languages, listenForErrors, openScreen } from "./support/sweep.ts";

const LAPTOP = 1366;
const PHONE = 360;
/** Every width at which somebody looks; the phone first, as below. */
const WIDTHS = [PHONE, 768, LAPTOP, 1440, 1920];

const work = [
  ...["/tickets", "/kanban", "/quick-messages", "/contacts", "/products"],
  ...["/schedules", "/tags", "/chats", "/helps"],
];
const administration = [
  ...["/connections", "/simulator", "/queues", "/users", "/prompts"],
  ...["/queue-integration", "/settings"],
];

/** The built entries that specification 1, section 6 gives each person, in the order of the menu. */
const people: readonly {
  readonly who: string;
  readonly account: Profile | "super";
  readonly entries: readonly string[];
}[] = [
  { who: "super", account: "super", entries: ["/", ...work, ...administration, "/announcements"] },
  { who: "admin", account: "admin", entries: ["/", ...work, ...administration] },
  { who: "supervisor", account: "supervisor", entries: work },
  { who: "user", account: "user", entries: work },
];

for (const { who, account, entries } of people) {
  test(`every entry of the menu of ${who} opens in three languages without an error, a foreign word or a barrier (S-02, S-08, S-11)`, async ({
    at,
    admin,
  }) => {
    test.setTimeout(480_000);
    const person =
      account === "super" ? demo.operator : await createUser(admin, uniqueName("Varre"), { profile: account });
    const page = await at(person, { width: LAPTOP });
    const paths = await screensOf(page);
    expect(paths).toEqual([...entries, "/todolist"]);

    // Super sees all that others see, so axe looks once at each screen, width and theme.
    expect(await sweep(page, paths, account === "super")).toEqual([]);
  });
}

test("the sweep sees a foreign word, a raw key, an error, an overflow, a poor contrast and a forbidden entry", async ({
  at,
  admin,
}) => {
  const page = await at(await createUser(admin, uniqueName("Planta")), { width: LAPTOP });
  const errors = listenForErrors(page);
  await openScreen(page, "/tags");
  expect([...(await findWrongWords(page, "pt")), ...(await findBarriers(page)), ...errors]).toEqual([]);

  await page.evaluate(() => {
    const plant = (tag: string, text: string, style = "") => {
      const element = Object.assign(document.createElement(tag), { textContent: text });
      element.style.cssText = style;
      document.querySelector("main")!.firstElementChild!.append(element);
    };
    plant("button", "Save");
    plant("label", "tags.isLane");
    plant("h2", "ERR_X");
    plant("p", "pálido", "color: #777; background: #888");
    plant("p", "largo", "min-width: 500px");
    document.querySelector("nav a")!.insertAdjacentHTML("afterend", '<a href="/companies">Empresas</a>');
    console.error("planted");
    setTimeout(() => {
      throw new Error("planted too");
    });
  });

  await expect.poll(() => errors).toEqual(["console: planted", "script: planted too"]);
  expect(await screensOf(page)).toContain("/companies");
  expect(await findWrongWords(page, "pt")).toEqual(['key "tags.isLane"', 'word "ERR_X"', 'word "Save"']);
  expect(await findWrongWords(page, "es")).toContain("lang of the page is pt-BR");
  expect(await findBarriers(page)).toEqual([
    expect.stringMatching(/^light: color-contrast: .*pálido/u),
    expect.stringMatching(/^dark: color-contrast: .*pálido/u),
  ]);
  expect(await findOverflow(page, PHONE)).toEqual([expect.stringMatching(/px wide at 360$/u)]);
});

async function sweep(page: Page, paths: readonly string[], isLookedAt: boolean): Promise<string[]> {
  const faults: string[] = [];
  const errors = listenForErrors(page);
  for (const language of languages) {
    await page.evaluate((chosen) => localStorage.setItem("prosa.language", chosen), language);
    await page.reload();
    for (const path of paths) {
      const hasAxe = isLookedAt && language === "pt";
      await openScreen(page, path);
      const found = await findWrongWords(page, language);
      // The phone first: the menu opens again on the laptop, where the next entry is clicked.
      for (const width of [PHONE, LAPTOP]) {
        found.push(...(await findOverflow(page, width)));
        found.push(...(hasAxe ? await findBarriers(page) : []).map((fault) => `${width} px, ${fault}`));
      }
      faults.push(...[...found, ...errors.splice(0)].map((fault) => `${path} ${language}: ${fault}`));
    }
  }
  return faults;
}
