/**
 * The first chat on an installation, over HTTP alone: sign in, link a line of the simulator, let a customer write, accept, answer, and
 * see the answer on the customer's phone. Every way of installing is tried with it, so it needs nothing of the installation.
 *
 *   node scripts/install-trials/first-chat.ts http://localhost:8080 --email admin@prosa.demo --password prosa123
 *   node scripts/install-trials/first-chat.ts URL --code CODE --email … --password …     makes the operator by the first page
 *   node scripts/install-trials/first-chat.ts URL … --sign-in-only                       in production, which has no simulator
 *   node scripts/install-trials/first-chat.ts URL … --from 172.30.0.1                    as which address the server must know us
 *   node scripts/install-trials/first-chat.ts URL … --forwarded "10.6.6.6, 10.0.0.7"     what a proxy would say in X-Forwarded-For
 *   node scripts/install-trials/first-chat.ts URL … --again                              after a kill: what was there before is there
 */
import { createHash, randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";

const READY_WITHIN_MS = 180_000;
const STEP_WITHIN_MS = 30_000;
const LIST = "Lista do teste";
const ANSWER = "Abrimos, sim: até as 18h.";

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
    from: { type: "string" },
    forwarded: { type: "string" },
    again: { type: "boolean", default: false },
    /** Of the process that speaks with the phones, where they are behind another address than the pages. */
    phones: { type: "string" },
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
if (values.from !== undefined) {
  await seenAs(values.from);
}
if (values.again) {
  await keptFile();
}
const live = await openSocket();
await largeFile();
if (!values["sign-in-only"]) {
  if (values.again) {
    await keptChat();
  }
  await chat(await linkedLine());
}
live.close();

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

/** The audit log has the address that the server saw: behind a proxy ours, not the proxy's. */
async function seenAs(address: string): Promise<void> {
  const { records } = (await call("GET", "/audit?action=session.signed-in")) as { records: { address: string }[] };
  assert(records[0]?.address === address, `the server saw ${records[0]?.address}, not ${address}`);
  say(`the server knows us as ${address}`);
}

/** A WebSocket that stays open, over which a change is told; without the library of the browsers, so that a 101 is all that can open it. */
async function openSocket(): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace(/^http/u, "ws")}/socket.io/?EIO=4&transport=websocket`);
  const packets: string[] = [];
  socket.addEventListener("message", ({ data }) => {
    const packet = String(data);
    packets.push(packet);
    if (packet.startsWith("0")) {
      socket.send(`40${JSON.stringify({ token })}`);
    } else if (packet === "2") {
      socket.send("3");
    }
  });
  await until("the WebSocket is let in", async () => packets.some((packet) => packet.startsWith("40")));
  const name = `Etiqueta ${Date.now()}`;
  await call("POST", "/tags", { name, color: "#2576d2" });
  await until("a change is told over the WebSocket", async () => packets.some((packet) => packet.includes(name)));
  say("a WebSocket is open, and a change came over it");
  return socket;
}

/** 60 MB, a little less than a person may upload, and back again. */
async function largeFile(): Promise<void> {
  const bytes = Buffer.concat([Buffer.from("%PDF-1.4\n"), randomBytes(60 * 1024 * 1024)]);
  const digest = createHash("sha256").update(bytes).digest("hex");
  const { id } = (await call("POST", "/files", { name: LIST, message: digest, options: [{ name: "Manual" }] })) as {
    id: number;
  };
  const form = new FormData();
  form.append("name", "Manual");
  form.append("files", new File([bytes], "manual.pdf"));
  const sent = await fetch(`${url}/files/uploadList/${id}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  assert(sent.ok, `the upload is answered ${sent.status} ${await sent.clone().text()}`);
  await keptFile();
  say("a file of 60 MB went up and came back");
}

/** The message of the list is the digest of its file. */
async function keptFile(): Promise<void> {
  const { files } = (await call("GET", `/files?${new URLSearchParams({ searchParam: LIST })}`)) as {
    files: { message: string; options: { path: string }[] }[];
  };
  const [list] = files;
  const answer = await fetch(new URL(list?.options[0]?.path ?? "", url));
  const digest = createHash("sha256").update(Buffer.from(await answer.arrayBuffer()));
  assert(digest.digest("hex") === list?.message, `the file that was stored comes back otherwise (${answer.status})`);
}

async function keptChat(): Promise<void> {
  const search = new URLSearchParams({ status: "open", showAll: "true", searchParam: "Marina" });
  const { tickets } = (await call("GET", `/tickets?${search}`)) as { tickets: { id: number }[] };
  assert(tickets.length > 0, "the conversation of before is gone");
  const { messages } = (await call("GET", `/messages/${tickets[0]!.id}`)) as { messages: { body: string }[] };
  assert(
    messages.some(({ body }) => body.includes(ANSWER)),
    "the answer of before is gone",
  );
  say("the conversation of before is there");
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

  await call("POST", `/messages/${ticket!.id}`, { body: ANSWER });
  await until("the answer is on the customer's phone, once", async () => {
    const seen = (await call("GET", `/simulator/${line}/people/${number}/messages`)) as unknown as { text: string }[];
    return seen.filter(({ text }) => text.includes(ANSWER)).length === 1;
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
  const base = path.startsWith("/simulator/") ? (values.phones ?? url) : url;
  return fetch(`${base}${path}`, {
    method,
    headers: {
      ...(values.forwarded !== undefined && { "x-forwarded-for": values.forwarded }),
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
