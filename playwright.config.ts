import { defineConfig } from "@playwright/test";
import { findJourneyBrowser } from "./scripts/support/chromium.ts";
import { compileCache } from "./scripts/support/paths.ts";

// For the products that journeys start: each would strip and compile the same modules anew.
process.env.NODE_COMPILE_CACHE ??= compileCache;

/** Each starts and ends products of its own. First, or the longest of all would be alone at the end. */
const ofOwnProducts = "**/{spine,operator-notices}.e2e.ts";

/** Journeys through the built product in the distribution's Chromium: two files at a time, each worker with a product of its own. */
export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  projects: [
    { name: "own", testMatch: ofOwnProducts },
    { name: "shared", testMatch: "**/*.e2e.ts", testIgnore: ofOwnProducts },
  ],
  workers: 2,
  // Where a change is to land, a machine that others use too gets a second attempt, and the report says so; at a desk none.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  // What is waited for is what is seen; how long that may take is what a machine of two busy cores needs.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: [["list"], ["./scripts/test/seen-reporter.ts"], ["json", { outputFile: ".cache/test/e2e.json" }]],
  use: {
    // A button that does not come is said in a minute, not at the end of the test's time.
    actionTimeout: 60_000,
    // Journeys hold requests back, and a request that a service worker saw cannot be held.
    serviceWorkers: "block",
    browserName: "chromium",
    locale: "pt-BR",
    timezoneId: "America/Sao_Paulo",
    viewport: { width: 1440, height: 900 },
    // A trace takes a third of a journey's time: it is made of what is run by name, or again (scripts/test/runners.ts).
    trace: process.env.CI ? "on-first-retry" : "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: findJourneyBrowser(),
      args: [
        // Chromium's sandbox does not start as root, which is who tests run as in most containers.
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        // Without these it asks its maker's servers for updates, which slows a machine without internet.
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // A microphone that beeps, and whose use is allowed.
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
      ],
    },
  },
});
