import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import type { Page } from "@playwright/test";
import { openStorage, storageKey } from "../server/src/platform/storage/index.ts";
import { seedLongConversation } from "../server/src/testing/long-conversation.ts";
import type { Files, LongConversation } from "../server/src/testing/long-conversation.ts";
import { measureDrag } from "./drag.ts";
import { measureOpening } from "./opening.ts";
import { laneIdsOf, makeLanes } from "./calls.ts";
import { password } from "./seed.ts";
import type { SeededCompany } from "../server/src/testing/large-company.ts";

const MESSAGES = 50_000;
const OPENINGS = 7;
/** Pages of older messages to load, and list rows to scroll past. */
const OLDER_PAGES = 40;
const ROWS = 2_000;
const STEP_PX = 240;

/** The running product, and the conversation and list to open. */
export interface BrowserTarget {
  readonly url: string;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly company: SeededCompany;
  readonly email: string;
}

type Figures = [what: string, value: number][];

/**
 * Browser latency in a real Chromium: opening and scrolling up a conversation of 50,000 messages, and scrolling a list
 * of tens of thousands of tickets with the wheel, and dragging a card over a board of ten thousand.
 */
export async function measureBrowser(shown: BrowserTarget): Promise<Figures> {
  const files = await storeFiles(shown);
  const long = await seedLongConversation(shown.databaseUrl, shown.company, files, MESSAGES);
  const browser = await chromium.launch({
    executablePath: process.env["PROSA_CHROMIUM"],
    // No smooth scrolling: any other movement is then a layout shift.
    args: ["--no-sandbox", "--disable-gpu", "--disable-smooth-scrolling"],
  });
  try {
    const context = await browser.newContext({
      baseURL: shown.url,
      viewport: { width: 1440, height: 900 },
      locale: "pt-BR",
      serviceWorkers: "block",
    });
    const page = await context.newPage();
    await makeLanes(shown.url, await signIn(page, shown.email), laneIdsOf(shown.company));
    const opened = await openings(page, long);
    const other = Number(await page.locator("[data-ticket]").nth(1).getAttribute("data-ticket"));
    const cost = await measureOpening(page, long.ticketId, other);
    await open(page, long);
    return [
      ...opened,
      ["opening them at a quarter of the speed: main thread ms", cost.untilPainted],
      ["the half second after that: main thread ms", cost.afterwards],
      ...(await readUpwards(page)),
      ...(await scrollList(page)),
      ["kanban, 10,000 cards: longest frame of a drag, ms", await measureDrag(page)],
    ];
  } finally {
    await browser.close();
  }
}

async function storeFiles({ dataDir, company }: BrowserTarget): Promise<Files> {
  const storage = await openStorage(undefined, join(dataDir, "files"));
  const photo = storageKey(company.companyId, "bench", "foto.jpg");
  const sound = storageKey(company.companyId, "bench", "silence.wav");
  const jpeg = await readFile(join(import.meta.dirname, "../e2e/files/foto.jpg"));
  await storage.put(photo, jpeg, { contentType: "image/jpeg" });
  await storage.put(sound, silence(8_000), { contentType: "audio/wav" });
  await storage.close();
  return { photo, sound };
}

/** A silent WAV of so many samples: 8 bit, 8 kHz. */
function silence(samples: number): Uint8Array {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + samples, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8_000, 24);
  header.writeUInt32LE(8_000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write("data", 36);
  header.writeUInt32LE(samples, 40);
  return Buffer.concat([header, Buffer.alloc(samples, 128)]);
}

/** Signs in and resolves to the token. */
async function signIn(page: Page, email: string): Promise<string> {
  const answer = await page.request.post("/auth/login", { data: { email, password } });
  const { token, user } = (await answer.json()) as { token: string; user: { id: number; companyId: number } };
  await page.goto("/favicon.svg");
  await page.evaluate((kept) => Object.entries(kept).forEach(([key, value]) => localStorage.setItem(key, value)), {
    token,
    userId: String(user.id),
    companyId: String(user.companyId),
  });
  return token;
}

/** Time from the click in the list until the newest message is painted, cold and with a warm cache. */
async function openings(page: Page, long: LongConversation): Promise<Figures> {
  const cold: number[] = [];
  for (let round = 0; round < OPENINGS; round += 1) {
    await page.goto("/tickets");
    cold.push(await open(page, long));
  }
  const warm: number[] = [];
  for (let round = 0; round < OPENINGS; round += 1) {
    await page.locator("[data-ticket]").nth(1).getByRole("button").first().click();
    await page.locator(`[data-message="${long.lastMessageId}"]`).waitFor({ state: "hidden" });
    await page.getByTestId("conversation").locator("[data-message]").first().waitFor();
    warm.push(await open(page, long));
  }
  return [
    ["opening 50,000 messages: ms", median(cold)],
    ["opening them again: ms", median(warm)],
  ];
}

async function open(page: Page, { ticketId, lastMessageId }: LongConversation): Promise<number> {
  const row = page.locator(`[data-ticket="${ticketId}"]`).getByRole("button").first();
  await row.waitFor();
  await page.waitForLoadState("networkidle");
  const painted = page.evaluate(untilPainted, lastMessageId);
  await row.click();
  return painted;
}

/** Runs in the page: from the next click until this message was painted inside the conversation. */
function untilPainted(messageId: number): Promise<number> {
  return new Promise((resolve) => {
    const look = (since: number) => {
      // conversations that were left may be kept in the page
      const shown = document.querySelector("[data-testid=conversation]");
      const message = shown?.querySelector(`[data-message="${messageId}"]`)?.getBoundingClientRect();
      const frame = shown?.getBoundingClientRect();
      if (message && frame && message.height > 0 && message.top >= frame.top && message.bottom <= frame.bottom) {
        // A new task runs after the frame was painted.
        setTimeout(() => resolve(performance.now() - since));
      } else {
        requestAnimationFrame(() => look(since));
      }
    };
    addEventListener("click", ({ timeStamp }) => look(timeStamp), { capture: true, once: true });
  });
}

/**
 * Scrolls the conversation up. After each wheel event a message in the middle must be exactly that much lower; at the
 * top it may keep its position until the older page is loaded, and it never moves otherwise.
 */
async function readUpwards(page: Page): Promise<Figures> {
  const conversation = page.getByTestId("conversation");
  await conversation.hover();
  let pages = 0;
  page.on("response", (response) => {
    pages += /\/messages\/\d+\?.*before=/u.test(response.url()) ? 1 : 0;
  });
  let jump = 0;
  let nodes = 0;
  const until = Date.now() + 120_000;
  while (pages < OLDER_PAGES && Date.now() < until) {
    const before = await page.evaluate(anchorInTheMiddle);
    await page.mouse.wheel(0, -STEP_PX);
    const after = await page.evaluate(placeAfterFrames, before.id);
    const least = Math.min(STEP_PX, before.scrollTop);
    const moved = after.top - before.top;
    jump = Math.max(jump, least - moved, moved - STEP_PX);
    nodes = Math.max(nodes, after.nodes);
  }
  return [
    ["message nodes in the page", nodes],
    ["older pages read", pages],
    ["jump while reading upwards: px", jump],
  ];
}

/** Runs in the page: a message near the middle of the conversation, and its position. */
function anchorInTheMiddle(): { readonly id: string; readonly top: number; readonly scrollTop: number } {
  const scroller = document.querySelector("[data-testid=conversation]")!;
  const frame = scroller.getBoundingClientRect();
  const middle = (frame.top + frame.bottom) / 2;
  const distance = (element: Element) => Math.abs(element.getBoundingClientRect().top - middle);
  const [anchor] = [...scroller.querySelectorAll("[data-message]")].sort((a, b) => distance(a) - distance(b));
  return {
    id: anchor?.getAttribute("data-message") ?? "",
    top: anchor?.getBoundingClientRect().top ?? 0,
    scrollTop: scroller.scrollTop,
  };
}

/** Runs in the page: the position of that message three frames later. */
async function placeAfterFrames(id: string): Promise<{ readonly top: number; readonly nodes: number }> {
  for (let frame = 0; frame < 3; frame += 1) {
    await new Promise(requestAnimationFrame);
  }
  return {
    top: document.querySelector(`[data-message="${id}"]`)?.getBoundingClientRect().top ?? Number.NaN,
    nodes: document.querySelectorAll("[data-testid=conversation] [data-message]").length,
  };
}

/** Scrolls the list of closed tickets, the longest one; only frames in which the list moved count. */
async function scrollList(page: Page): Promise<Figures> {
  await page.goto("/tickets");
  await page.getByRole("tab", { name: "Resolvidas" }).click();
  const list = page.getByTestId("ticket-list");
  await list.locator("[data-ticket]").first().waitFor();
  await page.waitForLoadState("networkidle");
  await list.hover();

  const recorded = page.evaluate(recordFrames, ROWS);
  let isDone = false;
  void recorded.finally(() => (isDone = true));
  while (!isDone) {
    await page.mouse.wheel(0, STEP_PX);
  }
  const frames = (await recorded).toSorted((a, b) => a - b);
  const at = (share: number) => frames[Math.floor((frames.length - 1) * share)]!;
  return [
    ["list scrolling: frame ms, p50", at(0.5)],
    ["list scrolling: frame ms, p95", at(0.95)],
    ["list scrolling: frame ms, longest", at(1)],
    ["list scrolling: % of frames over 50 ms", (100 * frames.filter((ms) => ms > 50).length) / frames.length],
  ];
}

/** Runs in the page: milliseconds of each frame in which the list moved, until so many rows were scrolled past. */
function recordFrames(rows: number): Promise<number[]> {
  return new Promise((resolve) => {
    const list = document.querySelector("[data-testid=ticket-list]")!;
    const until = rows * list.querySelector("[data-ticket]")!.getBoundingClientRect().height;
    const frames: number[] = [];
    let [lastTop, lastAt] = [list.scrollTop, performance.now()];
    const onFrame = (at: number) => {
      if (list.scrollTop !== lastTop) {
        frames.push(at - lastAt);
      }
      [lastTop, lastAt] = [list.scrollTop, at];
      if (lastTop < until) {
        requestAnimationFrame(onFrame);
      } else {
        resolve(frames);
      }
    };
    requestAnimationFrame(onFrame);
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
