import type { SeededCompany } from "../server/src/testing/large-company.ts";
import { vocabulary } from "../server/src/testing/vocabulary.ts";
import type { Measurement, LoadClient, LoadRequest, MeasuredServer } from "./load.ts";
import { password } from "./seed.ts";
import type { Seeded } from "./seed.ts";

export interface Row {
  readonly what: string;
  readonly one: Measurement;
  readonly many: Measurement;
}

/** Tickets that a caller moves and lists. */
interface Known {
  readonly token: string;
  readonly pending: readonly number[];
  readonly open: readonly number[];
}

const CALLERS = 32;

/** Every measured call, as requests that a caller repeats in turn. */
export async function measureRequests(
  client: LoadClient,
  subject: MeasuredServer,
  seeded: Seeded,
  seconds: number,
): Promise<{ readonly rows: readonly Row[]; readonly timesSlower: number }> {
  const admin = await know(subject.url, "large1@example.com");
  const agent = await know(subject.url, "large2@example.com");
  const small = await know(subject.url, "small1@example.com");
  const { queueIds, tagIds } = seeded.large;
  const laneIds = laneIdsOf(seeded.large);
  await makeLanes(subject.url, admin.token, laneIds);
  const get = (token: string, paths: readonly string[]): LoadRequest[] =>
    paths.map((path) => ({ method: "GET", path, token }));
  const list = (token: string) =>
    get(token, [
      "/tickets?status=open&showAll=true",
      "/tickets?status=pending&showAll=true",
      "/tickets?status=open&showAll=true&pageNumber=2",
      "/tickets?status=closed&showAll=true",
    ]);

  const plans: Readonly<Record<string, readonly LoadRequest[]>> = {
    list: list(admin.token),
    "list of an agent": get(agent.token, ["/tickets?status=pending", "/tickets?status=open"]),
    "list by queue": get(
      admin.token,
      queueIds.map((id) => `/tickets?status=open&showAll=true&queueIds=[${id}]`),
    ),
    "list by tag": get(
      admin.token,
      tagIds.map((id) => `/tickets?status=open&showAll=true&tags=[${id}]`),
    ),
    counts: get(admin.token, ["/tickets/counts?showAll=true"]),
    kanban: get(
      admin.token,
      [0, ...laneIds].map((id) => `/ticket/kanban?laneId=${id}`),
    ),
    ...Object.fromEntries(
      Object.entries(texts()).map(([what, searched]) => [
        what,
        get(
          admin.token,
          searched.map((text) => `/tickets?showAll=true&searchParam=${encodeURIComponent(text)}`),
        ),
      ]),
    ),
    search: get(
      admin.token,
      Array.from({ length: 50 }, (_, n) => `/tickets?showAll=true&searchParam=${encodeURIComponent(words(n))}`),
    ),
    dashboard: get(admin.token, ["/dashboard?days=90", "/dashboard?days=30"]),
    "contacts, page 300": get(admin.token, ["/contacts?pageNumber=300"]),
    conversation: get(
      admin.token,
      admin.open.map((id) => `/messages/${id}`),
    ),
  };

  // Warm up all calls once, or the first would pay for the compilation.
  for (const requests of Object.values(plans)) {
    await client.measure(subject, spread(requests, 8), 1);
  }
  const rows: Row[] = [];
  for (const [what, requests] of Object.entries(plans)) {
    rows.push(await both(what, (callers) => spread(requests, callers)));
  }
  rows.push(await both("status change", (callers) => moves(admin, callers)));
  rows.push(await both("card moved, lanes counted", (callers) => cardMoves(admin, laneIds, callers)));
  rows.push(await both("sign in", (callers) => signIns(callers)));

  const smallList = await both("list, 5,000 tickets", (callers) => spread(list(small.token), callers));
  rows.push(smallList);
  const cost = ({ one }: Row) => one.serverMs + one.databaseMs;
  return { rows, timesSlower: cost(rows[0]!) / cost(smallList) };

  async function both(what: string, lanes: (callers: number) => LoadRequest[][]): Promise<Row> {
    process.stdout.write(`\r${what.padEnd(40)}`);
    await client.measure(subject, lanes(CALLERS), 2); // warm: it takes the compiler some thousands of calls
    const one = await client.measure(subject, lanes(1), seconds);
    const many = await client.measure(subject, lanes(CALLERS), seconds);
    return { what, one, many };
  }
}

/** The same requests for each caller, each starting at another one. */
function spread(requests: readonly LoadRequest[], callers: number): LoadRequest[][] {
  return Array.from({ length: callers }, (_, n) => {
    const from = Math.floor((n * requests.length) / callers);
    return [...requests.slice(from), ...requests.slice(0, from)];
  });
}

/** Accept and give back, each caller with tickets of their own. */
function moves({ token, pending }: Known, callers: number): LoadRequest[][] {
  const to = (id: number, status: string): LoadRequest => ({
    method: "PUT",
    path: `/tickets/${id}`,
    body: JSON.stringify({ status }),
    token,
  });
  return Array.from({ length: callers }, (_, n) =>
    pending.filter((_id, index) => index % callers === n).flatMap((id) => [to(id, "open"), to(id, "pending")]),
  );
}

/** From lane to lane, each caller with cards of their own. A move makes the server count the lanes anew. */
function cardMoves({ token, pending }: Known, laneIds: readonly number[], callers: number): LoadRequest[][] {
  const counts: LoadRequest = { method: "GET", path: "/ticket/kanban/counts", token };
  return Array.from({ length: callers }, (_, n) =>
    pending
      .filter((_id, index) => index % callers === n)
      .flatMap((id) => laneIds.slice(0, 2).map((laneId) => `/ticket-tags/${id}/${laneId}`))
      .flatMap((path) => [{ method: "PUT", path, token }, counts]),
  );
}

/** Tags that are lanes of the kanban. */
export function laneIdsOf({ tagIds }: SeededCompany): readonly number[] {
  return tagIds.slice(0, 6);
}

export async function makeLanes(url: string, token: string, tagIds: readonly number[]): Promise<void> {
  for (const id of tagIds) {
    await fetch(`${url}/tags/${id}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ kanban: 1 }),
    });
  }
}

/** Each caller from an address of its own, because sign-ins are limited by address. */
function signIns(callers: number): LoadRequest[][] {
  return Array.from({ length: callers }, (_, n) => [
    {
      method: "POST" as const,
      path: "/auth/login",
      body: JSON.stringify({ email: `large${10 + n}@example.com`, password }),
      headers: { "x-forwarded-for": `10.0.0.${n + 1}` },
    },
  ]);
}

/** Message searches: words in every tenth message and more, in one of ten thousand, and pairs of words. */
export function texts(): Readonly<Record<"search: common word" | "search: rare word" | "search: two words", string[]>> {
  const known = vocabulary();
  const rare = known.slice(-40);
  return {
    "search: common word": ["bom dia", "pedido", "voce", "entrega", "obrigad", "por favor"],
    "search: rare word": [...rare, "482113", "nenhuma-destas"],
    "search: two words": [
      ...rare.slice(0, 20).map((word, n) => `${word} ${known[n]}`),
      ...known.slice(60, 80).map((word, n) => `${word} ${known[80 + n]}`),
    ],
  };
}

/** Contact searches: names, parts of names and numbers, common and rare ones. */
function words(n: number): string {
  return [`Ana ${n}`, "Almeida", `9800001${n % 10}`, "zzz", `Fabio Dias ${n}`][n % 5]!;
}

export async function signIn(url: string, email: string): Promise<string> {
  const answer = await fetch(`${url}/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  const { token } = (await answer.json()) as { token: string };
  return token;
}

async function know(url: string, email: string): Promise<Known> {
  const token = await signIn(url, email);
  const ids = async (status: string) => {
    const pages = await Promise.all(
      [1, 2, 3, 4].map(async (page) => {
        const path = `/tickets?status=${status}&showAll=true&pageNumber=${page}`;
        const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
        const { tickets } = (await answer.json()) as { tickets: { id: number }[] };
        return tickets.map(({ id }) => id);
      }),
    );
    return pages.flat();
  };
  return { token, pending: await ids("pending"), open: await ids("open") };
}
