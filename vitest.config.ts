import { defineConfig } from "vitest/config";
import { compileCache } from "./scripts/support/paths.ts";

// For the workers and for the hundreds of servers that tests start: each would strip and compile the same modules anew.
process.env.NODE_COMPILE_CACHE ??= compileCache;

const wholeProducts = ["server/src/app/{storm,nodes,app,bot-kill,bot-table,trust-kill}.test.ts"];

/** These replace modules of others, trust the certificate of a protocol server, or change the environment: a process for each file. */
const alone = [
  "server/src/whatsapp/**/*.test.ts",
  "server/src/**/*real-protocol.test.ts",
  "server/src/features/inbound/{real-phone,refused-sends}.test.ts",
  "server/src/features/connections/{supervisor,client-versions}/*.test.ts",
  "server/src/features/simulator/**/*.test.ts",
  "server/src/features/auth/auth.test.ts",
  "server/src/platform/{auth,config,ffmpeg,storage}/**/*.test.ts",
  "server/src/app/{app,campaign-storm,commands/*}.test.ts",
];

/**
 * One project for each package. Tests lie beside the code that they prove; only those of the server need a database,
 * and each of its files gets a clone of one migrated template (see server/src/testing).
 */
export default defineConfig({
  test: {
    // The machines that run this have two cores, and PostgreSQL wants one of them.
    pool: "forks",
    maxWorkers: 2,
    // These only end what hangs: a test holds no time budget, and a machine may be busy with ten other things.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    // As for the journeys (playwright.config.ts): a second attempt where a change is to land, named at the end; at a desk none.
    retry: process.env.CI ? 1 : 0,
    allowOnly: !process.env.CI,
    projects: [
      project("contract", ["contract/src/**/*.test.ts"]),
      {
        extends: true,
        test: {
          ...named("server", ["server/**/*.test.ts"]),
          exclude: [...wholeProducts, ...alone],
          globalSetup: ["server/src/testing/global-setup.ts"],
          // A worker keeps its modules from file to file: loading them anew took half of the processor's time of these tests. So a
          // test leaves no mock, timer or variable behind, or it stands among those above.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...named("server-alone", alone),
          exclude: wholeProducts,
          globalSetup: ["server/src/testing/global-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          ...named("processes", wholeProducts),
          globalSetup: ["server/src/testing/global-setup.ts"],
          // After all others: they start and kill whole servers, which a crowded machine makes look hung.
          sequence: { groupOrder: 1 },
        },
      },
      project("web", ["web/{src,build}/**/*.test.{ts,tsx}"]),
      project("wa-sim", ["wa-sim/{src,test}/**/*.test.ts"]),
      project("scripts", ["scripts/**/*.test.ts"]),
    ],
  },
});

function project(name: string, include: string[]) {
  return { extends: true as const, test: named(name, include) };
}

function named(name: string, include: string[]) {
  return { name, include, environment: "node" as const };
}
