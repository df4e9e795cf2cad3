import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { readConfig } from "#server/platform/config/index.ts";
import { NoRetry } from "#server/platform/jobs/index.ts";
import { createTestApp } from "#server/testing/app.ts";
import { sendMail, sendSealedMail } from "./mail.ts";
import { openMail } from "./transports.ts";

const mail = { to: "ana@example.com", subject: "Seu código", text: "O código é 123456." };

test("a mail leaves after its transaction, as a file where no server is set", async () => {
  const app = await createTestApp({ features: [], closeAfterTest: true });
  const outbox = join(app.services.config.dataDir, "outbox");
  await expect(
    app.database.inCompany(1, async (ctx) => {
      sendMail(ctx, { ...mail, to: "nobody@example.com" });
      throw new Error("rolled back");
    }),
  ).rejects.toThrow("rolled back");
  await app.database.inCompany(1, async (ctx) => sendMail(ctx, mail));
  await app.settle();

  const files = await readdir(outbox);
  expect(files).toHaveLength(1);
  const text = await readFile(join(outbox, files[0] ?? ""), "utf8");
  expect(text).toMatch(/^To: ana@example\.com$/m);
  expect(text).toMatch(/^From: Prosa <prosa@localhost>$/m);
});

test("a mail with a secret is sealed in its job, and sent as it was written", async () => {
  const app = await createTestApp({ features: [], closeAfterTest: true });
  await app.database.inCompany(1, async (ctx) => sendSealedMail(ctx, app.services.vault, mail));
  const { rows } = await sql<{ payload: unknown }>`select payload from jobs`.execute(app.db.system);
  expect(JSON.stringify(rows)).not.toContain("123456");
  await app.settle();
  const [file = ""] = await readdir(join(app.services.config.dataDir, "outbox"));
  const text = await readFile(join(app.services.config.dataDir, "outbox", file), "utf8");
  expect(text).toMatch(/^Subject: =\?UTF-8\?/m);
  expect(text).toContain("123456");
});

/** An SMTP server that accepts every mail, or answers RCPT with this. */
async function aMailServer({ port = 0, recipient = "250 ok" } = {}) {
  const heard: string[] = [];
  const server = createServer((socket) => {
    let isData = false;
    socket.write("220 test\r\n");
    socket.on("data", (chunk) => {
      for (const line of chunk
        .toString()
        .split("\r\n")
        .filter((each) => each !== "")) {
        heard.push(line);
        if (isData && line !== ".") {
          continue;
        }
        isData = line === "DATA";
        const answer = isData ? "354 go on" : line === "QUIT" ? "221 bye" : "250 ok";
        socket.write(`${line.startsWith("RCPT") ? recipient : answer}\r\n`);
      }
    });
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const close = () => new Promise((resolve) => server.close(resolve));
  onTestFinished(() => void close());
  return { heard, port: (server.address() as AddressInfo).port, close };
}

async function transportTo(port: number) {
  const folder = await mkdtemp(join(tmpdir(), "prosa-mail-"));
  const settings = { DATA_DIR: folder, SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "Desk <desk@example.com>" };
  const transport = openMail(readConfig(settings));
  onTestFinished(async () => {
    transport.close();
    await rm(folder, { recursive: true });
  });
  return transport;
}

test("SMTP is spoken where a server is set", async () => {
  const { heard, port } = await aMailServer();
  await (await transportTo(port)).send(mail, "job-7");
  expect(heard).toContain("RCPT TO:<ana@example.com>");
  expect(heard).toContain("Message-ID: <job-7@example.com>");
});

test("line breaks in a subject, as in a company's name, make no header", async () => {
  const { heard, port } = await aMailServer();
  await (await transportTo(port)).send({ ...mail, subject: "Convite\r\nBcc: eve@example.com\r\n\r\nbody" }, "job-7");
  expect(heard).toContain("Subject: Convite Bcc: eve@example.com  body");
  expect(heard.filter((line) => line.startsWith("RCPT"))).toHaveLength(1);
});

test("a mail arrives after an hour in which its server was away (A-10)", async () => {
  const clock = createMovedClock();
  const { port, close } = await aMailServer();
  await close();
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}` };
  const app = await createTestApp({ features: [], clock, env, closeAfterTest: true });
  await app.database.inCompany(1, async (ctx) => sendMail(ctx, mail));
  for (let minutes = 0; minutes < 60; minutes += 5) {
    await app.settle();
    clock.advance({ minutes: 5 });
  }

  const { heard } = await aMailServer({ port });
  clock.advance({ minutes: 30 });
  await app.settle();
  expect(heard).toContain("RCPT TO:<ana@example.com>");
});

test.each([
  ["550 no such user", true],
  ["452 mailbox full", false],
])("a recipient who is refused with %s: not tried again is %s", async (recipient, isForGood) => {
  const { port } = await aMailServer({ recipient });
  const failure = await (await transportTo(port)).send(mail, "job-8").catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(failure instanceof NoRetry).toBe(isForGood);
});
