import { errorStatus, hasPermission, isAdmin, planFlags } from "@prosa/contract";
import type { Access, AnyEndpoint, ErrorCode, PlanFlag, Profile } from "@prosa/contract";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp, TestResponse } from "#server/testing/app.ts";
import { aCompany, aConnection, aQueue, aUser } from "#server/testing/factories.ts";
import type { CompanyOptions, TestUser } from "#server/testing/factories.ts";
import {
  calls,
  endpoints,
  fillForMember,
  fillSample,
  idPathsOf,
  idPlaceholdersOf,
  makeRowsFor,
  send,
} from "#server/testing/rights/calls.ts";
import type { Call, FilledCall } from "#server/testing/rights/calls.ts";
import { makeRow, unownedKinds, sharedKinds } from "#server/testing/rights/rows.ts";
import type { Member } from "#server/testing/rights/rows.ts";
import { samples } from "#server/testing/rights/samples.ts";
import type { Ref } from "#server/testing/rights/samples.ts";

/**
 * Every call of the contract as everybody: the expected result follows from the contract's `access` alone. A new call
 * needs a sample in testing/rights/samples.ts; the first test fails without one.
 */

/** A company with a member of each role. */
interface CompanyWithMembers {
  readonly marker: string;
  readonly agent: Member;
  readonly supervisor: Member;
  readonly admin: Member;
  readonly operator: Member;
}

// Hundreds of calls a test.
vi.setConfig({ testTimeout: 60_000 });

let app: TestApp;
let ours: CompanyWithMembers;
let theirs: CompanyWithMembers;
beforeAll(async () => {
  app = await createTestApp();
  ours = await aCompanyWithMembers("OUR-SECRET");
  theirs = await aCompanyWithMembers("THEIR-SECRET");
});
afterAll(() => app.close());

async function aCompanyWithMembers(marker: string, options: CompanyOptions = {}): Promise<CompanyWithMembers> {
  const company = await aCompany(app, { name: marker, limit: 10_000, isOperator: true, ...options });
  const home = await aQueue(company, { name: `${marker} home` });
  const line = await aConnection(company, { name: `${marker} line`, queueIds: [home.id] });
  const member = (user: TestUser): Member => ({ company, user, homeQueueId: home.id, homeLineId: line.id, marker });
  const worker = async (profile: Profile) =>
    member(await aUser(company, { profile, name: `${marker} ${profile}`, allTicket: true, queues: [home] }));
  return {
    marker,
    agent: await worker("user"),
    supervisor: await worker("supervisor"),
    admin: await worker("admin"),
    operator: member(company.admin),
  };
}

/** The facts about a caller that `access` depends on. */
interface Caller {
  readonly profile: Profile;
  readonly isSuper: boolean;
  readonly isOverdue?: boolean;
  readonly isSwitchedOff?: boolean;
  readonly withoutFlags?: readonly PlanFlag[];
}

const roles = {
  agent: { profile: "user", isSuper: false },
  supervisor: { profile: "supervisor", isSuper: false },
  admin: { profile: "admin", isSuper: false },
  operator: { profile: "admin", isSuper: true },
} as const satisfies Record<string, Caller>;
const roleNames = ["agent", "supervisor", "admin", "operator"] as const;

/** The error for a signed-in caller before their input is validated; undefined if access is allowed. */
function refusalOf({ who, rule, plan, whenOverdue }: Access, caller: Caller): ErrorCode | undefined {
  if (who === "token") {
    return "ERR_NOT_SIGNED_IN";
  }
  const isIn = { public: true, session: true, admin: isAdmin(caller), super: caller.isSuper }[who];
  if (!isIn || (rule !== undefined && !hasPermission(caller, rule))) {
    return "ERR_NO_PERMISSION";
  }
  if (caller.isSwitchedOff) {
    return "ERR_COMPANY_DISABLED";
  }
  // an overdue company's admin may use what is needed to pay
  if (caller.isOverdue && !(whenOverdue && isAdmin(caller))) {
    return "ERR_SUBSCRIPTION_EXPIRED";
  }
  return plan !== undefined && caller.withoutFlags?.includes(plan) ? "ERR_PLAN_WITHOUT_FEATURE" : undefined;
}

/** Some samples need a further permission, or a plan flag. */
function accessOf({ endpoint: { access }, sample: { needs, plan } }: Call): Access {
  const right = needs === "super" ? ({ who: "super" } as const) : needs !== undefined && { rule: needs };
  return { ...access, ...right, ...(plan !== undefined && { plan }) };
}

/** The route checks the contract's access; permissions and plan flags of the sample are checked by the service. */
function refusalFor(call: Call, caller: Caller): ErrorCode | undefined {
  return refusalOf(call.endpoint.access, caller) ?? refusalOf(accessOf(call), { ...caller, isOverdue: false });
}

const isPublic = ({ endpoint }: Call) => endpoint.access.who === "public";
const guarded = calls.filter((call) => !isPublic(call));
/** Without the calls of other software by a connection's token: their feature's own tests have one. */
const ofPeople = guarded.filter(({ endpoint }) => endpoint.access.who !== "token");

/** Calls with another result than the contract's; empty if access is correct. */
async function holesIn(all: readonly Call[], walk: (call: Call) => Promise<readonly (string | undefined)[]>) {
  const holes: string[] = [];
  const left = [...all];
  const walker = async () => {
    for (let call = left.shift(); call; call = left.shift()) {
      const found = await walk(call);
      holes.push(...found.filter((hole) => hole !== undefined));
    }
  };
  await Promise.all(Array.from({ length: 4 }, walker));
  return holes.toSorted();
}

/** Undefined if the response is the expected one, otherwise a description of it. */
function compareResult(
  call: Call,
  answer: TestResponse,
  wanted: ErrorCode | undefined,
  about = "",
): string | undefined {
  const error = (answer.body as { error?: string } | undefined)?.error;
  const isRight =
    wanted === undefined ? answer.status === 200 : answer.status === errorStatus[wanted] && error === wanted;
  return isRight ? undefined : describeHole(call, answer, about);
}

function describeHole({ name }: Call, answer: TestResponse, about: string): string {
  return `${name} ${about}: ${answer.status} ${answer.text.slice(0, 300)}`;
}

test("every call of the contract is served, has a sample, and a sample uses each of its ids (Y-04)", () => {
  const { http } = app.product;
  const addressOf = ({ method, path }: AnyEndpoint) => `${method} ${path}`;
  const known = new Set([...endpoints.values()].map(addressOf));
  expect(http.endpoints.map(addressOf).filter((address) => !known.has(address))).toEqual([]);
  const unserved = [...endpoints.values()].filter(({ method, path }) => !http.fastify.hasRoute({ method, url: path }));
  expect(unserved.map(addressOf)).toEqual([]);

  expect([...endpoints.keys()].filter((name) => !Object.hasOwn(samples, name))).toEqual([]);
  const missing = [...endpoints].flatMap(([name, endpoint]) => {
    const places = [samples[name] ?? []].flat().flatMap(idPlaceholdersOf);
    return idPathsOf(endpoint)
      .filter((path) => !places.some((place) => place.path === path))
      .map((path) => `${name} ${path}`);
  });
  expect(missing).toEqual([]);
});

test("an anonymous caller reaches only public calls; an invalid token gets ERR_SESSION_EXPIRED (A-08)", async () => {
  const stranger = app.as(undefined);
  const invalidToken = { authorization: "Bearer not.a.token" };
  const holes = await holesIn(calls, async (call) => {
    const answer = await send(stranger, call, await fillForMember(call.sample, ours.admin));
    if (isPublic(call)) {
      return [compareResult(call, answer, call.sample.ends)];
    }
    const path = call.endpoint.path.replaceAll(/:\w+/g, "1");
    const late = await (call.endpoint.method === "GET"
      ? stranger.get(path, invalidToken)
      : stranger[verbOf(call)](path, undefined, invalidToken));
    return [
      compareResult(call, answer, "ERR_NOT_SIGNED_IN"),
      compareResult(
        call,
        late,
        call.endpoint.access.who === "token" ? "ERR_NOT_SIGNED_IN" : "ERR_SESSION_EXPIRED",
        "with an invalid token",
      ),
    ];
  });
  expect(holes).toEqual([]);
});

test.each(roleNames)(
  "of their own company, %s may make the calls that the contract allows, and no others (Y-04)",
  async (role) => {
    const member = ours[role];
    const holes = await holesIn(guarded, async (call) => {
      const answer = await send(app.as(member.user), call, await fillForMember(call.sample, member));
      return [
        compareResult(call, answer, refusalFor(call, roles[role]) ?? call.sample.ends),
        answer.text.includes(theirs.marker) && !reachesAll(call, role)
          ? describeHole(call, answer, "shows another company")
          : undefined,
      ];
    });
    expect(holes).toEqual([]);
  },
);

describe.each([
  ["past its due date (A-03, V-05)", "OVERDUE", { dueDate: "2026-01-31" }, { isOverdue: true }],
  ["that is switched off (Y-01, V-05)", "OFF", {}, { isSwitchedOff: true }],
] as const)("in a company %s", (_, marker, options, standing) => {
  test.each(roleNames)("%s may make the calls that the contract allows", async (role) => {
    const made = await aCompanyWithMembers(`${marker} ${role}`, options);
    const filled = new Map<Call, FilledCall>();
    for (const call of guarded) {
      filled.set(call, await fillForMember(call.sample, made[role]));
    }
    if ("isSwitchedOff" in standing) {
      const { id } = made.admin.company;
      await app.db.system.updateTable("companies").set({ is_active: false }).where("id", "=", id).execute();
      app.services.sessions.forgetCompany(id);
    }
    const holes = await holesIn(guarded, async (call) => {
      const answer = await send(app.as(made[role].user), call, filled.get(call) ?? {});
      return [compareResult(call, answer, refusalFor(call, { ...roles[role], ...standing }) ?? call.sample.ends)];
    });
    expect(holes).toEqual([]);
  });
});

test.each([["whose plan has no features (Y-05)", { withoutFlags: planFlags }, { withoutFlags: planFlags }]] as const)(
  "an admin is let in where the contract says, in a company %s",
  async (what, options, standing) => {
    const { admin } = await aCompanyWithMembers(what, options);
    const holes = await holesIn(guarded, async (call) => {
      const refusal = refusalFor(call, { ...roles.admin, ...standing });
      const answer = await send(app.as(admin.user), call, await fillForMember(call.sample, admin));
      return [compareResult(call, answer, refusal ?? call.sample.ends)];
    });
    expect(holes).toEqual([]);
  },
);

describe("another company", () => {
  test.each(roleNames)("%s of another company reaches no row of ours, and changes none (N-06)", async (role) => {
    const { user } = theirs[role];
    const filled = new Map<Call, FilledCall>();
    for (const call of guarded) {
      filled.set(call, await fillForMember(call.sample, ours.admin));
    }
    const before = await everythingOf(ours);
    const holes = await holesIn(guarded, async (call) => {
      const answer = await send(app.as(user), call, filled.get(call) ?? {});
      const isNamed = idPlaceholdersOf(call.sample).some(({ ref }) => !ref.isFilter && !unownedKinds.has(ref.kind));
      // Who has a session has no token of a connection.
      const refusals = call.endpoint.access.who === "token" ? [401] : [403, 404];
      const isKept = refusals.includes(answer.status) || reachesAll(call, role);
      return [
        isNamed && !isKept ? describeHole(call, answer, "reaches us") : undefined,
        answer.status >= 500 && call.sample.ends === undefined ? describeHole(call, answer, "broke") : undefined,
        !isKept && answer.text.includes(ours.marker) ? describeHole(call, answer, "shows us") : undefined,
      ];
    });
    expect(holes).toEqual([]);
    expect(await everythingOf(ours)).toEqual(before);
  });

  test("a call with one id of another company answers 404, and changes nothing there (N-06)", async () => {
    const foreign = new Map<Ref, unknown>();
    for (const { ref } of ofPeople.flatMap(({ sample }) => idPlaceholdersOf(sample))) {
      foreign.set(ref, (await makeRow[ref.kind](theirs.admin))[ref.field] ?? 1);
    }
    const before = await everythingOf(theirs);
    const holes = await holesIn(ofPeople, async (call) => {
      const found: (string | undefined)[] = [];
      const rows = await makeRowsFor(call.sample, ours.admin);
      for (const { path, ref } of idPlaceholdersOf(call.sample)) {
        if (ref.kind === "name" || sharedKinds.has(ref.kind)) {
          continue;
        }
        const value = foreign.get(ref);
        const answer = await send(app.as(masterOf(call).user), call, fillSample(call.sample, rows, { path, value }));
        const isRight = ref.isFilter ? answer.status < 500 : answer.status === 404 || isRefused(answer, path);
        found.push(
          isRight ? undefined : describeHole(call, answer, `${path} = ${JSON.stringify(value)}`),
          answer.text.includes(theirs.marker) ? describeHole(call, answer, "shows them") : undefined,
        );
      }
      return found;
    });
    expect(holes).toEqual([]);
    expect(await everythingOf(theirs)).toEqual(before);
  });
});

test("impossible ids are answered with 400 or 404, never 500 (E-03)", async () => {
  // What means none in a body (decision 0150) may succeed, so it comes last.
  const empties: unknown[] = [0, -1, ""];
  const odd = [1.5, 2_147_483_647, 2 ** 31, 2 ** 53, 1e300, "abc", "1 or 1=1", "\u0000", [], {}, ...empties];
  const holes = await holesIn(ofPeople, async (call) => {
    const found: (string | undefined)[] = [];
    // One person uploads more here than anybody does in a minute.
    await sql`delete from rate_limits`.execute(app.db.system);
    for (const { path, ref } of idPlaceholdersOf(call.sample)) {
      const rows = await makeRowsFor(call.sample, ours.admin);
      // Without its last part a path may be that of a list.
      const values = path.startsWith("params.") ? odd.filter((value) => String(value) !== "") : odd;
      for (const value of ref.kind === "name" ? [] : values) {
        const answer = await send(app.as(masterOf(call).user), call, fillSample(call.sample, rows, { path, value }));
        const mayMeanNone = !path.startsWith("params.") && empties.includes(value) && answer.status < 500;
        const isRefused = [400, 404].includes(answer.status) || (ref.isFilter && answer.status === 200);
        found.push(
          isRefused || mayMeanNone ? undefined : describeHole(call, answer, `${path} = ${JSON.stringify(value)}`),
        );
      }
    }
    return found;
  });
  expect(holes).toEqual([]);
});

/** The operator may reach every company and its plan. */
function reachesAll({ sample }: Call, role: string): boolean {
  return sample.operatorReaches === true && role === "operator";
}

/** Members of our company that may make the call. */
function masterOf(call: Call): Member {
  return accessOf(call).who === "super" ? ours.operator : ours.admin;
}

/** The alternative to 404 for an unknown id: 400 that names the field. */
function isRefused({ status, body }: TestResponse, path: string): boolean {
  const { details } = body as { details?: { fields?: Record<string, string> } };
  return status === 400 && Object.hasOwn(details?.fields ?? {}, path.split(".").at(-1) ?? "");
}

function verbOf({ endpoint }: Call): "post" | "put" | "delete" {
  return endpoint.method.toLowerCase() as "post" | "put" | "delete";
}

/** A hash of all rows of a company, by table. Without sessions, which sign-ins change. */
async function everythingOf({ admin }: CompanyWithMembers): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: app.database.url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name = 'company_id' and table_name not in ('sessions', 'event_log')`,
    );
    const prints: Record<string, string> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ print: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as print
         from ${name} t where company_id = $1`,
        [admin.company.id],
      );
      prints[name] = rows[0]?.print ?? "";
    }
    return prints;
  } finally {
    await client.end();
  }
}
