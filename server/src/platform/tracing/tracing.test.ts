import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { contacts } from "@prosa/contract";
import { expect, onTestFinished, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import { aCompany } from "#server/testing/factories.ts";
import { startTracing } from "./index.ts";

interface ExportedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

/** An OTLP collector that keeps what it is sent. */
async function startCollector() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(`${request.url} ${body}`);
      response.setHeader("content-type", "application/json").end("{}");
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

test("with a collector requests, jobs and their statements are spans without anybody's data; without one there are none (E-03)", async () => {
  const { endpoint, bodies } = await startCollector();
  const app = await createTestApp({ closeAfterTest: true });
  const company = await aCompany(app);
  const person = { name: "Otília Trassada", number: "5511987654321" };
  await app.as(company.admin).get("/contacts");

  const tracing = await startTracing({ endpoint, ratio: 1, version: "1.2.3", instance: "this one" });
  onTestFinished(() => tracing.stop());
  expect((await app.as(company.admin).post(contacts.create.path, person)).status).toBe(200);
  expect((await app.as(company.admin).get("/contacts/2000000000")).status).toBe(404);
  expect((await app.as(company.admin).get(`/contacts?searchParam=${encodeURIComponent(person.name)}`)).status).toBe(
    200,
  );
  await app.db.systemTx(async (tx) => tx.enqueue(null, { task: "cron:events.prune", payload: {} }));
  await app.settle();
  await tracing.stop();
  await app.as(company.admin).get("/contacts");

  expect(bodies.length).toBeGreaterThan(0);
  expect(bodies.every((body) => body.startsWith("/v1/traces "))).toBe(true);
  const sent = bodies.join("\n");
  expect(sent).toContain('"1.2.3"');
  for (const secret of [person.name, "Otília", person.number, "987654321", "@example.com"]) {
    expect(sent).not.toContain(secret);
  }
  const spans = bodies.flatMap((body) => {
    const { resourceSpans } = JSON.parse(body.slice(body.indexOf("{"))) as {
      resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[];
    };
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  });
  const named = (name: string) => spans.filter((span) => span.name === name);
  const attributes = ({ attributes: all }: ExportedSpan) =>
    Object.fromEntries(all.map(({ key, value }) => [key, Object.values(value)[0]]));

  const [created] = named("POST /contacts");
  expect(attributes(created!)).toMatchObject({ "http.route": "/contacts", "prosa.request_id": expect.any(String) });
  const statements = spans.filter(({ traceId, spanId }) => traceId === created!.traceId && spanId !== created!.spanId);
  expect(statements.length).toBeGreaterThan(0);
  expect(statements.every((span) => attributes(span)["db.system.name"] === "postgresql")).toBe(true);
  expect(statements.every(({ parentSpanId }) => parentSpanId === created!.spanId)).toBe(true);
  const [missed] = named("GET /contacts/:id");
  expect([missed?.status.code, attributes(missed!)["error.type"]]).toEqual([2, expect.stringMatching(/^ERR_/u)]);
  const [job] = named("job cron:events.prune");
  expect(spans.some(({ parentSpanId }) => parentSpanId === job!.spanId)).toBe(true);
  // what was asked before and after, and what pollers ask, are no traces
  expect(named("GET /contacts")).toHaveLength(1);
  expect(spans.filter((span) => span.parentSpanId === undefined && span.kind === 3)).toEqual([]);
});
