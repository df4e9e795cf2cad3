/** Every entry of everybody's menu: in every language, both themes, and at every width. */
import type { Page } from "@playwright/test";
import type { Profile } from "@prosa/contract";
import { createUser, uniqueName } from "./support/api.ts";
import { findCrampedControls, findSmallTargets } from "./support/controls.ts";
import { demo, expect, test } from "./support/journey.ts";
import { screensOf } from "./support/screens.ts";
import {
  type Language,
  findBarriers,
  findOverflow,
  findWrongWords,
  languages,
  listenForErrors,
  openScreen,
} from "./support/sweep.ts";

const LAPTOP = 1366;
const PHONE = 360;
/** The widths at which people look (Z-04); the laptop last: on it the next entry of the menu is clicked. */
const WIDTHS = [PHONE, 768, 1440, 1920, LAPTOP];

const work = [
  ...["/tickets", "/kanban", "/quick-messages", "/contacts", "/products"],
  ...["/schedules", "/tags", "/chats", "/helps"],
];
const campaigns = ["/campaigns", "/contact-lists", "/campaigns-config"];
const administration = [
  ...["/connections", "/simulator", "/queues", "/users", "/prompts"],
  ...["/queue-integration", "/files", "/messages-api", "/financeiro", "/settings"],
];

/** The built entries that specification 1, section 6 gives each person, in the order of the menu. */
const people: readonly {
  readonly who: string;
  readonly account: Profile | "super";
  readonly entries: readonly string[];
  /** Most words depend on the language alone, so those whose screens others see too speak one each. */
  readonly spoken: readonly Language[];
}[] = [
  {
    who: "super",
    account: "super",
    entries: ["/", ...work, ...campaigns, ...administration, "/announcements"],
    spoken: languages,
  },
  { who: "admin", account: "admin", entries: ["/", ...work, ...campaigns, ...administration], spoken: ["pt", "es"] },
  { who: "supervisor", account: "supervisor", entries: work, spoken: ["es"] },
  { who: "user", account: "user", entries: work, spoken: ["en"] },
];

for (const { who, account, entries, spoken } of people) {
  test(`every entry of the menu of ${who} opens in ${spoken.join(", ")} without an error, a foreign word, a barrier or a cramped control (S-02, S-08, S-11, Z-04)`, async ({
    at,
    admin,
  }) => {
    test.setTimeout(480_000);
    const person =
      account === "super" ? demo.operator : await createUser(admin, uniqueName("Varre"), { profile: account });
    const page = await at(person, { width: LAPTOP });
    const paths = await screensOf(page);
    expect(paths).toEqual([...entries, "/todolist"]);

    // Super sees all that others see, so axe looks once at each screen, width and theme; the admin's company has the rows.
    expect(
      await sweep(page, paths, { spoken, hasAxe: account === "super", widths: account === "admin" ? WIDTHS : [] }),
    ).toEqual([]);
  });
}

test("the sweep sees a foreign word, a raw key, an error, an overflow, a poor contrast, a cramped control and a forbidden entry", async ({
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

  await page.setViewportSize({ width: LAPTOP, height: 900 });
  await openScreen(page, "/contacts");
  expect(await findCrampedControls(page)).toEqual([]);
  await page.evaluate(() => {
    const plant = (style: string, content: string) => {
      document
        .querySelector("main")!
        .insertAdjacentHTML(
          "beforeend",
          `<div style="position: fixed; top: 300px; left: 600px; ${style}">${content}</div>`,
        );
    };
    const button = (name: string, style: string) =>
      `<button style="position: absolute; width: 80px; height: 30px; ${style}">${name}</button>`;
    plant("width: 60px; height: 60px; overflow: hidden", button("Cortado", "left: 10px"));
    plant("width: 60px; height: 60px; overflow: auto; top: 400px", button("De lado", "left: 40px"));
    plant("left: 200px; top: 500px", button("Um", "") + button("Outro", "left: 60px"));
    plant("left: 1350px; top: 600px", button("Fora", ""));
    plant("top: 700px", button("Palavras demais", "overflow: hidden; white-space: nowrap; width: 40px"));
    plant(
      "top: 200px",
      '<input type="search" aria-label="Dica" placeholder="Buscar por nome ou e-mail" style="width: 60px" />',
    );
  });
  expect(await findCrampedControls(page)).toEqual(
    expect.arrayContaining([
      'button "Cortado" is clipped',
      'button "De lado" is clipped',
      'button "Um" and button "Outro" overlap',
      'button "Fora" is outside of the window',
      'button "Palavras demais" hides a part of its words',
      'input "Dica" hides a part of its placeholder',
    ]),
  );
  expect(await findSmallTargets(page)).toContain('button "Um" is 80 by 30');
});

/** Faults of these screens in these languages; `widths` are looked at beside phone and laptop, in Portuguese. */
async function sweep(
  page: Page,
  paths: readonly string[],
  looks: { readonly spoken: readonly Language[]; readonly hasAxe: boolean; readonly widths: readonly number[] },
): Promise<string[]> {
  const faults: string[] = [];
  const errors = listenForErrors(page);
  for (const language of looks.spoken) {
    await page.evaluate((chosen) => localStorage.setItem("prosa.language", chosen), language);
    await page.reload();
    for (const path of paths) {
      const isLookedAt = language === "pt";
      await openScreen(page, path);
      const found = await findWrongWords(page, language);
      for (const width of isLookedAt && looks.widths.length > 0 ? looks.widths : [PHONE, LAPTOP]) {
        found.push(...(await findOverflow(page, width)));
        const seen = [
          ...(await findCrampedControls(page)),
          ...(isLookedAt && looks.hasAxe ? await findBarriers(page) : []),
        ];
        found.push(...seen.map((fault) => `${width} px, ${fault}`));
      }
      faults.push(...[...found, ...errors.splice(0)].map((fault) => `${path} ${language}: ${fault}`));
    }
  }
  return faults;
}
