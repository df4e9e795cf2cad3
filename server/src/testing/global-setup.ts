import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import type { TestProject } from "vitest/node";
import { migrateToLatest, prepareSignIn, startEmbedded } from "#server/platform/db/index.ts";
import { inDatabase, onServer } from "./server.ts";
import { skipSync } from "./skip-sync.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the migrated template database that each test file clones, as its owner. */
    templateUrl: string;
    /** The same with the role that processes sign in as. */
    signInUrl: string;
  }
}

interface Template {
  readonly url: string;
  readonly signInUrl: string;
  remove(): Promise<void>;
}

declare global {
  /** Vitest sets up each project on its own, in one process: the first makes the template, the last removes it. */
  var prosaTestTemplate: { users: number; readonly made: Promise<Template> } | undefined;
}

/**
 * Before all tests: one PostgreSQL, one migrated template. With PROSA_TEST_DATABASE_URL that server is used,
 * otherwise an embedded one in a temporary folder.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = (globalThis.prosaTestTemplate ??= { users: 0, made: makeTemplate() });
  shared.users += 1;
  const template = await shared.made;
  project.provide("templateUrl", template.url);
  project.provide("signInUrl", template.signInUrl);

  return async () => {
    shared.users -= 1;
    if (shared.users === 0) {
      globalThis.prosaTestTemplate = undefined;
      await template.remove();
    }
  };
}

async function makeTemplate(): Promise<Template> {
  const log = pino({ level: process.env["PROSA_TEST_LOG"] ?? "fatal" });
  const given = process.env["PROSA_TEST_DATABASE_URL"];
  const server = given ? { url: given, stop: async () => {} } : await startTemporary(log);

  try {
    // Not the pid: several runs may use the same server.
    const template = `prosa_template_${randomBytes(6).toString("hex")}`;
    await onServer(server.url, (client) => client.query(`create database ${template}`));
    const url = inDatabase(server.url, template);
    await migrateToLatest({ url, log });
    const signInUrl = await prepareSignIn({ url, log });

    return {
      url,
      signInUrl,
      async remove() {
        await onServer(server.url, (client) => client.query(`drop database if exists ${template} with (force)`));
        await onServer(server.url, (client) => client.query(`drop role if exists prosa_login_${template}`));
        await server.stop();
      },
    };
  } catch (error) {
    // Otherwise the server would keep running.
    await server.stop();
    throw error;
  }
}

async function startTemporary(log: pino.Logger): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "prosa-test-"));
  const server = await startEmbedded({ dataDir, log });
  await skipSync(server.url);
  return {
    url: server.url,
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
