/** What the bench asks a company: each call as requests that a caller repeats in turn. */
import type { SeededCompany } from "../server/src/testing/large-company.ts";
import type { LoadRequest } from "./load.ts";
import { names } from "./search-texts.ts";
import type { Count, Texts } from "./search-texts.ts";
import { password } from "./seed.ts";

/** A company as the bench meets it. */
export interface Subject {
  readonly url: string;
  readonly company: SeededCompany;
  readonly adminToken: string;
  /** An agent of two of the eight queues. */
  readonly agentToken: string;
  readonly pending: readonly number[];
  readonly open: readonly number[];
  /** Tickets of every age and status. */
  readonly any: readonly number[];
  readonly texts: Texts;
}

/** The requests of each of so many callers. */
export type Call = (callers: number) => readonly (readonly LoadRequest[])[];

/**
 * Tags, from the commonest on, of which the small company has a full page as well, and its agent, who sees a quarter: a page is compared
 * with one of as many rows.
 */
const FULL_PAGES = 20;
const FULL_PAGES_OF_AGENT = 5;

/** Every measured call of a company, by its name. */
export function callsOf(subject: Subject): Readonly<Record<string, Call>> {
  const { adminToken, agentToken, company } = subject;
  const { queueIds, tagIds } = company;
  const laneIds = laneIdsOf(company);
  const as =
    (token: string, paths: readonly string[]): Call =>
    (callers) =>
      spread(
        paths.map((path) => ({ method: "GET", path, token })),
        callers,
      );
  const search = (token: string, texts: readonly string[]) => as(token, texts.map(searchOf));
  const ofTags = (statuses: readonly string[], count: number) =>
    tagIds.slice(0, count).map((id, n) => `/tickets?status=${statuses[n] ?? "closed"}&showAll=true&tags=[${id}]`);

  return {
    list: as(adminToken, [
      "/tickets?status=open&showAll=true",
      "/tickets?status=pending&showAll=true",
      "/tickets?status=open&showAll=true&pageNumber=2",
      "/tickets?status=closed&showAll=true",
    ]),
    "list of an agent": as(agentToken, ["/tickets?status=pending", "/tickets?status=open"]),
    "list by queue": as(
      adminToken,
      queueIds.map((id) => `/tickets?status=open&showAll=true&queueIds=[${id}]`),
    ),
    "list by tag": as(adminToken, ofTags(["open", "pending"], FULL_PAGES)),
    "list by tag, of an agent": as(agentToken, ofTags([], FULL_PAGES_OF_AGENT)),
    counts: as(adminToken, ["/tickets/counts?showAll=true"]),
    kanban: as(
      adminToken,
      [0, ...laneIds].map((id) => `/ticket/kanban?laneId=${id}`),
    ),
    ...Object.fromEntries(
      Object.entries(subject.texts).flatMap(([what, texts]) => [
        [`search: ${what}`, search(adminToken, texts)],
        [`search: ${what}, of an agent`, search(agentToken, texts)],
      ]),
    ),
    tags: as(adminToken, ["/tags"]),
    "contacts, page 1": as(adminToken, ["/contacts"]),
    "contacts, page 100": as(adminToken, ["/contacts?pageNumber=100"]),
    "contacts: search": as(
      adminToken,
      names().map((text) => `/contacts?searchParam=${encodeURIComponent(text)}`),
    ),
    "dashboard, 30 days": as(adminToken, ["/dashboard?days=30"]),
    "dashboard, 90 days": as(adminToken, ["/dashboard?days=90"]),
    conversation: as(
      adminToken,
      subject.any.map((id) => `/messages/${id}`),
    ),
    "status change": (callers) => moves(subject, callers),
    "card moved, lanes counted": (callers) => cardMoves(subject, laneIds, callers),
    send: (callers) => sends(subject, callers),
    "sign in": (callers) => signIns(subject, callers),
  };
}

/** The same requests for each caller, each starting at another one. */
function spread(requests: readonly LoadRequest[], callers: number): LoadRequest[][] {
  return Array.from({ length: callers }, (_, n) => {
    const from = Math.floor((n * requests.length) / callers);
    return [...requests.slice(from), ...requests.slice(0, from)];
  });
}

/** Tickets of its own for each caller. */
function share(ids: readonly number[], callers: number): readonly (readonly number[])[] {
  return Array.from({ length: callers }, (_, n) => ids.filter((_id, index) => index % callers === n));
}

/** Accept and give back. */
function moves({ adminToken: token, pending }: Subject, callers: number): LoadRequest[][] {
  const to = (id: number, status: string): LoadRequest => ({
    method: "PUT",
    path: `/tickets/${id}`,
    body: JSON.stringify({ status }),
    token,
  });
  return share(pending, callers).map((own) => own.flatMap((id) => [to(id, "open"), to(id, "pending")]));
}

/** Messages that are stored and queued; the bench has no line that sends them. */
function sends({ adminToken: token, open }: Subject, callers: number): LoadRequest[][] {
  const body = JSON.stringify({ body: "Bom dia! O seu pedido já está a caminho e chega amanhã pela manhã." });
  return share(open, callers).map((own) => own.map((id) => ({ method: "POST", path: `/messages/${id}`, body, token })));
}

/** From lane to lane. A move makes the server count the lanes anew. */
function cardMoves({ adminToken: token, pending }: Subject, laneIds: readonly number[], callers: number) {
  const counts: LoadRequest = { method: "GET", path: "/ticket/kanban/counts", token };
  return share(pending, callers).map((own) =>
    own
      .flatMap((id) => laneIds.slice(0, 2).map((laneId) => `/ticket-tags/${id}/${laneId}`))
      .flatMap((path): LoadRequest[] => [{ method: "PUT", path, token }, counts]),
  );
}

/** Each caller from an address of its own, because sign-ins are limited by address. */
function signIns({ company }: Subject, callers: number): LoadRequest[][] {
  return Array.from({ length: callers }, (_, n) => [
    {
      method: "POST" as const,
      path: "/auth/login",
      body: JSON.stringify({ email: `${company.name}${(n % 10) + 10}@example.com`, password }),
      headers: { "x-forwarded-for": `10.0.0.${n + 1}` },
    },
  ]);
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

/** How many conversations a search by the company's admin finds. */
export async function foundBy(url: string, company: SeededCompany): Promise<Count> {
  const headers = { authorization: `Bearer ${await signIn(url, `${company.name}1@example.com`)}` };
  return async (text) => {
    const answer = await fetch(`${url}${searchOf(text)}`, { headers });
    if (!answer.ok) {
      throw new Error(`A search for "${text}" was answered with ${answer.status}`);
    }
    const { count, countIsLowerBound } = (await answer.json()) as { count: number; countIsLowerBound: boolean };
    return countIsLowerBound ? undefined : count;
  };
}

const searchOf = (text: string) => `/tickets?showAll=true&searchParam=${encodeURIComponent(text)}`;

export async function signIn(url: string, email: string): Promise<string> {
  const answer = await fetch(`${url}/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  const { token } = (await answer.json()) as { token: string };
  return token;
}

/** Signs in to a company and looks up tickets to call. */
export async function meet(
  url: string,
  company: SeededCompany,
  { any, texts }: Pick<Subject, "any" | "texts">,
): Promise<Subject> {
  const adminToken = await signIn(url, `${company.name}1@example.com`);
  const agentToken = await signIn(url, `${company.name}2@example.com`);
  const ids = async (status: string) => {
    const pages = await Promise.all(
      [1, 2, 3, 4].map(async (page) => {
        const path = `/tickets?status=${status}&showAll=true&pageNumber=${page}`;
        const answer = await fetch(url + path, { headers: { authorization: `Bearer ${adminToken}` } });
        const { tickets } = (await answer.json()) as { tickets: { id: number }[] };
        return tickets.map(({ id }) => id);
      }),
    );
    return pages.flat();
  };
  await makeLanes(url, adminToken, laneIdsOf(company));
  return { url, company, adminToken, agentToken, any, texts, pending: await ids("pending"), open: await ids("open") };
}
