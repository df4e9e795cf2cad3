import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { pino } from "pino";
import { expect, inject, onTestFinished, test } from "vitest";
import { testLog } from "#server/testing/database.ts";
import { inDatabase, onServer } from "#server/testing/server.ts";
import { ConfigError } from "../config/index.ts";
import { awaitServer, versionProblem } from "./await-server.ts";

test.each([
  [90_624, "is PostgreSQL 9.6; Prosa needs 15 or newer"],
  [140_012, "is PostgreSQL 14.12; Prosa needs 15 or newer"],
  [150_000, undefined],
  [180_004, undefined],
])("a server of version %i: %s", (version, problem) => {
  expect(versionProblem(version)).toBe(problem);
});

test("a server that is too old is an error at once", async () => {
  const old = await listen(fakePostgres(140_012));
  await expect(attempt(`postgres://prosa@127.0.0.1:${old}/prosa`)).rejects.toThrow(
    `DATABASE_URL: the server at 127.0.0.1:${old} is PostgreSQL 14.12; Prosa needs 15 or newer`,
  );
});

test("an unreachable server is retried with growing delays and then an error", async () => {
  const port = await freePort();
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  await expect(attempt(`postgres://prosa@127.0.0.1:${port}/prosa`, pause)).rejects.toThrow(
    new ConfigError(`DATABASE_URL: no database answers at 127.0.0.1:${port} (ECONNREFUSED)`),
  );
  expect(pauses.length).toBeGreaterThan(5);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
});

test("the error of an unknown host contains its name", async () => {
  await expect(attempt("postgres://prosa@nowhere.invalid/prosa")).rejects.toThrow(
    /^DATABASE_URL: no database answers at nowhere\.invalid:5432 \((ENOTFOUND|EAI_AGAIN)\)$/,
  );
});

test("a server that comes later is waited for", async () => {
  const port = await freePort();
  let tries = 0;
  await attempt(`postgres://prosa@127.0.0.1:${port}/prosa`, async () => {
    tries += 1;
    if (tries === 2) {
      await listen(fakePostgres(150_004), port);
    }
  });
  expect(tries).toBe(2);
});

test("a missing database or user is an error at once", async () => {
  const url = inject("templateUrl");
  await expect(attempt(inDatabase(url, "no_such_one"))).rejects.toThrow(
    /^DATABASE_URL: there is no database "no_such_one" at .*; make it: createdb no_such_one$/,
  );
  const stranger = new URL(url);
  stranger.username = "nobody_knows";
  await expect(attempt(stranger.href)).rejects.toThrow(
    /refuses the user "nobody_knows": (role .* does not exist|password authentication failed .*)$/,
  );
});

test("a database without UTF-8 is an error with its remedy; one without case folding is a warning", async () => {
  const [ascii, plain] = await Promise.all([aDatabase("SQL_ASCII"), aDatabase("UTF8")]);
  await expect(attempt(ascii)).rejects.toThrow(
    /^DATABASE_URL: the database ".*" has the encoding SQL_ASCII; make it anew: createdb --template=template0 .*$/,
  );
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  await awaitServer({ url: plain, log });
  expect(lines.join()).toContain("does not ignore accents and capitals in a search");
  lines.length = 0;
  await awaitServer({ url: inject("templateUrl"), log });
  expect(lines).toEqual([]);
});

/** With the locale C. */
async function aDatabase(encoding: string): Promise<string> {
  const url = inject("templateUrl");
  const name = `prosa_letters_${encoding.toLowerCase()}`;
  const drop = `drop database if exists ${name}`;
  await onServer(url, (client) => client.query(drop));
  await onServer(url, (client) =>
    client.query(
      `create database ${name} template template0 encoding '${encoding}' lc_collate 'C' lc_ctype 'C' locale_provider libc`,
    ),
  );
  onTestFinished(() => onServer(url, (client) => client.query(drop)).then(() => undefined));
  return inDatabase(url, name);
}

test("the server of the tests can be used", async () => {
  await attempt(inject("templateUrl"));
});

async function attempt(url: string, pause: (ms: number) => Promise<void> = async () => undefined): Promise<void> {
  await awaitServer({ url, log: testLog, pause });
}

/** Lets everybody in, and answers every statement with one row of one column: its version, or nothing. */
function fakePostgres(version: number): Server {
  return createServer((socket) => {
    socket.on("error", () => undefined);
    let isIn = false;
    socket.on("data", (chunk) => {
      if (!isIn) {
        isIn = true;
        socket.write(Buffer.concat([message("R", int32(0)), ready]));
      } else if (chunk.toString("latin1").includes("server_version_num")) {
        socket.write(answer(String(version)));
      } else if (chunk[0] !== "X".charCodeAt(0)) {
        socket.write(Buffer.concat([message("1"), message("2"), message("n"), message("C", text("SELECT 0")), ready]));
      }
    });
  });
}

const INTEGER = 23;
const ready = message("Z", Buffer.from("I"));

function answer(value: string): Buffer {
  const column = Buffer.concat([text("version"), int32(0), int16(0), int32(INTEGER), int16(4), int32(-1), int16(0)]);
  const row = Buffer.concat([int16(1), int32(value.length), Buffer.from(value)]);
  return Buffer.concat([
    message("T", Buffer.concat([int16(1), column])),
    message("D", row),
    message("C", text("SELECT 1")),
    ready,
  ]);
}

function message(type: string, body: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function text(words: string): Buffer {
  return Buffer.from(`${words}\0`);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
