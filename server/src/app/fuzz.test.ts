import { errorStatus } from "@prosa/contract";
import type { Profile } from "@prosa/contract";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aConnection, aQueue, aUser } from "#server/testing/factories.ts";
import type { TestUser } from "#server/testing/factories.ts";
import { createRequestSender } from "#server/testing/fuzz/request-sender.ts";
import { fuzzRequestsTo, undocumentedRequests, targetsOf } from "#server/testing/fuzz/requests.ts";
import type { Document, KnownInput, FuzzRequest, Target } from "#server/testing/fuzz/requests.ts";
import { calls, fillForMember } from "#server/testing/rights/calls.ts";
import type { Call } from "#server/testing/rights/calls.ts";
import type { Member } from "#server/testing/rights/rows.ts";

/**
 * Every call of the OpenAPI document as everybody, with odd input: no response may be a 500. The short form has a fixed
 * seed; `npm run fuzz` draws a seed, prints it, and takes these settings:
 *
 *   npm run fuzz -- --runs 200 --seed 42 --only ticketsUpdate --as admin
 */
const settings = {
  runs: Number(process.env["FUZZ_RUNS"] ?? 2),
  seed: Number(process.env["FUZZ_SEED"] ?? 1),
  only: process.env["FUZZ_ONLY"],
  as: process.env["FUZZ_AS"],
};

vi.setConfig({ testTimeout: 24 * 3_600_000 });

const roles = ["stranger", "agent", "supervisor", "admin", "operator"] as const;
type Role = (typeof roles)[number];

let app: TestApp;
let document: Document;
let sender: ReturnType<typeof createRequestSender>;
/** Number of responses by status. */
const answers = new Map<number, number>();
beforeAll(async () => {
  app = await createTestApp({ env: { TRUST_PROXY: "on" } });
  document = (await app.as(undefined).get<Document>("/docs/json")).body;
  sender = createRequestSender(await app.listen());
});
afterAll(async () => {
  const counts = [...answers].toSorted(([a], [b]) => a - b).map(([status, many]) => `${status}: ${many}`);
  process.stdout.write(`Answers by status: ${counts.join(", ")}\n`);
  sender.close();
  await app.close();
});

/** A company that requests may destroy, the caller included. */
async function aDisposableMember(role: Role): Promise<Member> {
  const company = await aCompany(app, { limit: 100_000, isOperator: role === "operator" });
  const home = await aQueue(company);
  const line = await aConnection(company, { queueIds: [home.id] });
  const member = (user: TestUser): Member => ({
    company,
    user,
    homeQueueId: home.id,
    homeLineId: line.id,
    marker: company.name,
  });
  const profiles: Partial<Record<Role, Profile>> = { agent: "user", supervisor: "supervisor", admin: "admin" };
  const profile = profiles[role];
  return member(profile ? await aUser(company, { profile, allTicket: true, queues: [home] }) : company.admin);
}

const isAlive = async ({ user }: Member) => (await app.as(user).get("/tags/list")).status === 200;

/** The call of the contract with its samples. */
function callOf({ operation }: Target): Call {
  const idOf = ({ name }: Call) => name.replace(/\.(\w)/u, (_, first: string) => first.toUpperCase());
  const found = calls.find((call) => idOf(call) === operation.operationId);
  if (!found) {
    throw new Error(`No sample for ${operation.operationId}`);
  }
  return found;
}

async function knownInputOf({ endpoint, sample }: Call, target: Target, member: Member): Promise<KnownInput> {
  const filled = await fillForMember(sample, member);
  const names = [...endpoint.path.matchAll(/:(\w+)/gu)].map(([, name = ""]) => name);
  const values = (filled.params ?? {}) as Record<string, unknown>;
  const path = target.operation.parameters
    .filter((each) => each.in === "path")
    .map(({ name }, at) => [name, values[names[at] ?? name]]);
  return {
    path: Object.fromEntries(path) as Record<string, unknown>,
    query: (filled.query ?? {}) as Record<string, unknown>,
    body: (filled.body ?? {}) as Record<string, unknown>,
  };
}

interface Finding {
  readonly call: string;
  readonly as: Role;
  readonly seed: number;
  readonly answer: string;
  readonly request: FuzzRequest;
}

async function fuzz(target: Target, role: Role, member: Member): Promise<Finding | undefined> {
  const call = callOf(target);
  const knownInput = await knownInputOf(call, target, member);
  const { ends } = call.sample;
  const foreseen = ends === undefined ? 0 : errorStatus[ends];
  const token = role === "stranger" ? undefined : await app.services.tokens.issue(member.user);
  let answer = "";

  const outcome = await fc.check(
    fc.asyncProperty(fuzzRequestsTo(document, target, knownInput), async (request) => {
      const { status, text } = await sender.send(request, token);
      answers.set(status, (answers.get(status) ?? 0) + 1);
      const isFound = status === 0 || (status >= 500 && status !== foreseen);
      answer = isFound ? `${status} ${text}` : answer;
      return !isFound;
    }),
    { seed: settings.seed, numRuns: settings.runs, interruptAfterTimeLimit: 120_000 },
  );
  const [request] = outcome.counterexample ?? [];
  return request && { call: target.operation.operationId, as: role, seed: settings.seed, answer, request };
}

test.each(roles.filter((role) => settings.as === undefined || role === settings.as))(
  "whatever %s sends to any call, no answer is a 500 (V-05)",
  async (role) => {
    const left = targetsOf(document).filter(
      ({ operation }) => settings.only === undefined || operation.operationId === settings.only,
    );
    expect(left).not.toEqual([]);
    const findings: Finding[] = [];
    const worker = async () => {
      let member = await aDisposableMember(role);
      for (let target = left.shift(); target; target = left.shift()) {
        member = (await isAlive(member)) ? member : await aDisposableMember(role);
        await sql`delete from rate_limits`.execute(app.db.system);
        const found = await fuzz(target, role, member);
        findings.push(...(found ? [found] : []));
      }
    };
    await Promise.all(Array.from({ length: 3 }, worker));
    expect(findings, `Again: npm run fuzz -- --seed ${settings.seed} --runs ${settings.runs}`).toEqual([]);
  },
);

test("requests to paths outside the API are never answered with 500 (V-05)", async () => {
  const token = await app.services.tokens.issue((await aDisposableMember("operator")).user);
  let answer = "";
  const outcome = await fc.check(
    fc.asyncProperty(undocumentedRequests(), fc.boolean(), async (request, isSignedIn) => {
      const { status, text } = await sender.send(request, isSignedIn ? token : undefined);
      answers.set(status, (answers.get(status) ?? 0) + 1);
      const isFound = status === 0 || status >= 500;
      answer = isFound ? `${status} ${text}` : answer;
      return !isFound;
    }),
    { seed: settings.seed, numRuns: settings.runs * 100 },
  );
  expect({ request: outcome.counterexample, answer }).toEqual({ request: null, answer: "" });
});
