/**
 * The first chat on an installation, over HTTP alone: sign in, link a line of the simulator, let a customer write, accept, answer, and
 * see the answer on the customer's phone. Every way of installing is tried with it, so it needs nothing of the installation.
 *
 *   node scripts/install-trials/first-chat.ts http://localhost:8080 --email admin@prosa.demo --password prosa123
 *   node scripts/install-trials/first-chat.ts URL --code CODE --email … --password …     makes the operator by the first page
 *   node scripts/install-trials/first-chat.ts URL … --sign-in-only                       in production, which has no simulator
 */
import { parseArgs } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";

const READY_WITHIN_MS = 180_000;
const STEP_WITHIN_MS = 30_000;

interface Answer {
  readonly [name: string]: unknown;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    email: { type: "string", default: "admin@prosa.demo" },
    password: { type: "string", default: "prosa123" },
    code: { type: "string" },
    "sign-in-only": { type: "boolean", default: false },
  },
});
const url = (positionals[0] ?? "http://localhost:8080").replace(/\/$/u, "");
const startedAt = performance.now();
let token: string | undefined;

await until("the server is ready", async () => (await fetch(`${url}/ready`)).ok, READY_WITHIN_MS);
await seeWebApp();
if (values.code !== undefined) {
  await makeOperator(values.code);
}
const userId = await signIn();
if (!values["sign-in-only"]) {
  await chat(await linkedLine());
}

/** The page, and the scripts and styles that it names. */
async function seeWebApp(): Promise<void> {
  const page = await (await fetch(url, { headers: { accept: "text/html" } })).text();
  const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/gu)].map(([, path]) => path!);
  assert(files.length > 0, `no scripts in the page:\n${page.slice(0, 500)}`);
  for (const path of files) {
    const { status } = await fetch(`${url}${path}`);
    assert(status === 200, `${path}: ${status}`);
  }
  say(`the web app comes, with ${files.length} files`);
}

async function makeOperator(code: string): Promise<void> {
  const { email, password } = values;
  const { company } = (await call("GET", "/setup")) as { company: string };
  await call("POST", "/setup", { code, email, password, company, name: "Operadora" });
  const again = await send("GET", "/setup");
  assert(again.status === 404, `/setup answers ${again.status} after the operator was made`);
  say("the operator is made by the code that the server printed, and the first page is gone");
}

async function signIn(): Promise<number> {
  const { email, password } = values;
  const wrong = await send("POST", "/auth/login", { email, password: `${password}x` });
  assert(wrong.status === 401, `a wrong password is answered ${wrong.status}`);
  const signedIn = (await call("POST", "/auth/login", { email, password })) as { token: string; user: { id: number } };
  ({ token } = signedIn);
  say(`signed in as ${email}`);
  return signedIn.user.id;
}

/** A new line of the simulator, linked by its own phone: a demo's lines have queues and bots, which would answer first. */
async function linkedLine(): Promise<number> {
  const name = `Trial ${Date.now()}`;
  const { id } = (await call("POST", "/whatsapp", { name, provider: "simulator" })) as { id: number };
  const statusIs = (wanted: string) => async () => (await call("GET", `/whatsapp/${id}`))["status"] === wanted;
  await until("the line shows its QR", statusIs("qrcode"));
  await call("POST", `/simulator/${id}/scan`, {});
  await until("the line is connected", statusIs("CONNECTED"));
  say("a line is linked");
  return id;
}

async function chat(line: number): Promise<void> {
  const name = `Marina ${Date.now()}`;
  const { number } = (await call("POST", `/simulator/${line}/people`, { name })) as { number: string };
  await call("POST", `/simulator/${line}/people/${number}/messages`, { body: "Oi! Vocês abrem hoje?" });

  let ticket: { readonly id: number } | undefined;
  await until("the customer's message is among those that wait", async () => {
    const search = new URLSearchParams({ status: "pending", showAll: "true", searchParam: name });
    const { tickets } = (await call("GET", `/tickets?${search}`)) as { tickets: { id: number }[] };
    [ticket] = tickets;
    return ticket !== undefined;
  });
  await call("PUT", `/tickets/${ticket!.id}`, { status: "open", userId });
  const { messages } = (await call("GET", `/messages/${ticket!.id}`)) as { messages: { body: string }[] };
  assert(
    messages.some(({ body }) => body.startsWith("Oi!")),
    "the conversation lacks the customer's message",
  );

  const answer = "Abrimos, sim: até as 18h.";
  await call("POST", `/messages/${ticket!.id}`, { body: answer });
  await until("the answer is on the customer's phone, once", async () => {
    const seen = (await call("GET", `/simulator/${line}/people/${number}/messages`)) as unknown as { text: string }[];
    return seen.filter(({ text }) => text.includes(answer)).length === 1;
  });
  say("a customer wrote, an agent accepted and answered, and the answer arrived");
}

async function call(method: string, path: string, body?: object): Promise<Answer> {
  const answer = await send(method, path, body);
  const text = await answer.text();
  assert(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as Answer;
}

function send(method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
}

async function until(what: string, holds: () => Promise<boolean>, withinMs = STEP_WITHIN_MS): Promise<void> {
  const end = performance.now() + withinMs;
  let problem: unknown;
  while (performance.now() < end) {
    try {
      if (await holds()) {
        return;
      }
      problem = undefined;
    } catch (error) {
      problem = error;
    }
    await sleep(200);
  }
  fail(`not within ${withinMs / 1000} s: ${what}${problem === undefined ? "" : ` (${String(problem)})`}`);
}

function assert(holds: boolean, problem: string): asserts holds {
  if (!holds) {
    fail(problem);
  }
}

function fail(problem: string): never {
  console.error(`first chat: ${problem}`);
  process.exit(1);
}

function say(what: string): void {
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${what}`);
}
