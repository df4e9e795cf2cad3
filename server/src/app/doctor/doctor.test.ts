import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "#server/platform/config/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import { aCompany } from "#server/testing/factories.ts";
import { doctor } from "@prosa/contract";
import type { Finding } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";
import { doctorMessages } from "./doctor.i18n.ts";
import type { DoctorWord } from "./doctor.i18n.ts";
import { good, worded } from "./finding.ts";
import { examine } from "./index.ts";
import { lookAtAddress } from "./look-at-address.ts";
import { lookAtDatabase } from "./look-at-database.ts";
import { lookAtMachine } from "./look-at-machine.ts";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "prosa-doctor-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

test("a healthy installation has a line for each thing, and its socket comes through (E-03)", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  const url = await app.listen();
  const backups = await folder();
  await writeFile(join(backups, "prosa-20260301-041000.tar.zst"), "");
  const config = readConfig({
    DATA_DIR: await folder(),
    PUBLIC_URL: url,
    PORT: new URL(url).port,
    BACKUP_DIR: backups,
  });
  const findings = await examine(config, app.db);
  const states = Object.fromEntries(findings.map(({ subject, state }) => [subject, state]));
  expect(states).toEqual({
    ...Object.fromEntries(
      [
        "database",
        "database text",
        "clocks",
        "connections",
        "stopped jobs",
        "waiting jobs",
        "lines",
        "disk",
        "files",
        "port",
      ].map((subject) => [subject, "good"]),
    ),
    ...{ address: "good", sockets: "good", backup: "good" },
    email: "doubtful",
  });
  expect(findings.find(({ subject }) => subject === "port")?.found).toBe(`Prosa answers on ${config.port}`);
});

test("what is wrong is named with what to do: a proxy without sockets, a taken port, dead and late jobs, an old backup (E-03)", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  await sql`insert into jobs (task, payload, run_at, max_attempts, state, died_at, created_at) values
    ('gone', '{}', now(), 1, 'dead', now(), now()),
    ('late', '{}', now() - interval '1 hour', 1, 'live', null, now() - interval '2 hours'),
    ('new', '{}', now() - interval '9 days', 1, 'live', null, now())`.execute(app.db.system);
  // Answers every path, and passes no upgrade on.
  const proxy = createServer((_, response) => response.writeHead(404).end()).listen(0, "127.0.0.1");
  onTestFinished(() => void proxy.close());
  await new Promise((resolve) => proxy.once("listening", resolve));
  const { port } = proxy.address() as AddressInfo;
  const backups = await folder();
  const old = join(backups, "prosa-20200101-041000.tar.zst");
  await writeFile(old, "");
  await utimes(old, new Date("2020-01-01"), new Date("2020-01-01"));
  const config = readConfig({
    DATA_DIR: await folder(),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    HOST: "127.0.0.1",
    PORT: String(port),
    BACKUP_DIR: backups,
    SMTP_URL: "smtp://127.0.0.1:1",
  });
  const findings = await examine(config, app.db);
  const wrong = findings.filter(({ state }) => state !== "good");
  expect(wrong.map(({ subject, state }) => `${subject}: ${state}`).toSorted()).toEqual([
    "address: bad",
    "backup: bad",
    "email: bad",
    "port: bad",
    "sockets: bad",
    "stopped jobs: doubtful",
    "waiting jobs: doubtful",
  ]);
  expect(wrong.filter(({ remedy }) => remedy === undefined)).toEqual([]);
  expect(wrong.find(({ subject }) => subject === "port")?.found).toBe(`another program has taken ${port}`);
});

test("states of lines, free space and the place of files are told in the operator's language (E-03, S-08)", async () => {
  const app = await createTestApp({ closeAfterTest: true });
  const company = await aCompany(app);
  for (const [index, status] of ["CONNECTED", "DISCONNECTED", "DISCONNECTED", "qrcode"].entries()) {
    await sql`insert into connections (company_id, name, status) values (${company.id}, ${`Linha ${index}`}, ${status})`.execute(
      app.db.system,
    );
  }
  const dataDir = await folder();
  const config = readConfig({ DATA_DIR: dataDir });
  const seen = [...(await lookAtDatabase(app.db, config)), ...(await lookAtMachine(config, true))];
  const told = (language: Language, subject: DoctorWord) =>
    worded(
      seen.find((each) => each.subject === subject)!,
      language,
    );
  expect(told("pt", "sLines")).toMatchObject({
    found: "1 conectada, 2 desconectadas, 1 aguardando a leitura do QR",
    remedy: expect.stringContaining("uma desconectada precisa ser conectada de novo"),
  });
  expect(told("en", "sLines").found).toBe("1 connected, 2 disconnected, 1 waiting for the QR to be scanned");
  expect(told("es", "sLines").found).toBe("1 conectada, 2 desconectadas, 1 esperando el escaneo del QR");
  expect(told("pt", "sFiles").found).toBe(`pasta ${join(dataDir, "files")}`);
  expect(worded(good("sDisk", "disk", { free: 77.5 }), "pt").found).toBe("77,5 GB livres em DATA_DIR");
  expect(told("pt", "sDisk").found).toMatch(/^[\d.]+(,\d)? GB livres em DATA_DIR$/u);
});

test("an https address without TRUST_PROXY is doubtful: everybody would have the proxy's address (E-03)", async () => {
  const doubts = async (env: Record<string, string>) => {
    const seen = await lookAtAddress(readConfig({ PUBLIC_URL: "https://127.0.0.1:1", ...env }));
    return seen.filter(({ state }) => state === "doubtful").map(({ found }) => found);
  };
  expect(await doubts({})).toEqual(["proxyUnknown"]);
  expect(await doubts({ TRUST_PROXY: "loopback" })).toEqual([]);
  expect(await doubts({ PUBLIC_URL: "http://127.0.0.1:1" })).toEqual([]);
});

test("the operator sees the same in the browser, in their language and without secrets, and has a mail sent to themselves (E-03)", async () => {
  const app = await createTestApp({
    closeAfterTest: true,
    env: { SMTP_URL: "smtp://mailer:hunter2secret@127.0.0.1:1", ROLES: "http,realtime" },
  });
  const operator = await aCompany(app, { isOperator: true });
  const other = await aCompany(app);
  // waits for its line, and is no sign of a missing worker
  await sql`insert into jobs (task, payload, run_at, created_at, affinity, max_attempts)
    values ('messages.send', '{}', now() - interval '1 day', now() - interval '1 day', 'line:1', 5)`.execute(
    app.db.system,
  );
  const read = (language: string) =>
    app.as(operator.admin).get<{ findings: Finding[]; publicUrl: string | null; at: string }>(doctor.examine.path, {
      "accept-language": language,
    });
  const { status, body, text } = await read("pt-BR");
  expect([status, body.publicUrl]).toEqual([200, null]);
  expect(text).not.toContain("hunter2");
  expect(text).not.toContain("mailer");
  const of = (findings: readonly Finding[], subject: string) => findings.find((each) => each.subject === subject);
  expect(of(body.findings, "processos")).toMatchObject({
    state: "bad",
    found: expect.stringContaining("worker, lines"),
  });
  expect(of(body.findings, "e-mail")).toMatchObject({ state: "bad", remedy: expect.any(String) });
  expect(of(body.findings, "tempo real")).toMatchObject({ state: "good", found: "0 ms de atraso" });
  expect(of(body.findings, "armazenamento")).toMatchObject({ state: "good" });
  // no port: who asks stands on it
  expect(of(body.findings, "porta")).toBeUndefined();
  const english = (await read("en")).body.findings;
  expect(english.map(({ state }) => state)).toEqual(body.findings.map(({ state }) => state));
  expect(of(english, "waiting jobs")?.found).toBe("none is late");
  // every word has its values
  expect(JSON.stringify([body.findings, english])).not.toMatch(/\{\w+\}/u);
  expect(Object.keys(doctorMessages.pt).filter((key) => key.endsWith("Do") && !(key in doctorMessages.es))).toEqual([]);

  expect((await app.as(operator.admin).post("/doctor/mail")).status).toBe(200);
  const { rows } = await sql<{ payload: { to: string } }>`select payload from jobs where task = 'mail.send'`.execute(
    app.db.system,
  );
  expect(rows).toHaveLength(1);
  for (const caller of [undefined, other.admin]) {
    const expected = caller === undefined ? 401 : 403;
    expect((await app.as(caller).get(doctor.examine.path)).status).toBe(expected);
    expect((await app.as(caller).post("/doctor/mail")).status).toBe(expected);
  }
});
