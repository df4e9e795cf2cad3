import Fastify from "fastify";
import { expect, test } from "vitest";
import { createMetrics } from "../metrics/index.ts";
import { serveProbes } from "./probes.ts";

test("/ready does not wait for a database that neither answers nor refuses", async () => {
  const app = Fastify();
  const silent = { name: "database", check: () => new Promise<boolean>(() => undefined) };
  const well = { name: "storage", check: () => true };
  const drain = { isDraining: false } as Parameters<typeof serveProbes>[1]["drain"];
  const rest = { metrics: createMetrics({ withProcess: false }), metricsToken: undefined, version: "1.0.0" };
  serveProbes(app, { ...rest, drain, checks: [silent, well], timeoutMs: 10 });

  const answer = await app.inject("/ready");
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toEqual({ status: "not ready", checks: { database: false, storage: true } });
});
